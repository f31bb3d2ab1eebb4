// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/systolic.h"

#include <QFile>
#include <QtTest>

#include <map>
#include <vector>

using namespace fivefold::lowering;

namespace {

/// An array simulated register by register, with no knowledge of the schedule beyond "row i of the
/// left operand enters row r of the array at cycle R + i + r": multiplies when a value is there,
/// passes values right and sums down.
class RegisterArray {
public:
    RegisterArray(SystolicArray array, std::int64_t m, std::int64_t n, std::int64_t k)
        : m_array(array)
        , m_m(m)
        , m_n(n)
        , m_k(k) { }

    std::int64_t left(std::int64_t i, std::int64_t k) const { return (i * 7 + k * 3) % 11 - 5; }
    std::int64_t right(std::int64_t k, std::int64_t j) const { return (k * 5 + j * 2) % 13 - 6; }

    /// Index of the last cycle in which something still moved; fills result() and activity().
    std::int64_t run() {
        std::int64_t cycle = 0;
        for (std::int64_t n0 = 0; n0 < m_n; n0 += m_array.columns)
            for (std::int64_t k0 = 0; k0 < m_k; k0 += m_array.rows)
                fold(cycle, n0, k0);
        return cycle - 1;
    }
    std::int64_t result(std::int64_t i, std::int64_t j) { return m_result[{i, j}]; }
    const std::vector<std::int64_t>& activity() const { return m_activity; }

private:
    void fold(std::int64_t& cycle, std::int64_t n0, std::int64_t k0) {
        const std::int64_t rows = m_array.rows, columns = m_array.columns;
        for (std::int64_t r = 0; r < rows; ++r, ++cycle)
            m_activity.push_back(0);
        struct Cell {
            bool isThere = false;
            std::int64_t row = 0, value = 0, sum = 0;
        };
        std::vector<std::vector<Cell>> cells(rows, std::vector<Cell>(columns));
        std::int64_t left = m_m * columns; // results that still have to leave the bottom row
        for (std::int64_t t = 0; left > 0; ++t, ++cycle) {
            auto next = cells;
            std::int64_t active = 0;
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < columns; ++c) {
                    Cell in;
                    if (c > 0)
                        in = cells[r][c - 1];
                    else if (t - r >= 0 && t - r < m_m)
                        in = {true, t - r, k0 + r < m_k ? this->left(t - r, k0 + r) : 0, 0};
                    Cell& out = next[r][c];
                    out = in;
                    if (!in.isThere)
                        continue;
                    const bool hasWeight = k0 + r < m_k && n0 + c < m_n;
                    out.sum = (r > 0 ? cells[r - 1][c].sum : 0)
                        + (hasWeight ? in.value * right(k0 + r, n0 + c) : 0);
                    active += hasWeight;
                    if (r + 1 == rows) {
                        --left;
                        if (n0 + c < m_n)
                            m_result[{in.row, n0 + c}] += out.sum;
                    }
                }
            cells = next;
            m_activity.push_back(active);
        }
    }

    SystolicArray m_array;
    std::int64_t m_m, m_n, m_k;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> m_result;
    std::vector<std::int64_t> m_activity;
};

} // namespace

class TestSystolic : public QObject {
    Q_OBJECT
private slots:
    void closedFormEqualsScaleSim_data();
    void closedFormEqualsScaleSim();
    void everySharedRunOfScaleSim();
    void steppingEqualsARegisterArray_data();
    void steppingEqualsARegisterArray();
    void phasesPartitionAFold();
    void phaseKeysWalkAllPhases();
    void lanesWidenTheBlockOfN();
    void refusesSizesThatCannotBe();
};

