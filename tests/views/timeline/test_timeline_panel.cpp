// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_panel.h"

#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using common::ViewState;
using timeline::Order;
using timeline::TimelinePanel;

namespace {

using testing::drag;
using testing::keepPicture;
using testing::turnWheel;

struct Shown : testing::ShownPanel<TimelinePanel> {
    using ShownPanel::ShownPanel;
    timeline::TimelineCanvas* canvas() { return panel.canvas(); }
};

} // namespace

class TestTimelinePanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhyItIsEmpty();
    void aClickOnAnEventSelectsItsStep();
    void aClickInABandSelectsABuffer();
    void keysZoomPanAndWalk();
    void wheelKeepsTheMomentUnderThePointer();
    void aDragSelectsARangeAndSaysItsTotals();
    void shiftDragPans();
    void theListSelectsBuffers();
    void programOrderKeepsTheRange();
    void csvHasOneRecordAnEvent();
    void manyEventsPaint();
    void aLockedScaleStaysAndSaysWhatItCuts();
    void theOverviewHasHandles();
    void pinsMarksAndTracksByKey();
    void theLevelsMenuHidesBands();
    void hoverOutlinesALife();
    void theRuleIsAJumpAway();
    void aMovingCursorKeepsThePicture();
    void itsListTwinHasEveryStep();
    void drawsInBothThemesAtAllSizes_data();
    void drawsInBothThemesAtAllSizes();
};

void TestTimelinePanel::initTestCase() {
    common::Palette::apply(*qApp, common::Theme::Light);
}

void TestTimelinePanel::saysWhyItIsEmpty() {
    ViewState state;
    TimelinePanel panel(state, nullptr);
    QVERIFY(panel.sentence().contains("No model"));
    QVERIFY(panel.toCsv().isEmpty());
    state.setResult(testing::emptySample(), true);
    QVERIFY2(panel.sentence().contains("no operators"), qPrintable(panel.sentence()));
    QVERIFY(panel.canvas()->picture().isEmpty());
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    panel.paintContent(painter, image.size());
    QTest::keyClick(panel.canvas(), Qt::Key_W); // keys do nothing without a picture
    QTest::keyClick(panel.canvas(), Qt::Key_Period);
    QTest::keyClick(panel.canvas(), Qt::Key_R);
}

void TestTimelinePanel::aClickOnAnEventSelectsItsStep() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const auto& geometry = canvas->geometry();
    for (const auto& place : geometry.rows) {
        const auto& row = canvas->picture().rows[place.row];
        const auto placed = timeline::placedMarks(row, geometry);
        const auto widest = *std::max_element(placed.begin(), placed.end(),
            [](const auto& a, const auto& b) { return a.right - a.left < b.right - b.left; });
        const QPoint at(qRound((widest.left + widest.right) / 2), qRound(place.plot.center().y()));
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, at);
        QVERIFY(!shown.state.selectedSteps().empty());
        QCOMPARE(shown.state.selectedSteps().front(), row.marks[widest.first].step);
        QVERIFY(
            std::abs(geometry.toX(canvas->picture().toAxis(shown.state.cursor())) - at.x()) < 1.5);
        QVERIFY(shown.panel.sentence().contains("runs"));
    }
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier,
        QPoint(qRound(geometry.plot.right()) - 1, qRound(geometry.rows.back().plot.center().y())));
}

void TestTimelinePanel::aClickInABandSelectsABuffer() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const auto& place = canvas->geometry().bands.front();
    const QPoint at(qRound(place.plot.center().x()), qRound(place.plot.bottom()) - 4);
    const auto buffer = timeline::bufferAt(canvas->picture(), canvas->geometry(), place, at);
    QVERIFY(buffer.has_value());
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, at);
    QCOMPARE(shown.state.selection().value, timeline::bufferValue(*shown.state.result(), *buffer));
}

