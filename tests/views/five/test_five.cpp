// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"
#include "tests/analysis/analysis_fixture.h"
#include "views/common/motion.h"
#include "views/common/palette.h"
#include "views/five/five_canvas.h"
#include "views/five/five_panel.h"
#include "views/five/race_canvas.h"
#include "views/five/race_page.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QPainter>
#include <QSlider>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using five::FivePanel;
using five::RaceClock;
using five::SlotState;

namespace {

using Results = std::vector<std::shared_ptr<const analysis::Result>>;

const Results& fiveResults() {
    static const Results kResults = [] {
        const auto model = tests::take(analysis::openModel(tests::samplePath()));
        analysis::TypedCache cache;
        Results results;
        for (const std::string_view machine : tests::kFiveMachines)
            results.push_back(tests::analyzeOn(model, machine, &cache));
        return results;
    }();
    return kResults;
}

five::Slots slotsOf(const Results& results) {
    five::Slots all;
    for (std::size_t i = 0; i < results.size(); ++i)
        all.push_back(
            {std::string(machines::kFamilies[i]), machines::findMachine(tests::kFiveMachines[i]),
                results[i] ? SlotState::Ready : SlotState::Waiting, {}});
    return all;
}

/// A shown panel on Spyre with all five results.
struct Shown {
    ViewState state;
    FivePanel panel{state, nullptr};

    explicit Shown(const QSize& size = {1200, 672}) {
        panel.resize(size);
        panel.show();
        state.setResult(fiveResults()[4], true);
        give(fiveResults());
    }
    void give(const Results& results) {
        panel.setSlots(slotsOf(results));
        state.setOtherResults(results);
        QCoreApplication::processEvents();
    }
    five::FiveCanvas& canvas() { return *panel.canvas(); }
    five::RaceCanvas& race() { return *panel.race()->canvas(); }
    QPoint middleOf(int row) { return canvas().geometry().rowRects[row].center().toPoint(); }
};

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
}

} // namespace

class TestFive : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void saysWhyItIsEmpty();
    void showsFiveRowsInFixedOrder();
    void asksForResultsWhileItIsSeen();
    void rowsArriveOneByOne();
    void aFailureStandsInItsRow();
    void aClickTurnsToTheMachine();
    void arrowsAndEnterDoTheSame();
    void theSelectionIsComparedAlone();
    void aLockedAxisStays();
    void ticksSuitTheAxis();
    void choosesAPrecision();
    void hoverExplainsEveryCell();
    void theRaceFinishesInOrder();
    void theRaceStepsScrubsAndPlays();
    void reducedMotionRacesInSteps();
    void listAndTableHaveEveryRow();
    void drawsInBothThemesAtAllSizes_data();
    void drawsInBothThemesAtAllSizes();
};

void TestFive::saysWhyItIsEmpty() {
    ViewState state;
    FivePanel panel(state, nullptr);
    QVERIFY(panel.sentence().contains("No model"));
    QVERIFY(panel.toCsv().isEmpty());
    QVERIFY(panel.twinRows().empty());
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    panel.paintContent(painter, image.size());
    QTest::keyClick(panel.canvas(), Qt::Key_Down);
    QTest::keyClick(panel.canvas(), Qt::Key_Return);
    panel.setRacing(true);
    panel.race()->canvas()->setPlaying(true);
    QVERIFY(!panel.race()->canvas()->isPlaying());
}

void TestFive::showsFiveRowsInFixedOrder() {
    Shown shown;
    const auto& rows = shown.canvas().picture().rows;
    QCOMPARE(rows.size(), 5);
    for (int row = 0; row < 5; ++row) {
        QVERIFY(rows[row].family == machines::kFamilies[row]);
        QVERIFY(rows[row].hasAnswer());
        QCOMPARE(rows[row].isCurrent, row == 4);
        QCOMPARE(rows[row].time.startsWith(u'~'), !rows[row].figures.isValidated);
        QVERIFY(!rows[row].bars.isEmpty() && rows[row].bars.size() <= 2);
    }
    // The longest bar is the most bytes of all rows.
    double most = 0;
    for (const auto& row : rows)
        for (const auto& bar : row.bars)
            most = std::max(most, bar.share);
    QCOMPARE(most, 1.0);
    QVERIFY(shown.panel.sentence().contains("MAC on five machines"));
    QVERIFY(shown.panel.sentence().contains("is first with"));
}

