// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/address.h"
#include "core/layout/layout_for.h"
#include "layout_helpers.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace fivefold;
using namespace fivefold::layout;
using namespace fivefold::test;

namespace {

/// What a family may be asked: types, orders and versions that it takes.
struct Kind {
    const char* family;
    std::vector<std::string> versions;
    std::vector<ir::DType> types;
    std::vector<int> generations{5};
    bool hasSparse = false;
};

const std::vector<ir::DType> kAll = {ir::DType::Float64, ir::DType::Float32, ir::DType::Float16,
    ir::DType::BFloat16, ir::DType::Float8E4M3FN, ir::DType::Int8, ir::DType::UInt8,
    ir::DType::Int32, ir::DType::Int64, ir::DType::Bool, ir::DType::Int4};
const std::vector<ir::DType> kSpyre = {ir::DType::Float32, ir::DType::Float16, ir::DType::BFloat16,
    ir::DType::Float8E4M3FN, ir::DType::Int8, ir::DType::UInt8, ir::DType::Int64, ir::DType::Bool};

const std::vector<Kind> kKinds = {{"gpu", {""}, kAll}, {"cpu", {""}, kAll},
    {"tpu", {""},
        {ir::DType::Float32, ir::DType::Float16, ir::DType::BFloat16, ir::DType::Int8,
            ir::DType::Int32, ir::DType::Bool, ir::DType::Int4},
        {4, 5, 6, 7}},
    {"cerebras", {""}, kAll}, {"groq", {""}, kAll},
    {"spyre", {"2026-06", "2026-09"}, kSpyre, {5}, true}, {"spyre", {"2025-11"}, kSpyre}};

class Random {
public:
    explicit Random(unsigned seed)
        : m_engine(seed) { }
    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(count));
    }
    template <typename T> const T& of(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(choices.size())))];
    }
    /// Rank 0 to 5, extents that fall beside sticks, tiles and vectors, at most about 4,000
    /// elements; seldom an empty one.
    std::vector<std::int64_t> shape() {
        static const std::vector<std::int64_t> kExtents = {
            1, 2, 3, 5, 7, 8, 9, 16, 31, 33, 63, 64, 65, 96, 127, 128, 129, 319, 320, 321, 640};
        std::vector<std::int64_t> shape;
        std::int64_t elements = 1;
        for (std::int64_t rank = below(6); rank > 0; --rank) {
            std::int64_t extent = of(kExtents);
            while (elements * extent > 4000)
                extent = 1 + below(4);
            if (below(60) == 0)
                extent = 0;
            elements *= std::max<std::int64_t>(1, extent);
            shape.push_back(extent);
        }
        std::shuffle(shape.begin(), shape.end(), m_engine);
        return shape;
    }
    std::vector<int> order(std::size_t rank, bool hasSparse) {
        std::vector<int> order(rank);
        std::iota(order.begin(), order.end(), 0);
        if (below(4) == 0)
            return {};
        std::shuffle(order.begin(), order.end(), m_engine);
        if (hasSparse && rank > 0 && below(4) == 0)
            order.push_back(-1);
        return order;
    }

private:
    std::mt19937 m_engine;
};

QString words(const LayoutQuery& query) {
    QStringList shape, order;
    for (const auto extent : query.shape)
        shape << QString::number(extent);
    for (const int dimension : query.order)
        order << QString::number(dimension);
    return QString("%1 [%2] %3 order [%4] %5: ")
        .arg(query.family.c_str(), shape.join(','), QString::fromUtf8(ir::shortName(query.dtype)),
            order.join(','), query.version.c_str());
}

/// The element's address leads back to it.
QString addressProblem(const TensorLayout& layout) {
    for (std::int64_t flat = 0; flat < logicalElements(layout); ++flat) {
        const auto index = unflatten(layout.shape, flat);
        const auto at = locate(layout, index);
        const auto back = coordinatesAtAddress(layout, at->unit, at->address());
        // Several elements may share a byte; then the first of them comes back.
        if (!back || locationOf(layout, *back).address() != at->address())
            return QString("element %1 is not found at its address").arg(flat);
        if (layout.elementBits >= 8 && indexAt(layout, *back) != index)
            return QString("the address of element %1 holds another").arg(flat);
    }
    return {};
}

} // namespace

class TestLayoutBijection : public QObject {
    Q_OBJECT
private slots:
    void elementsAndAddressesCorrespond_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("seed");
        for (int kind = 0; kind < static_cast<int>(kKinds.size()); ++kind)
            for (int seed = 0; seed < 4; ++seed)
                QTest::addRow("%s %s seed %d", kKinds[static_cast<std::size_t>(kind)].family,
                    kKinds[static_cast<std::size_t>(kind)].versions.front().c_str(), seed)
                    << kind << seed;
    }

    void elementsAndAddressesCorrespond() {
        QFETCH(int, kind);
        QFETCH(int, seed);
        const Kind& asked = kKinds[static_cast<std::size_t>(kind)];
        Random random(static_cast<unsigned>(seed * 100 + kind));
        int visited = 0;
        for (int trial = 0; trial < 30; ++trial) {
            LayoutQuery query;
            query.family = asked.family;
            query.shape = random.shape();
            query.dtype = random.of(asked.types);
            query.order = random.order(query.shape.size(), asked.hasSparse);
            query.version = random.of(asked.versions);
            query.tpuGeneration = random.of(asked.generations);
            query.peRows = 1 + random.below(40);
            query.peColumns = 1 + random.below(40);
            query.slices = 1 + random.below(90);
            const auto layout = layoutFor(query);
            QVERIFY2(layout.isOk(), qPrintable(words(query)));
            QVERIFY2(logicalElements(*layout) <= deviceElements(*layout), qPrintable(words(query)));
            if (deviceElements(*layout) > 60'000)
                continue; // sparse forms of large tensors: the small ones cover the rule
            ++visited;
            const QString problem = bijectionProblem(*layout) + addressProblem(*layout);
            QVERIFY2(problem.isEmpty(), qPrintable(words(query) + problem));
        }
        QVERIFY(visited > 15);
    }
};

QTEST_APPLESS_MAIN(TestLayoutBijection)
#include "test_layout_bijection.moc"
