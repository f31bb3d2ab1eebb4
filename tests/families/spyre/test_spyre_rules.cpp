// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/spyre/family.h"
#include "core/families/spyre/scratchpad.h"
#include "core/families/spyre/times.h"
#include "core/families/spyre/views.h"
#include "core/families/spyre/work_division.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::families::spyre;
using namespace fivefold::test;
using Version = layout::SpyreLayoutVersion;

Q_DECLARE_METATYPE(fivefold::layout::SpyreLayoutVersion)

class TestSpyreRules : public QObject {
    Q_OBJECT

private slots:
    void productsAreDividedAsTheCompilerDivides_data();
    void productsAreDividedAsTheCompilerDivides();
    void coresAreNeverMoreThanAllowed();
    void largestOutputDimensionIsSplitFirst_data();
    void largestOutputDimensionIsSplitFirst();
    void primeStickCountCannotMeetTheSpanLimit();
    void usableScratchpadIsWhatTheCompilerLeaves();
    void placedBuffersNeverOverlapInTimeAndSpace();
    void deadParentGivesItsSlotToItsChild();
    void nothingIsPlacedBeyondTheCapacity();
    void reshapesOfPermutedTensorsNeedACopyOnlyWhereTheyMerge();
    void matrixProductTakesWhatWasMeasured();
};

// Splits read off the public compiler's own output, August 2026 unless another version is named;
// the last two of June are those of its work-division notes.
void TestSpyreRules::productsAreDividedAsTheCompilerDivides_data() {
    QTest::addColumn<Version>("version");
    QTest::addColumn<QList<qint64>>("shape"); // b m n k
    QTest::addColumn<bool>("isRightShared");
    QTest::addColumn<QList<qint64>>("split");
    const auto august = Version::V2026_09, june = Version::V2026_06;
    QTest::newRow("small product")
        << august << QList<qint64>{1, 64, 256, 128} << true << QList<qint64>{1, 4, 4, 2};
    QTest::newRow("cube of 512") << august << QList<qint64>{1, 512, 512, 512} << true
                                 << QList<qint64>{1, 8, 4, 1};
    QTest::newRow("scores of 12 heads")
        << august << QList<qint64>{12, 128, 128, 64} << false << QList<qint64>{2, 8, 2, 1};
    QTest::newRow("context of 12 heads")
        << august << QList<qint64>{12, 128, 64, 128} << false << QList<qint64>{1, 32, 1, 1};
    QTest::newRow("batched linear")
        << august << QList<qint64>{2, 128, 2304, 768} << true << QList<qint64>{2, 4, 4, 1};
    QTest::newRow("wide linear") << august << QList<qint64>{1, 128, 4096, 4096} << true
                                 << QList<qint64>{1, 4, 8, 1};
    QTest::newRow("one row") << august << QList<qint64>{1, 1, 1024, 1024} << true
                             << QList<qint64>{1, 1, 16, 2};
    QTest::newRow("one stick of columns")
        << august << QList<qint64>{1, 32, 10, 512} << true << QList<qint64>{1, 32, 1, 1};
    QTest::newRow("over the span limit")
        << august << QList<qint64>{1, 8192, 4096, 32768} << true << QList<qint64>{1, 4, 2, 4};
    QTest::newRow("June, over the span limit")
        << june << QList<qint64>{1, 8192, 4096, 32768} << true << QList<qint64>{1, 16, 1, 2};
    QTest::newRow("June, small product")
        << june << QList<qint64>{1, 64, 256, 128} << true << QList<qint64>{1, 4, 4, 2};
    QTest::newRow("June, qkv projection")
        << june << QList<qint64>{1, 128, 2304, 768} << true << QList<qint64>{1, 4, 4, 2};
    QTest::newRow("June, scores of 12 heads")
        << june << QList<qint64>{12, 128, 128, 64} << false << QList<qint64>{1, 16, 2, 1};
}

/// Work division of the first step whose operator has this word.
std::string divisionOf(const Lowered& model, std::string_view word) {
    const lowering::StageGraph& graph = model.stage(lowering::Stage::Scheduled);
    for (const lowering::Step& step : model.program.steps)
        if (graph.nodes[step.mainNode].op == word)
            return step.workDivision;
    return {};
}

std::map<std::string, std::string> generation(Version version, std::int64_t cores = 32) {
    return {{"layout", std::string(layout::toString(version))}, {"cores", std::to_string(cores)}};
}

