// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/fusion.h"

#include "core/lowering/inlining.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "tests/lowering/model.h"

#include <QtTest>

#include <limits>
#include <random>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::Fusion;
using lowering::GroupId;
using lowering::NodeId;
using lowering::StageGraph;

class TestFusion : public QObject {
    Q_OBJECT

private:
    static Fusion::Label pointwise(const Fusion&, GroupId) { return {"", "pointwise", ""}; }

private slots:
    void aPathAroundForbidsTheMerge() {
        Model m; // a → b → c and a → c: {a, c} would need b to run inside it
        const auto a = m.node(ir::Op::Relu, {m.input("x", {4})});
        const auto b = m.node(ir::Op::MatMul, {a, m.weight("w", {4, 4})});
        m.output(m.node(ir::Op::Add, {a, b}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        Fusion fusion(g);
        const auto group = [&](std::size_t i) { return fusion.groupOf(NodeId(i)); };
        QVERIFY(!fusion.canMerge(group(0), group(2)));
        QVERIFY(!fusion.merge(group(0), group(2)));
        QVERIFY(fusion.merge(group(1), group(2), "the sum ends the product"));
        QVERIFY(fusion.merge(group(0), group(1)));
        QCOMPARE(fusion.groups().size(), std::size_t(1));
        QCOMPARE(fusion.reason(group(0)), std::string("the sum ends the product"));
    }

    void independentNodesMayMergeAndTheOrderFollows() {
        Model m; // x → a → b, x → c: {a, c} puts c before b
        const auto x = m.input("x", {4});
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Relu, {x})}));
        m.output(m.node(ir::Op::Exp, {x}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        Fusion fusion(g);
        QVERIFY(fusion.merge(fusion.groupOf(NodeId(0)), fusion.groupOf(NodeId(2))));
        const StageGraph fused = fusion.finish(g, pointwise);
        QCOMPARE(firstFinding(fused, *m.graph), std::string());
        QCOMPARE(fused.kernels.size(), std::size_t(2));
        QCOMPARE(fused.nodes[NodeId(1)].canonical, ir::Op::Exp);
    }

    void nodesThatRunUnequallyOftenStayApart() {
        Model m;
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Relu, {m.input("x", {4})})}));
        m.infer();
        StageGraph g = lowering::inlined(m.context());
        g.nodes[NodeId(1)].executions = 3;
        const Fusion fusion(g);
        QVERIFY(!fusion.canMerge(fusion.groupOf(NodeId(0)), fusion.groupOf(NodeId(1))));
    }

    void randomMergesKeepASoundGraph_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void randomMergesKeepASoundGraph() {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        Model m;
        std::vector<ir::ValueId> values = {m.input("x", {4}), m.input("y", {4})};
        for (int i = 0; i < 80; ++i)
            values.push_back(m.node(
                ir::Op::Add, {values[random() % values.size()], values[random() % values.size()]}));
        m.output(values.back());
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        Fusion fusion(g);
        fusion.maximumNodes = 12;
        for (int i = 0; i < 400; ++i) {
            const GroupId a = fusion.groupOf(NodeId(random() % g.nodes.size()));
            const GroupId b = fusion.groupOf(NodeId(random() % g.nodes.size()));
            const bool can = fusion.canMerge(a, b);
            QCOMPARE(fusion.merge(a, b), can);
        }
        const StageGraph fused = fusion.finish(g, pointwise);
        QCOMPARE(firstFinding(fused, *m.graph),
            std::string()); // producers first, kernels contiguous and a partition
        QVERIFY(fused.kernels.size() < g.nodes.size());
        for (const lowering::Kernel& kernel : fused.kernels)
            QVERIFY(kernel.nodes.size() <= 12);
        // Inputs of kernels come from kernels before them: they can run one after another.
        for (const auto& b : lowering::boundaries(fused))
            for (const auto input : b.inputs)
                if (fused.values[input].producer.isValid())
                    for (const auto output : b.outputs)
                        QVERIFY(fused.nodes[fused.values[input].producer].kernel
                            < fused.nodes[fused.values[output].producer].kernel);
    }

    void theBoundaryCountsEachValueOnce() {
        Model m;
        const auto x = m.input("x", {4});
        const auto a = m.node(ir::Op::Mul, {x, x});
        m.output(m.node(ir::Op::Add, {a, x}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        Fusion fusion(g);
        QVERIFY(fusion.merge(fusion.groupOf(NodeId(0)), fusion.groupOf(NodeId(1))));
        const StageGraph fused = fusion.finish(g, pointwise);
        const auto all = lowering::boundaries(fused);
        const auto& b = all[lowering::KernelId(0)];
        QCOMPARE(b.inputs.size(), std::size_t(1));
        QCOMPARE(b.outputs.size(), std::size_t(1));
        QCOMPARE(b.internals.size(), std::size_t(1));
        const auto bytes = lowering::boundaryBytes(fused, b);
        QCOMPARE(bytes->read.value, std::int64_t(8)); // 4 elements of fp16
        QCOMPARE(bytes->written.value, std::int64_t(8));
        const auto steps = lowering::stepsFromKernels(fused);
        QCOMPARE(steps.size(), std::size_t(1));
        QCOMPARE(lowering::stepWork(fused, steps[lowering::StepId(0)]).flops.value, 8.0);
    }

    void aLongChainMergesInOneSweep() {
        Model m;
        auto x = m.input("x", {4});
        for (int i = 0; i < 20000; ++i)
            x = m.node(ir::Op::Relu, {x});
        m.output(x);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        Fusion fusion(g);
        fusion.maximumNodes = 64;
        fusion.mergeEdges([](const Fusion&, NodeId, NodeId) { return std::string("same loop"); });
        QVERIFY(fusion.groups().size() <= 20000 / 32);
    }

    void tilesAndWaves() {
        using namespace lowering;
        QCOMPARE(ceilDiv(65, 64), std::int64_t(2));
        QCOMPARE(ceilDiv(0, 64), std::int64_t(0));
        QCOMPARE(roundUp(65, 64), std::int64_t(128));
        QCOMPARE(tileCount(300, 130, 128, 64), std::int64_t(9));
        QCOMPARE(waves(133, 132), std::int64_t(2));
        QCOMPARE(waveEfficiency(132, 132), 1.0);
        QCOMPARE(waveEfficiency(133, 132), 133.0 / 264.0);
        QCOMPARE(tileEfficiency(65, 64), 65.0 / 128.0);
        QVERIFY(divisors(36, 12) == (std::vector<std::int64_t>{1, 2, 3, 4, 6, 9, 12}));
        QCOMPARE(largestDivisor(97, 32), std::int64_t(1));
        // 2⁶³ − 1 = 7²·73·…: only what lies below the limit is tried, so this ends at once.
        constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
        QVERIFY(divisors(kLargest, 32) == (std::vector<std::int64_t>{1, 7}));
        QVERIFY(divisors(0, 32).empty());
        QCOMPARE(saturatingMul(std::int64_t(1) << 62, 4), std::numeric_limits<std::int64_t>::max());
    }
};

QTEST_APPLESS_MAIN(TestFusion)
#include "test_fusion.moc"
