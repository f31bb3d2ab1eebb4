// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/tpu/family.h"
#include "core/families/tpu/orders.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

Settings with(std::map<std::string, std::string> values, bool isFusionOn = true) {
    return settingsAt(machines::Precision::Bf16, std::move(values), isFusionOn);
}

Lowered block(Settings settings = with({}), const std::string& machine = "tpu_v5e") {
    return lowerFile(families::tpu::family(), kAttentionBlock, machine, std::move(settings));
}

Lowered lowered(
    ModelBuilder& model, Settings settings = with({}), const std::string& machine = "tpu_v5e") {
    return lowerGraph(families::tpu::family(), model.finish(), machine, std::move(settings));
}

/// Kernels that run: all but bitcasts, bookkeeping and copies beside them.
std::vector<const Kernel*> running(const Lowered& model) {
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : model.stage(Stage::Scheduled).kernels)
        if (kernel.kind != "bitcast" && kernel.kind != "tuple" && kernel.kind != "copy-start"
            && kernel.kind != "copy-done")
            kernels.push_back(&kernel);
    return kernels;
}

/// Nodes but for the conversions that the vector unit's f32 arithmetic takes.
std::size_t withoutConversions(const StageGraph& graph) {
    std::size_t count = 0;
    for (const Node& node : graph.nodes)
        count += node.op != "convert";
    return count;
}

std::size_t products(const StageGraph& graph, const Kernel& kernel) {
    std::size_t count = 0;
    for (const NodeId id : kernel.nodes)
        count += graph.nodes[id].opClass() == ir::OpClass::Contraction;
    return count;
}

const Value* valueNamed(const StageGraph& graph, const std::string& name) {
    for (const Value& value : graph.values)
        if (value.name == name)
            return &value;
    return nullptr;
}

} // namespace

class TestTpuFamily : public QObject {
    Q_OBJECT

private slots:
    void theAttentionBlockKeepsEveryRule_data();
    void theAttentionBlockKeepsEveryRule();
    void aLoneSoftmaxIsThreeFusions();
    void layerNormIsFiveFusions();
    void anActivationIsTheProductsEpilogue();
    void aFusionHoldsOneProductAtMost();
    void withoutRecomputationNothingIsRepeated();
    void arraysCountTheirPadding_data();
    void arraysCountTheirPadding();
    void theOrderOfLeastPaddingIsChosen();
    void convolutionsWantChannelsInTheLanes();
    void splittingHeadsIsACopyAndTheTransposeABitcast();
    void internalResultsStayOnChip();
    void whatDoesNotFitGoesToHbmAsASpill();
    void dispatchIsCountedOnce();
    void dynamicSizesFallBackToTheHost();
    void unknownOperatorsHaveNoTime();
    void withoutFusionEveryNodeIsItsOwnKernel();
    void randomProductsStayUnderTheRoofs();
    void graphsOfAtenLower();
};

void TestTpuFamily::theAttentionBlockKeepsEveryRule_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<bool>("isFusionOn");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    for (const char* machine : {"tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x"}) {
        QTest::addRow("%s", machine) << machine << true << ""
                                     << "";
        QTest::addRow("%s without fusion", machine) << machine << false << ""
                                                    << "";
        QTest::addRow("%s without VMEM", machine) << machine << true << "vmem"
                                                  << "off";
        QTest::addRow("%s without recomputation", machine) << machine << true << "recompute"
                                                           << "off";
        QTest::addRow("%s with dispatch", machine) << machine << true << "dispatch"
                                                   << "on";
    }
}

void TestTpuFamily::theAttentionBlockKeepsEveryRule() {
    QFETCH(QString, machine);
    QFETCH(bool, isFusionOn);
    QFETCH(QString, key);
    QFETCH(QString, value);
    Settings settings = with({}, isFusionOn);
    if (!key.isEmpty())
        settings.values[key.toStdString()] = value.toStdString();
    const Lowered model = block(settings, machine.toStdString());
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(model.findings().empty(), joined(model.findings()).c_str());
    const auto broken = violations(model);
    QVERIFY2(broken.empty(), joined(broken).c_str());
}

