// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/family_layouts.h"
#include "core/layout/layout_for.h"
#include "layout_helpers.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::layout;
using namespace fivefold::test;

class TestFamilyLayouts : public QObject {
    Q_OBJECT
private slots:
    void everyElementHasOnePlaceInEveryFamily();
    void gpuMemoryIsContiguousWithoutPadding();
    void gpuTilesFillWavesOfUnits();
    void waferBlocksDealDimensionsOverARectangle();
    void waferBlocksUseTheColumnsThatTheLastDimensionLeaves();
    void bytesOfAPeAreThoseOfTheWaferLayout();
    void groqVectorsPadTheLastDimensionTo320();
    void layoutForRefusesNonsense_data();
    void layoutForRefusesNonsense();
    void layoutForPermutesDimensions();
    void emptyAndHugeTensorsAreAnswered();
};

void TestFamilyLayouts::everyElementHasOnePlaceInEveryFamily() {
    QRandomGenerator random(3);
    const std::int64_t extents[] = {1, 2, 3, 7, 16, 31, 65, 321, 640};
    const ir::DType types[] = {
        ir::DType::Float16, ir::DType::Float32, ir::DType::Int8, ir::DType::Int4};
    for (int trial = 0; trial < 25; ++trial) {
        std::vector<std::int64_t> shape;
        std::int64_t elements = 1;
        const int rank = random.bounded(0, 5);
        for (int d = 0; d < rank; ++d) {
            const std::int64_t extent = extents[random.bounded(elements > 40 ? 3 : 9)];
            elements *= extent;
            shape.push_back(extent);
        }
        const ir::DType type = types[random.bounded(4)];
        QCOMPARE(bijectionProblem(rowMajor(shape, type)), QString());
        QCOMPARE(bijectionProblem(gpuRowMajor(shape, type)), QString());
        QCOMPARE(bijectionProblem(gpuTiled(shape, type, 1 << random.bounded(5),
                     1 << random.bounded(6), random.bounded(1, 20))),
            QString());
        QCOMPARE(bijectionProblem(
                     waferBlocked(shape, type, random.bounded(1, 40), random.bounded(1, 40))),
            QString());
        QCOMPARE(bijectionProblem(groqVectors(shape, type, 320, random.bounded(1, 90))), QString());
    }
}

void TestFamilyLayouts::gpuMemoryIsContiguousWithoutPadding() {
    for (const auto& shape : {std::vector<std::int64_t>{3, 65}, {4, 128}, {2, 3, 256}, {7}}) {
        const TensorLayout layout = gpuRowMajor(shape, ir::DType::Float16);
        QCOMPARE(paddedElements(layout), std::int64_t{0});
        for (std::int64_t flat = 0; flat < logicalElements(layout); ++flat)
            QCOMPARE(locate(layout, unflatten(shape, flat))->address(), flat * 2);
    }
    QCOMPARE(gpuRowMajor({4, 128}, ir::DType::Float16).axes.back().extent, std::int64_t{64});
}

void TestFamilyLayouts::gpuTilesFillWavesOfUnits() {
    // 1792 × 1792 in 256 × 128 is 7 × 14 = 98 tiles: one wave on 108 SMs.
    const TensorLayout one = gpuTiled({1792, 1792}, ir::DType::Float16, 256, 128, 108);
    QCOMPARE(unitCount(one), std::int64_t{98});
    QCOMPARE(paddedElements(one), std::int64_t{0});
    QCOMPARE(locate(one, {256, 128})->unit, std::int64_t{15});
    QCOMPARE(locate(one, {256, 128})->address(), std::int64_t{0});
    // 4 tiles on 3 SMs: two waves.
    const TensorLayout two = gpuTiled({64, 256}, ir::DType::Float16, 64, 64, 3);
    QCOMPARE(bytesPerUnit(two), std::int64_t{2 * 64 * 64 * 2});
}

void TestFamilyLayouts::waferBlocksDealDimensionsOverARectangle() {
    // 4096 over 360 PEs: blocks of 12, padded to 4320.
    const TensorLayout layout = waferBlocked({4096, 4096}, ir::DType::Float16, 360, 360);
    QCOMPARE(unitCount(layout), std::int64_t{360 * 360});
    QCOMPARE(bytesPerUnit(layout), std::int64_t{12 * 12 * 2});
    QCOMPARE(deviceElements(layout), std::int64_t{4320 * 4320});
    const auto place = locate(layout, {25, 13});
    QVERIFY(place.has_value());
    QCOMPARE(place->unit, std::int64_t{2 * 360 + 1});
    QCOMPARE(place->row, std::int64_t{1});
    QCOMPARE(place->lane, std::int64_t{1});
}

void TestFamilyLayouts::waferBlocksUseTheColumnsThatTheLastDimensionLeaves() {
    // A 1×1 convolution's weights on 71×71 PEs: ⌈2048/71⌉ = 29 filters of ⌈512/71⌉ = 8 channels.
    const TensorLayout pointwise = waferBlocked({2048, 512, 1, 1}, ir::DType::Float16, 71, 71);
    QCOMPARE(QString::fromStdString(pointwise.notation), QString("71×71 PEs"));
    QCOMPARE(unitCount(pointwise), std::int64_t{71 * 71});
    QCOMPARE(bytesPerUnit(pointwise), std::int64_t{29 * 8 * 2});
    // 7×7 weights: seven columns for the last dimension, 71/7 = 10 are left for the one before.
    const TensorLayout square = waferBlocked({64, 3, 7, 7}, ir::DType::Float16, 71, 71);
    QCOMPARE(QString::fromStdString(square.notation), QString("64×49 PEs"));
    QCOMPARE(bytesPerUnit(square), std::int64_t{3 * 2});
}

