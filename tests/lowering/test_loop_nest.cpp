// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/loop_nest.h"

#include <QtTest>

using namespace fivefold::lowering;

/// Traffic of tiled loop nests and of attention, against counts by hand.
class TestLoopNest : public QObject {
    Q_OBJECT

private slots:
    /// 4 × 4 × 4 in blocks of 2, one byte an element: two blocks along each extent.
    void eachOrderReadsOneOperandOnce_data() {
        QTest::addColumn<int>("order");
        QTest::addColumn<double>("input");
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("result");
        QTest::newRow("output") << 0 << 32.0 << 32.0 << 16.0;
        // One of the two sums along k comes back: 16 sums × 4 bytes, out and in again.
        QTest::newRow("weight") << 1 << 32.0 << 16.0 << 16.0 + 16 * 4 * 2;
        QTest::newRow("input") << 2 << 16.0 << 32.0 << 16.0 + 16 * 4 * 2;
    }
    void eachOrderReadsOneOperandOnce() {
        QFETCH(int, order);
        const ProductSizes product{1, 4, 4, 4, 1, true, false, 0};
        const NestTraffic traffic = nestTraffic(product, {2, 2, 2}, static_cast<LoopOrder>(order));
        QTEST(traffic.input, "input");
        QTEST(traffic.weight, "weight");
        QTEST(traffic.result, "result");
        QCOMPARE(traffic.steps, 8);
    }

    void oneBlockReadsEverythingOnce() {
        const ProductSizes product{3, 5, 7, 11, 2, true, false, 0};
        for (const LoopOrder order : {LoopOrder::OutputStationary, LoopOrder::WeightStationary,
                 LoopOrder::InputStationary}) {
            const NestTraffic traffic = nestTraffic(product, {5, 7, 11}, order);
            QCOMPARE(traffic.total(), 2.0 * (3 * 5 * 11 + 7 * 11 + 3 * 5 * 7));
            QCOMPARE(traffic.steps, 3);
        }
    }

    /// A block as deep as k lets an operand stay in any order.
    void aWholeOperandIsReadOnce() {
        const ProductSizes product{1, 64, 256, 32, 2, true, false, 0};
        const NestTraffic traffic = nestTraffic(product, {64, 64, 32}, LoopOrder::OutputStationary);
        QCOMPARE(traffic.input, 2.0 * 64 * 32);
        QCOMPARE(traffic.weight, 2.0 * 32 * 256);
    }

    void unfusedAttentionMovesTheScoresFourTimesMoreOften() {
        const AttentionSizes sizes{1, 12, 12, 128, 128, 64, 64, 2};
        const double operands = 4.0 * 12 * 128 * 64 * 2, scores = 12.0 * 128 * 128 * 2;
        QCOMPARE(unfusedAttentionBytes(sizes, SoftmaxForm::Kept), operands + 4 * scores);
        QCOMPARE(unfusedAttentionBytes(sizes, SoftmaxForm::ThreePasses), operands + 6 * scores);
        QCOMPARE(tiledAttentionBytes(sizes, 128), operands);
        // Two blocks of queries read keys and values twice.
        QCOMPARE(tiledAttentionBytes(sizes, 64), operands + 2.0 * 12 * 128 * 64 * 2);
        QCOMPARE(sizes.flops(), 2.0 * 12 * 128 * 128 * 128);
    }

    void wordsAreReadBack() {
        for (const char* word : {"output", "weight", "input"})
            QCOMPARE(QString::fromUtf8(toString(*parseLoopOrder(word)).data()), QString(word));
        for (const char* word : {"kept", "online", "three_passes"})
            QCOMPARE(QString::fromUtf8(toString(*parseSoftmaxForm(word)).data()), QString(word));
        QVERIFY(!parseLoopOrder("sideways"));
    }
};

QTEST_APPLESS_MAIN(TestLoopNest)
#include "test_loop_nest.moc"
