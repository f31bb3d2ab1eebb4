// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/dim.h"

#include <QtTest>

#include <limits>

using namespace fivefold::ir;

class TestDim : public QObject {
    Q_OBJECT

private slots:
    void polynomialsAreWrittenInOneForm();
    void productsDivideExactly();
    void inexactDivisionsAreOpaqueAndEqualTextsAreEqual();
    void floorDivisionOfIntegersRoundsDown_data();
    void floorDivisionOfIntegersRoundsDown();
    void minimumAndMaximumAreDecidedWhereTheyCanBe();
    void unknownSpreadsAndEqualsNothing();
    void overflowBecomesUnknown();
    void additionAndMultiplicationCommute();
    void elementCountsKnowZeroAndScalars();
    void opaqueAtomsAreListedAsSymbols();
};

namespace {
const Dim kBatch = Dim::symbol("batch");
const Dim kSeq = Dim::symbol("seq");
std::string text(const Dim& dim) {
    return dim.text();
}
} // namespace

void TestDim::polynomialsAreWrittenInOneForm() {
    QCOMPARE(text(kSeq * Dim(2) + Dim(1)), std::string("2*seq + 1"));
    QCOMPARE(text(kSeq * kBatch), std::string("batch*seq"));
    QCOMPARE(text(kSeq - Dim(1)), std::string("seq - 1"));
    QCOMPARE(text(Dim(0) - kSeq), std::string("-seq"));
    QCOMPARE(text((kSeq + Dim(1)) * (kSeq - Dim(1))), std::string("seq*seq - 1"));
    QVERIFY((kSeq - kSeq).is(0));
}

void TestDim::productsDivideExactly() {
    QVERIFY(floorDiv(kBatch * kSeq * Dim(768), kBatch * kSeq).is(768));
    QVERIFY(isSame(floorDiv(kBatch * kSeq * Dim(768), Dim(768)), kBatch * kSeq));
    QVERIFY(isSame(floorDiv((kSeq + Dim(1)) * (kBatch + kSeq), kSeq + Dim(1)), kBatch + kSeq));
    QVERIFY(isSame(ceilDiv(kSeq * Dim(6), Dim(3)), kSeq * Dim(2)));
    QVERIFY(floorMod(kSeq * Dim(6), Dim(3)).is(0));
    QVERIFY(floorDiv(kSeq, Dim(0)).isUnknown());
}

void TestDim::inexactDivisionsAreOpaqueAndEqualTextsAreEqual() {
    const Dim half = floorDiv(kSeq, Dim(2));
    QCOMPARE(text(half), std::string("floor(seq/2)"));
    QVERIFY(isSame(half, floorDiv(kSeq, Dim(2))));
    // (seq − 1)/2 and (seq + 1)/2 differ by exactly 1.
    QVERIFY(isSame(floorDiv(kSeq - Dim(1), Dim(2)) + Dim(1), floorDiv(kSeq + Dim(1), Dim(2))));
    QVERIFY(isSame(floorDiv(kSeq * Dim(2) + Dim(1), Dim(2)), kSeq));
    QCOMPARE(text(floorMod(kSeq + Dim(8), Dim(4))), std::string("mod(seq, 4)"));
}

void TestDim::floorDivisionOfIntegersRoundsDown_data() {
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<qint64>("quotient");
    QTest::addColumn<qint64>("ceiling");
    QTest::newRow("7/2") << qint64(7) << qint64(2) << qint64(3) << qint64(4);
    QTest::newRow("-7/2") << qint64(-7) << qint64(2) << qint64(-4) << qint64(-3);
    QTest::newRow("7/-2") << qint64(7) << qint64(-2) << qint64(-4) << qint64(-3);
    QTest::newRow("8/2") << qint64(8) << qint64(2) << qint64(4) << qint64(4);
    QTest::newRow("0/5") << qint64(0) << qint64(5) << qint64(0) << qint64(0);
}

void TestDim::floorDivisionOfIntegersRoundsDown() {
    QFETCH(qint64, a);
    QFETCH(qint64, b);
    QTEST(qint64(floorDiv(Dim(a), Dim(b)).value()), "quotient");
    QTEST(qint64(ceilDiv(Dim(a), Dim(b)).value()), "ceiling");
}

void TestDim::minimumAndMaximumAreDecidedWhereTheyCanBe() {
    QVERIFY(isSame(dimMax(kSeq, Dim(1)), kSeq)); // a dimension holds at least one element
    QVERIFY(dimMin(kSeq, Dim(1)).is(1));
    QVERIFY(isSame(dimMax(kSeq + Dim(3), kSeq), kSeq + Dim(3)));
    QCOMPARE(text(dimMax(kSeq, kBatch)), std::string("max(batch, seq)"));
    QVERIFY(isSame(dimMax(kSeq, kBatch), dimMax(kBatch, kSeq)));
    QCOMPARE(text(dimMin(kSeq, Dim(512))), std::string("min(512, seq)"));
}

void TestDim::unknownSpreadsAndEqualsNothing() {
    const Dim unknown;
    QVERIFY((unknown + Dim(1)).isUnknown());
    QVERIFY((unknown * Dim(0)).is(0));
    QVERIFY(!isSame(unknown, unknown));
    QVERIFY(unknown == Dim::unknown());
    QCOMPARE(text(unknown), std::string("?"));
    QVERIFY(Dim::symbol("").isUnknown());
}

void TestDim::overflowBecomesUnknown() {
    const Dim huge(std::numeric_limits<std::int64_t>::max());
    const Dim least(std::numeric_limits<std::int64_t>::min());
    QVERIFY((huge + Dim(1)).isUnknown());
    QVERIFY((huge * Dim(2)).isUnknown());
    QVERIFY((least - Dim(1)).isUnknown());
    QVERIFY(floorDiv(least, Dim(-1)).isUnknown());
    QVERIFY((kSeq * huge * Dim(2)).isUnknown());
    QVERIFY((kSeq * huge + kSeq).isUnknown());
    Dim power = kSeq;
    for (int i = 0; i < 64; ++i)
        power = power * kSeq;
    QVERIFY(power.isUnknown());
}

void TestDim::additionAndMultiplicationCommute() {
    const std::vector<Dim> dims{
        Dim(0), Dim(-3), Dim(7), kSeq, kBatch * kSeq + Dim(2), floorDiv(kSeq, Dim(3)), Dim()};
    for (const Dim& a : dims) {
        for (const Dim& b : dims) {
            QCOMPARE(a + b, b + a);
            QCOMPARE(a * b, b * a);
            for (const Dim& c : dims)
                if (!a.isUnknown() && !b.isUnknown() && !c.isUnknown())
                    QCOMPARE(a * (b + c), a * b + a * c);
        }
    }
}

void TestDim::elementCountsKnowZeroAndScalars() {
    QVERIFY(elementCount({}).is(1));
    QVERIFY(elementCount({Dim(), Dim(0)}).is(0));
    QVERIFY(elementCount({Dim(), Dim(2)}).isUnknown());
    QCOMPARE(toText(Shape{Dim(12), kSeq, Dim()}), std::string("12×seq×?"));
    QCOMPARE(toText(Shape{}), std::string("scalar"));
    QVERIFY(!knownShape({Dim(1), kSeq}));
}

void TestDim::opaqueAtomsAreListedAsSymbols() {
    const Dim dim = kBatch * floorDiv(kSeq, Dim(2)) + kBatch;
    QCOMPARE(dim.symbols(), (std::vector<std::string>{"batch", "floor(seq/2)"}));
}

QTEST_APPLESS_MAIN(TestDim)
#include "test_dim.moc"
