// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"
#include "tests/analysis/analysis_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/pipeline/pipeline_canvas.h"
#include "views/pipeline/pipeline_panel.h"

#include <QComboBox>
#include <QPainter>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using lowering::Stage;
using pipeline::PipelinePanel;
using pipeline::Place;

namespace {

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
}

std::shared_ptr<const analysis::Result> resultOn(std::string_view machine) {
    static const auto kModel = tests::take(analysis::openModel(tests::samplePath()));
    return tests::analyzeOn(kModel, machine);
}

/// The step of a row that is the pass of that id.
Place placeOf(const pipeline::Picture& picture, std::string_view family, std::string_view pass) {
    for (int row = 0; row < picture.rows.size(); ++row)
        for (int step = 0; step < picture.rows[row].steps.size(); ++step)
            if (picture.rows[row].family == family
                && picture.rows[row].steps[step].pass->id == pass)
                return {row, step};
    return {};
}

void click(PipelinePanel& panel, const Place& place) {
    const auto* box = panel.canvas()->geometry().box(place);
    QVERIFY(box);
    QTest::mouseClick(panel.canvas(), Qt::LeftButton, {}, box->rect.center().toPoint());
}

} // namespace

class TestPipelinePanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void saysWhyItIsEmpty();
    void drawsAllFiveRowsInFixedOrder();
    void phasesStandAlignedOverAllRows();
    void aClickShowsTheStageOfThePass();
    void aClickOnAnotherRowAsksForItsMachine();
    void arrowsWalkAndEnterActivates();
    void modesShowWhatTheyChange();
    void cardsNameFilesAndSources();
    void theReferenceHasARowWhileItIsTheMachine();
    void listAndTableHaveEveryPass();
    void drawsInBothThemesAtAllSizes_data();
    void drawsInBothThemesAtAllSizes();
};

void TestPipelinePanel::saysWhyItIsEmpty() {
    ViewState state;
    PipelinePanel panel(state, nullptr);
    QVERIFY(panel.sentence().contains("No model"));
    QVERIFY(panel.canvas()->picture().isEmpty());
    QVERIFY(panel.toCsv().isEmpty());
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    panel.paintContent(painter, image.size());
    QTest::keyClick(panel.canvas(), Qt::Key_Right);
    QTest::keyClick(panel.canvas(), Qt::Key_Return);
}

void TestPipelinePanel::drawsAllFiveRowsInFixedOrder() {
    ViewState state;
    PipelinePanel panel(state, nullptr);
    panel.resize(1036, 188);
    for (const std::string_view machine : tests::kFiveMachines) {
        state.setResult(resultOn(machine), false);
        const auto& picture = panel.canvas()->picture();
        QCOMPARE(picture.rows.size(), 5);
        for (int row = 0; row < 5; ++row)
            QVERIFY(picture.rows[row].family == machines::kFamilies[row]);
        QVERIFY(picture.rows[picture.current].family == state.result()->machine().family);
        QVERIFY2(panel.sentence().contains(QString::fromStdString(state.result()->machine().name)),
            qPrintable(panel.sentence()));
    }
    // Spyre's order is its own, and said.
    QVERIFY2(panel.sentence().contains("1 2 4 5 3 6"), qPrintable(panel.sentence()));
    // What a pass of the current machine left is counted.
    const Place fuse = placeOf(panel.canvas()->picture(), "spyre", "fuse_nodes");
    const auto kernels = state.result()->program.stage(Stage::Fused).kernels.size();
    QVERIFY(panel.canvas()
                ->picture()
                .step(fuse.row, fuse.step)
                ->emits.startsWith(QString::number(kernels)));
}

void TestPipelinePanel::phasesStandAlignedOverAllRows() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    const auto picture = pipeline::present(state, {});
    const auto geometry = pipeline::arrange(picture, QSizeF(1036, 144));
    QCOMPARE(geometry.phases.size(), int(lowering::kPipelinePhases.size()));
    for (const auto& step : geometry.steps) {
        const auto phase = picture.step(step.place.row, step.place.step)->pass->phase;
        const QRectF head = geometry.phases[int(phase)].rect;
        QVERIFY(step.rect.left() >= head.left() - 0.01 && step.rect.right() <= head.right() + 0.01);
        QVERIFY(step.rect.width() > 8);
        QVERIFY(step.rect.bottom() <= 144.01);
        QVERIFY(geometry.placeAt(step.rect.center()) == step.place);
    }
    // The current machine's row says more than the others.
    for (const auto& row : geometry.rows)
        QVERIFY(row.lines <= geometry.rows[picture.current].lines);
}

