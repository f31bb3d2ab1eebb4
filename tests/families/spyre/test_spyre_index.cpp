// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/coordinates.h"
#include "core/families/spyre/loop_order.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold::families::spyre;

using Extents = std::vector<std::int64_t>;

namespace {

/// Every point of a small space.
std::vector<Extents> points(const Extents& extents) {
    std::vector<Extents> all{{}};
    for (const std::int64_t extent : extents) {
        std::vector<Extents> next;
        for (const Extents& point : all)
            for (std::int64_t i = 0; i < extent; ++i) {
                next.push_back(point);
                next.back().push_back(i);
            }
        all = std::move(next);
    }
    return all;
}

Index randomLinear(QRandomGenerator& random, std::size_t variables) {
    Index index(random.bounded(5));
    for (std::size_t v = 0; v < variables; ++v)
        index += Index::of(static_cast<int>(v), 1 + random.bounded(24));
    return index;
}

std::int64_t valueOf(const Coordinate& c, const Extents& point) {
    std::int64_t value = c.offset;
    for (const CoordinateTerm& term : c.terms) {
        std::int64_t x = point[static_cast<std::size_t>(term.variable)];
        if (term.modulus > 0)
            x %= term.modulus;
        value += term.numerator * (x / term.divisor);
    }
    return value;
}

} // namespace

class TestSpyreIndex : public QObject {
    Q_OBJECT

private slots:
    void quotientAndRemainderHaveTheirValuesEverywhere();
    void quotientOfWholeMultiplesIsLinear();
    void reshapesMapEveryElementToItself();
    void reshapingBackGivesTheVariables();
    void substitutionEvaluatesLikeTheWhole();
    void coordinatesFindTheElementInDeviceMemory();
    void loopOfLeastStridesGoesInside();
};

void TestSpyreIndex::quotientAndRemainderHaveTheirValuesEverywhere() {
    QRandomGenerator random(3);
    for (int round = 0; round < 300; ++round) {
        const Extents extents{1 + random.bounded(6), 1 + random.bounded(6), 1 + random.bounded(6)};
        const Index index = randomLinear(random, extents.size());
        const std::int64_t by = 1 + random.bounded(30);
        const Index quotient = floorDivide(index, by, extents), rest = modulo(index, by, extents);
        for (const Extents& point : points(extents)) {
            const std::int64_t value = index.evaluate(point);
            QCOMPARE(quotient.evaluate(point), value / by);
            QCOMPARE(rest.evaluate(point), value % by);
        }
    }
}

void TestSpyreIndex::quotientOfWholeMultiplesIsLinear() {
    // 64·d0 + d1 with 0 ≤ d1 < 64.
    const Extents extents{12, 64};
    const Index index = Index::of(0, 64) + Index::of(1);
    QCOMPARE(floorDivide(index, 64, extents), Index::of(0));
    QCOMPARE(modulo(index, 64, extents), Index::of(1));
    QVERIFY(!floorDivide(index, 32, extents).isLinear());
}

void TestSpyreIndex::reshapesMapEveryElementToItself() {
    const std::vector<std::pair<Extents, Extents>> shapes{{{2, 6, 4}, {12, 4}},
        {{12, 4}, {2, 6, 4}}, {{48}, {3, 16}}, {{6, 8}, {4, 12}}, {{1, 24}, {24, 1}},
        {{5, 7}, {35}}};
    for (const auto& [to, from] : shapes) {
        std::vector<Index> at;
        for (std::size_t d = 0; d < to.size(); ++d)
            at.push_back(Index::of(static_cast<int>(d)));
        const std::vector<Index> there = reshaped(at, to, from, to);
        QCOMPARE(there.size(), from.size());
        for (const Extents& point : points(to)) {
            std::int64_t flatTo = 0, flatFrom = 0;
            for (std::size_t d = 0; d < to.size(); ++d)
                flatTo = flatTo * to[d] + point[d];
            for (std::size_t d = 0; d < from.size(); ++d) {
                const std::int64_t digit = there[d].evaluate(point);
                QVERIFY(digit >= 0 && digit < from[d]);
                flatFrom = flatFrom * from[d] + digit;
            }
            QCOMPARE(flatFrom, flatTo);
        }
    }
}

void TestSpyreIndex::reshapingBackGivesTheVariables() {
    const Extents shape{2, 128, 12, 64}, merged{2, 128, 768};
    std::vector<Index> at;
    for (int d = 0; d < 4; ++d)
        at.push_back(Index::of(d));
    const auto there = reshaped(at, shape, merged, shape);
    QCOMPARE(reshaped(there, merged, shape, shape), at);
}

void TestSpyreIndex::substitutionEvaluatesLikeTheWhole() {
    QRandomGenerator random(5);
    const Extents extents{4, 5};
    for (int round = 0; round < 100; ++round) {
        const Index outer = modulo(randomLinear(random, 2), 1 + random.bounded(9), Extents{60, 60});
        const std::vector<Index> inner{randomLinear(random, 2), randomLinear(random, 2)};
        const Index whole = outer.substitute(inner, extents);
        for (const Extents& point : points(extents))
            QCOMPARE(whole.evaluate(point),
                outer.evaluate(Extents{inner[0].evaluate(point), inner[1].evaluate(point)}));
    }
}

void TestSpyreIndex::coordinatesFindTheElementInDeviceMemory() {
    // [6, 100] with its sticks along the rows: device axes sticks, rows, lanes.
    const Extents extents{6, 100};
    const Index index = Index::of(0, 100) + Index::of(1);
    const DeviceLayout layout{{2, 6, 64}, {64, 100, 1}, Arrangement::Standard};
    const auto c = coordinatesOf(layout.deviceSize, layout.strideMap, extents, index);
    QVERIFY(c);
    for (const Extents& point : points(extents)) {
        QCOMPARE(valueOf((*c)[0], point), point[1] / 64);
        QCOMPARE(valueOf((*c)[1], point), point[0]);
        QCOMPARE(valueOf((*c)[2], point), point[1] % 64);
    }
    QCOMPARE((*c)[2].text(), std::string("Mod(d1, 64)"));
}

void TestSpyreIndex::loopOfLeastStridesGoesInside() {
    // Row-major, then column-major accesses; one of each keeps the row-major order.
    QCOMPARE(loopOrder({{128, 1}}, {64, 128}), (std::vector<std::size_t>{1, 0}));
    QCOMPARE(loopOrder({{1, 64}}, {64, 128}), (std::vector<std::size_t>{0, 1}));
    QCOMPARE(loopOrder({{128, 1}, {1, 64}}, {64, 128}), (std::vector<std::size_t>{1, 0}));
}

QTEST_APPLESS_MAIN(TestSpyreIndex)
#include "test_spyre_index.moc"
