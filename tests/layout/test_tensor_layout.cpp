// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/tensor_layout.h"
#include "layout_helpers.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::layout;
using namespace fivefold::test;

class TestTensorLayout : public QObject {
    Q_OBJECT
private slots:
    void addressesFollowTheAxesAndUnitsTakeNone();
    void syntheticAxesAreAllPaddingButOne();
    void refusesIndicesOutsideTheTensor();
    void roundsBytesUpToTheAlignment();
    void survivesLayoutsThatMakeNoSense();
};

void TestTensorLayout::addressesFollowTheAxesAndUnitsTakeNone() {
    TensorLayout layout;
    layout.shape = {4, 6};
    layout.axes = {{2, 0, 2, AxisRole::Unit}, {2, 1, 3, AxisRole::Block}, {2, 0, 1, AxisRole::Row},
        {3, 1, 1, AxisRole::Lane}};
    const auto place = locate(layout, {3, 4}); // unit 1, block 1, row 1, lane 1
    QVERIFY(place.has_value());
    QCOMPARE(place->unit, std::int64_t{1});
    QCOMPARE(place->block, std::int64_t{1});
    QCOMPARE(place->row, std::int64_t{1});
    QCOMPARE(place->lane, std::int64_t{1});
    QCOMPARE(place->address(), std::int64_t{((1 * 2 + 1) * 3 + 1) * 2});
    QCOMPARE(bytesPerUnit(layout), std::int64_t{24});
    QCOMPARE(deviceBytes(layout), std::int64_t{48});
    QCOMPARE(bijectionProblem(layout), QString());
    QCOMPARE(coordinatesOf(layout, 12), (std::vector<std::int64_t>{1, 0, 0, 0}));
}

void TestTensorLayout::syntheticAxesAreAllPaddingButOne() {
    TensorLayout layout;
    layout.shape = {3};
    layout.axes = {{3, 0, 1, AxisRole::Block}, {8, kSynthetic, 0, AxisRole::Lane}};
    QCOMPARE(paddedElements(layout), std::int64_t{21});
    QCOMPARE(waste(layout), 21.0 / 24.0);
    QVERIFY(!indexAt(layout, {1, 1}));
    QCOMPARE(bijectionProblem(layout), QString());
}

void TestTensorLayout::refusesIndicesOutsideTheTensor() {
    const TensorLayout layout = rowMajor({2, 3}, ir::DType::Float32);
    QVERIFY(locate(layout, {1, 2}).has_value());
    QVERIFY(!locate(layout, {2, 0}));
    QVERIFY(!locate(layout, {0, -1}));
    QVERIFY(!locate(layout, {0}));
    QVERIFY(!indexAt(layout, {0, 3}));
    QVERIFY(!indexAt(layout, {0, -1}));
    QVERIFY(!indexAt(layout, {0, 0, 0}));
}

void TestTensorLayout::roundsBytesUpToTheAlignment() {
    TensorLayout layout = rowMajor({5}, ir::DType::Int4);
    QCOMPARE(deviceBytes(layout), std::int64_t{3}); // 20 bits
    layout.alignmentBytes = 64;
    QCOMPARE(deviceBytes(layout), std::int64_t{64});
    QCOMPARE(logicalBytes(layout), std::int64_t{3});
}

void TestTensorLayout::survivesLayoutsThatMakeNoSense() {
    TensorLayout layout;
    layout.shape = {4};
    layout.axes = {{2, 0, 0, AxisRole::Block}, {2, 7, 1, AxisRole::Lane}};
    QVERIFY(!locate(layout, {3})); // no axis walks that far
    QVERIFY(!indexAt(layout, {0, 1})); // dimension 7 does not exist
    layout.axes = {{INT64_MAX, 0, INT64_MAX, AxisRole::Block}, {INT64_MAX, 0, 1, AxisRole::Lane}};
    QCOMPARE(deviceBytes(layout), std::int64_t{INT64_MAX});
    QVERIFY(!indexAt(layout, {INT64_MAX - 1, INT64_MAX - 1}));
    QVERIFY(locate(layout, {3}).has_value());
}

QTEST_APPLESS_MAIN(TestTensorLayout)
#include "test_tensor_layout.moc"