void TestSystolic::closedFormEqualsScaleSim_data() {
    QTest::addColumn<QList<qlonglong>>("row");
    QFile file(QStringLiteral(FIVEFOLD_SOURCE_DIR "/tests/lowering/data/scalesim_gemm.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    file.readLine();
    while (!file.atEnd()) {
        const QByteArray line = file.readLine().trimmed();
        QList<qlonglong> row;
        for (const QByteArray& cell : line.split(','))
            row << cell.toLongLong();
        QTest::newRow(line.constData()) << row;
    }
}

void TestSystolic::closedFormEqualsScaleSim() {
    QFETCH(QList<qlonglong>, row);
    QCOMPARE(row.size(), 5);
    const auto run = SystolicRun::of({row[0], row[0], 1}, row[1], row[2], row[3]);
    QVERIFY(run.has_value());
    QCOMPARE(run->cycles(), std::int64_t(row[4]));
    // The stepping ends there: the last state is the last cycle of the last fold.
    const SystolicState last = run->at(run->cycles());
    QCOMPARE(last.cycle, std::int64_t(row[4]));
    QCOMPARE(last.fold, run->folds() - 1);
    QCOMPARE(last.leftRows, std::int64_t(row[1]));
    QCOMPARE(run->at(run->cycles() + 1).cycle, run->cycles());
}

void TestSystolic::everySharedRunOfScaleSim() {
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    QFile file(shared + QStringLiteral("/reference/scalesim_gemm.csv"));
    if (shared.isEmpty() || !file.open(QIODevice::ReadOnly))
        QSKIP("FIVEFOLD_SHARED names no folder with reference/scalesim_gemm.csv");
    const QList<QByteArray> header = file.readLine().trimmed().split(',');
    const auto column = [&](const char* name) { return header.indexOf(QByteArray(name)); };
    int runs = 0;
    while (!file.atEnd()) {
        const QList<QByteArray> row = file.readLine().trimmed().split(',');
        if (row.value(column("status")) != "run")
            continue;
        ++runs;
        const auto at = [&](const char* name) { return row[column(name)].toLongLong(); };
        const auto run = SystolicRun::of(
            {at("array_rows_cols"), at("array_rows_cols"), 1}, at("M"), at("N"), at("K"));
        QVERIFY(run.has_value());
        QCOMPARE(run->cycles(), std::int64_t(at("total_cycles")));
    }
    QVERIFY(runs > 0);
}

void TestSystolic::steppingEqualsARegisterArray_data() {
    QTest::addColumn<QList<int>>("sizes"); // R C M N K
    QTest::newRow("square") << QList<int>{4, 4, 6, 4, 4};
    QTest::newRow("tall array, few rows") << QList<int>{7, 3, 2, 3, 7};
    QTest::newRow("wide array, edge folds") << QList<int>{3, 5, 9, 11, 8};
    QTest::newRow("one cell") << QList<int>{1, 1, 3, 2, 2};
    QTest::newRow("one row") << QList<int>{4, 4, 1, 5, 9};
}

void TestSystolic::steppingEqualsARegisterArray() {
    QFETCH(QList<int>, sizes);
    const SystolicArray array{sizes[0], sizes[1], 1};
    const std::int64_t m = sizes[2], n = sizes[3], k = sizes[4];
    RegisterArray registers(array, m, n, k);
    const auto run = SystolicRun::of(array, m, n, k);
    QVERIFY(run.has_value());
    QCOMPARE(registers.run(), run->cycles());
    std::int64_t multiplications = 0;
    for (std::int64_t cycle = 0; cycle <= run->cycles(); ++cycle) {
        const SystolicState state = run->at(cycle);
        QCOMPARE(state.activeCells, registers.activity()[static_cast<std::size_t>(cycle)]);
        std::int64_t working = 0;
        for (std::int64_t r = 0; r < array.rows; ++r)
            for (std::int64_t c = 0; c < array.columns; ++c)
                working += state.rowIn(r, c).has_value();
        QCOMPARE(working, state.activeCells);
        multiplications += working;
    }
    QCOMPARE(multiplications, m * n * k);
    QCOMPARE(run->utilisation(),
        static_cast<double>(m * n * k)
            / static_cast<double>(array.rows * array.columns * (run->cycles() + 1)));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t x = 0; x < k; ++x)
                sum += registers.left(i, x) * registers.right(x, j);
            QCOMPARE(registers.result(i, j), sum);
        }
}

void TestSystolic::phasesPartitionAFold() {
    const auto run = SystolicRun::of({8, 8, 1}, 100, 20, 20);
    QVERIFY(run.has_value());
    QCOMPARE(run->foldCycles(), std::int64_t(100 + 16 + 8 - 2));
    std::map<SystolicPhase, std::int64_t> cycles;
    for (std::int64_t cycle = 0; cycle < run->foldCycles(); ++cycle) {
        const SystolicState state = run->at(cycle);
        ++cycles[state.phase];
        if (state.phase == SystolicPhase::Load)
            QCOMPARE(state.activeCells, std::int64_t(0));
        if (state.phase == SystolicPhase::Stream)
            QCOMPARE(state.activeCells, std::int64_t(64));
    }
    QCOMPARE(cycles[SystolicPhase::Load], std::int64_t(8));
    QCOMPARE(cycles[SystolicPhase::Fill], std::int64_t(14));
    QCOMPARE(cycles[SystolicPhase::Stream], std::int64_t(86));
    QCOMPARE(cycles[SystolicPhase::Drain], std::int64_t(14));
}

void TestSystolic::phaseKeysWalkAllPhases() {
    const auto run = SystolicRun::of({4, 4, 1}, 10, 8, 8);
    QVERIFY(run.has_value());
    std::vector<std::int64_t> stops{0};
    while (stops.back() < run->cycles())
        stops.push_back(run->nextPhase(stops.back()));
    QCOMPARE(
        stops.size(), std::size_t(4 * run->folds() + 1)); // four phases a fold, then the last cycle
    for (std::size_t i = stops.size() - 2; i > 0; --i)
        QCOMPARE(run->previousPhase(stops[i]), stops[i - 1]);
    QCOMPARE(run->previousPhase(0), std::int64_t(0));
}

void TestSystolic::lanesWidenTheBlockOfN() {
    const auto run = SystolicRun::of({8, 8, 8}, 32, 100, 8); // 64 elements of n a fold
    QVERIFY(run.has_value());
    QCOMPARE(run->foldsN(), std::int64_t(2));
    const SystolicState second = run->at(run->foldCycles());
    QCOMPARE(second.firstN, std::int64_t(64));
    QCOMPARE(second.usedN, std::int64_t(36));
    QCOMPARE(second.usedColumns, std::int64_t(5));
}

void TestSystolic::refusesSizesThatCannotBe() {
    QVERIFY(!SystolicRun::of({0, 8, 1}, 1, 1, 1));
    QVERIFY(!SystolicRun::of({8, 8, 1}, 0, 1, 1));
    QVERIFY(!SystolicRun::of({8, 8, 1}, 1, -3, 1));
    const std::int64_t huge = std::int64_t{1} << 40;
    QVERIFY(!SystolicRun::of({1, 1, 1}, huge, huge, huge));
    QVERIFY(!SystolicRun::of({8, huge, huge}, 1, 1, 1));
    QVERIFY(SystolicRun::of({128, 128, 1}, huge, 128, 128).has_value());
}

QTEST_GUILESS_MAIN(TestSystolic)
#include "test_systolic.moc"