void TestFive::asksForResultsWhileItIsSeen() {
    ViewState state;
    FivePanel panel(state, nullptr);
    QSignalSpy wanted(&panel, &FivePanel::resultsWanted);
    panel.show();
    QCOMPARE(wanted.count(), 1);
    QVERIFY(wanted.last().first().toBool());
    panel.hide();
    QCOMPARE(wanted.count(), 2);
    QVERIFY(!wanted.last().first().toBool());
}

void TestFive::rowsArriveOneByOne() {
    Shown shown;
    Results some = fiveResults();
    some[2] = nullptr;
    auto waiting = slotsOf(some);
    waiting[2].state = SlotState::Computing;
    waiting[2].text = "scheduled";
    shown.panel.setSlots(waiting);
    shown.state.setOtherResults(some);
    // The old answer stays, dimmed, while the new one is computed.
    QVERIFY(shown.canvas().picture().rows[2].isStale);
    QVERIFY(shown.panel.sentence().contains("4 of 5"));
    // Another model's answer does not stay.
    const auto other = tests::take(analysis::openModel(tests::samplePath()));
    shown.state.setResult(tests::analyzeOn(other, "spyre"), true);
    shown.state.setOtherResults({nullptr, nullptr, nullptr, nullptr, shown.state.result()});
    QVERIFY(!shown.canvas().picture().rows[2].hasAnswer());
    QVERIFY(shown.canvas().picture().rows[4].hasAnswer());
    QVERIFY(!common::CardContent(five::card(shown.canvas().picture().rows[2], five::Column::Time))
                 .isEmpty());
}

void TestFive::aFailureStandsInItsRow() {
    Shown shown;
    Results some = fiveResults();
    some[1] = nullptr;
    auto failed = slotsOf(some);
    failed[1].state = SlotState::Failed;
    failed[1].text = "Google TPU v5e has no rate for fp8; choose one of bf16, int8.";
    shown.panel.setSlots(failed);
    shown.state.setOtherResults(some);
    const auto& row = shown.canvas().picture().rows[1];
    QVERIFY(!row.hasAnswer());
    QVERIFY(row.state == SlotState::Failed);
    QVERIFY(shown.panel.twinRows()[1].text.contains("no rate for fp8"));
    QVERIFY(shown.panel.sentence().contains("1 of 5 failed"));
    keepPicture(shown.panel, "five-failed");
}

void TestFive::aClickTurnsToTheMachine() {
    Shown shown;
    shown.state.selectNode(tests::nodeNamed(fiveResults()[4]->graph(), "/attn/c_attn/MatMul"));
    const auto before = shown.state.selection();
    QSignalSpy asked(&shown.panel, &common::Panel::machineRequested);
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.middleOf(1));
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.last().first().toString(), QString("tpu"));
    QTest::mouseClick(&shown.canvas(), Qt::LeftButton, {}, shown.middleOf(4));
    QCOMPARE(asked.count(), 1); // its own row
    QVERIFY(shown.state.selection() == before);
    // Its machine is turned to.
    shown.state.setResult(fiveResults()[1], false);
    QVERIFY(shown.canvas().picture().rows[1].isCurrent);
    QVERIFY(shown.state.selection() == before);
}

