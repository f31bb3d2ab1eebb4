// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/metrics.h"

#include <QtTest>

#include <cmath>

using namespace fivefold;
using compare::differ;
using compare::ElementSet;
using compare::Tolerance;
using numerics::Format;
using numerics::Tensor;

namespace {

Tensor floats(std::vector<double> values, ir::DType dtype = ir::DType::Float16) {
    const auto size = static_cast<std::int64_t>(values.size());
    return {dtype, {size}, std::move(values)};
}

ElementSet setOf(std::initializer_list<std::int64_t> list, std::int64_t total = 100) {
    ElementSet set;
    set.total = total;
    for (const std::int64_t i : list)
        set.add(i);
    return set;
}

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT
private slots:
    void keepsElementsAsRuns() {
        const ElementSet set = setOf({1, 2, 3, 7});
        QCOMPARE(set.count, 4);
        QCOMPARE(set.runs.size(), std::size_t(2));
        QVERIFY((set.runs[0] == ElementSet::Run{1, 4}));
        QVERIFY(set.contains(3) && set.contains(7) && !set.contains(4) && !set.contains(0));
        QCOMPARE(*set.first(), 1);
        QVERIFY(!ElementSet().first());
    }

    void combinesSets() {
        const ElementSet a = setOf({1, 2, 3, 7, 9}), b = setOf({3, 4, 7});
        QVERIFY(intersection(a, b) == setOf({3, 7}));
        QVERIFY(difference(a, b) == setOf({1, 2, 9}));
        QVERIFY(unite(a, b) == setOf({1, 2, 3, 4, 7, 9}));
        QCOMPARE(compare::jaccard(a, b), 2.0 / 6);
        QCOMPARE(compare::jaccard(ElementSet(), ElementSet()), 1.0);
    }

    /// The gate that others use cannot see it: 576 of 577 right has cosine above 0.99.
    void findsOneElementThatCosineMisses() {
        std::vector<double> right(577), wrong;
        for (std::size_t i = 0; i < right.size(); ++i)
            right[i] = 0.25 + static_cast<double>((i * 37) % 64) / 128;
        wrong = right;
        wrong.back() = 0;
        const auto figures =
            differ(floats(wrong), floats(right), {1e-3, 1e-3, {}, {}}, Format::Fp16);
        QCOMPARE(figures.wrong.count, 1);
        QCOMPARE(*figures.wrong.first(), 576);
        QVERIFY(*figures.cosine > 0.99);
        QCOMPARE(figures.maxAbsAt, 576);
        QCOMPARE(figures.maxRel, 1.0);
    }

    void neverMasksWhatIsNotFinite() {
        const double nan = std::nan(""), inf = INFINITY;
        const auto figures = differ(floats({nan, nan, inf, -inf, inf, 1}),
            floats({nan, 1, inf, inf, 1, 1}), {10, 0, {}, {}}, Format::Fp16);
        QVERIFY(figures.nonFiniteWrong == setOf({1, 3, 4}, 6));
        QVERIFY(figures.wrong == figures.nonFiniteWrong);
        QCOMPARE(figures.maxAbs, 0.0);
    }

    void countsStepsOfTheFormat() {
        const auto figures = differ(floats({1, 1 + 0x1p-10, 1 + 0x1p-9, 2, 0x1p-24}),
            floats({1, 1, 1, 1, 0}), {}, Format::Fp16);
        QCOMPARE(*figures.maxUlp, 1024);
        QCOMPARE(figures.ulpHistogram[0], 1);
        QCOMPARE(figures.ulpHistogram[1], 2); // one step near 1, and the smallest subnormal
        QCOMPARE(figures.ulpHistogram[2], 1);
        QCOMPARE(figures.wrong.count, 4);
    }

    void usesAnAllowancePerElement() {
        Tolerance tolerance;
        tolerance.allowance = {0.5F, 0.1F};
        const auto figures = differ(floats({1.3, 1.3}), floats({1, 1}), tolerance, Format::Fp16);
        QVERIFY(figures.wrong == setOf({1}, 2));
    }

    void comparesLargeIntegersExactly() {
        const std::int64_t large = (std::int64_t(1) << 53) + 1;
        const Tensor a = Tensor::integers({large, 5}), b = Tensor::integers({large - 1, 5});
        QVERIFY(differ(a, b, {}, Format::Fp64).wrong == setOf({0}, 2));
    }

    void hasNoCosineOfAConstant() {
        QVERIFY(!differ(floats({0, 0}), floats({1, 2}), {}, Format::Fp16).cosine);
        QVERIFY(!differ(floats({1, 2}), floats({3, 3}), {}, Format::Fp16).cosine);
    }

    void callsTensorsOfOtherSizesWrongThroughout() {
        const auto figures = differ(floats({1, 2}), floats({1, 2, 3}), {}, Format::Fp16);
        QCOMPARE(figures.total, 3);
        QCOMPARE(figures.wrong.count, 3);
    }

    void takesEmptyTensors() {
        const auto figures = differ(floats({}), floats({}), {}, Format::Fp16);
        QCOMPARE(figures.total, 0);
        QVERIFY(figures.wrong.isEmpty() && !figures.maxUlp);
    }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "test_metrics.moc"
