// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/tpu/family.h"
#include "core/families/tpu/windows.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::lowering;
using namespace fivefold::test;

/// What XLA's own TPU compiler does with small programs (jax 0.10.2, ahead of time): which
/// operators share a kernel, where conversions stand, what is copied ahead, how a product walks.
namespace {

using Shape = std::vector<std::int64_t>;

Settings with(std::map<std::string, std::string> values = {}) {
    return settingsAt(machines::Precision::Bf16, std::move(values));
}

Lowered lowered(
    ModelBuilder& model, const std::string& machine = "tpu_v5e", Settings settings = with()) {
    return lowerGraph(families::tpu::family(), model.finish(), machine, std::move(settings));
}

ir::Attributes axes(std::int64_t axis) {
    ir::Attributes attributes;
    attributes.set("axes", Shape{axis});
    return attributes;
}

ir::Attributes permutation(Shape order) {
    ir::Attributes attributes;
    attributes.set("perm", std::move(order));
    return attributes;
}

/// Kinds of the kernels that run, copies apart: "output fusion, reduce, …".
QString kinds(const Lowered& model, Stage stage = Stage::Scheduled) {
    QStringList list;
    for (const Kernel& kernel : model.stage(stage).kernels)
        if (kernel.kind != "bitcast" && kernel.kind != "tuple" && kernel.kind != "copy"
            && kernel.kind != "copy-start" && kernel.kind != "copy-done")
            list << QString::fromStdString(kernel.kind);
    return list.join(", ");
}

int count(const Lowered& model, const std::string& op, Stage stage = Stage::Scheduled) {
    int found = 0;
    for (const Node& node : model.stage(stage).nodes)
        found += node.op == op;
    return found;
}

const Kernel* kernelOf(const Lowered& model, const std::string& op) {
    const StageGraph& graph = model.stage(Stage::Scheduled);
    for (const Node& node : graph.nodes)
        if (node.op == op)
            return &graph.kernels[node.kernel];
    return nullptr;
}

std::vector<std::string> operators(const Lowered& model, const Kernel& kernel) {
    std::vector<std::string> ops;
    for (const NodeId id : kernel.nodes)
        ops.push_back(model.stage(Stage::Scheduled).nodes[id].op);
    return ops;
}

void verifySound(const Lowered& model) {
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
}

/// Softmax of q·kᵀ/8 times v: batch 12, 128 rows, `keys` keys of 64.
ModelBuilder attention(std::int64_t keys) {
    ModelBuilder model;
    const auto q = model.input("q", {12, 128, 64}), k = model.input("k", {12, 64, keys});
    const auto v = model.input("v", {12, keys, 64});
    const auto scores = model.node(ir::Op::MatMul, {q, k});
    const auto scaled = model.node(ir::Op::Div, {scores, model.scalar("root", 8)});
    model.output(model.node(ir::Op::MatMul, {model.node(ir::Op::Softmax, {scaled}), v}));
    return model;
}

/// tanh(x·w1)·w2
ModelBuilder mlp(std::int64_t inner, std::int64_t outer) {
    ModelBuilder model;
    const auto x = model.input("x", {1024, 768});
    const auto a = model.node(ir::Op::MatMul, {x, model.weight("w1", {768, inner})});
    const auto b = model.node(ir::Op::Tanh, {a});
    model.output(model.node(ir::Op::MatMul, {b, model.weight("w2", {inner, outer})}));
    return model;
}

} // namespace

class TestTpuXla : public QObject {
    Q_OBJECT

private slots:
    void softmaxBeforeAProductIsABuiltinCall_data();
    void softmaxBeforeAProductIsABuiltinCall();
    void aProductIsComputedInsideTheNext_data();
    void aProductIsComputedInsideTheNext();
    void aPointwiseConvolutionTakesA3x3In_data();
    void aPointwiseConvolutionTakesA3x3In();
    void aRowMaximumJoinsItsProduct();
    void reductionsOfOneOperandAreOnePass();
    void aSumThatIsReadTwiceIsASecondOutput();
    void rowSizedMathsIsAKernelOfItsOwn();
    void oneRowIsMultipliedAndReduced_data();
    void oneRowIsMultipliedAndReduced();
    void divisionByEightIsAMultiplication();
    void indicesAreWrappedThenClamped();
    void sixteenBitArithmeticIsF32BetweenConversions_data();
    void sixteenBitArithmeticIsF32BetweenConversions();
    void fp32NeedsNoConversion();
    void windowsFollowXla_data();
    void windowsFollowXla();
    void windowsFitTheKernelsMemory();
    void oneParameterIsPrefetchedAcrossPrograms_data();
    void oneParameterIsPrefetchedAcrossPrograms();
    void laterWeightsAreCopiedWhileKernelsRun();
    void relayoutsFollowXla_data();
    void relayoutsFollowXla();
    void valuesOnChipSayTheirMemorySpace();
    void everyEventHasItsDecider();
};

