// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/patterns.h"

#include "core/lowering/inlining.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::Match;
using lowering::PatternKind;
using lowering::Rewriter;
using lowering::Stage;
using lowering::StageGraph;
using Op = ir::Op;

class TestPatterns : public QObject {
    Q_OBJECT

private:
    static constexpr PatternKind kAll[] = {PatternKind::LayerNorm, PatternKind::RmsNorm,
        PatternKind::GeluErf, PatternKind::GeluTanh, PatternKind::Swish, PatternKind::HardSwish,
        PatternKind::Softmax, PatternKind::Attention};

    static ir::ValueId mean(Model& m, ir::ValueId x) {
        return m.node(Op::ReduceMean, {x}, attribute("axes", Extents{-1}));
    }

    static ir::ValueId layerNorm(Model& m, ir::ValueId x) {
        const auto d = m.node(Op::Sub, {x, mean(m, x)});
        const auto variance = mean(m, m.node(Op::Pow, {d, m.scalar("two", 2)}));
        const auto deviation =
            m.node(Op::Sqrt, {m.node(Op::Add, {variance, m.scalar("epsilon", 1e-6F)})});
        const auto y = m.node(Op::Mul, {m.node(Op::Div, {d, deviation}), m.weight("scale", {8})});
        return m.node(Op::Add, {y, m.weight("shift", {8})});
    }

    static ir::ValueId attention(Model& m, bool hasMask) {
        const auto q = m.input("q", {2, 4, 5, 8}), v = m.input("v", {2, 4, 7, 8});
        const auto k = m.input("k", {2, 4, 8, 7}); // as exporters leave it: transposed
        auto scores = m.node(Op::Div, {m.node(Op::MatMul, {q, k}), m.scalar("root", 4)});
        if (hasMask)
            scores = m.node(Op::Add, {scores, m.input("mask", {2, 1, 1, 7})});
        return m.node(Op::MatMul, {m.node(Op::Softmax, {scores}), v});
    }

    static StageGraph inlined(Model& m) {
        m.infer();
        return lowering::inlined(m.context());
    }

