// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/gemm.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::families::gpu;

namespace {

/// 108 SMs at 312 TFLOP/s and 2,039 GB/s: the A100 of NVIDIA's matrix multiplication guide.
Device a100() {
    Device device;
    device.sms = 108;
    device.peak = 312e12;
    device.dramBandwidth = 2039e9;
    device.tiles = {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.95}, {64, 64, 0.7}};
    return device;
}

GemmProblem problem(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {1, m, n, k, 2};
}

} // namespace

class TestGpuGemm : public QObject {
    Q_OBJECT

private slots:
    void aTileMoreThanTheDeviceHasCostsAWholeWave();
    void wavesAndTilesMatchHandCounts_data();
    void wavesAndTilesMatchHandCounts();
    void persistentKernelsPayForHalfTheTail();
    void theChosenPlanIsTheFastest();
    void aShortKIsNotSplit();
    void noPlanIsFasterThanTheRoofs();
    void aFixedTileIsTaken();
    void alignmentIsNamedWhereItFails();
};

void TestGpuGemm::aTileMoreThanTheDeviceHasCostsAWholeWave() {
    const Device device = a100();
    const Tile tile{128, 128, 0.95};
    const GemmPlan full = planGemm(device, problem(108 * 128, 128, 4096), tile, 1);
    const GemmPlan over = planGemm(device, problem(109 * 128, 128, 4096), tile, 1);
    QCOMPARE(full.tiles, 108);
    QCOMPARE(full.waves, 1);
    QCOMPARE(over.tiles, 109);
    QCOMPARE(over.waves, 2);
    QCOMPARE(over.tail, 1);
    QCOMPARE(over.computeSeconds, 2 * full.computeSeconds);
    // One tile: 2·128·128·4096 at 312 TFLOP/s · 0.8 · 0.95 / 108, and 0.4 µs of prologue.
    QVERIFY(
        qAbs(full.computeSeconds - (134217728.0 / (312e12 * 0.8 * 0.95 / 108) + 0.4e-6)) < 1e-12);
}

void TestGpuGemm::wavesAndTilesMatchHandCounts_data() {
    QTest::addColumn<qint64>("m");
    QTest::addColumn<qint64>("n");
    QTest::addColumn<qint64>("rows");
    QTest::addColumn<qint64>("columns");
    QTest::addColumn<qint64>("split");
    QTest::addColumn<qint64>("tiles");
    QTest::addColumn<qint64>("waves");
    QTest::newRow("1792 x 1792 is 7 x 14 tiles, one wave")
        << 1792LL << 1792LL << 256LL << 128LL << 1LL << 98LL << 1LL;
    QTest::newRow("a row more is a row of tiles more")
        << 1793LL << 1792LL << 256LL << 128LL << 1LL << 112LL << 2LL;
    QTest::newRow("k split in four") << 128LL << 768LL << 128LL << 128LL << 4LL << 24LL << 1LL;
    QTest::newRow("one element") << 1LL << 1LL << 64LL << 64LL << 1LL << 1LL << 1LL;
    QTest::newRow("large") << 8192LL << 8192LL << 128LL << 128LL << 1LL << 4096LL << 38LL;
}

void TestGpuGemm::wavesAndTilesMatchHandCounts() {
    QFETCH(qint64, m);
    QFETCH(qint64, n);
    QFETCH(qint64, rows);
    QFETCH(qint64, columns);
    QFETCH(qint64, split);
    QFETCH(qint64, tiles);
    QFETCH(qint64, waves);
    const GemmPlan plan = planGemm(a100(), problem(m, n, 4096), Tile{rows, columns, 1.0}, split);
    QCOMPARE(plan.tiles, tiles);
    QCOMPARE(plan.waves, waves);
    QVERIFY(qAbs(plan.waveEfficiency - double(tiles) / double(waves * 108)) < 1e-12);
}

void TestGpuGemm::persistentKernelsPayForHalfTheTail() {
    Device device = a100();
    device.gemm.waveWeight = 0.5;
    const Tile tile{128, 128, 1.0};
    const double one = planGemm(device, problem(108 * 128, 128, 4096), tile, 1).computeSeconds;
    const double over = planGemm(device, problem(109 * 128, 128, 4096), tile, 1).computeSeconds;
    QVERIFY(qAbs(over / one - (0.5 * 2 + 0.5 * 109.0 / 108)) < 1e-9);
}

void TestGpuGemm::theChosenPlanIsTheFastest() {
    const Device device = a100();
    QRandomGenerator random(7);
    for (int i = 0; i < 200; ++i) {
        const GemmProblem p =
            problem(random.bounded(1, 9000), random.bounded(1, 9000), random.bounded(1, 9000));
        const double best = planGemm(device, p).seconds();
        for (const Tile& tile : device.tiles)
            QVERIFY(best <= planGemm(device, p, tile, 1).seconds());
    }
}

void TestGpuGemm::aShortKIsNotSplit() {
    QCOMPARE(planGemm(a100(), problem(64, 64, 511)).splitK, 1);
    QVERIFY(planGemm(a100(), problem(64, 64, 1 << 16)).splitK > 1);
}

void TestGpuGemm::noPlanIsFasterThanTheRoofs() {
    const Device device = a100();
    QRandomGenerator random(11);
    for (int i = 0; i < 500; ++i) {
        GemmProblem p =
            problem(random.bounded(1, 6000), random.bounded(1, 6000), random.bounded(1, 6000));
        p.batch = random.bounded(1, 20);
        const GemmPlan plan = planGemm(device, p);
        const double flops = 2.0 * double(p.batch) * double(p.m) * double(p.n) * double(p.k);
        QVERIFY(plan.seconds() >= flops / device.peak);
        QVERIFY(
            plan.seconds() >= (plan.dramReadBytes + plan.dramWrittenBytes) / device.dramBandwidth);
        QVERIFY(plan.paddedFlops >= flops);
        QVERIFY(plan.tileEfficiency > 0 && plan.tileEfficiency <= 1);
        QVERIFY(plan.waveEfficiency > 0 && plan.waveEfficiency <= 1);
    }
}

void TestGpuGemm::aFixedTileIsTaken() {
    Device device = a100();
    device.tile = Tile{64, 64, 0.7};
    const GemmPlan plan = planGemm(device, problem(4096, 4096, 4096));
    QCOMPARE(plan.tileM, 64);
    QCOMPARE(plan.tileN, 64);
}

void TestGpuGemm::alignmentIsNamedWhereItFails() {
    QVERIFY(alignmentNote(problem(7, 64, 64)).empty());
    QVERIFY(alignmentNote(problem(64, 65, 64)).find("n = 65") != std::string::npos);
    QVERIFY(alignmentNote(problem(64, 65, 63)).find("k = 63 and n = 65") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestGpuGemm)
#include "test_gpu_gemm.moc"
