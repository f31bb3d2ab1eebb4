// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/gpu/family.h"
#include "core/families/gpu/strides.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

Settings with(std::map<std::string, std::string> values, bool isFusionOn = true) {
    return settingsAt(machines::Precision::Bf16, std::move(values), isFusionOn);
}

Lowered block(Settings settings = with({})) {
    return lowerFile(
        families::gpu::family(), kAttentionBlock, "gpu_a100_sxm_80gb", std::move(settings));
}

Lowered lowered(ModelBuilder& model, Settings settings = with({})) {
    return lowerGraph(
        families::gpu::family(), model.finish(), "gpu_a100_sxm_80gb", std::move(settings));
}

const Kernel& onlyKernel(const Lowered& model, ir::Op op, int number = 0) {
    static const Kernel none;
    const StageGraph& graph = model.stage(Stage::Fused);
    const auto kernels = kernelsOf(graph, findNode(*model.graph, op, number));
    return kernels.size() == 1 ? graph.kernels[kernels.front()] : none;
}

std::size_t launches(const Lowered& model) {
    std::size_t count = 0;
    for (const Kernel& kernel : model.stage(Stage::Scheduled).kernels)
        count += kernel.kind != "view";
    return count;
}

} // namespace

class TestGpuFamily : public QObject {
    Q_OBJECT

private slots:
    void theAttentionBlockKeepsEveryRule_data();
    void theAttentionBlockKeepsEveryRule();
    void softmaxIsOneKernel();
    void layerNormIsOneKernel();
    void theAttentionPatternIsOneFusedCall();
    void aMaskThatIsSelectedKeepsSoftmaxApart();
    void theBiasRidesWithTheProduct();
    void aGeluIsOnePointwiseKernel();
    void differentSizesDoNotFuse();
    void aColumnStatisticKeepsItsNormaliseApart();
    void withoutFusionEveryNodeIsItsOwnKernel();
    void convolutionWeightsAreCopiedChannelsLast();
    void aMergeOfHeadsIsWrittenOutForTheProduct();
    void aCudaGraphIsNeverSlower();
    void aTemplateTakesItsEpilogueAlong();
    void statisticsWithTwoResultsStandOnceInTheirKernel();
    void aProductSaysWhatAnSmHoldsOfIt();
    void sizesThatMissAVectorAreNamed();
    void whatWasWrittenLastIsReadFromTheL2();
    void aTableLookUpReadsOnlyItsRows();
    void hostOperatorsAreNamedWithARemedy();
    void unknownOperatorsHaveNoTime();
    void randomProductsStayUnderTheRoofs();
    void viewsFollowTorchsStrideRule_data();
    void viewsFollowTorchsStrideRule();
};

void TestGpuFamily::theAttentionBlockKeepsEveryRule_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<bool>("isFusionOn");
    QTest::addColumn<QString>("key");
    for (const char* machine : {"gpu_a100_sxm_80gb", "gpu_h100_sxm", "gpu_b200_sxm", "gpu_l40s"}) {
        QTest::addRow("%s", machine) << machine << true << QString();
        QTest::addRow("%s without fusion", machine) << machine << false << QString();
        QTest::addRow("%s without a graph", machine) << machine << true << "cuda_graph";
        QTest::addRow("%s without fused attention", machine) << machine << true << "sdpa";
    }
}

void TestGpuFamily::theAttentionBlockKeepsEveryRule() {
    QFETCH(QString, machine);
    QFETCH(bool, isFusionOn);
    QFETCH(QString, key);
    Settings settings = with({}, isFusionOn);
    if (!key.isEmpty())
        settings.values[key.toStdString()] = "off";
    const Lowered model =
        lowerFile(families::gpu::family(), kAttentionBlock, machine.toStdString(), settings);
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(model.findings().empty(), joined(model.findings()).c_str());
    const auto broken = violations(model);
    QVERIFY2(broken.empty(), joined(broken).c_str());
}