Lowered product(
    const QList<qint64>& shape, bool isRightShared, std::map<std::string, std::string> values) {
    ModelBuilder builder;
    std::vector<std::int64_t> left{shape[1], shape[3]}, right{shape[3], shape[2]};
    if (shape[0] > 1) {
        left.insert(left.begin(), shape[0]);
        if (!isRightShared)
            right.insert(right.begin(), shape[0]);
    }
    const auto a = builder.input("a", left, ir::DType::Float16);
    builder.output(
        builder.node(ir::Op::MatMul, {a, builder.input("b", right, ir::DType::Float16)}));
    return lowerGraph(families::spyre::family(), builder.finish(), "spyre",
        settingsAt(machines::Precision::Fp16, std::move(values)));
}

void TestSpyreRules::productsAreDividedAsTheCompilerDivides() {
    QFETCH(Version, version);
    QFETCH(QList<qint64>, shape);
    QFETCH(bool, isRightShared);
    QFETCH(QList<qint64>, split);
    const Lowered model = product(shape, isRightShared, generation(version));
    QVERIFY2(model.error.empty(), model.error.c_str());
    const MatmulDivision wanted{split[0], split[1], split[2], split[3]};
    QCOMPARE(divisionOf(model, "batchmatmul"), wanted.text());
}

void TestSpyreRules::coresAreNeverMoreThanAllowed() {
    QRandomGenerator random(7);
    for (int i = 0; i < 40; ++i) {
        const std::int64_t cores = 1 + random.bounded(32);
        const QList<qint64> shape{1 + random.bounded(20), 1 + random.bounded(600),
            1 + random.bounded(3000), 64 * (1 + random.bounded(40))};
        const Lowered model = product(shape, random.bounded(2) == 1,
            generation(i % 2 ? Version::V2026_09 : Version::V2026_06, cores));
        QVERIFY2(model.error.empty(), model.error.c_str());
        for (const lowering::OpSpec& spec : model.program.opSpecs) {
            std::int64_t used = 1;
            for (const std::int64_t split : spec.splits)
                used *= split;
            QCOMPARE(used, spec.cores);
            QVERIFY(used >= 1 && used <= cores);
        }
    }
}

void TestSpyreRules::largestOutputDimensionIsSplitFirst_data() {
    QTest::addColumn<QList<qint64>>("shape");
    QTest::addColumn<int>("reduced"); // dimension, −1: a copy
    QTest::addColumn<Version>("version");
    QTest::addColumn<QString>("division");
    QTest::newRow("128x256") << QList<qint64>{128, 256} << -1 << Version::V2026_09
                             << "d0 ÷ 32 = 32 cores";
    QTest::newRow("sum of 64x256 over rows")
        << QList<qint64>{64, 256} << 0 << Version::V2026_09 << "d0 ÷ 4 · d1 ÷ 8 = 32 cores";
    QTest::newRow("the same in June")
        << QList<qint64>{64, 256} << 0 << Version::V2026_06 << "d0 ÷ 4 = 4 cores";
    QTest::newRow("one element") << QList<qint64>{1} << -1 << Version::V2026_09 << "1 core";
}

void TestSpyreRules::largestOutputDimensionIsSplitFirst() {
    QFETCH(QList<qint64>, shape);
    QFETCH(int, reduced);
    QFETCH(Version, version);
    QFETCH(QString, division);
    ModelBuilder builder;
    const auto x = builder.input(
        "x", std::vector<std::int64_t>(shape.begin(), shape.end()), ir::DType::Float16);
    ir::Attributes axes;
    axes.set("axes", std::vector<std::int64_t>{reduced});
    axes.set("keepdims", std::int64_t{1});
    builder.output(
        reduced < 0 ? builder.node(ir::Op::Exp, {x}) : builder.node(ir::Op::ReduceSum, {x}, axes));
    const Lowered model = lowerGraph(families::spyre::family(), builder.finish(), "spyre",
        settingsAt(machines::Precision::Fp16, generation(version)));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QCOMPARE(QString::fromStdString(divisionOf(model, reduced < 0 ? "exp" : "sum")), division);
}

void TestSpyreRules::primeStickCountCannotMeetTheSpanLimit() {
    // 769 sticks of 4096 rows are beyond the limit, and 769 is prime; 770 can be split.
    const auto fits = [](std::int64_t sticks) {
        const Lowered model =
            product({1, 1, sticks * 64, 4096}, true, generation(Version::V2026_09));
        return model.diagnostics.count("spyre.span") == 0;
    };
    QVERIFY(!fits(769));
    QVERIFY(fits(770));
}

void TestSpyreRules::usableScratchpadIsWhatTheCompilerLeaves() {
    QCOMPARE(usableLxBytes(2 << 20), std::int64_t{1625344});
    QCOMPARE(usableLxBytes(1000), std::int64_t{0});
}

