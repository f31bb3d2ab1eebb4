// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/play/play_fixture.h"
#include "views/common/palette.h"
#include "views/play/play_canvas.h"
#include "views/play/play_controls.h"
#include "views/play/play_panel.h"

#include <QAction>
#include <QComboBox>
#include <QPainter>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using base::Picoseconds;
using play::PlayPanel;
using schedule::ExecutionModel;

namespace {

/// A panel whose requests are answered at once, as the window does it in a job.
struct Shown : testing::ShownPanel<PlayPanel> {
    explicit Shown(std::shared_ptr<const analysis::Result> result, const QSize& size = {1200, 800})
        : ShownPanel(std::move(result), size) {
        QObject::connect(&panel, &PlayPanel::requestChanged, &panel,
            [this](const analysis::PlayRequest& request) {
                ++requests;
                last = request;
                if (state.result())
                    state.setPlay(std::make_shared<const analysis::Play>(
                        analysis::play(*state.result(), request)));
            });
        QObject::connect(&panel, &PlayPanel::clockWanted, &panel,
            [this](Picoseconds at) { state.setPlayTime(at); });
        panel.controls()->setModels(
            ExecutionModel::StaticSchedule, ExecutionModel::DynamicDataflow);
        panel.controls()->jitter()->setValue(40); // asks
    }
    play::PlayCanvas* canvas() { return panel.canvas(); }
    int requests = 0;
    analysis::PlayRequest last;
};

QPoint middleOf(const play::PlayCanvas& canvas, std::size_t side, const play::Bar& bar) {
    const auto& places = canvas.places();
    return QPointF(
        (places.x(side, bar.start) + places.x(side, bar.end)) / 2, places.y(side, bar.lane))
        .toPoint();
}

const play::Bar& widest(const play::Side& side) {
    return *std::max_element(side.bars.begin(), side.bars.end(),
        [](const play::Bar& a, const play::Bar& b) { return a.end - a.start < b.end - b.start; });
}

} // namespace

class TestPlayPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void saysWhyItIsEmpty() {
        common::ViewState state;
        PlayPanel panel(state, nullptr);
        panel.resize(600, 400);
        panel.show();
        QVERIFY(panel.sentence().contains("Open a model"));
        QVERIFY(!panel.playAction()->isEnabled());
        QVERIFY(panel.twinRows().empty() && panel.toCsv().isEmpty());
        state.setResult(views::testing::emptySample(), true);
        QVERIFY(panel.sentence().contains("no events"));
        QImage image(400, 300, QImage::Format_ARGB32);
        QPainter painter(&image);
        panel.paintContent(painter, image.size());
        QTest::keyClick(panel.canvas(), Qt::Key_End); // keys do nothing without a picture
        QTest::keyClick(panel.canvas(), Qt::Key_Right);
        QTest::mouseClick(panel.canvas(), Qt::LeftButton, {}, QPoint(50, 50));
    }

    void asksWhenItIsShownAndForTheSelection() {
        Shown shown(views::testing::attentionSample());
        QVERIFY(shown.requests > 0);
        QVERIFY(shown.last.models.size() == 2);
        const int before = shown.requests;
        shown.state.selectNode(ir::NodeId(2)); // the whole graph is played: no other play
        QCOMPARE(shown.requests, before);
        shown.panel.controls()->block()->setFocus();
        QTest::keyClick(shown.panel.controls()->block(), Qt::Key_End); // the selection
        QCOMPARE(shown.requests, before + 1);
        QVERIFY(shown.last.block == analysis::PlayBlock::Selection);
        QVERIFY(shown.last.nodes == std::vector<ir::NodeId>{ir::NodeId(2)});
        shown.state.selectNode(ir::NodeId(3));
        QCOMPARE(shown.requests, before + 2);
        QVERIFY(shown.last.nodes.front() == ir::NodeId(3));
    }

    void theMachinesOwnModelStandsFirst() {
        common::ViewState state;
        PlayPanel panel(state, nullptr);
        state.setResult(views::testing::attentionSample(), true);
        const auto request = panel.request();
        QVERIFY(
            request.models[0].model == analysis::ownModel(state.result()->machine().family).model);
        QVERIFY(request.models[1].model != request.models[0].model);
    }

    void controlsChangeTheRequest() {
        Shown shown(views::testing::attentionSample());
        auto* controls = shown.panel.controls();
        QTest::keyClick(controls->left(), Qt::Key_Home);
        QVERIFY(shown.last.models[0].model == ExecutionModel::ProgramCounter);
        QTest::keyClick(controls->queue(), Qt::Key_Up);
        QCOMPARE(shown.last.models[1].queueCapacity, std::int64_t(3));
        QTest::keyClick(controls->seed(), Qt::Key_Up);
        QCOMPARE(shown.last.models[0].seed, std::uint64_t(2));
        QCOMPARE(shown.last.models[1].seed, std::uint64_t(2));
        QTest::keyClick(controls->jitter(), Qt::Key_Right);
        QCOMPARE(shown.last.models[1].jitter, 0.41);
        QTest::keyClick(controls->arbitration(), Qt::Key_End);
        QVERIFY(shown.last.models[1].arbitration == schedule::Arbitration::CriticalFirst);
        QTest::keyClick(controls->right(), Qt::Key_End); // none is dataflow: no queue to set
        QVERIFY(!controls->queue()->isEnabled() && !controls->arbitration()->isEnabled());
        controls->setLate(lowering::EventId(0));
        QVERIFY(shown.last.models[0].late == lowering::EventId(0));
        QVERIFY(!controls->seed()->isEnabled());
    }

    void aClickOnABarSelectsItsStep() {
        Shown shown(views::testing::attentionSample());
        const auto& picture = shown.canvas()->picture();
        const auto& bar = widest(picture.sides[1]);
        QTest::mouseClick(shown.canvas(), Qt::LeftButton, {}, middleOf(*shown.canvas(), 1, bar));
        const auto& firing = picture.play->traces[1].firings[bar.firing];
        const auto step = picture.result->program.events[firing.event].step;
        QVERIFY(shown.state.selection() == shown.state.selectionOf(step));
        QVERIFY(!shown.state.selection().isEmpty());
    }

    void aDragMovesTheClock() {
        Shown shown(views::testing::attentionSample());
        const auto& chart = shown.canvas()->places().sides[0].chart;
        const QPoint from(static_cast<int>(chart.left() + 5), static_cast<int>(chart.top() + 3));
        const QPoint to(static_cast<int>(chart.center().x()), from.y());
        views::testing::drag(shown.canvas(), from, to);
        const double share = shown.state.playTime() / shown.canvas()->picture().span;
        QVERIFY2(std::abs(share - 0.5) < 0.01, qPrintable(QString::number(share)));
        QVERIFY(std::abs(shown.panel.slider()->value() - 500) < 10);
        QTest::keyClick(shown.canvas(), Qt::Key_Home);
        QCOMPARE(shown.state.playTime().value, std::int64_t(0));
        QTest::keyClick(shown.canvas(), Qt::Key_End);
        QCOMPARE(shown.state.playTime().value, shown.canvas()->picture().span.value);
        QTest::keyClick(shown.panel.slider(), Qt::Key_Home);
        QCOMPARE(shown.state.playTime().value, std::int64_t(0));
    }

    void keysAndButtonsAskForStepsAndPlay() {
        Shown shown(views::testing::attentionSample());
        QSignalSpy steps(&shown.panel, &PlayPanel::stepWanted);
        QSignalSpy plays(&shown.panel, &PlayPanel::playToggled);
        shown.canvas()->setFocus();
        QTest::keyClick(shown.canvas(), Qt::Key_Right);
        QTest::keyClick(shown.canvas(), Qt::Key_Left);
        QCOMPARE(steps.count(), 2);
        QCOMPARE(steps[0][0].toInt(), 1);
        QCOMPARE(steps[1][0].toInt(), -1);
        shown.panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.panel));
        QTest::keyClick(&shown.panel, Qt::Key_F9);
        QTest::keyClick(&shown.panel, Qt::Key_F9, Qt::ShiftModifier);
        QCOMPARE(plays.count(), 1);
        QCOMPARE(steps.count(), 3);
    }

    void theTwinSaysWhatRuns() {
        Shown shown(views::testing::attentionSample());
        const auto& bar = widest(shown.canvas()->picture().sides[0]);
        shown.state.setPlayTime(Picoseconds((bar.start.value + bar.end.value) / 2));
        const auto rows = shown.panel.twinRows();
        QVERIFY(rows.size() >= 3);
        QVERIFY(rows[0].text.startsWith("Static schedule at"));
        const bool names = std::any_of(rows.begin(), rows.end(),
            [](const auto& row) { return row.text.contains("its cycle has come"); });
        QVERIFY(names);
    }

    void theClockRepaintsWhatItMoves() {
        Shown shown(views::testing::attentionSample());
        const QImage before = shown.canvas()->grab().toImage();
        shown.state.setPlayTime(Picoseconds(shown.canvas()->picture().span.value / 2));
        const QImage half = shown.canvas()->grab().toImage();
        QVERIFY(before != half);
        shown.state.setPlayTime({});
        QVERIFY(shown.canvas()->grab().toImage() == before);
    }

    void csvHasOneRecordAFiring() {
        Shown shown(views::testing::attentionSample());
        const auto& played = *shown.state.play();
        const QString csv = shown.panel.toCsv();
        QCOMPARE(static_cast<std::size_t>(csv.count(QStringLiteral("\r\n"))),
            1 + played.traces[0].firings.size() + played.traces[1].firings.size());
    }

    void anOldPictureStaysUntilTheNewOneIsThere() {
        common::ViewState state;
        PlayPanel panel(state, nullptr);
        const auto result = views::testing::attentionSample();
        state.setResult(result, true);
        panel.resize(900, 500);
        panel.show();
        state.setPlay(views::testing::lateStatic(*result));
        QVERIFY(!panel.canvas()->picture().isEmpty());
        const auto other = views::testing::attentionSample();
        state.setResult(other, false);
        QVERIFY(!state.play());
        QVERIFY(panel.canvas()->picture().result == result);
        QTest::mouseClick(panel.canvas(), Qt::LeftButton, {},
            middleOf(*panel.canvas(), 0, widest(panel.canvas()->picture().sides[0])));
        state.setPlay(views::testing::lateStatic(*other));
        QVERIFY(panel.canvas()->picture().result == other);
    }

    void manyEventsPaint() {
        Shown shown(views::testing::chainSample(20000), {1036, 212});
        QVERIFY(shown.canvas()->picture().sides[0].bars.size() >= 20000);
        shown.state.setPlayTime(Picoseconds(shown.canvas()->picture().span.value / 3));
        QVERIFY(!shown.panel.grab().isNull());
    }

    void drawsInBothThemesAtAllSizes_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("theme");
        QTest::addColumn<QSize>("size");
        for (const char* machine :
            {"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
            for (const int theme : {0, 1})
                for (const QSize size :
                    {QSize(1036, 212), QSize(1200, 800), QSize(420, 300), QSize(280, 130)})
                    QTest::addRow("%s_%s_%dx%d", machine, theme ? "dark" : "light", size.width(),
                        size.height())
                        << QString::fromLatin1(machine) << theme << size;
    }

    void drawsInBothThemesAtAllSizes() {
        QFETCH(QString, machine);
        QFETCH(int, theme);
        QFETCH(QSize, size);
        common::Palette::apply(*qApp, static_cast<common::Theme>(theme));
        const auto result = resultOn(machine);
        QVERIFY(result);
        Shown shown(result, size);
        if (machine == QLatin1String("gpu_h100_sxm"))
            shown.panel.controls()->setModels(
                ExecutionModel::ProgramCounter, ExecutionModel::DynamicDataflow);
        shown.panel.controls()->jitter()->setValue(60);
        shown.state.setPlayTime(Picoseconds(shown.canvas()->picture().span.value * 4 / 10));
        QCoreApplication::processEvents();
        const QImage image = shown.panel.grab().toImage();
        QCOMPARE(image.size(), size);
        views::testing::keepPicture(
            shown.panel, QStringLiteral("play_%1").arg(QTest::currentDataTag()));
        common::Palette::apply(*qApp, common::Theme::Light);
    }

private:
    std::shared_ptr<const analysis::Result> resultOn(const QString& machine) {
        auto& result = m_results[machine];
        if (!result)
            result = views::testing::attentionOn(machine.toStdString());
        return result;
    }

    QMap<QString, std::shared_ptr<const analysis::Result>> m_results;
};

QTEST_MAIN(TestPlayPanel)
#include "test_play_panel.moc"
