// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/decompositions.h"

#include "core/lowering/inlining.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::DecompositionPlan;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::Stage;
using lowering::StageGraph;
using Build = std::function<void(Model&)>;
Q_DECLARE_METATYPE(Build)

class TestDecompositions : public QObject {
    Q_OBJECT

private:
    static DecompositionPlan everything() {
        DecompositionPlan plan;
        plan.softmax.emplace();
        plan.norms.emplace();
        plan.activations.emplace();
        plan.attention.emplace();
        plan.gemm.emplace();
        plan.recurrent.emplace();
        plan.quantised = ir::DType::Float16;
        plan.batchNorm = plan.convBias = plan.reductions = plan.splits = plan.rotary = true;
        return plan;
    }

    static QString operators(const StageGraph& g) {
        QStringList words;
        for (const lowering::Node& node : g.nodes)
            words << QString::fromStdString(node.op);
        return words.join(' ');
    }

    static void addRow(const char* name, Build build, const char* expected) {
        QTest::newRow(name) << build << QString(expected);
    }

private slots:
    void operatorsComeApart_data() {
        QTest::addColumn<Build>("build");
        QTest::addColumn<QString>("expected");
        using Op = ir::Op;
        addRow(
            "softmax",
            [](Model& m) {
                m.output(m.node(
                    Op::Softmax, {m.input("x", {2, 8})}, attribute("axis", std::int64_t(-1))));
            },
            "reducemax sub exp reducesum div");
        addRow(
            "log-softmax",
            [](Model& m) {
                m.output(m.node(Op::LogSoftmax, {m.input("x", {2, 8})}));
            },
            "reducemax sub exp reducesum log sub");
        addRow(
            "layer norm",
            [](Model& m) {
                m.output(m.node(Op::LayerNormalization,
                    {m.input("x", {2, 8}), m.weight("s", {8}), m.weight("b", {8})}));
            },
            "reducesum mul sub mul reducesum mul add rsqrt mul mul add");
        addRow(
            "RMS norm",
            [](Model& m) {
                m.output(m.node(Op::RMSNormalization, {m.input("x", {2, 8}), m.weight("s", {8})}));
            },
            "mul reducesum mul add rsqrt mul mul");
        addRow(
            "gelu", [](Model& m) { m.output(m.node(Op::Gelu, {m.input("x", {8})})); },
            "mul erf add mul mul");
        addRow(
            "gelu by tanh",
            [](Model& m) {
                m.output(m.node(
                    Op::Gelu, {m.input("x", {8})}, attribute("approximate", std::string("tanh"))));
            },
            "mul mul mul add mul tanh add mul mul");
        addRow(
            "swish", [](Model& m) { m.output(m.node(Op::Swish, {m.input("x", {8})})); },
            "sigmoid mul");
        addRow(
            "hard swish", [](Model& m) { m.output(m.node(Op::HardSwish, {m.input("x", {8})})); },
            "mul add max min mul");
        addRow(
            "leaky relu", [](Model& m) { m.output(m.node(Op::LeakyRelu, {m.input("x", {8})})); },
            "mul max");
        addRow(
            "batch norm",
            [](Model& m) {
                m.output(m.node(Op::BatchNormalization,
                    {m.input("x", {1, 4, 2, 2}), m.weight("s", {4}), m.weight("b", {4}),
                        m.weight("m", {4}), m.weight("v", {4})}));
            },
            "mul add");
        addRow(
            "gemm",
            [](Model& m) {
                auto transposed = attribute("transB", std::int64_t(1));
                m.output(m.node(Op::Gemm,
                    {m.input("x", {2, 8}), m.weight("w", {4, 8}), m.weight("b", {4})}, transposed));
            },
            "fusedmatmul add");
        addRow(
            "conv with bias",
            [](Model& m) {
                m.output(m.node(Op::Conv,
                    {m.input("x", {1, 3, 8, 8}), m.weight("w", {4, 3, 3, 3}), m.weight("b", {4})}));
            },
            "conv add");
        addRow(
            "l2",
            [](Model& m) {
                m.output(
                    m.node(Op::ReduceL2, {m.input("x", {2, 8})}, attribute("axes", Extents{1})));
            },
            "mul reducesum sqrt");
        addRow(
            "split",
            [](Model& m) {
                const auto parts = m.nodes(
                    Op::Split, {m.input("x", {2, 8})}, 2, attribute("axis", std::int64_t(1)));
                m.output(parts[0]);
                m.output(parts[1]);
            },
            "slice slice");
        addRow(
            "rnn",
            [](Model& m) {
                auto hidden = attribute("hidden_size", std::int64_t(4));
                m.output(m.nodes(Op::RNN,
                    {m.input("x", {5, 2, 3}), m.weight("w", {1, 4, 3}), m.weight("r", {1, 4, 4})},
                    2, hidden)[1]);
            },
            "reshape fusedmatmul gather fusedmatmul add tanh concat concat");
        addRow(
            "quantised product",
            [](Model& m) {
                const auto s = m.scalar("s", 0.5F);
                const auto z = m.weight("z", {}, ir::DType::UInt8);
                m.output(m.node(Op::QLinearMatMul,
                    {m.input("a", {2, 8}, ir::DType::UInt8), s, z,
                        m.weight("b", {8, 4}, ir::DType::UInt8), s, z, s, z}));
            },
            "dequantizelinear dequantizelinear matmul quantizelinear");
        addRow(
            "clip without bounds is nothing",
            [](Model& m) { m.output(m.node(Op::Relu, {m.node(Op::Clip, {m.input("x", {8})})})); },
            "relu");
    }