void TestSpyreRules::placedBuffersNeverOverlapInTimeAndSpace() {
    QRandomGenerator random(11);
    std::vector<LxRequest> requests;
    for (int i = 0; i < 400; ++i)
        requests.push_back({1 + random.bounded(60000), i, i + random.bounded(12), {}});
    const auto addresses = planLx(requests, 300000);
    int placed = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!addresses[i])
            continue;
        ++placed;
        QVERIFY(*addresses[i] % kLxAlignment == 0);
        QVERIFY(*addresses[i] + requests[i].bytes <= 300000);
        for (std::size_t k = 0; k < i; ++k) {
            const bool isTogether = addresses[k] && requests[k].last >= requests[i].first;
            if (isTogether)
                QVERIFY(*addresses[k] + requests[k].bytes <= *addresses[i]
                    || *addresses[i] + requests[i].bytes <= *addresses[k]);
        }
    }
    QVERIFY(placed > 200 && placed < 400);
}

void TestSpyreRules::deadParentGivesItsSlotToItsChild() {
    // mul, max, sub (in place over mul), exp (in place over sub), as in a softmax.
    const std::vector<LxRequest> requests{
        {12288, 0, 2, {}}, {6144, 1, 2, {}}, {12288, 2, 3, {0}}, {12288, 3, 4, {2}}};
    const auto addresses = planLx(requests, 100000);
    QCOMPARE(addresses[0], std::optional<std::int64_t>(0));
    QCOMPARE(addresses[1], std::optional<std::int64_t>(12288));
    QCOMPARE(addresses[2], std::optional<std::int64_t>(0));
    QCOMPARE(addresses[3], std::optional<std::int64_t>(0));
}

void TestSpyreRules::nothingIsPlacedBeyondTheCapacity() {
    const auto addresses = planLx({{5000, 0, 5, {}}, {5000, 1, 5, {}}, {200, 2, 5, {}}}, 8000);
    QVERIFY(addresses[0] && !addresses[1] && addresses[2]);
}

void TestSpyreRules::reshapesOfPermutedTensorsNeedACopyOnlyWhereTheyMerge() {
    const Extents shape{1, 128, 12, 64};
    QCOMPARE(viewStrides({1, 128, 768}, contiguousStrides({1, 128, 768}), shape),
        std::optional(contiguousStrides(shape)));
    // A slice of three side by side still splits into heads.
    QCOMPARE(viewStrides({1, 128, 768}, {294912, 2304, 1}, shape),
        (std::optional<Extents>({294912, 2304, 64, 1})));
    // Heads behind rows cannot become one dimension again without a copy.
    QVERIFY(!viewStrides({1, 128, 12, 64}, {98304, 64, 8192, 1}, {1, 128, 768}));
    QCOMPARE(viewStrides({}, {}, {1, 1}), (std::optional<Extents>({1, 1})));
}

void TestSpyreRules::matrixProductTakesWhatWasMeasured() {
    // 128×768 by 768×2304 on splits 1·4·4·2: the array takes (32 + 40) rows · 576 · 384 ÷ (1024 · 1117)
    // = 13.92 µs, 1.9 times as long as k is split: 26.45 µs, more than 3538944 B / 140.6 GB/s. With
    // 786432 B / 140.6 GB/s and 1.8 µs: 33.85 µs.
    lowering::Estimate e;
    e.flops = base::Flops(2.0 * 128 * 768 * 2304);
    OpTraffic traffic;
    traffic.input = 196608;
    traffic.weight = 3538944;
    traffic.output = 589824;
    const auto machine = machines::findMachine("spyre");
    const Constants spyre = constants(*machine, machines::Precision::Fp16);
    timeMatmul(e, spyre, {1, 128, 2304, 768}, {1, 4, 4, 2}, traffic);
    QVERIFY(std::abs(e.time.value - 33.85e-6) < 0.01e-6);
    QVERIFY(std::abs(e.time.value - (e.computeShare + e.memoryShare + e.schedulingShare).value)
        < 1e-15);
    QCOMPARE(e.scheduling.size(), std::size_t{1});
    QVERIFY(e.low && e.high && *e.low < e.time && e.time < *e.high);
    QVERIFY(e.bound == lowering::Bound::Compute);
    // On 1·8·4·1 the weights decide: 1.8 + 25.17 + 5.59 µs.
    lowering::Estimate whole;
    timeMatmul(whole, spyre, {1, 128, 2304, 768}, {1, 8, 4, 1}, traffic);
    QVERIFY(std::abs(whole.time.value - 32.56e-6) < 0.01e-6);
    QVERIFY(whole.bound == lowering::Bound::Memory);
}

QTEST_APPLESS_MAIN(TestSpyreRules)
#include "test_spyre_rules.moc"