void TestTpuXla::softmaxBeforeAProductIsABuiltinCall_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<int>("keys");
    QTest::addColumn<bool>("isBuiltin");
    QTest::newRow("v4 never") << "tpu_v4" << 256 << false;
    QTest::newRow("v5e") << "tpu_v5e" << 128 << true;
    QTest::newRow("v5p") << "tpu_v5p" << 128 << true;
    QTest::newRow("v6e, few keys") << "tpu_v6e" << 128 << false;
    QTest::newRow("v6e") << "tpu_v6e" << 256 << true;
    QTest::newRow("v7x, few keys") << "tpu_v7x" << 128 << false;
    QTest::newRow("v7x") << "tpu_v7x" << 256 << true;
}

void TestTpuXla::softmaxBeforeAProductIsABuiltinCall() {
    QFETCH(QString, machine);
    QFETCH(int, keys);
    QFETCH(bool, isBuiltin);
    ModelBuilder builder = attention(keys);
    const Lowered model = lowered(builder, machine.toStdString());
    verifySound(model);
    // Else: product with row maximum, exponentials and their sum, product with the normalisation.
    QCOMPARE(kinds(model),
        isBuiltin ? QString("output fusion, builtin")
                  : QString("output fusion, loop fusion, output fusion"));
    if (!isBuiltin) {
        const auto first = operators(model, *kernelOf(model, "dot"));
        QVERIFY(std::ranges::find(first, "reduce-max") != first.end());
    }
}

void TestTpuXla::aProductIsComputedInsideTheNext_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<int>("inner");
    QTest::addColumn<int>("outer");
    QTest::addColumn<int>("kernels");
    QTest::newRow("v4, 768 columns") << "tpu_v4" << 3072 << 768 << 1;
    QTest::newRow("v5e, 768 columns") << "tpu_v5e" << 3072 << 768 << 1;
    QTest::newRow("v5e, 1024 columns") << "tpu_v5e" << 3072 << 1024 << 2;
    QTest::newRow("v6e, 1024 columns") << "tpu_v6e" << 3072 << 1024 << 1;
    QTest::newRow("v7x, 1024 columns") << "tpu_v7x" << 3072 << 1024 << 1;
}

void TestTpuXla::aProductIsComputedInsideTheNext() {
    QFETCH(QString, machine);
    QFETCH(int, inner);
    QFETCH(int, outer);
    QFETCH(int, kernels);
    ModelBuilder builder = mlp(inner, outer);
    const Lowered model = lowered(builder, machine.toStdString());
    verifySound(model);
    QCOMPARE(kinds(model).split(", ").size(), kernels);
    QCOMPARE(count(model, "dot"), 2);
}

void TestTpuXla::aPointwiseConvolutionTakesA3x3In_data() {
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::addColumn<int>("kernels");
    QTest::newRow("3x3 into 1x1") << 3 << 1 << 1;
    QTest::newRow("1x1 into 3x3") << 1 << 3 << 2;
    QTest::newRow("3x3 into 3x3") << 3 << 3 << 2;
}

void TestTpuXla::aPointwiseConvolutionTakesA3x3In() {
    QFETCH(int, first);
    QFETCH(int, second);
    QFETCH(int, kernels);
    ModelBuilder builder;
    const auto x = builder.input("x", {8, 64, 56, 56});
    const auto a = builder.node(ir::Op::Conv, {x, builder.weight("w1", {64, 64, first, first})});
    const auto b = builder.node(ir::Op::Relu, {a});
    builder.output(
        builder.node(ir::Op::Conv, {b, builder.weight("w2", {256, 64, second, second})}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model).split(", ").size(), kernels);
}