void TestFive::arrowsAndEnterDoTheSame() {
    Shown shown;
    QSignalSpy asked(&shown.panel, &common::Panel::machineRequested);
    auto* canvas = &shown.canvas();
    canvas->setFocus();
    QCOMPARE(canvas->focusedRow(), 4);
    QTest::keyClick(canvas, Qt::Key_Down); // the last stays
    QCOMPARE(canvas->focusedRow(), 4);
    QTest::keyClick(canvas, Qt::Key_Up);
    QCOMPARE(canvas->focusedRow(), 3);
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(asked.last().first().toString(), QString("groq"));
    QTest::keyClick(canvas, Qt::Key_Home);
    QCOMPARE(canvas->focusedRow(), 0);
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(canvas->focusedRow(), 4);
}

void TestFive::theSelectionIsComparedAlone() {
    Shown shown;
    QVERIFY(!shown.panel.selectionButton()->isEnabled());
    const auto whole = *shown.canvas().picture().rows[0].figures.time;
    shown.state.selectNode(tests::nodeNamed(fiveResults()[4]->graph(), "/attn/c_attn/MatMul"));
    QVERIFY(shown.panel.selectionButton()->isEnabled());
    QVERIFY(!shown.canvas().picture().isSelection);
    shown.panel.selectionButton()->click();
    QVERIFY(shown.canvas().picture().isSelection);
    QVERIFY(*shown.canvas().picture().rows[0].figures.time < whole);
    QVERIFY2(
        shown.panel.sentence().contains("226,492,416 MAC"), qPrintable(shown.panel.sentence()));
    keepPicture(shown.panel, "five-selection");
    // Nothing selected any more: the whole graph, and it is said.
    shown.state.clearSelection();
    QVERIFY(!shown.canvas().picture().isSelection);
    QVERIFY(shown.panel.sentence().contains("Nothing is selected"));
}

void TestFive::aLockedAxisStays() {
    Shown shown;
    const auto range = shown.canvas().geometry().range;
    // Other answers about the same thing do not move it…
    Results others = fiveResults();
    others[0] = others[3];
    shown.state.setOtherResults(others);
    QVERIFY(shown.canvas().geometry().range == range);
    QVERIFY(!shown.canvas().isFrozen());
    // …until it is released.
    shown.panel.setLocked(false);
    const auto loose = five::rangeOf(shown.canvas().picture(), true);
    QVERIFY(loose && shown.canvas().geometry().range == *loose);
    // A selection is another thing.
    shown.panel.setLocked(true);
    shown.state.selectNode(tests::nodeNamed(fiveResults()[4]->graph(), "/attn/c_attn/MatMul"));
    shown.panel.setSelectionScope(true);
    QVERIFY(shown.canvas().geometry().range != range);
    QVERIFY(!shown.canvas().isFrozen());
    shown.panel.setLog(false);
    QCOMPARE(shown.canvas().geometry().range.low, 0.0);
    QVERIFY(!shown.canvas().geometry().isLog);
}

void TestFive::ticksSuitTheAxis() {
    const auto log = five::tickTimes({-5, -4 + 0.31}, true);
    QCOMPARE(log, (QVector<double>{1e-5, 2e-5, 5e-5, 1e-4, 2e-4}));
    const auto decades = five::tickTimes({-6, -3}, true);
    QCOMPARE(decades.size(), 4);
    const auto linear = five::tickTimes({0, 1e-4}, false);
    QCOMPARE(linear.front(), 0.0);
    QVERIFY(std::abs(linear.back() - 1e-4) < 1e-12);
    QVERIFY(five::tickTimes({0, 0}, false).isEmpty());
}

void TestFive::choosesAPrecision() {
    Shown shown;
    auto* box = shown.panel.precisions();
    QCOMPARE(box->currentIndex(), 0);
    int asked = 0;
    std::optional<machines::Precision> last;
    connect(&shown.panel, &FivePanel::precisionRequested, this, [&](auto precision) {
        ++asked;
        last = precision;
    });
    const int fp16 = box->findText("fp16");
    QVERIFY(fp16 > 0);
    emit box->activated(fp16);
    QCOMPARE(asked, 1);
    QVERIFY(last == machines::Precision::Fp16);
    emit box->activated(0);
    QCOMPARE(asked, 2);
    QVERIFY(!last);
}