    void operatorsComeApart() {
        QFETCH(Build, build);
        QFETCH(QString, expected);
        Model m;
        build(m);
        m.infer();
        StageGraph before = lowering::inlined(m.context());
        const std::int64_t macs = lowering::Node(before.nodes[NodeId(0)]).work.macs;
        const bool isProduct = macs > 0;
        const std::int64_t total = totalMacs(before);
        Rewriter rewriter(std::move(before), Stage::Decomposed);
        decomposeAll(rewriter, everything());
        rewriter.applyWords();
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(operators(g), expected);
        QCOMPARE(firstFinding(g, *m.graph), std::string());
        if (isProduct)
            QCOMPARE(totalMacs(g), total); // nothing is multiplied twice or lost
        for (const lowering::Node& node : g.nodes)
            QVERIFY2(node.work.isKnown, node.name.c_str());
    }

    void attentionKeepsItsProducts_data() {
        QTest::addColumn<Build>("build");
        using Op = ir::Op;
        QTest::newRow("standard, 4-D") << Build([](Model& m) {
            m.output(m.node(Op::Attention,
                {m.input("q", {2, 4, 5, 8}), m.input("k", {2, 4, 7, 8}),
                    m.input("v", {2, 4, 7, 8})}));
        });
        QTest::newRow("standard, grouped heads") << Build([](Model& m) {
            auto heads = attribute("q_num_heads", std::int64_t(4));
            heads.set("kv_num_heads", std::int64_t(2));
            m.output(m.node(Op::Attention,
                {m.input("q", {2, 5, 32}), m.input("k", {2, 7, 16}), m.input("v", {2, 7, 16})},
                heads));
        });
        QTest::newRow("multi-head") << Build([](Model& m) {
            m.output(m.node(Op::MultiHeadAttention,
                {m.input("q", {2, 5, 32}), m.input("k", {2, 7, 32}), m.input("v", {2, 7, 32})},
                attribute("num_heads", std::int64_t(4))));
        });
        QTest::newRow("projecting") << Build([](Model& m) {
            m.output(m.node(Op::Attention,
                {m.input("x", {2, 5, 32}), m.weight("w", {32, 96}), m.weight("b", {96})},
                attribute("num_heads", std::int64_t(4))));
        });
        QTest::newRow("grouped with a cache") << Build([](Model& m) {
            auto heads = attribute("num_heads", std::int64_t(4));
            heads.set("kv_num_heads", std::int64_t(2));
            const auto none = ir::ValueId();
            const auto results = m.nodes(Op::GroupQueryAttention,
                {m.input("q", {1, 1, 32}), m.input("k", {1, 1, 16}), m.input("v", {1, 1, 16}),
                    m.input("past_k", {1, 2, 9, 8}), m.input("past_v", {1, 2, 9, 8}), none, none},
                3, heads);
            for (const auto result : results)
                m.output(result);
        });
    }