void TestTpuXla::aRowMaximumJoinsItsProduct() {
    ModelBuilder builder; // a router: softmax over eight experts
    const auto x = builder.input("x", {512, 1024});
    const auto y = builder.node(ir::Op::MatMul, {x, builder.weight("w", {1024, 8})});
    builder.output(builder.node(ir::Op::Softmax, {y}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model), QString("output fusion, loop fusion, loop fusion"));
}

void TestTpuXla::reductionsOfOneOperandAreOnePass() {
    ModelBuilder builder;
    const auto x = builder.input("x", {1024, 1024});
    builder.output(builder.node(ir::Op::ReduceMax, {x}, axes(0)));
    builder.output(builder.node(ir::Op::ReduceMax, {x}, axes(1)));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model), QString("loop fusion"));
}

void TestTpuXla::aSumThatIsReadTwiceIsASecondOutput() {
    ModelBuilder
        builder; // x + r is normalised and added again: sums of it, of its squares, product
    const auto x = builder.input("x", {512, 1024}), r = builder.input("r", {512, 1024});
    const auto sum = builder.node(ir::Op::Add, {x, r});
    const auto norm = builder.node(ir::Op::LayerNormalization,
        {sum, builder.weight("scale", {1024}), builder.weight("bias", {1024})});
    const auto y = builder.node(ir::Op::MatMul, {norm, builder.weight("w", {1024, 1024})});
    builder.output(builder.node(ir::Op::Add, {y, sum}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model), QString("loop fusion, loop, loop fusion, loop fusion, output fusion"));
    int sums = 0; // of the two inputs, made once
    for (const Node& node : model.stage(Stage::Scheduled).nodes)
        sums += node.op == "add" && node.name.find("Add_0") == 0;
    QCOMPARE(sums, 1);
}

void TestTpuXla::rowSizedMathsIsAKernelOfItsOwn() {
    ModelBuilder builder;
    const auto x = builder.input("x", {256, 4096});
    builder.output(builder.node(ir::Op::RMSNormalization, {x, builder.weight("scale", {4096})}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model), QString("loop fusion, loop fusion, loop fusion"));
}

void TestTpuXla::oneRowIsMultipliedAndReduced_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<bool>("keepsDot");
    QTest::newRow("v4") << "tpu_v4" << false;
    QTest::newRow("v5e") << "tpu_v5e" << false;
    QTest::newRow("v6e") << "tpu_v6e" << false;
    QTest::newRow("v7x") << "tpu_v7x" << true;
}

void TestTpuXla::oneRowIsMultipliedAndReduced() {
    QFETCH(QString, machine);
    QFETCH(bool, keepsDot);
    for (const bool isRow : {true, false}) {
        ModelBuilder builder;
        const auto a = builder.input("a", isRow ? Shape{1, 512} : Shape{384, 512});
        const auto b = builder.weight("b", isRow ? Shape{512, 384} : Shape{512, 1});
        builder.output(builder.node(ir::Op::MatMul, {a, b}));
        const Lowered model = lowered(builder, machine.toStdString());
        verifySound(model);
        QCOMPARE(count(model, "dot"), keepsDot ? 1 : 0);
        // One row: its unit axis goes by a reduction of its own.
        QCOMPARE(count(model, "reduce-add"), keepsDot ? 0 : (isRow ? 2 : 1));
        const StageGraph& graph = model.stage(Stage::Scheduled);
        QCOMPARE(
            *graph.values[graph.outputs.front()].shape, isRow ? (Shape{1, 384}) : (Shape{384, 1}));
    }
}