void TestFive::hoverExplainsEveryCell() {
    Shown shown;
    for (const auto& row : shown.canvas().picture().rows)
        for (int column = 0; column <= int(five::Column::Because); ++column) {
            const auto card = five::card(row, static_cast<five::Column>(column));
            QVERIFY(!card.title.isEmpty() && !card.lines.isEmpty());
            QVERIFY(card.lines.size() <= common::CardContent::kMaximumLines);
        }
    const QRectF time = shown.canvas().geometry().cell(0, five::Column::Time);
    QTest::mouseMove(&shown.canvas(), time.center().toPoint());
    QTRY_VERIFY(shown.canvas().card() && shown.canvas().card()->isVisible());
    QCOMPARE(shown.canvas().card()->content().title, shown.canvas().picture().rows[0].time);
}

void TestFive::theRaceFinishesInOrder() {
    Shown shown;
    shown.panel.setRacing(true);
    QVERIFY(shown.panel.isRacing());
    const five::RacePicture& race = shown.race().picture();
    QVERIFY(race.canRun());
    std::vector<int> places;
    for (const auto& lane : race.lanes) {
        QVERIFY(lane.runs());
        places.push_back(lane.place);
        QCOMPARE(lane.classes.size(), lane.events.events.size());
        QVERIFY(lane.events.length <= race.longest);
    }
    std::ranges::sort(places);
    QCOMPARE(places, (std::vector<int>{1, 2, 3, 4, 5}));
    // On one clock only the slowest ends at the end; each at its own pace they end together.
    for (const auto& lane : race.lanes) {
        const auto real = five::laneTime(race, lane, RaceClock::Real, 0.5);
        const auto own = five::laneTime(race, lane, RaceClock::Normalised, 0.5);
        QVERIFY(std::abs(own.value - lane.events.length.value / 2) <= 1);
        QVERIFY(real >= own);
        QVERIFY(five::laneTime(race, lane, RaceClock::Real, 1) == lane.events.length);
    }
    const QString end = five::raceSentence(race, RaceClock::Real, 1);
    for (int place = 1; place <= 5; ++place)
        QVERIFY2(end.contains(QString("%1. ").arg(place)), qPrintable(end));
    QVERIFY(!five::raceSentence(race, RaceClock::Real, 0).contains("finished"));
}

void TestFive::theRaceStepsScrubsAndPlays() {
    Shown shown;
    shown.panel.setRacing(true);
    QCoreApplication::processEvents();
    auto* race = &shown.race();
    race->setFocus();
    QTest::keyClick(race, Qt::Key_F9, Qt::ShiftModifier);
    const double first = race->clock();
    QVERIFY(first > 0 && first < 1);
    // The first moment is the first end of an event of any lane.
    double earliest = 1;
    for (const auto& lane : race->picture().lanes)
        for (const auto& event : lane.events.events)
            earliest =
                std::min(earliest, double(event.end.value) / double(race->picture().longest.value));
    QCOMPARE(first, earliest);
    QTest::keyClick(race, Qt::Key_Right);
    QVERIFY(race->clock() > first);
    QTest::keyClick(race, Qt::Key_Left);
    QCOMPARE(race->clock(), first);
    QTest::keyClick(race, Qt::Key_End);
    QCOMPARE(race->clock(), 1.0);
    QTest::keyClick(race, Qt::Key_Home);
    QCOMPARE(race->clock(), 0.0);
    // Scrubbing: a click, a drag, the slider.
    const QRectF track = race->geometry().tracks[0];
    QTest::mouseClick(race, Qt::LeftButton, {}, track.center().toPoint());
    QVERIFY(std::abs(race->clock() - 0.5) < 0.01);
    QTest::mousePress(race, Qt::LeftButton, {}, track.center().toPoint());
    QMouseEvent move(QEvent::MouseMove, QPointF(track.right(), track.center().y()),
        race->mapToGlobal(QPointF(track.right(), track.center().y())), Qt::NoButton, Qt::LeftButton,
        Qt::NoModifier);
    QCoreApplication::sendEvent(race, &move);
    QTest::mouseRelease(race, Qt::LeftButton, {}, track.topRight().toPoint());
    QVERIFY(race->clock() > 0.99);
    shown.panel.race()->slider()->setValue(250);
    QCOMPARE(race->clock(), 0.25);
    // Playing goes on by itself and ends; another start begins anew.
    race->setSpeed(40);
    QTest::keyClick(race, Qt::Key_Space);
    QVERIFY(race->isPlaying());
    QTRY_COMPARE_WITH_TIMEOUT(race->clock(), 1.0, 10000);
    QVERIFY(!race->isPlaying());
    race->setSpeed(0.01);
    QTest::keyClick(race, Qt::Key_F9);
    QVERIFY(race->isPlaying());
    QVERIFY(race->clock() < 0.5);
    QTest::keyClick(race, Qt::Key_F9);
    QVERIFY(!race->isPlaying());
    // It stops when it is no longer seen.
    race->setPlaying(true);
    shown.panel.setRacing(false);
    QVERIFY(!race->isPlaying());
}

