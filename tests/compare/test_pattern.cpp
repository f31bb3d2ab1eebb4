// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/pattern.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace fivefold;
using compare::differ;
using compare::ElementSet;
using compare::Pattern;
using numerics::Tensor;

namespace {

using Shape = std::vector<std::int64_t>;

double valueAt(std::int64_t i) {
    return 1 + static_cast<double>((i * 7919) % 1021) / 512;
}

Tensor make(const Shape& shape, const std::function<double(std::int64_t)>& value) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape)
        size *= extent;
    std::vector<double> values(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i)
        values[static_cast<std::size_t>(i)] = value(i);
    return {ir::DType::Float16, shape, std::move(values)};
}

/// Wrong where the two differ by more than a rounding.
Pattern found(const Shape& shape, const std::function<double(std::int64_t)>& device,
    const std::function<double(std::int64_t)>& reference = valueAt,
    const std::vector<compare::Candidate>& others = {},
    const layout::TensorLayout* layout = nullptr) {
    const Tensor a = make(shape, device), b = make(shape, reference);
    const auto figures = differ(a, b, {0, 1e-3, {}, {}}, numerics::Format::Fp16);
    return classify(a, b, figures.wrong, layout, others);
}

} // namespace

class TestPattern : public QObject {
    Q_OBJECT
private slots:
    void findsNothingInNothing() { QVERIFY(found({8}, valueAt).kind == Pattern::Kind::None); }

