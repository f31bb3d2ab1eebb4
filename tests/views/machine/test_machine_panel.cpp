// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"
#include "tests/analysis/analysis_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/machine/machine_canvas.h"
#include "views/machine/machine_panel.h"

#include <QComboBox>
#include <QPainter>
#include <QSlider>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using analysis::BoxKind;
using common::ViewState;
using lowering::SystolicPhase;
using machine::MachinePanel;

namespace {

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
}

std::shared_ptr<const analysis::Model> model() {
    static const auto kModel = tests::take(analysis::openModel(tests::samplePath()));
    return kModel;
}

std::shared_ptr<const analysis::Result> resultOn(std::string_view machine) {
    return tests::analyzeOn(model(), machine);
}

/// A machine that nobody has heard of, of a known family.
std::shared_ptr<const analysis::Result> resultOnOwnMachine() {
    auto own = std::make_shared<machines::Machine>(tests::take(machines::readMachine(R"({
        "id": "own", "name": "My own chip with a rather long name", "family": "gpu",
        "peaks": {"fp16": {"value": 1e12, "unit": "FLOP/s", "status": "estimated", "source": "mine"}},
        "memories": [
            {"name": "memory", "kind": "device", "capacity": {"value": 1e9, "unit": "B", "status": "estimated", "source": "mine"},
             "bandwidth": {"value": 1e10, "unit": "B/s", "status": "estimated", "source": "mine"}},
            {"name": "L2", "kind": "cache", "capacity": {"value": null, "unit": "B"}, "bandwidth": {"value": null, "unit": "B/s"}}]
    })",
        "own.json")));
    analysis::Request request{model(), own, {}, {}};
    request.settings.precision = machines::Precision::Fp16;
    return tests::take(analysis::analyze(request));
}

void selectFirst(ViewState& state, ir::Op op) {
    state.selectNode(tests::firstOf(state.result()->graph(), op));
}