void TestPipelinePanel::aClickShowsTheStageOfThePass() {
    ViewState state;
    state.setResult(resultOn("spyre"), true);
    PipelinePanel panel(state, nullptr);
    panel.resize(1036, 300);
    panel.show();
    state.setStage(Stage::Captured);
    click(panel, placeOf(panel.canvas()->picture(), "spyre", "fuse_nodes"));
    QVERIFY(state.stage() == Stage::Fused);
    click(panel, placeOf(panel.canvas()->picture(), "spyre", "insert_restickify"));
    QVERIFY(state.stage() == Stage::LaidOut);
    // A pass that does no stage leaves it.
    click(panel, placeOf(panel.canvas()->picture(), "spyre", "dci"));
    QVERIFY(state.stage() == Stage::LaidOut);
}

void TestPipelinePanel::aClickOnAnotherRowAsksForItsMachine() {
    ViewState state;
    state.setResult(resultOn("groq_lpu_v1"), true);
    PipelinePanel panel(state, nullptr);
    panel.resize(1036, 300);
    panel.show();
    QSignalSpy asked(&panel, &common::Panel::machineRequested);
    click(panel, placeOf(panel.canvas()->picture(), "tpu", "fusion"));
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.front().front().toString(), QString("tpu"));
    QVERIFY(state.stage() == Stage::Fused);
    const auto& rows = panel.canvas()->geometry().rows;
    QTest::mouseClick(panel.canvas(), Qt::LeftButton, {}, rows[0].label.center().toPoint());
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked.back().front().toString(), QString("gpu"));
    QTest::mouseClick(panel.canvas(), Qt::LeftButton, {}, rows[3].label.center().toPoint());
    QCOMPARE(asked.count(), 2); // its own row
    // On Groq place and time are one pass: a second click goes on to the second stage.
    const Place both = placeOf(panel.canvas()->picture(), "groq", "schedule");
    click(panel, both);
    QVERIFY(state.stage() == Stage::Placed);
    click(panel, both);
    QVERIFY(state.stage() == Stage::Scheduled);
}

void TestPipelinePanel::arrowsWalkAndEnterActivates() {
    ViewState state;
    state.setResult(resultOn("gpu_h100_sxm"), true);
    PipelinePanel panel(state, nullptr);
    panel.resize(1036, 300);
    panel.show();
    auto* canvas = panel.canvas();
    QVERIFY((canvas->focused() == Place{0, 0}));
    QTest::keyClick(canvas, Qt::Key_Left); // the first stays
    QVERIFY((canvas->focused() == Place{0, 0}));
    QTest::keyClick(canvas, Qt::Key_Right);
    QVERIFY((canvas->focused() == Place{0, 1}));
    QTest::keyClick(canvas, Qt::Key_Return);
    QVERIFY(state.stage() == Stage::Decomposed);
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(canvas->focused().row, 1);
    QTest::keyClick(canvas, Qt::Key_Up);
    QTest::keyClick(canvas, Qt::Key_Up); // no row above the first
    QCOMPARE(canvas->focused().row, 0);
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->focused().step, int(canvas->picture().rows[0].steps.size()) - 1);
    QTest::keyClick(canvas, Qt::Key_Home);
    QCOMPARE(canvas->focused().step, 0);
}