void TestTpuXla::divisionByEightIsAMultiplication() {
    ModelBuilder builder;
    const auto x = builder.input("x", {64, 128});
    const auto y = builder.node(ir::Op::Div, {x, builder.scalar("eight", 8)});
    builder.output(builder.node(ir::Op::Div, {y, builder.scalar("three", 3)}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(count(model, "divide"), 1);
    QCOMPARE(count(model, "multiply"), 1);
    for (const Value& value : model.stage(Stage::Decomposed).values)
        if (value.name.find("reciprocal") != std::string::npos)
            QCOMPARE(*value.fill, 0.125);
}

void TestTpuXla::indicesAreWrappedThenClamped() {
    ModelBuilder builder;
    const auto ids = builder.input("ids", {128}, ir::DType::Int64);
    builder.output(builder.node(ir::Op::Gather, {builder.weight("table", {50257, 768}), ids}));
    const Lowered model = lowered(builder);
    verifySound(model);
    QCOMPARE(kinds(model), QString("loop fusion, loop, custom"));
    const Kernel* wrap = kernelOf(model, "select");
    QVERIFY(wrap);
    QCOMPARE(operators(model, *wrap).size(), std::size_t(3)); // compare, add, select
    const StageGraph& graph = model.stage(Stage::Scheduled);
    for (const Node& node : graph.nodes)
        if (node.op == "clamp")
            QCOMPARE(*graph.values[node.inputs[2]].fill, 50256.0); // nothing reaches past the table
}

void TestTpuXla::sixteenBitArithmeticIsF32BetweenConversions_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<int>("conversions");
    QTest::newRow("v5e: both operands in, the result out") << "tpu_v5e" << 3;
    QTest::newRow("v7x: native") << "tpu_v7x" << 0;
}

void TestTpuXla::sixteenBitArithmeticIsF32BetweenConversions() {
    QFETCH(QString, machine);
    QFETCH(int, conversions);
    ModelBuilder builder; // five additions of two arrays, one kernel
    const auto x = builder.input("x", {1024, 1024}), y = builder.input("y", {1024, 1024});
    auto sum = x;
    for (int i = 0; i < 5; ++i)
        sum = builder.node(ir::Op::Add, {sum, y});
    builder.output(sum);
    const Lowered model = lowered(builder, machine.toStdString());
    verifySound(model);
    QCOMPARE(count(model, "convert"), conversions);
    const StageGraph& graph = model.stage(Stage::Scheduled);
    QCOMPARE(graph.kernels.size(), std::size_t(1));
    QVERIFY(graph.values[graph.outputs.front()].dtype == ir::DType::BFloat16);
    for (const Node& node : graph.nodes)
        if (node.op == "add")
            QVERIFY(graph.values[node.outputs[0]].dtype
                == (conversions > 0 ? ir::DType::Float32 : ir::DType::BFloat16));
}

void TestTpuXla::fp32NeedsNoConversion() {
    ModelBuilder builder;
    const auto x = builder.input("x", {64, 128});
    builder.output(builder.node(ir::Op::Softmax, {builder.node(ir::Op::Exp, {x})}));
    Lowered model = lowerGraph(families::tpu::family(), builder.finish(), "tpu_v5e",
        settingsAt(machines::Precision::Fp32));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QCOMPARE(count(model, "convert"), 0);
}

void TestTpuXla::windowsFollowXla_data() {
    QTest::addColumn<double>("clock"); // of XLA's estimate
    QTest::addColumn<double>("bandwidth");
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("elementBytes");
    QTest::addColumn<QList<qint64>>("window"); // k in 8, n in 128, steps along n, m, k
    using List = QList<qint64>;
    QTest::newRow("v5e 128") << 1.5e9 << 819e9 << 128 << 2 << List{16, 1, 1, 1, 1};
    QTest::newRow("v5e 1024") << 1.5e9 << 819e9 << 1024 << 2 << List{128, 8, 1, 3, 1};
    QTest::newRow("v5e 1024 f32") << 1.5e9 << 819e9 << 1024 << 4 << List{128, 8, 1, 4, 1};
}

void TestTpuXla::windowsFollowXla() {
    QFETCH(double, clock);
    QFETCH(double, bandwidth);
    QFETCH(int, side);
    QFETCH(int, elementBytes);
    QFETCH(QList<qint64>, window);
    families::tpu::Device device;
    device.clock = clock;
    device.hbmBandwidth = bandwidth;
    const auto plan = planWindows(device, {1, side, side, side}, elementBytes);
    QCOMPARE((QList<qint64>{plan.k8, plan.n128, plan.stepsN, plan.stepsM, plan.stepsK}), window);
}

void TestTpuXla::windowsFitTheKernelsMemory() {
    families::tpu::Device device;
    for (const std::int64_t size : {64, 1000, 4096, 20000})
        for (const std::int64_t k : {128, 777, 8192}) {
            const auto plan = planWindows(device, {1, size, size, k}, 2);
            QVERIFY(plan.bytes <= device.windowBytes);
            QCOMPARE(plan.stepsN, ((size + 127) / 128 + plan.n128 - 1) / plan.n128);
            QCOMPARE(plan.stepsM, ((size + 7) / 8 + plan.m8 - 1) / plan.m8);
        }
}

void TestTpuXla::oneParameterIsPrefetchedAcrossPrograms_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("parameter"); // empty: none
    QTest::newRow("the larger operand of a product") << "product"
                                                     << "w";
    QTest::newRow("the first of equal ones") << "square"
                                             << "x";
    QTest::newRow("the kernel of a convolution") << "convolution"
                                                 << "w";
    QTest::newRow("elementwise: none") << "elementwise"
                                       << "";
    QTest::newRow("softmax: none") << "softmax"
                                   << "";
    QTest::newRow("a lone reduction") << "reduction"
                                      << "x";
}