void TestTimelinePanel::keysZoomPanAndWalk() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const double all = canvas->view().span();
    QTest::keyClick(canvas, Qt::Key_W);
    QVERIFY(canvas->view().span() < all);
    const double low = canvas->view().low;
    QTest::keyClick(canvas, Qt::Key_D);
    QVERIFY(canvas->view().low > low);
    QTest::keyClick(canvas, Qt::Key_A);
    QVERIFY(std::abs(canvas->view().low - low) < all * 1e-6);
    QTest::keyClick(canvas, Qt::Key_S);
    QTest::keyClick(canvas, Qt::Key_S);
    QVERIFY(std::abs(canvas->view().span() - all) < all * 1e-6); // never beyond the program
    QTest::keyClick(canvas, Qt::Key_Period);
    QVERIFY(!shown.state.selectedSteps().empty());
    const auto first = shown.state.cursor();
    base::Picoseconds last = first;
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(canvas, Qt::Key_Period);
        QVERIFY(shown.state.cursor() >= last);
        last = shown.state.cursor();
    }
    QVERIFY(last > first);
    for (int i = 0; i < 12; ++i)
        QTest::keyClick(canvas, Qt::Key_Comma);
    QCOMPARE(shown.state.cursor().value, first.value);
    for (int i = 0; i < 400; ++i)
        QTest::keyClick(canvas, Qt::Key_W);
    QVERIFY(canvas->view().span() > 0);
    shown.panel.grab();
    shown.panel.zoomToFit();
    QVERIFY(std::abs(canvas->view().span() - all) < all * 1e-6);
}

void TestTimelinePanel::wheelKeepsTheMomentUnderThePointer() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const QPoint at(
        qRound(canvas->geometry().plot.left()) + 300, qRound(canvas->geometry().plot.center().y()));
    const double before = canvas->geometry().fromX(at.x());
    turnWheel(canvas, at, 240);
    QVERIFY(canvas->view().span() < canvas->picture().length);
    QVERIFY(std::abs(canvas->geometry().fromX(at.x()) - before) < canvas->picture().length * 1e-6);
}

void TestTimelinePanel::aDragSelectsARangeAndSaysItsTotals() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const QRectF plot = canvas->geometry().plot;
    const int y = qRound(canvas->geometry().bands.front().plot.center().y());
    drag(canvas, QPoint(qRound(plot.left()) + 100, y), QPoint(qRound(plot.left()) + 300, y));
    QVERIFY(canvas->range().has_value());
    const auto [from, to] = *canvas->range();
    QVERIFY(
        std::abs(canvas->geometry().toX(static_cast<double>(from.value)) - plot.left() - 100) < 2);
    QVERIFY(
        std::abs(canvas->geometry().toX(static_cast<double>(to.value)) - plot.left() - 300) < 2);
    QVERIFY2(shown.panel.sentence().contains("The range from"), qPrintable(shown.panel.sentence()));
    QVERIFY(shown.panel.sentence().contains("moves"));
    keepPicture(shown.panel, "timeline-range");
    QTest::keyClick(canvas, Qt::Key_Escape);
    QVERIFY(!canvas->range());
    QVERIFY(!shown.panel.sentence().contains("The range from"));
    shown.state.selectStep(lowering::StepId(std::size_t(1)));
    QTest::keyClick(canvas, Qt::Key_R);
    QVERIFY(canvas->range()
        == timeline::spanOf(*shown.state.result(), lowering::StepId(std::size_t(1))));
}

void TestTimelinePanel::shiftDragPans() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    QTest::keyClick(canvas, Qt::Key_W);
    const double low = canvas->view().low;
    const QPoint at = canvas->geometry().plot.center().toPoint();
    drag(canvas, at, at - QPoint(80, 0), Qt::ShiftModifier);
    QVERIFY(canvas->view().low > low);
    QVERIFY(!canvas->range());
}

void TestTimelinePanel::theListSelectsBuffers() {
    Shown shown(testing::attentionSample(), {1200, 800});
    auto* canvas = shown.canvas();
    shown.state.setCursor(canvas->picture().fromAxis(canvas->picture().length / 2));
    int chosen = 0;
    for (const auto& line : timeline::listLines(canvas->picture(), canvas->geometry(),
             {shown.state.cursor(), nullptr, lowering::BufferId()})) {
        if (line.type != timeline::LineType::Buffer)
            continue;
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, line.rect.center().toPoint());
        const auto value = timeline::bufferValue(*shown.state.result(), line.buffer);
        if (value.isValid())
            QCOMPARE(shown.state.selection().value, value);
        ++chosen;
    }
    QVERIFY(chosen > 1);
}

void TestTimelinePanel::programOrderKeepsTheRange() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    shown.state.selectStep(lowering::StepId(std::size_t(3)));
    canvas->selectSpan();
    const auto before = *canvas->range();
    canvas->setOrder(Order::Program);
    QVERIFY(canvas->range().has_value());
    QVERIFY(std::abs(canvas->range()->first.value - before.first.value) <= 2);
    keepPicture(shown.panel, "timeline-program");
}

void TestTimelinePanel::csvHasOneRecordAnEvent() {
    Shown shown(testing::attentionSample());
    const QStringList lines = shown.panel.toCsv().split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), qsizetype(shown.state.result()->program.events.size()) + 1);
    QCOMPARE(lines.front(), QString("step,resource,kind,start_ps,end_ps,repeat"));
}