void TestPipelinePanel::modesShowWhatTheyChange() {
    ViewState state;
    state.setResult(resultOn("gpu_h100_sxm"), true);
    PipelinePanel panel(state, nullptr);
    panel.resize(1036, 400);
    panel.show();
    const int eager = panel.modes()->findData("eager");
    QVERIFY(eager > 0);
    panel.canvas()->setMode("eager");
    const Place fuse = placeOf(panel.canvas()->picture(), "gpu", "fuse_nodes");
    QVERIFY(!panel.canvas()->picture().step(fuse.row, fuse.step)->effect.isEmpty());
    QVERIFY(panel.sentence().contains("eager"));
    QCOMPARE(panel.modes()->currentData().toString(), QString("eager"));
    // M walks the modes and comes back to the one in force.
    panel.canvas()->setMode({});
    panel.canvas()->setFocus();
    for (int i = 1; i < panel.modes()->count(); ++i) {
        panel.showNextMode();
        QCOMPARE(panel.canvas()->mode(), panel.modes()->itemData(i).toString());
    }
    panel.showNextMode();
    QVERIFY(panel.canvas()->mode().isEmpty());
    // Another machine starts with its own mode.
    panel.canvas()->setMode("eager");
    state.setResult(resultOn("tpu_v5e"), false);
    QVERIFY(panel.canvas()->mode().isEmpty());
}

void TestPipelinePanel::cardsNameFilesAndSources() {
    ViewState state;
    state.setResult(resultOn("spyre"), true);
    const auto picture = pipeline::present(state, {});
    const Place place = placeOf(picture, "spyre", "superdsc");
    const auto card = pipeline::card(picture, place.row, place.step);
    const QString all = card.title + card.lines.join('\n');
    QVERIFY2(all.contains("sdsc_<n>.json"), qPrintable(all));
    QVERIFY(all.contains("torch-spyre"));
    for (int row = 0; row < picture.rows.size(); ++row) {
        QVERIFY(!pipeline::rowCard(picture, row).isEmpty());
        for (int step = 0; step < picture.rows[row].steps.size(); ++step)
            QVERIFY(pipeline::card(picture, row, step).lines.size()
                <= common::CardContent::kMaximumLines);
    }
    QVERIFY(pipeline::card(picture, 9, 0).isEmpty());
    const Place gpu = placeOf(picture, "gpu", "joint_graph");
    QVERIFY(pipeline::card(picture, gpu.row, gpu.step)
                .lines.join('\n')
                .contains("fx_graph_readable.py"));
}

void TestPipelinePanel::theReferenceHasARowWhileItIsTheMachine() {
    ViewState state;
    state.setResult(resultOn("cpu_reference"), true);
    const auto picture = pipeline::present(state, {});
    QCOMPARE(picture.rows.size(), 6);
    QCOMPARE(picture.current, 5);
}

void TestPipelinePanel::listAndTableHaveEveryPass() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    PipelinePanel panel(state, nullptr);
    std::size_t passes = 0;
    for (const auto& row : panel.canvas()->picture().rows)
        passes += row.steps.size();
    QCOMPARE(panel.twinRows().size(), passes);
    QCOMPARE(std::size_t(panel.toCsv().count("\r\n")), passes + 1);
}

void TestPipelinePanel::drawsInBothThemesAtAllSizes_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const std::string_view machine : tests::kFiveMachines)
        for (const QSize size :
            {QSize(1036, 188), QSize(280, 160), QSize(420, 280), QSize(1600, 900)})
            for (const bool isDark : {false, true})
                QTest::addRow("%s-%dx%d-%s", machine.data(), size.width(), size.height(),
                    isDark ? "dark" : "light")
                    << QString::fromUtf8(machine.data()) << size << isDark;
}

void TestPipelinePanel::drawsInBothThemesAtAllSizes() {
    QFETCH(QString, machine);
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    ViewState state;
    state.setResult(resultOn(machine.toStdString()), true);
    PipelinePanel panel(state, nullptr);
    panel.resize(size);
    panel.show();
    QCoreApplication::processEvents(); // a hidden header gives its room back
    const QImage image = panel.grab().toImage();
    QCOMPARE(image.size(), size);
    for (const auto& step : panel.canvas()->geometry().steps)
        QVERIFY(QRectF(panel.canvas()->rect()).adjusted(-1, -1, 1, 1).contains(step.rect));
    keepPicture(panel, QString("pipeline-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestPipelinePanel)
#include "test_pipeline_panel.moc"
