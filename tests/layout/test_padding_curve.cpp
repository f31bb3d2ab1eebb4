// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/padding_curve.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::layout;

namespace {

LayoutQuery query(const char* family, std::vector<std::int64_t> shape) {
    LayoutQuery query;
    query.family = family;
    query.shape = std::move(shape);
    return query;
}

std::vector<PaddingCurve> curvesOf(const std::vector<LayoutQuery>& queries, std::int64_t to) {
    std::vector<PaddingCurve> curves;
    for (const LayoutQuery& each : queries)
        curves.push_back(*paddingCurve(each, -1, 1, to));
    return curves;
}

} // namespace

class TestPaddingCurve : public QObject {
    Q_OBJECT
private slots:
    void sixtyFiveWastesHalfOnSpyreAndNothingOnAGpu() {
        const auto spyre = paddingCurve(query("spyre", {65}), 0, 1, 256);
        QVERIFY(spyre.isOk());
        QCOMPARE(spyre->points.size(), std::size_t{256});
        QCOMPARE(qRound(spyre->at(65)->waste * 1000), 492);
        QCOMPARE(spyre->at(65)->bytes, std::int64_t{256});
        QCOMPARE(spyre->at(65)->paddedElements, std::int64_t{63});
        QCOMPARE(freeSizes(*spyre), (std::vector<std::int64_t>{64, 128, 192, 256}));
        const auto gpu = paddingCurve(query("gpu", {65}), 0, 1, 256);
        QCOMPARE(freeSizes(*gpu).size(), std::size_t{256});
        QVERIFY(!gpu->at(257));
        QVERIFY(!gpu->at(0));
    }

    void everyPointIsTheLayoutOfItsSize_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"gpu", "tpu", "cerebras", "groq", "spyre", "cpu"})
            QTest::newRow(family) << family;
    }

    void everyPointIsTheLayoutOfItsSize() {
        QFETCH(QString, family);
        for (const int dimension : {0, 1, 2}) {
            LayoutQuery asked = query(qPrintable(family), {3, 70, 65});
            const auto curve = paddingCurve(asked, dimension, 0, 200);
            QVERIFY(curve.isOk());
            for (const CurvePoint& point : curve->points) {
                asked.shape = {3, 70, 65};
                asked.shape[static_cast<std::size_t>(dimension)] = point.size;
                const auto layout = layoutFor(asked);
                QCOMPARE(point.waste, waste(*layout));
                QCOMPARE(point.bytes, deviceBytes(*layout));
                QCOMPARE(point.isFree(), paddedElements(*layout) == 0);
            }
        }
    }

    void namesTheNextSizeThatIsFreeEverywhere() {
        // A wafer rectangle of 16 columns; vectors of 320; sticks of 64; tiles of 128 lanes.
        LayoutQuery wafer = query("cerebras", {2, 65});
        wafer.peColumns = 16;
        const std::vector<LayoutQuery> five = {query("gpu", {2, 65}), query("tpu", {2, 65}), wafer,
            query("groq", {2, 65}), query("spyre", {2, 65})};
        const auto curves = curvesOf(five, 4096);
        const auto size = nextCommonSize(curves, 65);
        QVERIFY(size.has_value());
        QCOMPARE(size->size, std::int64_t{640});
        QVERIFY(size->isFreeOnAll());
        QCOMPARE(nextCommonSize(curves, 641)->size, std::int64_t{1280});
        // Without the machine of 320 lanes the next one is 128.
        const std::vector<PaddingCurve> four = {curves[0], curves[1], curves[2], curves[4]};
        QCOMPARE(nextCommonSize(four, 65)->size, std::int64_t{128});
        QCOMPARE(nextFree(curves[3], 65), std::optional<std::int64_t>(320));
    }

    void namesTheBestSizeWhereNoneIsFreeEverywhere() {
        const auto curves =
            curvesOf({query("spyre", {2, 65}), query("groq", {2, 65}), query("gpu", {2, 65})}, 256);
        const auto size = nextCommonSize(curves, 65);
        QVERIFY(size.has_value());
        QVERIFY(!size->isFreeOnAll());
        QCOMPARE(size->size, std::int64_t{128}); // free on Spyre and the GPU
        QCOMPARE(size->padded, (std::vector<std::size_t>{1}));
        QVERIFY(!nextCommonSize(curves, 257));
        QVERIFY(!nextCommonSize(curvesOf({query("groq", {2, 65})}, 100), 1));
    }

    void refusesNonsense_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        QTest::addColumn<QString>("words");
        QTest::newRow("scalar") << 0 << 0 << qint64{1} << qint64{4} << "scalar";
        QTest::newRow("dimension") << 2 << 2 << qint64{1} << qint64{4} << "no dimension 2";
        QTest::newRow("from the end") << 2 << -3 << qint64{1} << qint64{4} << "no dimension -3";
        QTest::newRow("empty") << 2 << 0 << qint64{4} << qint64{3} << "empty";
        QTest::newRow("negative") << 2 << 0 << qint64{-1} << qint64{3} << "negative";
        QTest::newRow("long") << 2 << 0 << qint64{0} << qint64{INT64_MAX} << "shorter";
        QTest::newRow("huge") << 2 << 0 << qint64{INT64_MAX / 2} << qint64{INT64_MAX / 2 + 2}
                              << "larger";
    }

    void refusesNonsense() {
        QFETCH(int, rank);
        QFETCH(int, dimension);
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        QFETCH(QString, words);
        const auto curve = paddingCurve(
            query("spyre", std::vector<std::int64_t>(static_cast<std::size_t>(rank), 7)), dimension,
            from, to);
        QVERIFY(!curve.isOk());
        QVERIFY2(QString::fromStdString(curve.error().message).contains(words),
            curve.error().message.c_str());
    }

    void stridesBelongToOneSize() {
        LayoutQuery strided = query("spyre", {4, 65});
        strided.strides = {130, 1};
        QVERIFY(!paddingCurve(strided, 1, 1, 4).isOk());
    }
};

QTEST_APPLESS_MAIN(TestPaddingCurve)
#include "test_padding_curve.moc"
