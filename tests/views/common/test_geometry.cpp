// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/chart_adapter.h"
#include "views/common/hover_card.h"
#include "views/common/zoom_pan.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>

using namespace fivefold::views::common;

namespace {

bool isNear(double a, double b, double tolerance = 1e-6) {
    return std::abs(a - b) <= tolerance;
}

} // namespace

class TestGeometry : public QObject {
    Q_OBJECT

private slots:
    void zoomKeepsTheAnchorInPlace();
    void zoomStaysInsideBoundsAndSpans();
    void panKeepsTheSpan();
    void wheelNotchesMultiply();
    void theContentUnderThePointerStays();
    void fittingShowsEverythingAndNeverMagnifies();
    void contentNeverLeavesTheView();
    void ensureVisibleMovesAsLittleAsPossible();
    void hostileFactorsAreIgnored();
    void aLogAxisLabelsDecades();
    void aCloseLogAxisLabelsOneTwoFive();
    void manyDecadesSkipLabels();
    void theChartMapsLikeItsLibrary_data();
    void theChartMapsLikeItsLibrary();
    void theChartRefusesBadRangesAndPoints();
    void aCardNeverCoversItsMark_data();
    void aCardNeverCoversItsMark();
};

void TestGeometry::zoomKeepsTheAnchorInPlace() {
    const Interval shown{0, 10};
    const Interval zoomed = zoomInterval(shown, 4, 2, {-100, 100}, 0.1);
    QVERIFY(isNear(zoomed.span(), 5));
    QVERIFY(isNear((4 - zoomed.low) / zoomed.span(), 0.4));
}

void TestGeometry::zoomStaysInsideBoundsAndSpans() {
    const Interval bounds{0, 10};
    Interval shown{2, 4};
    for (int turn = 0; turn < 100; ++turn)
        shown = zoomInterval(shown, 3, 1.5, bounds, 0.5);
    QVERIFY(isNear(shown.span(), 0.5));
    for (int turn = 0; turn < 100; ++turn)
        shown = zoomInterval(shown, 9, 1 / 1.5, bounds, 0.5);
    QCOMPARE(shown, bounds);
    QCOMPARE(zoomInterval({2, 4}, 3, -1, bounds, 0.5), (Interval{2, 4}));
    QCOMPARE(zoomInterval({2, 4}, 3, std::numeric_limits<double>::quiet_NaN(), bounds, 0.5),
        (Interval{2, 4}));
}

void TestGeometry::panKeepsTheSpan() {
    QCOMPARE(panInterval({2, 4}, 1, {0, 10}), (Interval{3, 5}));
    QCOMPARE(panInterval({2, 4}, 100, {0, 10}), (Interval{8, 10}));
    QCOMPARE(panInterval({2, 4}, -100, {0, 10}), (Interval{0, 2}));
}

void TestGeometry::wheelNotchesMultiply() {
    QVERIFY(isNear(wheelFactor(240), wheelFactor(120) * wheelFactor(120)));
    QVERIFY(isNear(wheelFactor(120) * wheelFactor(-120), 1));
    QVERIFY(wheelFactor(120) > 1);
}

void TestGeometry::theContentUnderThePointerStays() {
    PlaneView view;
    view.setViewport({400, 300});
    view.setContent({0, 0, 4000, 3000});
    view.fit({0, 0, 4000, 3000});
    const QPointF pointer(120, 80);
    const QPointF before = view.toContent(pointer);
    view.zoomAt(pointer, 3);
    const QPointF after = view.toContent(pointer);
    QVERIFY(isNear(before.x(), after.x()) && isNear(before.y(), after.y()));
    QVERIFY(isNear(view.toPixel(before).x(), 120));
}

void TestGeometry::fittingShowsEverythingAndNeverMagnifies() {
    PlaneView view;
    view.setViewport({400, 300});
    view.setContent({0, 0, 4000, 1000});
    view.fit({0, 0, 4000, 1000});
    QVERIFY(view.visibleContent().contains(QRectF(0, 0, 4000, 1000)));
    view.setContent({0, 0, 10, 10});
    view.fit({0, 0, 10, 10});
    QCOMPARE(view.scale(), 1.0);
    QVERIFY(isNear(view.toPixel(QPointF(5, 5)).x(), 200));
}

void TestGeometry::contentNeverLeavesTheView() {
    PlaneView view;
    view.setViewport({400, 300});
    view.setContent({0, 0, 1000, 1000});
    view.panBy({1e6, -1e6});
    QVERIFY(view.visibleContent().intersects(view.content()));
    view.panBy({-1e9, 1e9});
    QVERIFY(view.visibleContent().intersects(view.content()));
}

void TestGeometry::ensureVisibleMovesAsLittleAsPossible() {
    PlaneView view;
    view.setViewport({400, 300});
    view.setContent({0, 0, 5000, 5000});
    view.setView(1, {100, 100});
    view.ensureVisible({200, 200, 50, 20});
    QCOMPARE(view.origin(), QPointF(100, 100));
    view.ensureVisible({600, 200, 50, 20}, 10);
    QVERIFY(isNear(view.toPixel(QPointF(650, 200)).x(), 390));
    QVERIFY(isNear(view.origin().y(), 100));
}