void TestGpuFamily::softmaxIsOneKernel() {
    const Lowered model = block(with({{"sdpa", "off"}}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    const Kernel& kernel = onlyKernel(model, ir::Op::Softmax);
    QCOMPARE(kernel.kind, std::string("reduction"));
    int steps = 0;
    for (const NodeId id : kernel.nodes)
        for (const ir::NodeId source : model.stage(Stage::Fused).nodes[id].sources)
            steps += source == findNode(*model.graph, ir::Op::Softmax);
    QCOMPARE(steps, 4); // maximum and sum in one pass, sub, exp, div
}

void TestGpuFamily::layerNormIsOneKernel() {
    const Lowered model = block();
    QVERIFY2(model.error.empty(), model.error.c_str());
    const StageGraph& graph = model.stage(Stage::Fused);
    const ir::NodeId mean = findNode(*model.graph, ir::Op::ReduceMean, 0);
    const ir::NodeId variance = findNode(*model.graph, ir::Op::ReduceMean, 1);
    const ir::NodeId scale = findNode(*model.graph, ir::Op::Div);
    QVERIFY(mean.isValid() && variance.isValid() && scale.isValid());
    QCOMPARE(kernelsOf(graph, mean).size(), std::size_t(1));
    QCOMPARE(kernelsOf(graph, mean), kernelsOf(graph, variance));
    QCOMPARE(kernelsOf(graph, mean), kernelsOf(graph, scale));
}

void TestGpuFamily::theAttentionPatternIsOneFusedCall() {
    const Lowered model = block();
    QVERIFY2(model.error.empty(), model.error.c_str());
    const Kernel& kernel = onlyKernel(model, ir::Op::Softmax);
    QCOMPARE(kernel.kind, std::string("library"));
    const StageGraph& graph = model.stage(Stage::Fused);
    QCOMPARE(kernelsOf(graph, findNode(*model.graph, ir::Op::MatMul, 1)),
        kernelsOf(graph, findNode(*model.graph, ir::Op::Softmax)));
    // Both products of the pattern are counted: 2 · 12 · 128 · 128 · 64.
    for (const NodeId id : kernel.nodes)
        if (graph.nodes[id].canonical == ir::Op::Attention)
            QCOMPARE(graph.nodes[id].work.macs, 2LL * 12 * 128 * 128 * 64);
}

void TestGpuFamily::aMaskThatIsSelectedKeepsSoftmaxApart() {
    ModelBuilder model;
    const auto q = model.input("q", {1, 4, 64, 32}), k = model.input("k", {1, 4, 32, 64});
    const auto v = model.input("v", {1, 4, 64, 32});
    const auto mask = model.input("mask", {64, 64}, ir::DType::Bool);
    const auto scores = model.node(ir::Op::MatMul, {q, k});
    const auto chosen = model.node(ir::Op::Where, {mask, scores, model.scalar("low", -1e4)});
    const auto p = model.node(ir::Op::Softmax, {chosen});
    model.output(model.node(ir::Op::MatMul, {p, v}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QCOMPARE(onlyKernel(result, ir::Op::Softmax).kind, std::string("reduction"));
}

void TestGpuFamily::theBiasRidesWithTheProduct() {
    const Lowered model = block();
    const StageGraph& graph = model.stage(Stage::Fused);
    const auto product = kernelsOf(graph, findNode(*model.graph, ir::Op::MatMul, 0));
    QCOMPARE(product.size(), std::size_t(1));
    QCOMPARE(graph.kernels[product.front()].kind, std::string("library"));
    QVERIFY(graph.kernels[product.front()].name.find("addmm") != std::string::npos);
}

void TestGpuFamily::aGeluIsOnePointwiseKernel() {
    ModelBuilder model;
    const auto x = model.input("x", {64, 512});
    model.output(model.node(ir::Op::Gelu, {x}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY(result.stage(Stage::Decomposed).nodes.size() >= 3);
    QCOMPARE(launches(result), std::size_t(1));
    QCOMPARE(onlyKernel(result, ir::Op::Gelu).kind, std::string("pointwise"));
}

void TestGpuFamily::differentSizesDoNotFuse() {
    ModelBuilder model;
    const auto x = model.input("x", {64, 1}), y = model.input("y", {64, 512});
    const auto a = model.node(ir::Op::Exp, {x});
    model.output(model.node(ir::Op::Mul, {a, y}));
    model.output(a); // stored: otherwise it is computed where it is read
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QCOMPARE(launches(result), std::size_t(2));
}

void TestGpuFamily::aColumnStatisticKeepsItsNormaliseApart() {
    for (const std::int64_t axis : {0, 1}) {
        ModelBuilder model;
        const auto x = model.input("x", {256, 256});
        ir::Attributes attributes;
        attributes.set("keepdims", std::int64_t(1));
        const auto axes = model.integers("axes", {axis});
        const auto sum = model.node(ir::Op::ReduceMax, {x, axes}, attributes);
        model.output(model.node(ir::Op::Div, {x, sum}));
        const Lowered result = lowered(model);
        QVERIFY2(result.error.empty(), result.error.c_str());
        // Along the columns: two parts of 128 rows, their maximum, the division.
        QCOMPARE(launches(result), axis == 0 ? std::size_t(3) : std::size_t(1));
    }
}

void TestGpuFamily::withoutFusionEveryNodeIsItsOwnKernel() {
    const Lowered model = block(with({}, false));
    QVERIFY2(model.error.empty(), model.error.c_str());
    const StageGraph& graph = model.stage(Stage::Fused);
    QCOMPARE(graph.kernels.size(), graph.nodes.size());
    double fused = 0, unfused = 0;
    for (const Step& step : block().program.steps)
        fused += step.estimate.time.value;
    for (const Step& step : model.program.steps)
        unfused += step.estimate.time.value;
    QVERIFY(fused < unfused);
}

void TestGpuFamily::convolutionWeightsAreCopiedChannelsLast() {
    ModelBuilder model;
    const auto x = model.input("x", {1, 64, 56, 56});
    ir::Attributes window;
    window.set("pads", std::vector<std::int64_t>{1, 1, 1, 1});
    window.set("kernel_shape", std::vector<std::int64_t>{3, 3});
    const auto a = model.node(ir::Op::Conv, {x, model.weight("w", {64, 64, 3, 3})}, window);
    const auto b = model.node(ir::Op::Conv, {a, model.weight("w1", {64, 64, 1, 1})});
    model.output(b);
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY2(result.findings().empty(), joined(result.findings()).c_str());
    int weights = 0, inputs = 0;
    for (const Node& node : result.stage(Stage::LaidOut).nodes) {
        weights += !node.addedBy.empty() && node.name.find("weight_nhwc") != std::string::npos;
        inputs += !node.addedBy.empty() && node.name.find("input_nhwc") != std::string::npos;
    }
    QCOMPARE(weights, 1); // 3 × 3 only: a 1 × 1 weight reads the same either way
    QCOMPARE(inputs, 1); // the graph's input only
    const Lowered off = [&] {
        ModelBuilder again;
        const auto y = again.input("x", {1, 64, 56, 56});
        again.output(again.node(ir::Op::Conv, {y, again.weight("w", {64, 64, 3, 3})}, window));
        return lowered(again, with({{"channels_last", "off"}}));
    }();
    QCOMPARE(off.stage(Stage::LaidOut).nodes.size(), off.stage(Stage::Fused).nodes.size());
}

void TestGpuFamily::aMergeOfHeadsIsWrittenOutForTheProduct() {
    ModelBuilder model;
    const auto x = model.input("x", {2, 8, 64, 32});
    ir::Attributes swap;
    swap.set("perm", std::vector<std::int64_t>{0, 2, 1, 3});
    const auto moved = model.node(ir::Op::Transpose, {x}, swap);
    const auto merged = model.node(ir::Op::Reshape, {moved, model.integers("shape", {2, 64, 256})});
    model.output(model.node(ir::Op::MatMul, {merged, model.weight("w", {256, 256})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    int copies = 0;
    for (const Node& node : result.stage(Stage::LaidOut).nodes)
        copies += node.op == "aten.clone" && !node.addedBy.empty();
    QCOMPARE(copies, 1);
    const auto broken = violations(result);
    QVERIFY2(broken.empty(), joined(broken).c_str());
}

void TestGpuFamily::aCudaGraphIsNeverSlower() {
    const Lowered graph = block(), eager = block(with({{"cuda_graph", "off"}}));
    QCOMPARE(graph.program.steps.size(), eager.program.steps.size());
    for (std::size_t i = 0; i < graph.program.steps.size(); ++i)
        QVERIFY(graph.program.steps[StepId(i)].estimate.time.value
            <= eager.program.steps[StepId(i)].estimate.time.value + 1e-15);
}

void TestGpuFamily::aTemplateTakesItsEpilogueAlong() {
    for (const char* templates : {"off", "on"}) {
        ModelBuilder model;
        const auto x = model.input("x", {256, 512});
        const auto y = model.node(ir::Op::MatMul, {x, model.weight("w", {512, 256})});
        model.output(model.node(ir::Op::Relu, {y}));
        const Lowered result = lowered(model, with({{"templates", templates}}));
        QVERIFY2(broken(result).empty(), broken(result).c_str());
        QCOMPARE(launches(result), templates == QString("on") ? std::size_t(1) : std::size_t(2));
    }
}

void TestGpuFamily::statisticsWithTwoResultsStandOnceInTheirKernel() {
    ModelBuilder model;
    const auto x = model.input("x", {64, 512});
    ir::Attributes axis;
    axis.set("axis", std::int64_t(-1));
    model.output(model.node(ir::Op::Softmax, {x}, axis));
    const Lowered result = lowered(model);
    QVERIFY2(broken(result).empty(), broken(result).c_str());
    int statistics = 0;
    for (const Node& node : result.stage(Stage::Fused).nodes)
        statistics += node.canonical == ir::Op::SoftmaxStatistics;
    QCOMPARE(statistics, 1);
}

void TestGpuFamily::aProductSaysWhatAnSmHoldsOfIt() {
    ModelBuilder model;
    const auto x = model.input("x", {4096, 4096});
    model.output(model.node(ir::Op::MatMul, {x, model.weight("w", {4096, 4096})}));
    const Lowered result = lowered(model, with({{"tile", "128x128"}}));
    QVERIFY2(result.error.empty(), result.error.c_str());
    const std::string& reason = result.stage(Stage::Placed).kernels[KernelId(0)].reason;
    // Three stages of 64 × (128 + 128) elements of two bytes; 128 × 128 sums of four bytes.
    QVERIFY2(reason.find("98304") != std::string::npos, reason.c_str());
    QVERIFY2(reason.find("65536") != std::string::npos, reason.c_str());
}

void TestGpuFamily::sizesThatMissAVectorAreNamed() {
    for (const std::int64_t k : {512, 513}) {
        ModelBuilder model;
        const auto x = model.input("x", {256, k});
        model.output(model.node(ir::Op::MatMul, {x, model.weight("w", {k, 256})}));
        const Lowered result = lowered(model);
        QVERIFY2(result.error.empty(), result.error.c_str());
        const std::string& rule = result.stage(Stage::Decomposed).nodes[NodeId(0)].rule;
        QCOMPARE(rule.find("k = 513") != std::string::npos, k == 513);
    }
}

void TestGpuFamily::whatWasWrittenLastIsReadFromTheL2() {
    for (const std::int64_t rows : {64, 65536}) { // 64 KB, 64 MB between the kernels; the L2 has 40 MB
        ModelBuilder model;
        const auto x = model.input("x", {rows, 512});
        const auto y = model.node(ir::Op::MatMul, {x, model.weight("w", {512, 512})});
        model.output(model.node(ir::Op::MatMul, {y, model.weight("v", {512, 512})}));
        const Lowered result = lowered(model);
        QVERIFY2(result.error.empty(), result.error.c_str());
        const auto& kernels = result.stage(Stage::Placed).kernels;
        const std::string& reason = kernels[KernelId(kernels.size() - 1)].reason;
        QCOMPARE(reason.find("half of the L2") != std::string::npos, rows == 64);
    }
}

void TestGpuFamily::aTableLookUpReadsOnlyItsRows() {
    ModelBuilder model;
    const auto table = model.weight("table", {50000, 512});
    const auto ids = model.input("ids", {1, 16}, ir::DType::Int64);
    model.output(model.node(ir::Op::Gather, {table, ids}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    const Estimate& estimate = result.program.steps[StepId(0)].estimate;
    QVERIFY(!estimate.traffic.empty());
    QCOMPARE(estimate.traffic.front().read.value, 16LL * 512 * 2 + 16 * 8);
    QCOMPARE(estimate.traffic.front().written.value, 16LL * 512 * 2);
}

void TestGpuFamily::hostOperatorsAreNamedWithARemedy() {
    ModelBuilder model;
    const auto x = model.input("x", {4}, ir::DType::String);
    model.output(model.node(ir::Op::StringNormalizer, {x}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    bool isNamed = false;
    for (const base::Diagnostic& entry : result.diagnostics.entries())
        if (entry.code == "gpu.host_operator")
            isNamed = !entry.remedy.empty() && entry.remedy.back() == '.';
    QVERIFY(isNamed);
    QVERIFY(result.stage(Stage::Scheduled).nodes[NodeId(0)].support == Support::Fallback);
}

void TestGpuFamily::unknownOperatorsHaveNoTime() {
    ModelBuilder model;
    const auto x = model.input("x", {4});
    model.output(model.node(ir::Op::Unknown, {x}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY(!result.program.steps[StepId(0)].estimate.isKnown);
    QCOMPARE(result.diagnostics.count("gpu.unsupported_operator"), 1);
}

void TestGpuFamily::randomProductsStayUnderTheRoofs() {
    QRandomGenerator random(5);
    const QStringList machines = {"gpu_a100_sxm_80gb", "gpu_h100_sxm", "gpu_h200_sxm",
        "gpu_b200_sxm", "gpu_l4", "gpu_l40s", "gpu_rtx4090"};
    for (int i = 0; i < 60; ++i) {
        ModelBuilder model;
        const std::int64_t m = random.bounded(1, 5000), n = random.bounded(1, 5000);
        const std::int64_t k = random.bounded(1, 5000);
        const auto x = model.input("x", {m, k});
        model.output(model.node(ir::Op::MatMul, {x, model.weight("w", {k, n})}));
        const Lowered result = lowerGraph(families::gpu::family(), model.finish(),
            machines[i % machines.size()].toStdString(), with({}));
        QVERIFY2(result.error.empty(), result.error.c_str());
        const auto broken = violations(result);
        QVERIFY2(broken.empty(),
            qPrintable(QString("%1 x %2 x %3: ").arg(m).arg(n).arg(k)
                + QString::fromStdString(joined(broken))));
    }
}

void TestGpuFamily::viewsFollowTorchsStrideRule_data() {
    using List = QList<qint64>;
    QTest::addColumn<List>("shape");
    QTest::addColumn<List>("strides");
    QTest::addColumn<List>("to");
    QTest::addColumn<List>("expected"); // empty: no view
    QTest::newRow("split the last")
        << List{2, 12} << List{12, 1} << List{2, 3, 4} << List{12, 4, 1};
    QTest::newRow("merge contiguous")
        << List{2, 3, 4} << List{12, 4, 1} << List{6, 4} << List{4, 1};
    QTest::newRow("merge swapped axes") << List{2, 3, 4} << List{4, 8, 1} << List{6, 4} << List{};
    QTest::newRow("split inside a swap")
        << List{3, 4, 4} << List{4, 12, 1} << List{3, 2, 2, 4} << List{4, 24, 12, 1};
    QTest::newRow("merge behind a unit axis")
        << List{1, 3, 4} << List{99, 4, 1} << List{12} << List{1};
    QTest::newRow("add unit axes")
        << List{3, 4} << List{1, 3} << List{3, 1, 4, 1} << List{1, 12, 3, 3};
    QTest::newRow("scalar to vector") << List{} << List{} << List{1, 1} << List{1, 1};
}

void TestGpuFamily::viewsFollowTorchsStrideRule() {
    QFETCH(QList<qint64>, shape);
    QFETCH(QList<qint64>, strides);
    QFETCH(QList<qint64>, to);
    QFETCH(QList<qint64>, expected);
    const auto numbers = [](const QList<qint64>& list) {
        return std::vector<std::int64_t>(list.begin(), list.end());
    };
    const auto view = families::gpu::viewStrides(numbers(shape), numbers(strides), numbers(to));
    QCOMPARE(view.has_value(), !expected.isEmpty());
    if (!view)
        return;
    for (std::size_t i = 0; i < view->size(); ++i)
        if (to[qsizetype(i)] != 1) // the stride of a unit axis is never used
            QCOMPARE(qint64((*view)[i]), expected[qsizetype(i)]);
}

QTEST_APPLESS_MAIN(TestGpuFamily)
#include "test_gpu_family.moc"