void TestTimelinePanel::aLockedScaleStaysAndSaysWhatItCuts() {
    Shown shown(testing::chainSample(10));
    auto* canvas = shown.canvas();
    canvas->setScaleLocked(true);
    const auto view = canvas->view();
    const double top = canvas->geometry().bands.front().top;
    shown.state.setResult(testing::chainSample(40), false);
    QVERIFY(canvas->view() == view);
    QCOMPARE(canvas->geometry().bands.front().top, top);
    QVERIFY(canvas->geometry().isCut); // it takes longer than before
    keepPicture(shown.panel, "timeline-frozen");
    canvas->setScaleLocked(false);
    shown.state.setResult(testing::chainSample(40), false);
    QVERIFY(canvas->view().span() > view.span());
    QVERIFY(!canvas->geometry().isCut);
}

void TestTimelinePanel::theOverviewHasHandles() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const QRectF overview = canvas->geometry().overview;
    QVERIFY(!overview.isNull());
    const int y = qRound(overview.center().y());
    const double all = canvas->view().span();
    drag(canvas, QPoint(qRound(overview.left()), y), QPoint(qRound(overview.left()) + 200, y));
    QVERIFY(std::abs(canvas->view().low - 200 / overview.width() * all) < all * 0.01);
    QCOMPARE(canvas->view().high, all);
    drag(canvas, QPoint(qRound(overview.right()), y), QPoint(qRound(overview.right()) - 100, y));
    QVERIFY(std::abs(canvas->view().high - (1 - 100 / overview.width()) * all) < all * 0.01);
    const double span = canvas->view().span();
    drag(canvas, QPoint(qRound(overview.left()) + 300, y),
        QPoint(qRound(overview.left()) + 340, y)); // between them it moves
    QVERIFY(std::abs(canvas->view().span() - span) < all * 1e-9);
    QVERIFY(!canvas->range());
}

void TestTimelinePanel::pinsMarksAndTracksByKey() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const auto& last = canvas->geometry().rows.back();
    const QString key = timeline::trackKey(canvas->picture().rows[last.row]);
    QTest::mouseMove(canvas, last.plot.center().toPoint());
    QTest::keyClick(canvas, Qt::Key_P);
    QCOMPARE(canvas->arrangement().pins, QStringList{key});
    QCOMPARE(timeline::shownTracks(canvas->picture(), canvas->geometry()).front(), key);
    shown.state.setResult(testing::chainSample(30), true); // kept across results
    QCOMPARE(timeline::shownTracks(canvas->picture(), canvas->geometry()).front(), key);
    QTest::mouseMove(canvas, canvas->geometry().rows.front().plot.center().toPoint());
    QTest::keyClick(canvas, Qt::Key_P); // the pinned one lies under the pointer now
    QVERIFY(canvas->arrangement().pins.isEmpty());
    // By the keyboard alone.
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(canvas, &leave);
    QTest::keyClick(canvas, Qt::Key_Down);
    QTest::keyClick(canvas, Qt::Key_Down);
    QTest::keyClick(canvas, Qt::Key_Down);
    QTest::keyClick(canvas, Qt::Key_Up);
    const QStringList tracks = timeline::shownTracks(canvas->picture(), canvas->geometry());
    QCOMPARE(canvas->focusedTrack(), tracks[1]);
    QTest::keyClick(canvas, Qt::Key_P);
    QCOMPARE(canvas->arrangement().pins, QStringList{tracks[1]});
    // Marks.
    shown.state.setCursor(base::Picoseconds(canvas->picture().end.value / 3));
    QTest::keyClick(canvas, Qt::Key_M);
    shown.state.setCursor(base::Picoseconds(canvas->picture().end.value / 2));
    QTest::keyClick(canvas, Qt::Key_M);
    QCOMPARE(canvas->marks().size(), std::size_t{2});
    keepPicture(shown.panel, "timeline-marks");
    QTest::keyClick(canvas, Qt::Key_M); // the same moment again takes it away
    QCOMPARE(canvas->marks().size(), std::size_t{1});
}

void TestTimelinePanel::theLevelsMenuHidesBands() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    const auto before = canvas->geometry().bands.size();
    QVERIFY(before > 1);
    auto* button = shown.panel.levelsButton();
    QVERIFY2(button->text().contains("2 of 2"), qPrintable(button->text()));
    button->menu()->actions().front()->trigger();
    QCoreApplication::processEvents();
    QCOMPARE(canvas->geometry().bands.size(), before - 1);
    QVERIFY2(button->text().contains("1 of 2"), qPrintable(button->text()));
    button->menu()->actions().front()->trigger();
    QCoreApplication::processEvents();
    QCOMPARE(canvas->geometry().bands.size(), before);
}