void TestFamilyLayouts::bytesOfAPeAreThoseOfTheWaferLayout() {
    const std::vector<std::vector<std::int64_t>> shapes{{}, {0}, {1}, {50257, 768}, {1, 12, 68, 68},
        {2048, 512, 1, 1}, {3, 0, 5}, {1, 1, 1, 1}, {7, 5, 3, 2, 9},
        {std::int64_t{1} << 31, std::int64_t{1} << 31}};
    for (const auto& shape : shapes)
        for (const auto type : {ir::DType::Float16, ir::DType::Int4, ir::DType::Float32})
            for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {2, 2},
                     {34, 68}, {762, 1172}, {0, 5}})
                QCOMPARE(waferBytesPerPe(shape, type, rows, columns),
                    bytesPerUnit(waferBlocked(shape, type, rows, columns)));
}

void TestFamilyLayouts::groqVectorsPadTheLastDimensionTo320() {
    // 4096 → 13 vectors, 1.5 % waste; 1024 → 4, 20 %.
    QCOMPARE(qRound(waste(groqVectors({1, 4096}, ir::DType::Int8, 320, 1)) * 1000), 15);
    QCOMPARE(qRound(waste(groqVectors({1, 1024}, ir::DType::Int8, 320, 1)) * 1000), 200);
    const TensorLayout layout = groqVectors({8, 640}, ir::DType::Float16, 320, 88);
    QCOMPARE(unitCount(layout), std::int64_t{16}); // eight rows of two vectors, each in its slice
    QCOMPARE(bytesPerUnit(layout), std::int64_t{640});
    QVERIFY(QString::fromStdString(layout.notation).contains("2 byte planes"));
}

void TestFamilyLayouts::layoutForRefusesNonsense_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("strides");
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown family") << "npu"
                                    << "4"
                                    << ""
                                    << ""
                                    << ""
                                    << "family";
    QTest::newRow("wrong order") << "gpu"
                                 << "4,4"
                                 << "0,0"
                                 << ""
                                 << ""
                                 << "order";
    QTest::newRow("sparse elsewhere") << "tpu"
                                      << "4"
                                      << "0,-1"
                                      << ""
                                      << ""
                                      << "Spyre only";
    QTest::newRow("strides elsewhere") << "groq"
                                       << "4"
                                       << ""
                                       << "1"
                                       << ""
                                       << "Spyre only";
    QTest::newRow("version elsewhere") << "gpu"
                                       << "4"
                                       << ""
                                       << ""
                                       << "2026-09"
                                       << "Spyre only";
    QTest::newRow("unknown version") << "spyre"
                                     << "4"
                                     << ""
                                     << ""
                                     << "2024-01"
                                     << "unknown";
    QTest::newRow("negative") << "cerebras"
                              << "-4"
                              << ""
                              << ""
                              << ""
                              << "negative";
    QTest::newRow("too large") << "gpu"
                               << "9000000000000000000,9000000000000000000"
                               << ""
                               << ""
                               << ""
                               << "larger";
}

void TestFamilyLayouts::layoutForRefusesNonsense() {
    QFETCH(QString, family);
    QFETCH(QString, shape);
    QFETCH(QString, order);
    QFETCH(QString, strides);
    QFETCH(QString, version);
    QFETCH(QString, words);
    LayoutQuery query;
    query.family = family.toStdString();
    query.shape = numbers(shape);
    query.order = ints(order);
    query.strides = numbers(strides);
    query.version = version.toStdString();
    const auto layout = layoutFor(query);
    QVERIFY(!layout.isOk());
    QVERIFY2(QString::fromStdString(layout.error().message).contains(words),
        layout.error().message.c_str());
}

void TestFamilyLayouts::layoutForPermutesDimensions() {
    for (const char* family : {"gpu", "cpu", "groq", "cerebras"}) {
        LayoutQuery query;
        query.family = family;
        query.shape = {3, 5, 64};
        query.order = {2, 0, 1};
        const auto layout = layoutFor(query);
        QVERIFY(layout.isOk());
        QCOMPARE(layout->shape, query.shape);
        QCOMPARE(bijectionProblem(*layout), QString());
        QCOMPARE(layout->axes.back().dimension, 1);
    }
}

void TestFamilyLayouts::emptyAndHugeTensorsAreAnswered() {
    for (const char* family : {"gpu", "tpu", "cpu", "groq", "cerebras", "spyre"}) {
        for (const auto& shape : {std::vector<std::int64_t>{0}, {0, 4}, {4, 0}, {2, 0, 3},
                 {0, INT64_MAX}, {INT64_MAX, 0}}) {
            LayoutQuery query;
            query.family = family;
            query.shape = shape;
            const auto layout = layoutFor(query);
            QVERIFY(layout.isOk());
            QCOMPARE(deviceBytes(*layout), std::int64_t{0});
            QVERIFY(!locate(*layout, std::vector<std::int64_t>(shape.size(), 0)));
        }
        LayoutQuery huge;
        huge.family = family;
        huge.shape = {INT64_MAX};
        QVERIFY(!layoutFor(huge).isOk());
        huge.shape = {1'000'000, 1'000'000};
        const auto large = layoutFor(huge);
        QVERIFY(large.isOk());
        const auto corner = locate(*large, {999'999, 999'999});
        QVERIFY(corner.has_value());
    }
}

QTEST_APPLESS_MAIN(TestFamilyLayouts)
#include "test_family_layouts.moc"