    /// The graph after all matches became one node each.
    static StageGraph collapsed(Model& m, std::vector<Match>& matches) {
        StageGraph g = inlined(m);
        matches = lowering::findPatterns(g, kAll);
        Rewriter rewriter(std::move(g), Stage::Decomposed);
        for (const Match& match : matches)
            collapse(rewriter, match, "the exporter wrote it out");
        return std::move(rewriter).finish();
    }

private slots:
    void layerNorm() {
        Model m;
        m.output(layerNorm(m, m.input("x", {4, 8})));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(matches.size(), std::size_t(1));
        QVERIFY(matches[0].kind == PatternKind::LayerNorm);
        QCOMPARE(matches[0].nodes.size(), std::size_t(9));
        QVERIFY(qFuzzyCompare(float(matches[0].epsilon), 1e-6F));
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].canonical, Op::LayerNormalization);
        QCOMPARE(g.nodes[lowering::NodeId(0)].inputs.size(), std::size_t(3));
        QCOMPARE(g.nodes[lowering::NodeId(0)].sources.size(), std::size_t(9));
        QCOMPARE(firstFinding(g, *m.graph), std::string());
    }

    void rmsNorm() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto shifted =
            m.node(Op::Add, {mean(m, m.node(Op::Mul, {x, x})), m.scalar("epsilon", 1e-5F)});
        const auto inverse = m.node(Op::Reciprocal, {m.node(Op::Sqrt, {shifted})});
        m.output(m.node(Op::Mul, {m.weight("scale", {8}), m.node(Op::Mul, {x, inverse})}));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].canonical, Op::RMSNormalization);
        QVERIFY(matches[0].scale.isValid());
    }

    void geluInThreeOrders_data() {
        QTest::addColumn<int>("order");
        QTest::newRow("x · (1 + erf), then · ½") << 0;
        QTest::newRow("½ · (1 + erf), then · x") << 1;
        QTest::newRow("(½ · x) · (1 + erf)") << 2;
    }

    void geluInThreeOrders() {
        QFETCH(int, order);
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto half = m.scalar("half", 0.5F);
        const auto erf = m.node(Op::Erf, {m.node(Op::Div, {x, m.scalar("root2", 1.41421356F)})});
        const auto plus = m.node(Op::Add, {erf, m.scalar("one", 1)});
        if (order == 0)
            m.output(m.node(Op::Mul, {m.node(Op::Mul, {x, plus}), half}));
        else if (order == 1)
            m.output(m.node(Op::Mul, {x, m.node(Op::Mul, {plus, half})}));
        else
            m.output(m.node(Op::Mul, {m.node(Op::Mul, {x, half}), plus}));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].canonical, Op::Gelu);
        QCOMPARE(g.nodes[lowering::NodeId(0)].inputs[0], g.inputs[0]);
    }

    void geluByTanh() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto cube = m.node(Op::Pow, {x, m.scalar("three", 3)});
        const auto sum = m.node(Op::Add, {x, m.node(Op::Mul, {m.scalar("c", 0.044715F), cube})});
        const auto tanh = m.node(Op::Tanh, {m.node(Op::Mul, {m.scalar("root", 0.79788456F), sum})});
        const auto plus = m.node(Op::Add, {m.scalar("one", 1), tanh});
        m.output(m.node(Op::Mul, {m.node(Op::Mul, {m.scalar("half", 0.5F), x}), plus}));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].attributes.text("approximate"), std::string("tanh"));
    }

    void swishAndSoftmax() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto swish = m.node(Op::Mul, {x, m.node(Op::Sigmoid, {x})});
        const auto largest = m.node(Op::ReduceMax, {swish}, attribute("axes", Extents{1}));
        const auto power = m.node(Op::Exp, {m.node(Op::Sub, {swish, largest})});
        m.output(m.node(Op::Div, {power, m.node(Op::ReduceSum, {power, m.integers("axes", {1})})}));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(g.nodes.size(), std::size_t(2));
        QCOMPARE(g.nodes[lowering::NodeId(0)].canonical, Op::Swish);
        QCOMPARE(g.nodes[lowering::NodeId(1)].canonical, Op::Softmax);
    }

    void attentionWithAndWithoutMask_data() {
        QTest::addColumn<bool>("hasMask");
        QTest::newRow("with a mask") << true;
        QTest::newRow("without") << false;
    }

    void attentionWithAndWithoutMask() {
        QFETCH(bool, hasMask);
        Model m;
        m.output(attention(m, hasMask));
        const std::int64_t macs = totalMacs(inlined(m));
        std::vector<Match> matches;
        const StageGraph g = collapsed(m, matches);
        QCOMPARE(matches.size(), std::size_t(1));
        QVERIFY(matches[0].kind == PatternKind::Attention);
        QCOMPARE(matches[0].mask.isValid(), hasMask);
        QCOMPARE(*matches[0].factor, 0.25);
        QCOMPARE(g.nodes.size(), std::size_t(1));
        QCOMPARE(g.nodes[lowering::NodeId(0)].canonical, Op::Attention);
        QCOMPARE(totalMacs(g), macs);
        QCOMPARE(firstFinding(g, *m.graph), std::string());
    }

    void aResultThatIsUsedOutsideForbidsTheMatch() {
        Model m;
        const auto y = layerNorm(m, m.input("x", {4, 8}));
        m.output(y);
        for (const ir::Node& node : m.graph->nodes)
            if (node.op == Op::Sqrt)
                m.output(node.outputs[0]);
        const StageGraph g = inlined(m);
        QVERIFY(lowering::findPatterns(g, kAll).empty());
    }

    void otherConstantsAreNoGelu() {
        Model m;
        const auto x = m.input("x", {4, 8});
        const auto erf = m.node(Op::Erf, {m.node(Op::Div, {x, m.scalar("three", 3)})});
        m.output(m.node(Op::Mul,
            {m.node(Op::Mul, {x, m.node(Op::Add, {erf, m.scalar("one", 1)})}),
                m.scalar("half", 0.5F)}));
        QVERIFY(lowering::findPatterns(inlined(m), kAll).empty());
    }
};

QTEST_APPLESS_MAIN(TestPatterns)
#include "test_patterns.moc"