    void attentionKeepsItsProducts() {
        QFETCH(Build, build);
        for (const bool repeats : {false, true})
            for (const bool transposes : {false, true}) {
                Model m;
                build(m);
                m.infer();
                StageGraph before = lowering::inlined(m.context());
                const std::int64_t byShape = workOf(before.values, before.nodes[NodeId(0)]).macs;
                QVERIFY(byShape > 0);
                Rewriter rewriter(std::move(before), Stage::Decomposed);
                lowering::AttentionStyle style;
                style.repeatsKvHeads = repeats;
                style.transposesKeys = transposes;
                QVERIFY(!decomposeAttention(rewriter, NodeId(0), style).empty());
                const StageGraph g = std::move(rewriter).finish();
                QCOMPARE(firstFinding(g, *m.graph), std::string());
                QCOMPARE(totalMacs(g), byShape);
                QCOMPARE(count(g, ir::Op::Softmax), 1);
                for (const lowering::Node& node : g.nodes)
                    QVERIFY2(node.work.isKnown, node.name.c_str());
            }
    }

    void convolutionAsAProduct() {
        Model m;
        auto strided = attribute("strides", Extents{2, 2});
        strided.set("pads", Extents{1, 1, 1, 1});
        m.output(m.node(ir::Op::Conv,
            {m.input("x", {2, 3, 8, 8}), m.weight("w", {4, 3, 3, 3}), m.weight("b", {4})},
            strided));
        m.infer();
        StageGraph before = lowering::inlined(m.context());
        // 2 images · 16 pixels, 4 channels out, 3 · 9 deep
        QCOMPARE(before.nodes[NodeId(0)].work.m, std::int64_t(32));
        QCOMPARE(before.nodes[NodeId(0)].work.n, std::int64_t(4));
        QCOMPARE(before.nodes[NodeId(0)].work.k, std::int64_t(27));
        Rewriter rewriter(std::move(before), Stage::Decomposed);
        QCOMPARE(decomposeConv(rewriter, NodeId(0), "a test").size(), std::size_t(4));
        const StageGraph g = std::move(rewriter).finish();
        QCOMPARE(operators(g), QString("im2col matmul reshape add"));
        QCOMPARE(totalMacs(g), std::int64_t(32 * 4 * 27));
        QCOMPARE(firstFinding(g, *m.graph), std::string());
    }

    void lstmStepsRunOnceAStep() {
        Model m;
        auto hidden = attribute("hidden_size", std::int64_t(4));
        hidden.set("direction", std::string("bidirectional"));
        m.output(m.nodes(ir::Op::LSTM,
            {m.input("x", {5, 2, 3}), m.weight("w", {2, 16, 3}), m.weight("r", {2, 16, 4}),
                m.weight("b", {2, 32})},
            3, hidden)[0]);
        m.infer();
        StageGraph before = lowering::inlined(m.context());
        const std::int64_t macs = totalMacs(before);
        QCOMPARE(macs, std::int64_t(2 * 5 * 2 * 16 * (3 + 4)));
        for (const bool hoists : {true, false}) {
            Rewriter rewriter(before, Stage::Decomposed);
            lowering::RecurrentStyle style;
            style.hoistsInput = hoists;
            QVERIFY(!decomposeRecurrent(rewriter, NodeId(0), style).empty());
            const StageGraph g = std::move(rewriter).finish();
            QCOMPARE(firstFinding(g, *m.graph), std::string());
            QCOMPARE(totalMacs(g), macs);
            for (const lowering::Node& node : g.nodes)
                if (node.canonical == ir::Op::Tanh)
                    QCOMPARE(node.executions, std::int64_t(5));
        }
    }

    void anUnknownRankStaysWhole() {
        Model m;
        const auto x = m.input("x", {2, 3});
        m.output(m.node(ir::Op::Softmax, {m.node(ir::Op::Unknown, {x})}));
        m.infer();
        Rewriter rewriter(lowering::inlined(m.context()), Stage::Decomposed);
        QVERIFY(decomposeSoftmax(rewriter, NodeId(1)).empty());
        QVERIFY(rewriter.isAlive(NodeId(1)));
    }

    void oldSoftmaxRunsOverAllTrailingAxes() {
        Model m;
        const auto y = m.node(ir::Op::Softmax, {m.input("x", {2, 3, 4})});
        m.graph->nodes[m.producer(y)].version = 11;
        m.output(y);
        m.infer();
        const StageGraph g = lowering::inlined(m.context());
        QVERIFY(lowering::reducedAxes(g.nodes[NodeId(0)], 3) == (Extents{1, 2}));
    }
};

QTEST_APPLESS_MAIN(TestDecompositions)
#include "test_decompositions.moc"