void TestGeometry::hostileFactorsAreIgnored() {
    PlaneView view;
    view.setViewport({400, 300});
    view.setContent({0, 0, 1000, 1000});
    const double scale = view.scale();
    view.zoomAt({1, 1}, 0);
    view.zoomAt({1, 1}, std::numeric_limits<double>::infinity());
    view.zoomAt({1, 1}, -2);
    QCOMPARE(view.scale(), scale);
    for (int turn = 0; turn < 200; ++turn)
        view.zoomAt({10, 10}, 2);
    QCOMPARE(view.scale(), 8.0);
}

void TestGeometry::aLogAxisLabelsDecades() {
    QStringList labels;
    int marks = 0;
    for (const auto& tick : logTicks({-1, 3}, TickStyle::Plain, 10)) {
        if (!tick.label.isEmpty())
            labels << tick.label;
        else
            ++marks;
    }
    QCOMPARE(labels, (QStringList{"0.1", "1", "10", "100", "1000"}));
    QCOMPARE(marks, 4 * 8);
}

void TestGeometry::aCloseLogAxisLabelsOneTwoFive() {
    QStringList labels;
    for (const auto& tick : logTicks({0.9, 2.1}, TickStyle::Plain, 10))
        if (!tick.label.isEmpty())
            labels << tick.label;
    QCOMPARE(labels, (QStringList{"10", "20", "50", "100"}));
    // Whatever half decade is shown, something is labelled.
    for (double low = 0; low < 1; low += 0.01) {
        bool hasLabel = false;
        for (const auto& tick :
            logTicks({low, low + LogLogChart::kMinimumSpan}, TickStyle::Prefixed, 10))
            hasLabel = hasLabel || !tick.label.isEmpty();
        QVERIFY(hasLabel);
    }
}

void TestGeometry::manyDecadesSkipLabels() {
    int labels = 0;
    for (const auto& tick : logTicks({-10, 20}, TickStyle::Prefixed, 6))
        labels += tick.label.isEmpty() ? 0 : 1;
    QVERIFY(labels >= 3 && labels <= 7);
    QVERIFY(logTicks({3, 3}, TickStyle::Plain, 5).isEmpty());
    QVERIFY(logTicks({5, 1}, TickStyle::Plain, 5).isEmpty());
}

void TestGeometry::theChartMapsLikeItsLibrary_data() {
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("y");
    QTest::newRow("corner") << 0.1 << 1e9;
    QTest::newRow("middle") << 10.0 << 3.3e11;
    QTest::newRow("top") << 1000.0 << 1e14;
}

void TestGeometry::theChartMapsLikeItsLibrary() {
    QFETCH(double, x);
    QFETCH(double, y);
    LogLogChart chart;
    chart.setSize({600, 400});
    chart.setRanges({-1, 3}, {9, 14});
    chart.setLines({{{{0.1, 1e9}, {1000, 1e14}}, Qt::black, 1, {}}});
    const QPointF own = chart.toPixel({x, y});
    const QPointF library = chart.libraryPosition({x, y});
    QVERIFY2(isNear(own.x(), library.x(), 0.51) && isNear(own.y(), library.y(), 0.51),
        qPrintable(QStringLiteral("%1,%2 against %3,%4")
                       .arg(own.x())
                       .arg(own.y())
                       .arg(library.x())
                       .arg(library.y())));
    const QPointF back = chart.toData(own);
    QVERIFY(isNear(std::log10(back.x()), std::log10(x), 1e-9)
        && isNear(std::log10(back.y()), std::log10(y), 1e-9));
}

void TestGeometry::theChartRefusesBadRangesAndPoints() {
    LogLogChart chart;
    chart.setRanges({0, 1}, {2, 3});
    chart.setRanges({1, 1}, {2, 3});
    chart.setRanges({0, 1}, {std::numeric_limits<double>::quiet_NaN(), 3});
    chart.setRanges({-1e6, 1e6}, {2, 3});
    QCOMPARE(chart.xRange(), (Interval{0, 1}));
    QCOMPARE(chart.yRange(), (Interval{2, 3}));
    QTest::failOnWarning(QRegularExpression(QStringLiteral("[Ll]ogarithm")));
    chart.setLines(
        {{{{0, 5}, {-1, 3}, {1, 0}, {1, 100}, {std::numeric_limits<double>::infinity(), 3}},
            Qt::black, 1, {}}});
}

void TestGeometry::aCardNeverCoversItsMark_data() {
    QTest::addColumn<QRect>("mark");
    QTest::newRow("left top") << QRect(5, 5, 20, 20);
    QTest::newRow("right") << QRect(960, 300, 20, 20);
    QTest::newRow("bottom") << QRect(400, 760, 20, 20);
    QTest::newRow("right bottom corner") << QRect(970, 770, 20, 20);
    QTest::newRow("wide at the top") << QRect(10, 10, 960, 30);
    QTest::newRow("wide at the bottom") << QRect(10, 740, 960, 30);
}

void TestGeometry::aCardNeverCoversItsMark() {
    QFETCH(QRect, mark);
    const QRect bounds(0, 0, 1000, 800);
    const QRect card = placeCard({360, 120}, mark, bounds);
    QVERIFY(!card.intersects(mark));
    QVERIFY2(
        bounds.contains(card), qPrintable(QStringLiteral("%1,%2").arg(card.x()).arg(card.y())));
}

QTEST_MAIN(TestGeometry)
#include "test_geometry.moc"