void TestTpuXla::oneParameterIsPrefetchedAcrossPrograms() {
    QFETCH(QString, model);
    QFETCH(QString, parameter);
    ModelBuilder builder;
    if (model == "product")
        builder.output(builder.node(
            ir::Op::MatMul, {builder.input("x", {128, 1024}), builder.weight("w", {1024, 2816})}));
    else if (model == "square")
        builder.output(builder.node(
            ir::Op::MatMul, {builder.input("x", {1024, 1024}), builder.input("w", {1024, 1024})}));
    else if (model == "convolution")
        builder.output(builder.node(ir::Op::Conv,
            {builder.input("x", {8, 64, 56, 56}), builder.weight("w", {64, 64, 3, 3})}));
    else if (model == "elementwise")
        builder.output(builder.node(
            ir::Op::Add, {builder.input("x", {1024, 1024}), builder.input("y", {1024, 1024})}));
    else if (model == "softmax")
        builder.output(builder.node(ir::Op::Softmax, {builder.input("x", {512, 65})}));
    else
        builder.output(
            builder.node(ir::Op::ReduceMax, {builder.input("x", {1024, 1024})}, axes(1)));
    const Lowered result = lowered(builder);
    verifySound(result);
    const StageGraph& graph = result.stage(Stage::Placed);
    QStringList prefetched;
    for (const Node& node : graph.nodes)
        if (node.op == "copy-start" && node.addedBy.find("across calls") != std::string::npos)
            prefetched << QString::fromStdString(graph.values[node.inputs[0]].name);
    QCOMPARE(prefetched.join(","), parameter);
    QCOMPARE(count(result, "copy-start"), count(result, "copy-done"));
}

void TestTpuXla::laterWeightsAreCopiedWhileKernelsRun() {
    ModelBuilder builder;
    auto x = builder.input("x", {4096, 2048});
    for (int i = 0; i < 4; ++i)
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {2048, 2048})});
    builder.output(x);
    const Lowered model = lowered(builder);
    verifySound(model);
    QVERIFY(count(model, "copy-start") >= 3); // one from the start, the later ones ahead
    const StageGraph& graph = model.stage(Stage::Scheduled);
    const auto vmem = *model.machine->memoryIndex("VMEM");
    std::int64_t ahead = 0;
    for (const Event& event : model.program.events) {
        const Step& step = model.program.steps[event.step];
        if (graph.kernels[step.kernel].kind != "copy-start")
            continue;
        ahead += event.end > event.start;
        // 8 MiB at 87 % of 819 GB/s.
        if (step.estimate.hidden.value > 0)
            QVERIFY(std::abs(step.estimate.hidden.value - 8388608 / (819e9 * 0.87)) < 2e-6);
    }
    QVERIFY(ahead >= 2);
    int buffers = 0;
    for (const Buffer& buffer : model.program.buffers)
        buffers += buffer.level == vmem && buffer.bytes.value == 8388608
            && buffer.reason.find("asynchronous copy") != std::string::npos;
    QCOMPARE(buffers, count(model, "copy-start") - 1); // the one from the start is the input
    // What is read ahead is not read again: every weight crosses HBM once.
    std::int64_t read = 0;
    for (const Step& step : model.program.steps)
        for (const LevelTraffic& traffic : step.estimate.traffic)
            if (model.machine->memories[traffic.level].kind == machines::MemoryKind::Device)
                read += traffic.read.value;
    QCOMPARE(read, std::int64_t{4096} * 2048 * 2 + 4 * 8388608);
}