void TestTpuFamily::aLoneSoftmaxIsThreeFusions() {
    ModelBuilder model;
    model.output(model.node(ir::Op::Softmax, {model.input("x", {256, 512})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY2(result.findings().empty(), joined(result.findings()).c_str());
    QCOMPARE(
        running(result).size(), std::size_t(3)); // max; sub, exp and sum; sub and exp again, divide
    int repeated = 0;
    for (const Node& node : result.stage(Stage::Fused).nodes)
        repeated += !node.addedBy.empty() && !node.sources.empty();
    QCOMPARE(repeated, 2);
}

void TestTpuFamily::layerNormIsFiveFusions() {
    ModelBuilder model;
    const auto x = model.input("x", {256, 512});
    model.output(model.node(ir::Op::LayerNormalization,
        {x, model.weight("scale", {512}), model.weight("bias", {512})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QCOMPARE(running(result).size(), std::size_t(5)); // sum, mean, squares, rsqrt, normalise
}

void TestTpuFamily::anActivationIsTheProductsEpilogue() {
    ModelBuilder model;
    const auto x = model.input("x", {128, 256});
    const auto product = model.node(ir::Op::MatMul, {x, model.weight("w", {256, 512})});
    const auto sum = model.node(ir::Op::Add, {product, model.weight("b", {512})});
    model.output(model.node(ir::Op::Relu, {sum}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QCOMPARE(running(result).size(), std::size_t(1));
    QCOMPARE(running(result).front()->kind, std::string("output fusion"));
}

void TestTpuFamily::aFusionHoldsOneProductAtMost() {
    for (const char* machine : {"tpu_v4", "tpu_v6e"}) {
        const Lowered model = block(with({}), machine);
        QVERIFY2(model.error.empty(), model.error.c_str());
        const StageGraph& graph = model.stage(Stage::Fused);
        std::size_t all = 0;
        for (const Kernel& kernel : graph.kernels) {
            QVERIFY(products(graph, kernel) <= 1);
            all += products(graph, kernel);
        }
        QCOMPARE(all, std::size_t(4)); // QKV, scores, context, projection
    }
}

void TestTpuFamily::withoutRecomputationNothingIsRepeated() {
    const Lowered with_ = block(), without = block(with({{"recompute", "off"}}));
    QVERIFY(withoutConversions(with_.stage(Stage::Fused))
        > withoutConversions(with_.stage(Stage::Decomposed)));
    QCOMPARE(withoutConversions(without.stage(Stage::Fused)),
        withoutConversions(without.stage(Stage::Decomposed)));
}

void TestTpuFamily::arraysCountTheirPadding_data() {
    QTest::addColumn<QList<qint64>>("shape");
    QTest::addColumn<qint64>("bytes");
    using List = QList<qint64>;
    QTest::newRow("a full tile") << List{8, 128} << 8LL * 128 * 2;
    QTest::newRow("65 columns, rows in the lanes") << List{512, 65} << 512LL * 72 * 2;
    QTest::newRow("one row takes two of bf16") << List{1, 1000} << 2LL * 1024 * 2;
    QTest::newRow("a vector") << List{65} << 256LL * 2;
    QTest::newRow("the block's input") << List{1, 128, 768} << 128LL * 768 * 2;
}

void TestTpuFamily::arraysCountTheirPadding() {
    QFETCH(QList<qint64>, shape);
    QFETCH(qint64, bytes);
    ModelBuilder model;
    model.output(model.node(ir::Op::Relu, {model.input("x", {shape.begin(), shape.end()})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    const Value* x = valueNamed(result.stage(Stage::LaidOut), "x");
    QVERIFY(x && x->deviceBytes());
    QCOMPARE(x->deviceBytes()->value, bytes);
    const Estimate& estimate = result.program.steps[StepId(0)].estimate;
    QCOMPARE(estimate.traffic.front().read.value, bytes); // padding is moved too
}

void TestTpuFamily::theOrderOfLeastPaddingIsChosen() {
    ModelBuilder model;
    model.output(model.node(ir::Op::Relu, {model.input("x", {512, 65})}));
    const Lowered result = lowered(model);
    const Value* x = valueNamed(result.stage(Stage::LaidOut), "x");
    QVERIFY(x && x->layout);
    QVERIFY(QString::fromStdString(x->layout->notation).startsWith("{0,1"));
}

void TestTpuFamily::convolutionsWantChannelsInTheLanes() {
    ModelBuilder model;
    const auto x = model.input("x", {1, 3, 224, 224});
    const auto a = model.node(ir::Op::Conv, {x, model.weight("w", {64, 3, 1, 1})});
    const auto b = model.node(ir::Op::Relu, {a});
    model.output(model.node(ir::Op::Conv, {b, model.weight("v", {64, 64, 1, 1})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY2(result.findings().empty(), joined(result.findings()).c_str());
    const StageGraph& graph = result.stage(Stage::LaidOut);
    int before = 0, after = 0;
    for (const Node& node : graph.nodes)
        if (node.op == "copy" && !node.addedBy.empty())
            ++(node.name.find("result_copy") != std::string::npos ? after : before);
    QCOMPARE(before, 1); // between the two convolutions nothing changes
    QVERIFY(after <= 1);
    for (const Node& node : graph.nodes)
        if (node.canonical == ir::Op::Conv)
            QVERIFY(graph.values[node.inputs[0]].layout->notation.find("{1,0,3,2") == 0);
}

void TestTpuFamily::splittingHeadsIsACopyAndTheTransposeABitcast() {
    ModelBuilder model;
    const auto x = model.input("x", {1, 128, 768});
    const auto y = model.node(ir::Op::Relu, {x});
    const auto heads = model.node(ir::Op::Reshape, {y, model.integers("shape", {1, 128, 12, 64})});
    ir::Attributes swap;
    swap.set("perm", std::vector<std::int64_t>{0, 2, 1, 3});
    const auto moved = model.node(ir::Op::Transpose, {heads}, swap);
    const auto keys = model.input("k", {1, 12, 64, 128});
    model.output(model.node(ir::Op::MatMul, {moved, keys}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    int copies = 0;
    for (const Kernel* kernel : running(result))
        copies += kernel->kind == "copy";
    QCOMPARE(copies, 1);
    const StageGraph& graph = result.stage(Stage::LaidOut);
    // Batch axes of a dot lie outside the tile.
    for (const Node& node : graph.nodes)
        if (node.op == "dot")
            QVERIFY(QString::fromStdString(graph.values[node.inputs[0]].layout->notation)
                        .startsWith("{3,2,1,0"));
}

void TestTpuFamily::internalResultsStayOnChip() {
    const Lowered model = block();
    QVERIFY2(model.error.empty(), model.error.c_str());
    const auto vmem = model.machine->memoryIndex("VMEM");
    QVERIFY(vmem.has_value());
    int near = 0;
    for (const Buffer& buffer : model.program.buffers) {
        const Value& value = model.stage(Stage::Placed).values[buffer.value];
        if (buffer.level == *vmem) {
            ++near;
            QVERIFY(value.role == ValueRole::Activation);
        }
        QVERIFY(!buffer.isSpill); // a block of 128 × 768 fits 112 MiB many times
    }
    QVERIFY(near > 0);
    const Lowered off = block(with({{"vmem", "off"}}));
    double kept = 0, stored = 0;
    for (const Step& step : model.program.steps)
        kept +=
            double(step.estimate.traffic.empty() ? 0 : step.estimate.traffic.front().total().value);
    for (const Step& step : off.program.steps)
        stored +=
            double(step.estimate.traffic.empty() ? 0 : step.estimate.traffic.front().total().value);
    QVERIFY(kept < stored);
}

void TestTpuFamily::whatDoesNotFitGoesToHbmAsASpill() {
    ModelBuilder model;
    const auto x = model.input("x", {16384, 8192}); // 256 MiB at bf16
    const auto sum = model.node(ir::Op::MatMul, {x, model.weight("w", {8192, 8192})});
    model.output(model.node(ir::Op::Softmax, {sum}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    bool isSpilled = false;
    for (const Buffer& buffer : result.program.buffers)
        if (buffer.isSpill) {
            isSpilled = true;
            QVERIFY(result.machine->memories[buffer.level].kind == machines::MemoryKind::Device);
        }
    QVERIFY(isSpilled);
    const auto broken = violations(result);
    QVERIFY2(broken.empty(), joined(broken).c_str());
}

void TestTpuFamily::dispatchIsCountedOnce() {
    const Lowered plain = block(), counted = block(with({{"dispatch", "on"}}));
    double difference = 0;
    for (std::size_t i = 0; i < plain.program.steps.size(); ++i)
        difference += counted.program.steps[StepId(i)].estimate.time.value
            - plain.program.steps[StepId(i)].estimate.time.value;
    QVERIFY(qAbs(difference - plain.machine->parameterOr("dispatch_s", 0)) < 1e-12);
}

void TestTpuFamily::dynamicSizesFallBackToTheHost() {
    ModelBuilder model;
    const auto x = model.input("x", {64});
    model.output(model.node(ir::Op::NonZero, {x}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY(result.stage(Stage::Scheduled).nodes[NodeId(0)].support == Support::Fallback);
    QCOMPARE(result.diagnostics.count("tpu.host_operator"), 1);
}

void TestTpuFamily::unknownOperatorsHaveNoTime() {
    ModelBuilder model;
    model.output(model.node(ir::Op::Unknown, {model.input("x", {4})}));
    const Lowered result = lowered(model);
    QVERIFY2(result.error.empty(), result.error.c_str());
    QVERIFY(!result.program.steps[StepId(0)].estimate.isKnown);
}

void TestTpuFamily::withoutFusionEveryNodeIsItsOwnKernel() {
    const Lowered model = block(with({}, false));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QCOMPARE(
        model.stage(Stage::Fused).kernels.size(), withoutConversions(model.stage(Stage::Fused)));
}

void TestTpuFamily::randomProductsStayUnderTheRoofs() {
    QRandomGenerator random(9);
    const QStringList machines = {"tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x"};
    for (int i = 0; i < 60; ++i) {
        ModelBuilder model;
        const std::int64_t m = random.bounded(1, 5000), n = random.bounded(1, 5000);
        const std::int64_t k = random.bounded(1, 5000);
        const auto x = model.input("x", {m, k});
        model.output(model.node(ir::Op::MatMul, {x, model.weight("w", {k, n})}));
        const Lowered result =
            lowered(model, with({}), machines[i % machines.size()].toStdString());
        QVERIFY2(result.error.empty(), result.error.c_str());
        const auto broken = violations(result);
        QVERIFY2(broken.empty(),
            qPrintable(QString("%1 x %2 x %3: ").arg(m).arg(n).arg(k)
                + QString::fromStdString(joined(broken))));
    }
}

void TestTpuFamily::graphsOfAtenLower() {
    const auto files = atenGraphs();
    QVERIFY(files.size() > 10);
    for (const std::string& file : files) {
        const Lowered model = lowerFile(families::tpu::family(), file, "tpu_v5e", with({}));
        QVERIFY2(model.error.empty(), (file + ": " + model.error).c_str());
        QVERIFY2(broken(model).empty(), (file + ": " + broken(model)).c_str());
        for (const Step& step : model.program.steps)
            QVERIFY2(step.estimate.isKnown, (file + ": " + step.name).c_str());
    }
}

QTEST_APPLESS_MAIN(TestTpuFamily)
#include "test_tpu_family.moc"
