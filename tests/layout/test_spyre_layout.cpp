// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/spyre_layout.h"
#include "layout_helpers.h"

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace fivefold;
using namespace fivefold::layout;
using namespace fivefold::test;

namespace {

/// Host steps of an axis of extent 1 mean nothing, so they compare equal.
bool sameStrides(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
    const std::vector<std::int64_t>& device) {
    if (a.size() != b.size() || a.size() != device.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (device[i] != 1 && a[i] != b[i])
            return false;
    }
    return true;
}

/// First difference between the layouts of a table of compiler output and ours.
QString tableProblem(const std::vector<QStringList>& rows) {
    for (const QStringList& row : rows) {
        SpyreLayoutRequest request;
        request.shape = numbers(row[0]);
        request.strides = numbers(row[1]);
        request.dtype =
            *ir::parseDType(row[2] == "float8_e4m3fn" ? "float8e4m3fn" : row[2].toStdString());
        request.order = ints(row[3]);
        request.version = SpyreLayoutVersion::V2026_06;
        const auto layout = spyreLayout(request);
        if (!layout)
            return row.join(' ') + ": " + QString::fromStdString(layout.error().text());
        const auto device = numbers(row[4]);
        if (layout->deviceSize != device || !sameStrides(layout->strideMap, numbers(row[5]), device)
            || deviceBytes(*layout) != row[6].toLongLong())
            return row.join(' ');
    }
    return {};
}

} // namespace

class TestSpyreLayout : public QObject {
    Q_OBJECT
private slots:
    void matchesTheWorkedExamples_data();
    void matchesTheWorkedExamples();
    void matchesTheCompilersConstructor();
    void matchesAllRowsOfTheReference();
    void theStrideOfAnExtentOneTileDependsOnTheVersion();
    void theOldVersionPutsSticksFirstAndRefusesStrides();
    void everyElementHasOnePlace();
    void countsSticksAndPaddingOfTheFamousSixtyFive();
    void refusesWhatTheDeviceDoesNotHave_data();
    void refusesWhatTheDeviceDoesNotHave();
    void emptyTensorsTakeNothing();
    void theDeviceShapeAloneIsThatOfTheLayout();
};

void TestSpyreLayout::matchesTheWorkedExamples_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("map");
    QTest::addColumn<qlonglong>("sticks");
    QTest::addColumn<qlonglong>("padded");
    QTest::addColumn<double>("wastePercent");
    const auto row = [](const char* name, const char* shape, const char* dtype, const char* order,
                         const char* device, const char* map, qlonglong sticks, qlonglong padded,
                         double percent) {
        QTest::newRow(name) << shape << dtype << order << device << map << sticks << padded
                            << percent;
    };
    row("scalar", "", "fp16", "", "1,64", "-1,-1", 1, 63, 98.4);
    row("one stick", "64", "fp16", "", "1,64", "64,1", 1, 0, 0);
    row("one element over", "65", "fp16", "", "2,64", "64,1", 2, 63, 49.2);
    row("matrix", "1024,256", "fp16", "", "4,1024,64", "64,256,1", 4096, 0, 0);
    row("ragged matrix", "72,91", "fp16", "", "2,72,64", "64,91,1", 144, 2664, 28.9);
    row("transposed", "72,91", "fp16", "1,0", "2,91,64", "5824,1,91", 182, 5096, 43.8);
    row("rank 3", "5,100,150", "fp16", "", "100,3,5,64", "150,64,15000,1", 1500, 21000, 21.9);
    row("rank 3 b", "50,10,200", "fp16", "", "10,4,50,64", "200,64,2000,1", 2000, 28000, 21.9);
    row("small", "3,7,9", "fp16", "", "7,1,3,64", "9,0,63,1", 21, 1155, 85.9);
    row("rank 4", "2,16,200,80", "fp16", "", "16,200,2,2,64", "16000,80,64,256000,1", 12800, 307200,
        37.5);
    row("sparse result", "64", "fp16", "0,-1", "1,64,64", "-1,1,-1", 64, 4032, 98.4);
    row("dense result", "256", "fp16", "", "4,64", "64,1", 4, 0, 0);
    row("forced sparse", "512,256", "fp16", "0,1,-1", "256,1,512,64", "1,-1,256,-1", 131072,
        8257536, 98.4);
    row("inner one", "512,1,256", "fp16", "", "1,4,512,64", "-1,64,256,1", 2048, 0, 0);
    row("trailing one", "512,256,1", "fp16", "", "256,1,512,64", "1,-1,256,-1", 131072, 8257536,
        98.4);
    row("fp32", "64,768", "fp32", "", "24,64,32", "32,768,1", 1536, 0, 0);
    row("int64 as int32", "1,855", "int64", "", "27,1,32", "32,-1,1", 27, 9, 1.0);
    row("bool as fp16", "100", "bool", "", "2,64", "64,1", 2, 28, 21.9);
    row("fp8", "2880,128", "fp8", "", "1,2880,128", "0,128,1", 2880, 0, 0);
    row("LM head", "49216,4096", "fp16", "1,0", "769,4096,64", "262144,1,4096", 3149824, 0, 0);
}