    void findsASuffix() {
        const auto pattern = found({130}, [](auto i) { return i >= 64 ? 0 : valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::Suffix);
        QCOMPARE(pattern.at, 64);
        QVERIFY(QString::fromStdString(pattern.sentence).startsWith("only indices ≥ 64"));
    }

    void findsTheLastElement() {
        const auto pattern = found({65}, [](auto i) { return i == 64 ? 0 : valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::Suffix);
        QCOMPARE(pattern.at, 64);
        const auto matrix = found({3, 5}, [](auto i) { return i == 14 ? 0 : valueAt(i); });
        QVERIFY(matrix.kind == Pattern::Kind::Single);
        QVERIFY(QString::fromStdString(matrix.sentence).contains("[2, 4]"));
    }

    void findsASuffixAlongAnAxis() {
        const auto pattern = found({4, 100}, [](auto i) { return i % 100 >= 64 ? 0 : valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::Suffix);
        QCOMPARE(pattern.axis, 1);
        QCOMPARE(pattern.at, 64);
    }

    void findsAResidue() {
        const auto pattern = found({256}, [](auto i) { return i % 64 == 63 ? -5 : valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::Residue);
        QCOMPARE(pattern.period, 64);
        QCOMPARE(pattern.at, 63);
    }

    void saysTheLaneOfEachStick() {
        layout::TensorLayout layout;
        layout.shape = {256};
        layout.axes = {{4, 0, 64, layout::AxisRole::Block}, {64, 0, 1, layout::AxisRole::Lane}};
        const auto pattern = found(
            {256}, [](auto i) { return i % 64 == 63 ? -5 : valueAt(i); }, valueAt, {}, &layout);
        QVERIFY(QString::fromStdString(pattern.sentence).contains("last lane of each stick"));
    }

    void saysTheCores() {
        layout::TensorLayout layout;
        layout.shape = {8, 64};
        layout.axes = {{4, 0, 2, layout::AxisRole::Unit}, {2, 0, 1, layout::AxisRole::Row},
            {64, 1, 1, layout::AxisRole::Lane}};
        const auto pattern = found(
            {8, 64}, [](auto i) { return i >= 128 ? valueAt(i) * valueAt(i + 3) + 9 : valueAt(i); },
            valueAt, {}, &layout);
        QVERIFY(QString::fromStdString(pattern.sentence).contains("cores 1–3"));
    }

    void findsAPermutation() {
        const Shape shape{2, 3, 4};
        // result[i][j][k] of shape (3,4,2): reference at [k][i][j].
        const auto pattern = found(shape, [](std::int64_t flat) {
            const std::int64_t c = flat % 2, b = (flat / 2) % 4, a = flat / 8;
            return valueAt((c * 3 + a) * 4 + b);
        });
        QVERIFY(pattern.kind == Pattern::Kind::Permuted);
        QVERIFY(QString::fromStdString(pattern.sentence).contains("permuted by (1,2,0)"));
    }

    void findsSwappedHeads() {
        const auto pattern = found({4, 10}, [](std::int64_t i) {
            const std::int64_t head = i / 10;
            return valueAt(i + (head == 1 ? 10 : head == 2 ? -10 : 0));
        });
        QVERIFY(pattern.kind == Pattern::Kind::Permuted);
        QCOMPARE(pattern.axis, 0);
    }

    void findsAShift() {
        const auto pattern = found({200}, [](std::int64_t i) { return valueAt(i + 1); });
        QVERIFY(pattern.kind == Pattern::Kind::Shifted);
        QCOMPARE(pattern.at, 1);
    }

    void findsAStaleRowPitch() {
        const auto pattern =
            found({6, 70}, [](std::int64_t i) { return valueAt(i - 3 * (i / 70)); });
        QVERIFY(pattern.kind == Pattern::Kind::Shifted);
        QCOMPARE(pattern.at, -3);
    }

    void findsAnotherTensor() {
        const Tensor h =
            make({4096}, [](auto i) { return 2 + std::sin(static_cast<double>(i * i) * 0.001); });
        const auto pattern =
            found({512}, [&](std::int64_t i) { return h.number(i + 2048); }, valueAt, {{"h", &h}});
        QVERIFY(pattern.kind == Pattern::Kind::OtherTensor);
        QCOMPARE(pattern.sentence, std::string("values of tensor h shifted by 4096 bytes"));
        QCOMPARE(pattern.at, 4096);
    }

    void findsARatio() {
        const auto pattern = found({300}, [](auto i) { return valueAt(i) * 65 / 64; });
        QVERIFY(pattern.kind == Pattern::Kind::Ratio);
        QVERIFY(std::abs(pattern.value - 65.0 / 64) < 1e-6);
        QVERIFY(QString::fromStdString(pattern.sentence).contains("65/64"));
    }

    void findsASignThatIsTurned() {
        const auto pattern = found({300}, [](auto i) { return -valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::Ratio);
        QCOMPARE(pattern.value, -1.0);
    }

    void findsOffsets() {
        const auto all = found({300}, [](auto i) { return valueAt(i) + 0.75; });
        QVERIFY(all.kind == Pattern::Kind::Offset);
        QCOMPARE(all.value, 0.75);
        const auto columns = found({6, 50},
            [](auto i) { return valueAt(i) + 0.25 * static_cast<double>(1 + i % 50 % 7); });
        QVERIFY(columns.kind == Pattern::Kind::Offset);
    }

    void findsNaN() {
        const auto pattern =
            found({64}, [](auto i) { return i * i % 11 == 1 ? std::nan("") : valueAt(i); });
        QVERIFY(pattern.kind == Pattern::Kind::NonFinite);
    }

    void findsFlushedValues() {
        const auto reference = [](std::int64_t i) { return valueAt(i) * (i % 3 ? 1 : 1e-6); };
        const auto pattern = found(
            {99}, [&](auto i) { return i % 3 ? reference(i) : 0; }, reference);
        QVERIFY(pattern.kind == Pattern::Kind::Residue
            || pattern.kind == Pattern::Kind::SaturatedOrFlushed);
        const auto odd = [](std::int64_t i) { return valueAt(i) * ((i * i) % 7 > 3 ? 1 : 1e-6); };
        const auto other = found(
            {99}, [&](auto i) { return odd(i) < 1e-3 ? 0 : odd(i); }, odd);
        QVERIFY(other.kind == Pattern::Kind::SaturatedOrFlushed);
    }

    void callsRoundingScattered() {
        const auto pattern = found({1000},
            [](auto i) { return valueAt(i) * (1 + 0.01 * std::sin(static_cast<double>(i * i))); });
        QVERIFY(pattern.kind == Pattern::Kind::Scattered || pattern.kind == Pattern::Kind::All);
    }
};

QTEST_APPLESS_MAIN(TestPattern)
#include "test_pattern.moc"