void TestTimelinePanel::hoverOutlinesALife() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    QCoreApplication::processEvents(); // the layout settles before the pointer comes
    const auto& place = canvas->geometry().bands.front();
    const QPoint at(qRound(place.plot.center().x()), qRound(place.plot.bottom()) - 4);
    const auto buffer = timeline::bufferAt(canvas->picture(), canvas->geometry(), place, at);
    QVERIFY(buffer.has_value());
    const QImage before = canvas->grab().toImage();
    QTest::mouseMove(canvas, at);
    QTRY_COMPARE(shown.state.hover().value, timeline::bufferValue(*shown.state.result(), *buffer));
    QVERIFY(canvas->grab().toImage() != before);
    keepPicture(shown.panel, "timeline-hover");
    QTest::mouseMove(canvas, QPoint(2, 2));
    QTRY_VERIFY(!shown.state.hover().value.isValid());
    QCOMPARE(canvas->grab().toImage(), before);
}

void TestTimelinePanel::theRuleIsAJumpAway() {
    Shown shown(testing::attentionSample(), {1200, 800});
    auto* canvas = shown.canvas();
    shown.state.setCursor(canvas->picture().fromAxis(canvas->picture().length / 2));
    QSignalSpy spy(&shown.panel, &common::Panel::showRequested);
    const auto linesOf = [&](lowering::BufferId chosen) {
        return timeline::listLines(
            canvas->picture(), canvas->geometry(), {shown.state.cursor(), nullptr, chosen});
    };
    const auto first = linesOf({});
    const auto buffer =
        std::ranges::find(first, timeline::LineType::Buffer, &timeline::ListLine::type);
    QVERIFY(buffer != first.end());
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, buffer->rect.center().toPoint());
    const auto second = linesOf(buffer->buffer);
    const auto link =
        std::ranges::find(second, timeline::LineType::Link, &timeline::ListLine::type);
    QVERIFY(link != second.end());
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, link->rect.center().toPoint());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toString(), QString("pipeline"));
    QVERIFY(shown.state.stage() == lowering::Stage::Placed);
}

void TestTimelinePanel::aMovingCursorKeepsThePicture() {
    Shown shown(testing::attentionSample());
    auto* canvas = shown.canvas();
    shown.state.setCursor(base::Picoseconds(canvas->picture().end.value / 4));
    const QImage there = canvas->grab().toImage();
    shown.state.setCursor(base::Picoseconds(canvas->picture().end.value / 2));
    QVERIFY(canvas->grab().toImage() != there);
    shown.state.setCursor(base::Picoseconds(canvas->picture().end.value / 4));
    QCOMPARE(canvas->grab().toImage(), there); // nothing of the other moment is left
}

void TestTimelinePanel::itsListTwinHasEveryStep() {
    Shown shown(testing::attentionSample());
    const auto rows = shown.panel.twinRows();
    QCOMPARE(rows.size(),
        shown.canvas()->picture().bands.size() + shown.state.result()->program.steps.size());
    QVERIFY(rows.front().text.contains("peak"));
    shown.state.setSelection(rows.back().selection);
    QVERIFY(!shown.state.selectedSteps().empty());
}

void TestTimelinePanel::manyEventsPaint() {
    Shown shown(testing::chainSample(25'000), {1600, 900});
    shown.panel.grab();
    shown.state.selectStep(lowering::StepId(std::size_t(12'000)));
    shown.panel.zoomToSelection();
    shown.panel.grab();
    QVERIFY(shown.canvas()->view().span() < shown.canvas()->picture().length);
}

void TestTimelinePanel::drawsInBothThemesAtAllSizes_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const QSize size : {QSize(280, 160), QSize(416, 280), QSize(588, 312), QSize(1200, 800)})
        for (const bool isDark : {false, true})
            QTest::addRow("%dx%d-%s", size.width(), size.height(), isDark ? "dark" : "light")
                << size << isDark;
}

void TestTimelinePanel::drawsInBothThemesAtAllSizes() {
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    Shown shown(testing::attentionSample(), size);
    shown.state.selectNode(testing::nodeNamed(*shown.state.result(), "/attn/MatMul"));
    shown.state.setCursor(base::Picoseconds(shown.canvas()->picture().end.value / 2));
    const QImage image = shown.panel.grab().toImage();
    QCOMPARE(image.size(), size);
    keepPicture(shown.panel, QString("timeline-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestTimelinePanel)
#include "test_timeline_panel.moc"
