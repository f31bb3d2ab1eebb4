// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/rewriter.h"

#include "core/lowering/inlining.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::Stage;
using lowering::StageGraph;
using lowering::ValueId;

class TestRewriter : public QObject {
    Q_OBJECT

private:
    /// relu → exp → neg
    static StageGraph chain(Model& m) {
        const auto x = m.input("x", {2, 4});
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Exp, {m.node(ir::Op::Relu, {x})})}));
        m.infer();
        return lowering::inlined(m.context());
    }

    static lowering::NewNode copy() { return {ir::Op::Identity, "copy", {}, {}, {}, "relayout"}; }

private slots:
    void aReplacedNodeLeavesItsResultAndItsProvenance() {
        Model m;
        Rewriter rewriter(chain(m), Stage::Decomposed, {{ir::Op::Mul, "times"}});
        const NodeId exp(1);
        const auto sources = rewriter.node(exp).sources;
        const std::string name = rewriter.value(rewriter.node(exp).outputs[0]).name;
        auto sequence = rewriter.replace(exp, "exp is 2 to the scaled power");
        const ValueId scaled = sequence.binary(ir::Op::Mul, "scale", rewriter.input(exp, 0),
            sequence.constant("log2e", 1.4427, rewriter.input(exp, 0)));
        sequence.finish(sequence.unary(ir::Op::Exp, "power", scaled));
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes.size(), std::size_t(4));
        QCOMPARE(g.nodes[NodeId(1)].op, std::string("times"));
        QCOMPARE(g.nodes[NodeId(1)].name, std::string("Exp_1/scale"));
        QCOMPARE(g.nodes[NodeId(1)].work.outElements, std::int64_t(8));
        for (const int i : {1, 2}) {
            QVERIFY(g.nodes[NodeId(i)].sources == sources);
            QVERIFY(g.nodes[NodeId(i)].support == lowering::Support::Decomposed);
            QCOMPARE(g.nodes[NodeId(i)].rule, std::string("exp is 2 to the scaled power"));
        }
        QCOMPARE(g.values[g.nodes[NodeId(2)].outputs[0]].name, name);
        QVERIFY(g.removed.empty());
    }

    void anInsertedNodeSaysWhoAddedIt() {
        Model m;
        Rewriter rewriter(chain(m), Stage::LaidOut);
        rewriter.insertBefore(NodeId(2), 0, copy(), "Neg wants its operand elsewhere");
        rewriter.insertAfter(rewriter.graph().inputs[0], copy(), "the input arrives in host order");
        rewriter.insertBeforeOutput(0, copy(), "the host wants its own order");
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(g.nodes.size(), std::size_t(6));
        int added = 0;
        for (const lowering::Node& node : g.nodes)
            if (!node.addedBy.empty()) {
                ++added;
                QVERIFY(node.addedAt == Stage::LaidOut);
                QVERIFY(node.sources.empty());
                QVERIFY(g.kernels[node.kernel].nodes.size() == 1);
            }
        QCOMPARE(added, 3);
        QVERIFY(!g.nodes[NodeId(0)].addedBy.empty()); // the input's copy runs first
        QCOMPARE(g.nodes[NodeId(5)].outputs[0], g.outputs[0]);
        QVERIFY(g.values[g.outputs[0]].role == lowering::ValueRole::Output);
    }

    void anAliasedViewIsRemovedWithItsRule() {
        Model m;
        const auto x = m.input("x", {2, 4});
        const auto same = m.node(ir::Op::Identity, {m.node(ir::Op::Relu, {x})});
        m.output(m.node(ir::Op::Neg, {same}));
        m.output(same);
        m.infer();
        Rewriter rewriter(lowering::inlined(m.context()), Stage::Decomposed);
        rewriter.alias(NodeId(1), "an identity is nothing");
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes.size(), std::size_t(2));
        QCOMPARE(removalRule(g, m.producer(same)), std::string("an identity is nothing"));
        QCOMPARE(g.values[g.outputs[1]].source, same);
        QCOMPARE(g.outputs[1], g.nodes[NodeId(0)].outputs[0]);
    }

    void anEditThatBreaksTheOrderIsSortedAgain() {
        Model m;
        const auto x = m.input("x", {4});
        const auto early = m.node(ir::Op::Relu, {x});
        m.output(m.node(ir::Op::Neg, {early}));
        m.output(m.node(ir::Op::Exp, {x}));
        m.infer();
        Rewriter rewriter(lowering::inlined(m.context()), Stage::Decomposed);
        rewriter.setInput(
            NodeId(1), 0, rewriter.node(NodeId(2)).outputs[0]); // neg reads exp, which runs later
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes[NodeId(2)].canonical, ir::Op::Neg);
    }

    void usersFollowReplacedValues() {
        Model m;
        Rewriter rewriter(chain(m), Stage::Decomposed);
        const ValueId relu = rewriter.node(NodeId(0)).outputs[0];
        rewriter.replaceValue(relu, rewriter.graph().inputs[0]);
        QVERIFY(rewriter.users(relu) == (std::vector<NodeId>{NodeId(0), NodeId(1)}));
        rewriter.remove(NodeId(0), "a test");
        QVERIFY(rewriter.users(relu) == std::vector<NodeId>{NodeId(1)});
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes[NodeId(0)].inputs[0], g.inputs[0]);
    }

    void namesStayUnique() {
        Model m;
        Rewriter rewriter(chain(m), Stage::Decomposed);
        auto sequence = rewriter.replace(NodeId(1), "twice the same");
        const ValueId once = sequence.unary(ir::Op::Exp, "step", rewriter.input(NodeId(1), 0));
        sequence.finish(sequence.unary(ir::Op::Exp, "step", once));
        QCOMPARE(firstFinding(std::move(rewriter).finish(), *m.graph), std::string());
    }

    void longChainsOfAliasesResolve() {
        Model m;
        auto x = m.input("x", {4});
        for (int i = 0; i < 100000; ++i)
            x = m.node(ir::Op::Identity, {x});
        m.output(m.node(ir::Op::Neg, {x}));
        m.infer();
        Rewriter rewriter(lowering::inlined(m.context()), Stage::Decomposed);
        for (const NodeId id : rewriter.order())
            if (rewriter.node(id).canonical == ir::Op::Identity)
                rewriter.alias(id, "an identity is nothing");
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.removed.size(), std::size_t(100000));
        QCOMPARE(firstFinding(g, *m.graph), std::string());
    }

    void fiveStagesOfALargeModelAreQuick() {
        Model m;
        auto x = m.input("x", {4, 16});
        const auto w = m.weight("w", {16, 16});
        for (int i = 0; i < 21608 / 2; ++i)
            x = m.node(ir::Op::Relu, {m.node(ir::Op::MatMul, {x, w})});
        m.output(x);
        m.infer();
        StageGraph g = lowering::inlined(m.context());
        QBENCHMARK_ONCE {
            for (int stage = 0; stage < 5; ++stage)
                g = Rewriter(std::move(g), Stage::Decomposed).finish();
        }
        QCOMPARE(g.nodes.size(), std::size_t(21608));
    }
};

QTEST_APPLESS_MAIN(TestRewriter)
#include "test_rewriter.moc"