void TestSpyreLayout::matchesTheWorkedExamples() {
    QFETCH(QString, shape);
    QFETCH(QString, dtype);
    QFETCH(QString, order);
    QFETCH(QString, device);
    QFETCH(QString, map);
    QFETCH(qlonglong, sticks);
    QFETCH(qlonglong, padded);
    QFETCH(double, wastePercent);
    SpyreLayoutRequest request;
    request.shape = numbers(shape);
    request.dtype = dtype == "fp8" ? ir::DType::Float8E4M3FN : *ir::parseDType(dtype.toStdString());
    request.order = ints(order);
    const auto layout = spyreLayout(request);
    QVERIFY(layout.isOk());
    QCOMPARE(layout->deviceSize, numbers(device));
    QVERIFY(sameStrides(layout->strideMap, numbers(map), layout->deviceSize));
    QCOMPARE(spyreSticks(*layout), std::int64_t{sticks});
    QCOMPARE(paddedElements(*layout), std::int64_t{padded});
    QCOMPARE(qRound(waste(*layout) * 1000), qRound(wastePercent * 10));
    QCOMPARE(deviceBytes(*layout), std::int64_t{sticks * kSpyreStickBytes});
}

void TestSpyreLayout::matchesTheCompilersConstructor() {
    const auto rows = csvRows(FIVEFOLD_SOURCE_DIR "/tests/layout/data/spyre_layout_vectors.csv");
    QVERIFY(rows.size() >= 40);
    QCOMPARE(tableProblem(rows), QString());
}

void TestSpyreLayout::matchesAllRowsOfTheReference() {
    const QString path = sharedTable("spyre_layout_vectors.csv");
    if (path.isEmpty())
        QSKIP("FIVEFOLD_SHARED is not set");
    const auto rows = csvRows(path);
    QVERIFY(rows.size() > 2000);
    QCOMPARE(tableProblem(rows), QString());
}

void TestSpyreLayout::theStrideOfAnExtentOneTileDependsOnTheVersion() {
    // [128, 16] with the stick on dimension 1: one tile of 64 lanes, 16 of them real.
    SpyreLayoutRequest request;
    request.shape = {128, 16};
    request.version = SpyreLayoutVersion::V2026_06;
    const auto june = spyreLayout(request);
    request.version = SpyreLayoutVersion::V2026_09;
    const auto september = spyreLayout(request);
    QVERIFY(june && september);
    QCOMPARE(june->deviceSize, (std::vector<std::int64_t>{1, 128, 64}));
    QCOMPARE(september->deviceSize, june->deviceSize);
    QCOMPARE(june->strideMap, (std::vector<std::int64_t>{64, 16, 1}));
    QCOMPARE(september->strideMap, (std::vector<std::int64_t>{16, 16, 1}));
}

void TestSpyreLayout::theOldVersionPutsSticksFirstAndRefusesStrides() {
    SpyreLayoutRequest request;
    request.shape = {512, 8, 256};
    request.version = SpyreLayoutVersion::V2025_11;
    const auto old = spyreLayout(request);
    QVERIFY(old.isOk());
    QCOMPARE(old->deviceSize, (std::vector<std::int64_t>{4, 512, 8, 64}));
    request.strides = {2048, 256, 1};
    QVERIFY(spyreLayout(request).isOk());
    request.strides = {4096, 512, 2};
    QVERIFY(!spyreLayout(request).isOk());
    request.strides.clear();
    request.order = {0, 1, 2, -1};
    QVERIFY(!spyreLayout(request).isOk());
    request.version = SpyreLayoutVersion::V2026_09;
    request.order.clear();
    QCOMPARE(spyreLayout(request)->deviceSize, (std::vector<std::int64_t>{8, 4, 512, 64}));
}

void TestSpyreLayout::everyElementHasOnePlace() {
    QRandomGenerator random(7);
    const std::vector<std::int64_t> extents{1, 2, 3, 5, 17, 63, 64, 65, 129};
    const ir::DType types[] = {ir::DType::Float16, ir::DType::Float32, ir::DType::Int8,
        ir::DType::Int64, ir::DType::Bool, ir::DType::BFloat16};
    for (int trial = 0; trial < 60; ++trial) {
        SpyreLayoutRequest request;
        const int rank = random.bounded(1, 5);
        std::int64_t elements = 1;
        for (int d = 0; d < rank; ++d) {
            std::int64_t extent =
                extents[static_cast<std::size_t>(random.bounded(int(extents.size())))];
            if (elements * extent > 400)
                extent = 2;
            elements *= extent;
            request.shape.push_back(extent);
        }
        request.dtype = types[random.bounded(6)];
        request.order.resize(static_cast<std::size_t>(rank));
        std::iota(request.order.begin(), request.order.end(), 0);
        std::shuffle(request.order.begin(), request.order.end(), random);
        if (random.bounded(6) == 0)
            request.order.push_back(-1);
        else if (random.bounded(4) == 0)
            request.version = SpyreLayoutVersion::V2025_11;
        const auto layout = spyreLayout(request);
        QVERIFY(layout.isOk());
        QCOMPARE(bijectionProblem(*layout), QString());
    }
}