void TestFive::reducedMotionRacesInSteps() {
    Shown shown;
    shown.panel.setRacing(true);
    common::setMotionReduced(true);
    auto* race = &shown.race();
    int changes = 0;
    connect(race, &five::RaceCanvas::clockChanged, this, [&changes] { ++changes; });
    race->setPlaying(true);
    QTRY_VERIFY_WITH_TIMEOUT(changes >= 1, 10000);
    common::setMotionReduced(false);
    // It stands where an event ends.
    const double whole = double(race->picture().longest.value);
    bool isAtEnd = false;
    for (const auto& lane : race->picture().lanes)
        for (const auto& event : lane.events.events)
            isAtEnd = isAtEnd || std::abs(double(event.end.value) / whole - race->clock()) < 1e-12;
    QVERIFY(isAtEnd);
    race->setPlaying(false);
}

void TestFive::listAndTableHaveEveryRow() {
    Shown shown;
    const auto rows = shown.panel.twinRows();
    QCOMPARE(rows.size(), 5U);
    for (const auto& row : rows)
        QVERIFY2(row.text.contains("bound by"), qPrintable(row.text));
    const QString csv = shown.panel.toCsv();
    QCOMPARE(csv.count("\r\n"), 6);
    QVERIFY(csv.startsWith("machine,family,precision"));
    QVERIFY(csv.contains("gpu_h100_sxm,gpu,bf16"));
}

void TestFive::drawsInBothThemesAtAllSizes_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<bool>("isRace");
    for (const QSize size : {QSize(1200, 672), QSize(1600, 840), QSize(1280, 548), QSize(1024, 500),
             QSize(420, 300), QSize(280, 160)})
        for (const bool isDark : {false, true})
            for (const bool isRace : {false, true})
                QTest::addRow("%dx%d-%s-%s", size.width(), size.height(), isDark ? "dark" : "light",
                    isRace ? "race" : "rows")
                    << size << isDark << isRace;
}

void TestFive::drawsInBothThemesAtAllSizes() {
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    QFETCH(bool, isRace);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    Shown shown(size);
    if (isRace) {
        shown.panel.setRacing(true);
        shown.race().setClock(0.4);
    }
    QCoreApplication::processEvents();
    QCOMPARE(shown.panel.grab().toImage().size(), size);
    // Columns lie beside each other inside the canvas, rows below each other.
    const auto& geometry = shown.canvas().geometry();
    double x = 0;
    for (const auto& column : geometry.columns) {
        QVERIFY(column.head.left() >= x);
        x = column.head.right();
    }
    if (size.width() >= 420)
        QVERIFY(x <= shown.canvas().width() + 0.5);
    for (int row = 1; row < geometry.rowRects.size(); ++row)
        QCOMPARE(geometry.rowRects[row].top(), geometry.rowRects[row - 1].bottom());
    keepPicture(shown.panel, QString("five-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestFive)
#include "test_five.moc"