bool overlap(const QRectF& a, const QRectF& b) {
    return a.adjusted(0.5, 0.5, -0.5, -0.5).intersects(b.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

class TestMachinePanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void saysWhyItIsEmpty();
    void drawsEveryMachineWithoutOverlap_data();
    void drawsEveryMachineWithoutOverlap();
    void drawsTheUsersOwnMachine();
    void selectionLightsUnitsAndMemories();
    void sentenceNamesTheHome();
    void keysStepCyclesAndPhases();
    void playRunsToTheClosedForm();
    void theSliderScrubs();
    void clickOnThePhaseBarGoesThere();
    void machinesWithoutAnArraySaySo();
    void generationsAskForTheirMachine();
    void detailShowsTheArrayAlone();
    void arrowsWalkBoxesAndCardsHaveSources();
    void vocabularyIsTheMachinesOwn();
    void listAndTableHaveEveryBox();
    void drawsInBothThemesAtAllSizes_data();
    void drawsInBothThemesAtAllSizes();
};

void TestMachinePanel::saysWhyItIsEmpty() {
    ViewState state;
    MachinePanel panel(state, nullptr);
    QVERIFY(panel.sentence().contains("No model"));
    QVERIFY(panel.canvas()->picture().isEmpty());
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    panel.paintContent(painter, image.size());
    QTest::keyClick(panel.canvas(), Qt::Key_Period);
    QTest::keyClick(panel.canvas(), Qt::Key_Right);
    QCOMPARE(panel.canvas()->cycle(), std::int64_t(0));
}

void TestMachinePanel::drawsEveryMachineWithoutOverlap_data() {
    QTest::addColumn<QString>("machine");
    for (const auto& each : machines::bundledMachines())
        QTest::newRow(each->id.c_str()) << QString::fromStdString(each->id);
}

void TestMachinePanel::drawsEveryMachineWithoutOverlap() {
    QFETCH(QString, machine);
    ViewState state;
    state.setResult(resultOn(machine.toStdString()), true);
    const auto picture = machine::present(state);
    for (const QSizeF size :
        {QSizeF(1200, 700), QSizeF(588, 240), QSizeF(420, 500), QSizeF(280, 100)}) {
        const auto geometry = machine::arrange(picture, {}, size);
        QVERIFY(!geometry.boxes.isEmpty());
        if (size.width() > 500 && size.height() > 500) // room for everything
            QCOMPARE(geometry.boxes.size(), picture.boxes.size());
        for (int i = 0; i < geometry.boxes.size(); ++i) {
            const auto& box = geometry.boxes[i];
            QVERIFY(box.rect.width() > 0 && box.rect.height() > 0);
            const auto parent = picture.diagram.boxes[box.index].parent;
            if (parent)
                QVERIFY2(geometry.shapeOf(*parent)
                             ->rect.adjusted(-0.5, -0.5, 0.5, 0.5)
                             .contains(box.rect),
                    picture.diagram.boxes[box.index].name.c_str());
            if (size.height() >= 240)
                QVERIFY2(QRectF(QPointF(), size).contains(box.rect),
                    picture.diagram.boxes[box.index].name.c_str());
            for (int j = 0; j < i; ++j) {
                const auto& other = geometry.boxes[j];
                if (picture.diagram.boxes[other.index].parent == parent
                    && picture.diagram.boxes[other.index].kind != BoxKind::Device)
                    QVERIFY2(!overlap(box.rect, other.rect),
                        (picture.diagram.boxes[box.index].name + " and "
                            + picture.diagram.boxes[other.index].name)
                            .c_str());
            }
        }
    }
}

void TestMachinePanel::drawsTheUsersOwnMachine() {
    ViewState state;
    state.setResult(resultOnOwnMachine(), true);
    MachinePanel panel(state, nullptr);
    panel.resize(900, 600);
    panel.show();
    QCOMPARE(panel.canvas()->geometry().boxes.size(), 3);
    QVERIFY(panel.sentence().contains("My own chip"));
    QVERIFY(panel.sentence().contains("units not published"));
    // Its words are borrowed, and it stands among the generations of its family.
    QVERIFY(machine::vocabulary(panel.canvas()->picture()).join(' ').contains("CTA"));
    QVERIFY(panel.generations()->currentText().contains("My own chip"));
    keepPicture(panel, "machine-own");
}

void TestMachinePanel::selectionLightsUnitsAndMemories() {
    for (const std::string_view id : tests::kFiveMachines) {
        ViewState state;
        state.setResult(resultOn(id), true);
        auto picture = machine::present(state);
        for (const auto& box : picture.boxes)
            QVERIFY(!box.isHome && !box.isUsed && box.use.isEmpty());
        selectFirst(state, ir::Op::MatMul);
        picture = machine::present(state);
        int units = 0;
        for (const auto& box : picture.boxes) {
            const auto kind = picture.diagram.boxes[box.index].kind;
            units += kind == BoxKind::Unit && box.isUsed;
            QVERIFY(box.share >= 0 && box.share <= 1);
            if (box.isHome)
                QVERIFY(kind == BoxKind::Memory && box.use.contains("holds"));
        }
        QVERIFY2(units > 0, id.data());
        // A product that is fused with its bias has no buffer of its own; the model's output has
        // one everywhere.
        state.selectValue(state.result()->graph().blocks[ir::Graph::mainBlock()].outputs.front());
        picture = machine::present(state);
        QVERIFY2(std::ranges::any_of(picture.boxes, [](const auto& box) { return box.isHome; }),
            id.data());
    }
}

void TestMachinePanel::sentenceNamesTheHome() {
    ViewState state;
    state.setResult(resultOn("spyre"), true);
    MachinePanel panel(state, nullptr);
    QVERIFY2(panel.sentence().contains("LPDDR5"), qPrintable(panel.sentence()));
    selectFirst(state, ir::Op::MatMul);
    QVERIFY2(panel.sentence().contains("runs on core"), qPrintable(panel.sentence()));
    QVERIFY2(panel.sentence().contains("lies in"), qPrintable(panel.sentence()));
}

void TestMachinePanel::keysStepCyclesAndPhases() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(1000, 600);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    selectFirst(state, ir::Op::MatMul);
    auto* canvas = panel.canvas();
    canvas->setFocus();
    QVERIFY(canvas->picture().stepping && canvas->picture().stepping->isSelected);
    const auto run = canvas->picture().stepping->run;
    // It opens in the middle of a pass, where there is something to see.
    QVERIFY(run.at(canvas->cycle()).activeCells > 0);
    QCOMPARE(run.at(canvas->cycle()).fold, std::int64_t(0));
    QTest::keyClick(canvas, Qt::Key_Home);
    QTest::keyClick(canvas, Qt::Key_Period);
    QTest::keyClick(canvas, Qt::Key_Period);
    QCOMPARE(canvas->cycle(), std::int64_t(2));
    QTest::keyClick(canvas, Qt::Key_Comma);
    QCOMPARE(canvas->cycle(), std::int64_t(1));
    QTest::keyClick(canvas, Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(canvas->cycle(), std::int64_t(128)); // after the load of 128 rows
    QVERIFY(run.at(canvas->cycle()).phase == SystolicPhase::Fill);
    QTest::keyClick(canvas, Qt::Key_Less, Qt::ShiftModifier);
    QCOMPARE(canvas->cycle(), std::int64_t(0));
    QTest::keyClick(canvas, Qt::Key_Comma); // there is none before the first
    QCOMPARE(canvas->cycle(), std::int64_t(0));
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->cycle(), run.cycles());
    QTest::keyClick(canvas, Qt::Key_Home);
    QCOMPARE(canvas->cycle(), std::int64_t(0));
    // Another product opens anew, the same product keeps its cycle.
    canvas->setCycle(7);
    state.setStage(lowering::Stage::Fused);
    QCOMPARE(canvas->cycle(), std::int64_t(7));
    state.setResult(resultOn("tpu_v6e"), false);
    QVERIFY(canvas->picture().stepping->run.at(canvas->cycle()).activeCells > 0);
    QVERIFY(canvas->cycle() != 7);
}