void TestTpuXla::relayoutsFollowXla_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("copies"); // that run, by XLA's own list for v5e
    QTest::newRow("a transpose is a copy") << "transpose" << 1;
    QTest::newRow("and one copy serves the addition behind it") << "transpose, add" << 1;
    QTest::newRow("a convolution leaves its batch in the sublanes") << "convolution" << 1;
    QTest::newRow("the builtin call wants row-major values, the result goes back")
        << "attention" << 2;
    QTest::newRow("a product writes the entry layout") << "odd product" << 0;
    QTest::newRow("so do its readers") << "router" << 0;
}

void TestTpuXla::relayoutsFollowXla() {
    QFETCH(QString, model);
    QFETCH(int, copies);
    ModelBuilder builder;
    if (model.startsWith("transpose")) {
        const auto x = builder.input("x", {1024, 768});
        const auto y = builder.node(ir::Op::Transpose, {x}, permutation({1, 0}));
        builder.output(model == "transpose"
                ? y
                : builder.node(ir::Op::Add, {y, builder.input("y", {768, 1024})}));
    } else if (model == "convolution") {
        ir::Attributes pads;
        pads.set("pads", Shape{1, 1, 1, 1});
        builder.output(builder.node(ir::Op::Conv,
            {builder.input("x", {8, 64, 56, 56}), builder.weight("w", {64, 64, 3, 3})}, pads));
    } else if (model == "attention") {
        const auto q = builder.input("q", {2, 12, 256, 64}),
                   k = builder.input("k", {2, 12, 256, 64});
        const auto v = builder.input("v", {2, 12, 256, 64});
        const auto scores = builder.node(
            ir::Op::MatMul, {q, builder.node(ir::Op::Transpose, {k}, permutation({0, 1, 3, 2}))});
        const auto scaled = builder.node(ir::Op::Div, {scores, builder.scalar("root", 8)});
        builder.output(builder.node(ir::Op::MatMul, {builder.node(ir::Op::Softmax, {scaled}), v}));
    } else if (model == "odd product") {
        builder.output(builder.node(
            ir::Op::MatMul, {builder.input("x", {100, 72}), builder.input("w", {72, 91})}));
    } else {
        const auto y = builder.node(
            ir::Op::MatMul, {builder.input("x", {512, 1024}), builder.weight("w", {1024, 8})});
        builder.output(builder.node(ir::Op::Softmax, {y}));
    }
    const Lowered result = lowered(builder);
    verifySound(result);
    int found = 0;
    for (const Kernel& kernel : result.stage(Stage::Scheduled).kernels)
        found += kernel.kind == "copy";
    QCOMPARE(found, copies);
}

void TestTpuXla::valuesOnChipSayTheirMemorySpace() {
    for (const auto& [machine, space] :
        {std::pair{"tpu_v5e", "S(1)}"}, std::pair{"tpu_v4", "S(3)}"}}) {
        ModelBuilder builder;
        builder.output(builder.node(ir::Op::Softmax, {builder.input("x", {512, 256})}));
        const Lowered model = lowered(builder, machine);
        verifySound(model);
        bool isMarked = false;
        for (const Value& value : model.stage(Stage::Placed).values)
            if (value.layout && value.producer.isValid())
                isMarked =
                    isMarked || QString::fromStdString(value.layout->notation).endsWith(space);
        QVERIFY(isMarked);
        for (const Value& value : model.stage(Stage::LaidOut).values)
            if (value.layout)
                QVERIFY(value.layout->notation.find("S(") == std::string::npos);
    }
}

void TestTpuXla::everyEventHasItsDecider() {
    const Lowered model =
        lowerFile(families::tpu::family(), kAttentionBlock, "tpu_v5e", with({{"dispatch", "on"}}));
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    int runtime = 0;
    for (const Event& event : model.program.events) {
        const bool isHost = model.program.resources[event.resource].name == "host";
        QVERIFY(event.decidedBy == (isHost ? DecidedBy::Runtime : DecidedBy::Compiler));
        runtime += isHost;
    }
    QCOMPARE(runtime, 1); // the dispatch of the call
    for (const Stage stage : {Stage::Decomposed, Stage::Placed, Stage::Scheduled})
        for (const Node& node : model.stage(stage).nodes)
            QVERIFY(node.decidedBy == DecidedBy::Compiler
                || (node.addedBy.empty() && node.decidedBy == DecidedBy::Programmer));
    for (const Buffer& buffer : model.program.buffers)
        QVERIFY(buffer.decidedBy == DecidedBy::Compiler);
}

QTEST_APPLESS_MAIN(TestTpuXla)
#include "test_tpu_xla.moc"
