// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/mxu.h"

#include <QFile>
#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::families::tpu;

namespace {

/// Four 128 × 128 arrays: TPU v5e.
Device v5e() {
    Device device;
    device.side = 128;
    device.arrays = 4;
    device.clock = 1.5e9;
    return device;
}

} // namespace

class TestTpuMxu : public QObject {
    Q_OBJECT

private slots:
    void foldsAndCyclesMatchHandCounts_data();
    void foldsAndCyclesMatchHandCounts();
    void usefulWorkNeverExceedsTheArrays();
    void withoutDoubleBufferingTheCountIsScaleSims_data();
    void withoutDoubleBufferingTheCountIsScaleSims();
    void everyScaleSimRunIsReproduced();
};

void TestTpuMxu::foldsAndCyclesMatchHandCounts_data() {
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<qint64>("m");
    QTest::addColumn<qint64>("n");
    QTest::addColumn<qint64>("k");
    QTest::addColumn<qint64>("folds");
    QTest::addColumn<double>("stream");
    // 6 × 18 folds on 4 arrays are 27 rounds of 128 rows.
    QTest::newRow("QKV of the attention block")
        << 1LL << 128LL << 2304LL << 768LL << 108LL << 27.0 * 128;
    // 65 columns still push a whole 128-wide tile; 12 heads on 4 arrays are 3 rounds.
    QTest::newRow("12 heads of 128 keys, 65 wide")
        << 12LL << 128LL << 128LL << 65LL << 12LL << 3.0 * 128;
    // One fold: its 4,096 rows are shared by the four arrays.
    QTest::newRow("tall and thin") << 1LL << 4096LL << 128LL << 128LL << 1LL << 1024.0;
    // A fold never takes less than pushing the next weight tile.
    QTest::newRow("one row") << 1LL << 1LL << 4096LL << 4096LL << 1024LL << 256.0 * 128;
    QTest::newRow("a row beyond a tile") << 1LL << 129LL << 512LL << 128LL << 4LL << 136.0;
}

void TestTpuMxu::foldsAndCyclesMatchHandCounts() {
    QFETCH(qint64, batch);
    QFETCH(qint64, m);
    QFETCH(qint64, n);
    QFETCH(qint64, k);
    QFETCH(qint64, folds);
    QFETCH(double, stream);
    const MxuPlan plan = planMxu(v5e(), {batch, m, n, k});
    QCOMPARE(plan.folds, folds);
    QCOMPARE(plan.streamCycles, stream);
    QCOMPARE(plan.fillCycles, 3.0 * 128 - 2); // first load, skew, drain
    QCOMPARE(plan.cycles(), stream + 382);
}

void TestTpuMxu::usefulWorkNeverExceedsTheArrays() {
    const Device device = v5e();
    const double peak = 2.0 * 128 * 128 * 4; // FLOP a cycle
    QRandomGenerator random(3);
    for (int i = 0; i < 1000; ++i) {
        const MxuProblem p{random.bounded(1, 30), random.bounded(1, 5000), random.bounded(1, 5000),
            random.bounded(1, 5000)};
        const MxuPlan plan = planMxu(device, p);
        const double flops = 2.0 * double(p.batch) * double(p.m) * double(p.n) * double(p.k);
        QVERIFY(plan.cycles() >= flops / peak);
        QVERIFY(plan.paddedFlops >= flops);
        QVERIFY(plan.utilisation > 0 && plan.utilisation <= 1);
    }
}

void TestTpuMxu::withoutDoubleBufferingTheCountIsScaleSims_data() {
    QTest::addColumn<qint64>("m");
    QTest::addColumn<qint64>("n");
    QTest::addColumn<qint64>("k");
    QTest::addColumn<qint64>("side");
    QTest::addColumn<double>("cycles");
    // load R, stream m, skew and drain R + C − 2, counted from 0
    QTest::newRow("4 x 4 x 4 on 4 x 4") << 4LL << 4LL << 4LL << 4LL << 4.0 + 4 + 6 - 1;
    QTest::newRow("two folds") << 128LL << 128LL << 256LL << 128LL << 2.0 * (128 + 128 + 254) - 1;
}

void TestTpuMxu::withoutDoubleBufferingTheCountIsScaleSims() {
    QFETCH(qint64, m);
    QFETCH(qint64, n);
    QFETCH(qint64, k);
    QFETCH(qint64, side);
    QFETCH(double, cycles);
    QCOMPARE(nonOverlappedCycles(m, n, k, side, side), cycles);
}

void TestTpuMxu::everyScaleSimRunIsReproduced() {
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    QFile file(shared + "/reference/scalesim_gemm.csv");
    if (shared.isEmpty() || !file.open(QIODevice::ReadOnly))
        QSKIP("needs the reference table scalesim_gemm.csv");
    const QStringList header = QString::fromUtf8(file.readLine()).trimmed().split(',');
    const auto column = [&](const char* name) { return header.indexOf(QString::fromLatin1(name)); };
    int rows = 0;
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
        if (cells.size() < header.size() || cells[column("status")] != "run")
            continue;
        ++rows;
        const auto number = [&](const char* name) { return cells[column(name)].toLongLong(); };
        QCOMPARE(nonOverlappedCycles(number("M"), number("N"), number("K"),
                     number("array_rows_cols"), number("array_rows_cols")),
            cells[column("total_cycles")].toDouble());
    }
    QVERIFY(rows > 0);
}

QTEST_APPLESS_MAIN(TestTpuMxu)
#include "test_tpu_mxu.moc"