void TestMachinePanel::playRunsToTheClosedForm() {
    ViewState state;
    state.setResult(resultOn("groq_lpu_v1"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(1000, 600);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* canvas = panel.canvas();
    canvas->setFocus();
    const auto& run = canvas->picture().stepping->run;
    QTest::keyClick(canvas, Qt::Key_F9);
    QVERIFY(canvas->isPlaying());
    const std::int64_t opened = canvas->cycle();
    QTRY_VERIFY(canvas->cycle() > opened);
    canvas->setCycle(run.cycles() - 1);
    QTRY_VERIFY(!canvas->isPlaying());
    QCOMPARE(canvas->cycle(), run.cycles());
    QVERIFY(
        machine::cycleTexts(*canvas->picture().stepping, canvas->cycle()).front().contains("last"));
    // From the end it starts again; a hidden panel stops.
    QTest::keyClick(canvas, Qt::Key_F9);
    QVERIFY(canvas->isPlaying());
    QVERIFY(canvas->cycle() < run.cycles());
    panel.hide();
    QVERIFY(!canvas->isPlaying());
}

void TestMachinePanel::theSliderScrubs() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(1000, 600);
    panel.show();
    const auto last = panel.canvas()->picture().stepping->run.cycles();
    panel.scrubber()->setValue(panel.scrubber()->maximum());
    QCOMPARE(panel.canvas()->cycle(), last);
    panel.scrubber()->setValue(panel.scrubber()->maximum() / 2);
    QVERIFY(std::abs(panel.canvas()->cycle() - last / 2) <= 1);
    panel.canvas()->setCycle(0);
    QCOMPARE(panel.scrubber()->value(), 0);
}

void TestMachinePanel::clickOnThePhaseBarGoesThere() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(1100, 640);
    panel.show();
    auto* canvas = panel.canvas();
    QVERIFY(!canvas->geometry().array.isNull());
    for (const auto& span : canvas->arrayGeometry().phases) {
        if (span.cycles == 0)
            continue;
        QTest::mouseClick(canvas, Qt::LeftButton, {}, span.rect.center().toPoint());
        QVERIFY(canvas->picture().stepping->run.at(canvas->cycle()).phase == span.phase);
    }
}

