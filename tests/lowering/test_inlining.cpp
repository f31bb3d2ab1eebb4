// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/inlining.h"

#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::StageGraph;
using lowering::ValueRole;

class TestInlining : public QObject {
    Q_OBJECT

private slots:
    void capturedKeepsEveryNodeAndItsType() {
        Model m;
        const auto x = m.input("x", {2, 3});
        const auto shape = m.node(ir::Op::Shape, {x});
        m.output(m.node(ir::Op::Reshape, {m.node(ir::Op::Relu, {x}), shape}));
        m.infer();
        const StageGraph g = lowering::captured(m.context());
        QCOMPARE(g.nodes.size(), m.graph->nodes.size());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.values[find(g, x)].dtype, ir::DType::Float32);
        QVERIFY(g.values[g.outputs[0]].role == ValueRole::Output);
    }

    void floatsTakeThePrecisionAndIntegersStay() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto ids = m.input("ids", {4}, ir::DType::Int64);
        const auto w = m.weight("w", {8, 16});
        m.output(m.node(ir::Op::Gather, {m.node(ir::Op::MatMul, {x, w}), ids}));
        m.settings.precision = machines::Precision::Bf16;
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.values[find(g, x)].dtype, ir::DType::BFloat16);
        QCOMPARE(g.values[find(g, ids)].dtype, ir::DType::Int64);
        QVERIFY(g.values[find(g, w)].role == ValueRole::Weight);
        const lowering::Work& work = g.nodes[lowering::NodeId(0)].work;
        QCOMPARE(work.m, 4);
        QCOMPARE(work.n, 16);
        QCOMPARE(work.k, 8);
        QCOMPARE(work.macs, 4 * 16 * 8);
    }

    void whatHasNoElementsIsNotComputed() {
        Model m;
        const auto past = m.input("past", {1, 0, 4});
        const auto k = m.input("k", {1, 3, 4});
        const auto scaled = m.node(ir::Op::Neg, {past}); // empty
        const auto part = m.node(ir::Op::Abs, {m.input("table", {1, 1, 4})}); // feeds it alone
        const auto shifted = m.node(ir::Op::Add, {scaled, part});
        m.output(m.node(ir::Op::Concat, {shifted, k}, attribute("axis", std::int64_t(1))));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(count(g, ir::Op::Concat), 1);
        QVERIFY(removalRule(g, m.producer(shifted)).starts_with("its results have no elements"));
        QVERIFY(removalRule(g, m.producer(part)).starts_with("only fed operators whose results"));
    }

    void whatShapesTellIsFoldedAndItsFeederIsDead() {
        Model m;
        const auto x = m.input("x", {2, 12});
        const auto feeder = m.node(ir::Op::Abs, {x}); // only its shape is asked for
        const auto shape = m.node(ir::Op::Shape, {feeder});
        const auto relu = m.node(ir::Op::Relu, {x});
        m.output(m.node(ir::Op::Reshape, {relu, shape}));
        const auto unused = m.node(ir::Op::Neg, {x}); // nobody uses it, and it stays
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QVERIFY(removalRule(g, m.producer(shape)).starts_with("constant folded"));
        QVERIFY(removalRule(g, m.producer(feeder)).starts_with("only fed shape arithmetic"));
        QCOMPARE(count(g, ir::Op::Neg), 1);
        QCOMPARE(removalRule(g, m.producer(unused)), std::string());
        // The known shape is an attribute now, and no operand.
        for (const lowering::Node& node : g.nodes)
            if (node.canonical == ir::Op::Reshape) {
                QCOMPARE(node.inputs.size(), std::size_t(1));
                QCOMPARE(*node.attributes.integers("shape"), (Extents{2, 12}));
            }
    }

    void foldedWeightsAreWeightsAndScalarsAreKnown() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto w = m.weight("w", {16, 8});
        const auto turned = m.node(ir::Op::Transpose, {w}, attribute("perm", Extents{1, 0}));
        const auto y = m.node(ir::Op::MatMul, {x, turned});
        const auto root = m.node(ir::Op::Sqrt, {m.scalar("four", 4)});
        m.output(m.node(ir::Op::Div, {y, root}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes.size(), std::size_t(2));
        QVERIFY(g.values[find(g, turned)].role == ValueRole::Weight);
        QVERIFY(g.values[find(g, root)].role == ValueRole::Constant);
        QCOMPARE(g.values[find(g, root)].fill.value_or(0), 2.0);
    }

    void dequantisedWeightsStayInTheProgram() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto q = m.weight("q", {8, 16}, ir::DType::Int8);
        const auto w = m.node(ir::Op::DequantizeLinear, {q, m.scalar("s", 0.5F)});
        m.output(m.node(ir::Op::MatMul, {x, w}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(count(g, ir::Op::DequantizeLinear), 1);
        QCOMPARE(g.values[find(g, q)].dtype, ir::DType::Int8);
        QCOMPARE(firstFinding(g, *m.graph), std::string());
    }

    void theTakenBranchStandsInTheMainGraph() {
        Model m;
        const auto x = m.input("x", {4});
        const auto y = m.node(ir::Op::If, {m.boolean("yes", true)});
        m.enter(y, "then_branch");
        const auto taken = m.node(ir::Op::Exp, {x}); // x is of the outer graph
        m.leave({taken});
        m.enter(y, "else_branch");
        const auto skipped = m.node(ir::Op::Log, {x});
        m.leave({skipped});
        m.output(m.node(ir::Op::Neg, {y}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(count(g, ir::Op::Exp), 1);
        QCOMPARE(count(g, ir::Op::Log), 0);
        QCOMPARE(removalRule(g, m.producer(skipped)), std::string("branch not taken"));
        QVERIFY(!removalRule(g, m.producer(y)).empty());
        QCOMPARE(g.nodes.size(), std::size_t(2)); // exp → neg, wired through
        QCOMPARE(g.nodes[lowering::NodeId(1)].inputs[0], g.nodes[lowering::NodeId(0)].outputs[0]);
    }

    void aLoopRunsItsBodyOnceATrip() {
        Model m;
        const auto x = m.input("x", {4});
        const auto trips = m.integers("trips", {5});
        const auto results = m.nodes(ir::Op::Loop, {trips, m.boolean("go", true), x}, 2);
        const ir::BlockId body = m.enter(results[0], "body");
        m.input("i", {}, ir::DType::Int64, body);
        const auto go = m.input("c", {}, ir::DType::Bool, body);
        const auto state = m.input("state", {4}, ir::DType::Float32, body);
        const auto next = m.node(ir::Op::Exp, {state});
        const auto condition = m.node(ir::Op::Identity, {go});
        m.leave({condition, next, next});
        m.output(results[0]);
        m.output(results[1]);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        for (const lowering::Node& node : g.nodes)
            if (node.canonical == ir::Op::Exp) {
                QCOMPARE(node.executions, std::int64_t(5));
                QCOMPARE(node.inputs[0], find(g, x)); // the carried value starts from x
            }
        QCOMPARE(count(g, ir::Op::Concat), 1); // the scanned result is put together
        QCOMPARE(g.outputs.size(), std::size_t(2));
    }

    void aCallIsReplacedByTheFunction() {
        Model m;
        const auto x = m.input("x", {4});
        const auto y = m.node(ir::Op::Call, {x});
        const ir::BlockId body = m.enter(y, "function");
        const auto formal = m.input("a", {4}, ir::DType::Float32, body);
        const auto inner = m.node(ir::Op::Tanh, {formal});
        m.leave({inner});
        m.output(y);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].inputs[0], g.inputs[0]);
        QVERIFY(g.values[g.outputs[0]].role == ValueRole::Output);
    }

    void unknownWorkIsNotZeroWork() {
        Model m;
        const auto x = m.input("x", {4});
        m.output(m.node(ir::Op::Unknown, {x}));
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QVERIFY(!g.nodes[lowering::NodeId(0)].work.isKnown);
        QVERIFY(!g.values[g.outputs[0]].bytes());
    }

    void cachedKeysAreCache() {
        Model m;
        const auto past = m.input("past_key_values.0.key", {1, 2, 7, 4});
        const auto k = m.input("k", {1, 2, 1, 4});
        const auto present = m.node(ir::Op::Concat, {past, k}, attribute("axis", std::int64_t(2)));
        m.graph->values[present].name = "present.0.key";
        m.output(present);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QVERIFY(g.values[g.inputs[0]].role == ValueRole::KvCache);
        QVERIFY(g.values[g.inputs[1]].role == ValueRole::Input);
        QVERIFY(g.values[g.outputs[0]].role == ValueRole::KvCache);
    }

    void aChainOfAHundredThousandNodesDoesNotRecurse() {
        Model m;
        auto x = m.input("x", {4});
        for (int i = 0; i < 100000; ++i)
            x = m.node(i % 2 == 0 ? ir::Op::Relu : ir::Op::Neg, {x});
        m.output(x);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(g.nodes.size(), std::size_t(100000));
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(firstFinding(lowering::captured(m.context()), *m.graph), std::string());
    }

    void bodiesInBodiesToADepthOfThousands() {
        Model m;
        const auto x = m.input("x", {4});
        const auto yes = m.boolean("yes", true);
        constexpr int kDepth = 3000;
        std::vector<ir::ValueId> results;
        for (int i = 0; i < kDepth; ++i) {
            results.push_back(m.node(ir::Op::If, {yes}));
            m.enter(results.back(), "then_branch");
        }
        ir::ValueId inner = m.node(ir::Op::Exp, {x});
        for (int i = kDepth - 1; i >= 0; --i) {
            m.leave({inner});
            inner = results[static_cast<std::size_t>(i)];
        }
        m.output(inner);
        m.typed.graph = m.graph; // types by hand: only the wiring is looked at
        m.typed.types.assign(m.graph->values.size(),
            ir::ValueType{ir::ValueKind::Tensor, ir::DType::Float32, ir::Shape{4}});
        m.typed.contents.assign(m.graph->values.size(), nullptr);
        m.typed.isConstant.assign(m.graph->values.size(), 0);
        m.typed.takenBranch.assign(m.graph->nodes.size(), 0);
        m.typed.isBranchProved.assign(m.graph->nodes.size(), 1);
        m.typed.executions.assign(m.graph->nodes.size(), 1);
        const StageGraph g = lowering::inlined(m.context());
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        QCOMPARE(g.outputs.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestInlining)
#include "test_inlining.moc"
