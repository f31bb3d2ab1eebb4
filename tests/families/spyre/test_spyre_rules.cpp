// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/scratchpad.h"
#include "core/families/spyre/times.h"
#include "core/families/spyre/views.h"
#include "core/families/spyre/work_division.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::families::spyre;
using Version = layout::SpyreLayoutVersion;

Q_DECLARE_METATYPE(fivefold::layout::SpyreLayoutVersion)

class TestSpyreRules : public QObject {
    Q_OBJECT

private slots:
    void productsAreDividedAsTheCompilerDivides_data();
    void productsAreDividedAsTheCompilerDivides();
    void everySplitDividesItsLoop();
    void largestOutputDimensionIsSplitFirst_data();
    void largestOutputDimensionIsSplitFirst();
    void spanLimitSplitsTheOutermostDimension();
    void primeStickCountCannotMeetTheSpanLimit();
    void usableScratchpadIsWhatTheCompilerLeaves();
    void placedBuffersNeverOverlapInTimeAndSpace();
    void deadParentGivesItsSlotToItsChild();
    void nothingIsPlacedBeyondTheCapacity();
    void reshapesOfPermutedTensorsNeedACopyOnlyWhereTheyMerge();
    void sticksSurviveReshapesOfWholeSticks();
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

void TestSpyreRules::productsAreDividedAsTheCompilerDivides() {
    QFETCH(Version, version);
    QFETCH(QList<qint64>, shape);
    QFETCH(bool, isRightShared);
    QFETCH(QList<qint64>, split);
    const auto got =
        matmulDivision({shape[0], shape[1], shape[2], shape[3], 64, isRightShared}, {32, version});
    QCOMPARE((QList<qint64>{got.b, got.m, got.n, got.k}), split);
    QVERIFY(!got.rule.empty());
}

void TestSpyreRules::everySplitDividesItsLoop() {
    QRandomGenerator random(7);
    for (int i = 0; i < 300; ++i) {
        const MatmulShape shape{1 + random.bounded(20), 1 + random.bounded(600),
            1 + random.bounded(3000), 1 + random.bounded(3000), 64, random.bounded(2) == 1};
        const DivisionRules rules{
            1 + random.bounded(32), i % 2 ? Version::V2026_09 : Version::V2026_06};
        const auto got = matmulDivision(shape, rules);
        QVERIFY(got.cores() >= 1 && got.cores() <= rules.cores);
        QCOMPARE(shape.batch % got.b, 0);
        QCOMPARE(shape.m % got.m, 0);
        QCOMPARE(((shape.n + 63) / 64) % got.n, 0);
        QCOMPARE(((shape.k + 63) / 64) % got.k, 0);
    }
}

void TestSpyreRules::largestOutputDimensionIsSplitFirst_data() {
    QTest::addColumn<QList<qint64>>("units");
    QTest::addColumn<int>("reduced"); // index of the reduced loop, −1 none
    QTest::addColumn<Version>("version");
    QTest::addColumn<QList<qint64>>("splits");
    QTest::newRow("add 128x256") << QList<qint64>{128, 4} << -1 << Version::V2026_09
                                 << QList<qint64>{32, 1};
    QTest::newRow("sum of 64x256 over rows")
        << QList<qint64>{64, 4} << 0 << Version::V2026_09 << QList<qint64>{8, 4};
    QTest::newRow("the same in June")
        << QList<qint64>{64, 4} << 0 << Version::V2026_06 << QList<qint64>{1, 4};
    QTest::newRow("restickify of 12x128x64")
        << QList<qint64>{12, 2, 1} << -1 << Version::V2026_09 << QList<qint64>{12, 2, 1};
    QTest::newRow("scalar") << QList<qint64>{} << -1 << Version::V2026_09 << QList<qint64>{};
}

void TestSpyreRules::largestOutputDimensionIsSplitFirst() {
    QFETCH(QList<qint64>, units);
    QFETCH(int, reduced);
    QFETCH(Version, version);
    QFETCH(QList<qint64>, splits);
    std::vector<LoopDim> loops;
    for (int i = 0; i < units.size(); ++i)
        loops.push_back({"d", units[i], i == reduced, false, false});
    const Division got = defaultDivision(loops, {}, {32, version});
    QCOMPARE(QList<qint64>(got.splits.begin(), got.splits.end()), splits);
}

void TestSpyreRules::spanLimitSplitsTheOutermostDimension() {
    // [8192, 32768] fp16 is [512 sticks, 8192 rows]: 512 MiB.
    const std::vector<LoopDim> loops{{"m", 8192}, {"k", 512, true, true}};
    const std::vector<SpanOperand> operands{{{512, 8192}, {1, 0}}};
    QCOMPARE(spanDivision(loops, operands, {32, Version::V2026_06}).splits,
        (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(spanDivision(loops, operands, {32, Version::V2026_09}).splits,
        (std::vector<std::int64_t>{1, 4}));
}

void TestSpyreRules::primeStickCountCannotMeetTheSpanLimit() {
    // 49216 = 769 sticks, and 769 is prime; 49280 = 770 sticks can be split.
    const auto fits = [](std::int64_t sticks) {
        const std::vector<LoopDim> loops{{"n", sticks, false, true}};
        return spanDivision(loops, {{{sticks, 4096}, {0, -1}}}, {32, Version::V2026_09}).fitsSpan;
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

void TestSpyreRules::sticksSurviveReshapesOfWholeSticks() {
    QVERIFY(keepsSticks({1, 128, 768}, {1, 128, 12, 64}, 64));
    QVERIFY(!keepsSticks({1, 128, 768}, {1, 128, 24, 32}, 64));
    QVERIFY(keepsSticks({5, 100}, {5, 1, 100, 1}, 64));
    QCOMPARE(stickAfterReshape({1, 128, 768}, 2, {1, 128, 12, 64}), 3);
    QCOMPARE(stickAfterReshape({12, 128, 64}, 1, {1, 12, 128, 64}), 2);
    QCOMPARE(stickAfterReshape({12, 1}, 1, {12}), -1);
}

void TestSpyreRules::matrixProductTakesWhatWasMeasured() {
    // 128×768 by 768×2304 on splits 1·4·4·2: 1.8 + 3538944 B / 140.6 GB/s + 786432 B / 140.6 GB/s
    // = 32.6 µs.
    lowering::Estimate e;
    e.flops = base::Flops(2.0 * 128 * 768 * 2304);
    OpTraffic traffic;
    traffic.input = 196608;
    traffic.weight = 3538944;
    traffic.output = 589824;
    timeMatmul(e, Constants{}, {1, 128, 2304, 768}, {1, 4, 4, 2}, traffic);
    QVERIFY(std::abs(e.time.value - 32.56e-6) < 0.05e-6);
    QVERIFY(std::abs(e.time.value - (e.computeShare + e.memoryShare + e.schedulingShare).value)
        < 1e-15);
    QCOMPARE(e.scheduling.size(), std::size_t{1});
    QVERIFY(e.low && e.high && *e.low < e.time && e.time < *e.high);
    QVERIFY(e.bound == lowering::Bound::Memory);
}

QTEST_APPLESS_MAIN(TestSpyreRules)
#include "test_spyre_rules.moc"