void TestMachinePanel::machinesWithoutAnArraySaySo() {
    ViewState state;
    state.setResult(resultOn("gpu_h100_sxm"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(1000, 600);
    panel.show();
    QVERIFY(!panel.canvas()->picture().stepping);
    QVERIFY(panel.scrubber()->toolTip().contains("no systolic array"));
    QVERIFY(!panel.scrubber()->isEnabled());
    panel.canvas()->setPlaying(true);
    QVERIFY(!panel.canvas()->isPlaying());
    // On a machine with one, a selection without a product says so.
    state.setResult(resultOn("tpu_v5e"), false);
    selectFirst(state, ir::Op::Softmax);
    QVERIFY(panel.scrubber()->toolTip().contains("no matrix product")
        || panel.canvas()->picture().stepping);
}

void TestMachinePanel::generationsAskForTheirMachine() {
    ViewState state;
    state.setResult(resultOn("tpu_v5e"), true);
    MachinePanel panel(state, nullptr);
    QCOMPARE(panel.generations()->count(), 5);
    QCOMPARE(panel.generations()->currentData().toString(), QString("tpu_v5e"));
    QSignalSpy asked(&panel, &common::Panel::machineRequested);
    panel.resize(1000, 600);
    panel.show();
    panel.generations()->setFocus();
    const int next = (panel.generations()->currentIndex() + 1) % 5;
    const QString wanted = panel.generations()->itemData(next).toString();
    QTest::keyClick(panel.generations(), Qt::Key_Down);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.front().front().toString(), wanted);
}

void TestMachinePanel::detailShowsTheArrayAlone() {
    ViewState state;
    state.setResult(resultOn("spyre"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(420, 400);
    panel.show();
    QVERIFY(panel.canvas()->geometry().array.isNull()); // too narrow beside the machine
    panel.details()->setCurrentIndex(2);
    QVERIFY(!panel.canvas()->geometry().array.isNull());
    QVERIFY(panel.canvas()->geometry().boxes.isEmpty());
    keepPicture(panel, "machine-array-alone");
}

void TestMachinePanel::arrowsWalkBoxesAndCardsHaveSources() {
    ViewState state;
    state.setResult(resultOn("gpu_h100_sxm"), true);
    MachinePanel panel(state, nullptr);
    panel.resize(900, 600);
    panel.show();
    auto* canvas = panel.canvas();
    QVERIFY(!canvas->focused());
    QSet<std::size_t> seen;
    for (int i = 0; i < canvas->geometry().boxes.size(); ++i) {
        QTest::keyClick(canvas, Qt::Key_Right);
        seen.insert(*canvas->focused());
    }
    QCOMPARE(seen.size(), canvas->geometry().boxes.size());
    QTest::keyClick(canvas, Qt::Key_Left);
    QTest::mouseClick(
        canvas, Qt::LeftButton, {}, canvas->geometry().boxes.front().header.center().toPoint());
    const auto& picture = canvas->picture();
    for (std::size_t box = 1; box < picture.diagram.boxes.size(); ++box) {
        const auto card = machine::card(picture, box);
        QVERIFY(card.lines.size() <= common::CardContent::kMaximumLines);
        for (const auto& figure : picture.diagram.boxes[box].figures)
            if (figure.figure.isKnown())
                QVERIFY(card.lines.join('\n').contains(QString::fromStdString(figure.figure.source))
                    || card.lines.size() == common::CardContent::kMaximumLines);
    }
}

void TestMachinePanel::vocabularyIsTheMachinesOwn() {
    const auto words = [](std::string_view id) {
        ViewState state;
        state.setResult(resultOn(id), true);
        return machine::vocabulary(machine::present(state)).join(' ');
    };
    QVERIFY(words("gpu_h100_sxm").contains("warp"));
    QVERIFY(words("tpu_v5e").contains("MXU pass"));
    QVERIFY(words("cerebras_wse3").contains("wavelet on a colour"));
    QVERIFY(words("groq_lpu_v1").contains("stream"));
    QVERIFY(words("spyre").contains("bundle"));
}

void TestMachinePanel::listAndTableHaveEveryBox() {
    ViewState state;
    state.setResult(resultOn("cerebras_wse3"), true);
    MachinePanel panel(state, nullptr);
    QCOMPARE(panel.twinRows().size(), panel.canvas()->picture().diagram.boxes.size());
    QVERIFY(panel.toCsv().contains("MemoryX"));
}

void TestMachinePanel::drawsInBothThemesAtAllSizes_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const std::string_view machine : tests::kFiveMachines)
        for (const QSize size :
            {QSize(588, 312), QSize(280, 160), QSize(420, 420), QSize(1600, 900)})
            for (const bool isDark : {false, true})
                QTest::addRow("%s-%dx%d-%s", machine.data(), size.width(), size.height(),
                    isDark ? "dark" : "light")
                    << QString::fromUtf8(machine.data()) << size << isDark;
}

void TestMachinePanel::drawsInBothThemesAtAllSizes() {
    QFETCH(QString, machine);
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    ViewState state;
    state.setResult(resultOn(machine.toStdString()), true);
    MachinePanel panel(state, nullptr);
    panel.resize(size);
    panel.show();
    selectFirst(state, ir::Op::MatMul);
    if (panel.canvas()->picture().stepping)
        panel.canvas()->setCycle(panel.canvas()->picture().stepping->run.foldCycles() / 3);
    QCoreApplication::processEvents(); // a hidden header gives its room back
    QCOMPARE(panel.grab().toImage().size(), size);
    keepPicture(panel, QString("machine-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestMachinePanel)
#include "test_machine_panel.moc"