void TestSpyreLayout::countsSticksAndPaddingOfTheFamousSixtyFive() {
    SpyreLayoutRequest request;
    request.shape = {65};
    const auto layout = spyreLayout(request);
    QVERIFY(layout.isOk());
    const auto last = locate(*layout, {64});
    QVERIFY(last.has_value());
    QCOMPARE(last->block, std::int64_t{1});
    QCOMPARE(last->lane, std::int64_t{0});
    QCOMPARE(last->address(), std::int64_t{128});
    QVERIFY(!locate(*layout, {65}));
    QVERIFY(!indexAt(*layout, {1, 1}));
}

void TestSpyreLayout::refusesWhatTheDeviceDoesNotHave_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("strides");
    QTest::addColumn<QString>("words");
    QTest::newRow("double") << "4"
                            << "float64"
                            << ""
                            << ""
                            << "no format";
    QTest::newRow("complex") << "4"
                             << "complex64"
                             << ""
                             << ""
                             << "no format";
    QTest::newRow("repeated dimension") << "4,4"
                                        << "fp16"
                                        << "0,0"
                                        << ""
                                        << "permutation";
    QTest::newRow("short order") << "4,4"
                                 << "fp16"
                                 << "0"
                                 << ""
                                 << "names 1";
    QTest::newRow("sparse in the middle") << "4,4"
                                          << "fp16"
                                          << "-1,0"
                                          << ""
                                          << "permutation";
    QTest::newRow("out of range") << "4,4"
                                  << "fp16"
                                  << "0,2"
                                  << ""
                                  << "permutation";
    QTest::newRow("strides of another rank") << "4,4"
                                             << "fp16"
                                             << ""
                                             << "1"
                                             << "strides";
    QTest::newRow("negative extent") << "-4"
                                     << "fp16"
                                     << ""
                                     << ""
                                     << "negative";
    QTest::newRow("negative stride") << "4"
                                     << "fp16"
                                     << ""
                                     << "-1"
                                     << "negative";
    QTest::newRow("beyond int64") << "4611686018427387904,4611686018427387904"
                                  << "fp16"
                                  << ""
                                  << ""
                                  << "larger";
}

void TestSpyreLayout::refusesWhatTheDeviceDoesNotHave() {
    QFETCH(QString, shape);
    QFETCH(QString, dtype);
    QFETCH(QString, order);
    QFETCH(QString, strides);
    QFETCH(QString, words);
    SpyreLayoutRequest request;
    request.shape = numbers(shape);
    request.dtype = *ir::parseDType(dtype.toStdString());
    request.order = ints(order);
    request.strides = numbers(strides);
    const auto layout = spyreLayout(request);
    QVERIFY(!layout.isOk());
    QVERIFY2(QString::fromStdString(layout.error().message).contains(words),
        layout.error().message.c_str());
}

void TestSpyreLayout::emptyTensorsTakeNothing() {
    for (const auto& shape :
        {std::vector<std::int64_t>{0}, {0, 5}, {5, 0}, {3, 0, 70}, {0, INT64_MAX, 2}}) {
        SpyreLayoutRequest request;
        request.shape = shape;
        const auto layout = spyreLayout(request);
        QVERIFY(layout.isOk());
        QCOMPARE(deviceBytes(*layout), std::int64_t{0});
        QCOMPARE(paddedElements(*layout), std::int64_t{0});
        QCOMPARE(waste(*layout), 0.0);
    }
}

void TestSpyreLayout::theDeviceShapeAloneIsThatOfTheLayout() {
    const auto version = SpyreLayoutVersion::V2026_09, old = SpyreLayoutVersion::V2025_11;
    const std::vector<SpyreLayoutRequest> requests = {
        {{}, ir::DType::Float32, {}, {}, version},
        {{3, 130, 65}, ir::DType::Float16, {0, 2, 1}, {}, version},
        {{3, 130, 65}, ir::DType::Float32, {}, {}, old},
        {{4, 1, 70}, ir::DType::Float8E4M3FN, {2, 0, 1, -1}, {140, 7, 2}, version},
        {{0, 5}, ir::DType::Float16, {}, {}, version},
        {{4, 70}, ir::DType::Float16, {}, {1, 4}, old}, // 2025-11 takes no strides
        {{4, 70}, ir::DType::Float64, {}, {}, version}, // no such type
        {{INT64_MAX / 2, 64}, ir::DType::Float16, {}, {}, version}, // too large
    };
    for (const SpyreLayoutRequest& request : requests) {
        const auto layout = spyreLayout(request);
        const auto device = spyreDeviceShape(request);
        QCOMPARE(device.isOk(), layout.isOk());
        if (!layout) {
            QCOMPARE(device.error().message, layout.error().message);
            continue;
        }
        QVERIFY(device->size == layout->deviceSize);
        QVERIFY(device->strideMap == layout->strideMap);
    }
    QVERIFY(spyreDeviceShape(requests[3]).isOk());
    QVERIFY(!spyreDeviceShape(requests[7]).isOk());
}

QTEST_APPLESS_MAIN(TestSpyreLayout)
#include "test_spyre_layout.moc"
