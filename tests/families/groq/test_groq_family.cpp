// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/groq/chip.h"
#include "core/families/groq/cycles.h"
#include "core/families/groq/family.h"
#include "core/memory/memory.h"

#include <QtTest>

#include <set>

using namespace fivefold;
using namespace fivefold::families::groq;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

Settings at(machines::Precision precision, bool isFusionOn = true) {
    return settingsAt(precision, {}, isFusionOn);
}

Lowered block(
    const std::string& machine = "groq_lpu_v1", Settings settings = at(machines::Precision::Fp16)) {
    return lowerFile(families::groq::family(), kAttentionBlock, machine, std::move(settings));
}

} // namespace

class TestGroqFamily : public QObject {
    Q_OBJECT

private slots:
    void attentionBlockKeepsEveryRule_data();
    void attentionBlockKeepsEveryRule();
    void vectorsOf320Lanes_data();
    void vectorsOf320Lanes();
    void nothingIsDecidedByHardware_data();
    void nothingIsDecidedByHardware();
    void theHostIsTheRuntimesOnRequest();
    void aKernelHasOneEventOnAResource();
    void eventsStandAtWholeCycles();
    void transfersCrossTheLinksInCountedCycles();
    void theCycleViewOfAProductEndsOnItsCount();
    void theCycleViewNamesWhatCannotBeScheduled();
    void tensorsBeyondInt64HaveNoTime();
    void elementwiseWorkJoinsTheStream();
    void productCyclesAreWhole_data();
    void productCyclesAreWhole();
    void weightsBeyondOneChipNeedMore();
    void channelsLieInTheLanesOfConvolutions();
    void unpublishedFiguresAreNamed();
    void timesAreWholeCycles();
    void graphsOfAtenLower();
};

void TestGroqFamily::attentionBlockKeepsEveryRule_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<int>("precision");
    QTest::addColumn<bool>("isFusionOn");
    QTest::newRow("fp16") << "groq_lpu_v1" << int(machines::Precision::Fp16) << true;
    QTest::newRow("int8") << "groq_lpu_v1" << int(machines::Precision::Int8) << true;
    QTest::newRow("no chaining") << "groq_lpu_v1" << int(machines::Precision::Fp16) << false;
    QTest::newRow("LP30 fp8") << "groq_lp30" << int(machines::Precision::Fp8) << true;
}

void TestGroqFamily::attentionBlockKeepsEveryRule() {
    QFETCH(QString, machine);
    QFETCH(int, precision);
    QFETCH(bool, isFusionOn);
    const Lowered model =
        block(machine.toStdString(), at(machines::Precision(precision), isFusionOn));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    QCOMPARE(model.program.chips, std::int64_t{1});
    for (const memory::LevelUse& use : memory::use(model.program, *model.machine))
        QVERIFY(!use.capacity || use.peak <= *use.capacity);
}

void TestGroqFamily::vectorsOf320Lanes_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("vectors");
    QTest::addColumn<int>("idle");
    QTest::newRow("768") << 768 << 3 << 192;
    QTest::newRow("4096") << 4096 << 13 << 64;
    QTest::newRow("1024") << 1024 << 4 << 256;
    QTest::newRow("320") << 320 << 1 << 0;
}

void TestGroqFamily::vectorsOf320Lanes() {
    QFETCH(int, width);
    QFETCH(int, vectors);
    QFETCH(int, idle);
    ModelBuilder builder;
    const auto x = builder.input("x", {1, width});
    builder.output(builder.node(ir::Op::Exp, {x}));
    const Lowered model = lowerGraph(
        families::groq::family(), builder.finish(), "groq_lpu_v1", at(machines::Precision::Fp16));
    QVERIFY2(model.error.empty(), model.error.c_str());
    const StageGraph& graph = model.stage(Stage::LaidOut);
    const layout::TensorLayout& layout = *graph.values[graph.inputs.front()].layout;
    QCOMPARE(layout.axes.back().extent, std::int64_t{320});
    QCOMPARE(layout::deviceElements(layout), std::int64_t{vectors} * 320);
    QCOMPARE(layout::paddedElements(layout), std::int64_t{idle});
}

namespace {

std::shared_ptr<const ir::Graph> convolutions() {
    ModelBuilder builder;
    auto x = builder.input("x", {1, 3, 64, 64});
    x = builder.node(ir::Op::Conv, {x, builder.weight("w0", {32, 3, 3, 3})});
    x = builder.node(ir::Op::Relu, {x});
    x = builder.node(ir::Op::Conv, {x, builder.weight("w1", {64, 32, 3, 3})});
    builder.output(builder.node(ir::Op::GlobalAveragePool, {x}));
    return builder.finish();
}

std::shared_ptr<const ir::Graph> lookups() {
    ModelBuilder builder;
    const auto ids = builder.input("ids", {1, 16}, ir::DType::Int64);
    auto x = builder.node(ir::Op::Gather, {builder.weight("table", {1000, 64}), ids});
    x = builder.node(ir::Op::Softmax, {x});
    builder.output(x);
    return builder.finish();
}

/// Ten square products that need four chips.
std::shared_ptr<const ir::Graph> tenProducts() {
    ModelBuilder builder;
    auto x = builder.input("x", {1, 6400});
    for (int i = 0; i < 10; ++i)
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {6400, 6400})});
    builder.output(x);
    return builder.finish();
}

Lowered at16(
    std::shared_ptr<const ir::Graph> graph, std::map<std::string, std::string> values = {}) {
    return lowerGraph(families::groq::family(), std::move(graph), "groq_lpu_v1",
        settingsAt(machines::Precision::Fp16, std::move(values)));
}

} // namespace

void TestGroqFamily::nothingIsDecidedByHardware_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("countsHost");
    for (const char* model : {"attention", "convolutions", "lookups", "ten products"})
        for (const bool host : {false, true})
            QTest::addRow("%s%s", model, host ? ", host counted" : "") << model << host;
}

void TestGroqFamily::nothingIsDecidedByHardware() {
    QFETCH(QString, model);
    QFETCH(bool, countsHost);
    std::map<std::string, std::string> values;
    if (countsHost)
        values["host"] = "on";
    const Lowered lowered = model == "attention"
        ? block("groq_lpu_v1", settingsAt(machines::Precision::Fp16, values))
        : at16(model == "convolutions" ? convolutions()
                : model == "lookups"   ? lookups()
                                       : tenProducts(),
            values);
    QVERIFY2(lowered.error.empty(), lowered.error.c_str());
    QVERIFY2(broken(lowered).empty(), broken(lowered).c_str());
    QVERIFY(!lowered.program.events.empty());
    for (const Stage stage : kStages)
        for (const Node& node : lowered.stage(stage).nodes)
            QVERIFY2(
                node.decidedBy == DecidedBy::Compiler || node.decidedBy == DecidedBy::Programmer,
                node.name.c_str());
    for (const Buffer& buffer : lowered.program.buffers)
        QVERIFY(buffer.decidedBy == DecidedBy::Compiler);
    for (const Event& event : lowered.program.events) {
        const bool isHost =
            lowered.program.resources[event.resource].name.find("host") != std::string::npos;
        QVERIFY(event.decidedBy == (isHost ? DecidedBy::Runtime : DecidedBy::Compiler));
    }
}

void TestGroqFamily::theHostIsTheRuntimesOnRequest() {
    const Lowered plain = at16(convolutions()), counted = at16(convolutions(), {{"host", "on"}});
    const auto total = [](const Lowered& model) {
        double sum = 0;
        for (const Step& step : model.program.steps)
            sum += step.estimate.time.value;
        return sum;
    };
    // 1·3·64·64 and 1·64 fp16 over PCIe 4 ×16, in whole cycles of 0.9 GHz.
    const double in = std::ceil(3 * 64 * 64 * 2 / 32e9 * 0.9e9),
                 out = std::ceil(64 * 2 / 32e9 * 0.9e9);
    QVERIFY(std::abs((total(counted) - total(plain)) * 0.9e9 - in - out) < 1e-3);
}

void TestGroqFamily::aKernelHasOneEventOnAResource() {
    for (const Lowered& model : {block(), at16(tenProducts())}) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
        for (const Event& event : model.program.events) {
            QVERIFY(seen.insert({event.step.value, event.resource.value}).second);
            QCOMPARE(event.repeat, model.program.steps[event.step].executions);
        }
    }
}

void TestGroqFamily::eventsStandAtWholeCycles() {
    const Lowered model = block();
    for (const Event& event : model.program.events)
        for (const base::Picoseconds at : {event.start, event.end}) {
            const double cycle = static_cast<double>(at.value) * 0.9e9 / 1e12;
            QVERIFY2(
                std::abs(cycle - std::round(cycle)) < 1e-3, qPrintable(QString::number(cycle)));
        }
}

void TestGroqFamily::transfersCrossTheLinksInCountedCycles() {
    const Lowered model = at16(tenProducts());
    // 6,400 fp16 elements are 20 vectors of 320 lanes, 12,800 B; 16 links of 14 GB/s carry 248.9 B
    // a cycle of 0.9 GHz: 52 cycles.
    int transfers = 0;
    for (const Event& event : model.program.events)
        if (model.program.resources[event.resource].name == "C2C links") {
            ++transfers;
            const double cycles = base::toSeconds(event.end - event.start).value * 0.9e9;
            QVERIFY2(std::abs(cycles - 52) < 1e-2, qPrintable(QString::number(cycles)));
        }
    QCOMPARE(transfers, 3); // four chips in a row
    int nodes = 0;
    for (const Node& node : model.stage(Stage::Placed).nodes)
        if (node.op == "c2c_transfer") {
            ++nodes;
            QVERIFY(node.addedBy.find("crosses the links") != std::string::npos);
        }
    QCOMPARE(nodes, 3);
}

void TestGroqFamily::theCycleViewOfAProductEndsOnItsCount() {
    ModelBuilder builder;
    const auto x = builder.input("x", {128, 768});
    builder.output(builder.node(ir::Op::MatMul, {x, builder.weight("w", {768, 2304})}));
    const Lowered model = at16(builder.finish());
    QVERIFY2(model.error.empty(), model.error.c_str());
    const CycleView view = cycleView(
        *model.machine, machines::Precision::Fp16, model.stage(Stage::Scheduled), KernelId(0));
    // 24 tiles, four byte-plane passes each, two planes on tiles: 48 rounds of 64 rows; before
    // them 40 cycles of installation and 44 from the slices to the middle of the chip.
    QCOMPARE(view.cycles, std::int64_t{40 + 44 + 48 * 64});
    QVERIFY(!view.isEstimated);
    const auto phase = [&view](const char* unit, const char* what) -> const CyclePhase& {
        const auto found = std::ranges::find_if(view.phases, [&](const CyclePhase& p) {
            return view.units[p.unit] == unit && p.instruction.starts_with(what);
        });
        static const CyclePhase kNone;
        return found == view.phases.end() ? kNone : *found;
    };
    QCOMPARE(phase("MEM read", "Read weights").last, std::int64_t{20}); // 409,600 B ÷ 20,480 B
    QCOMPARE(phase("MXM", "Install").last, std::int64_t{40});
    QCOMPARE(phase("MXM", "Multiply").first, std::int64_t{84});
    QCOMPARE(phase("MXM", "Multiply").last, view.cycles);
    QCOMPARE(phase("MXM", "Multiply").period, std::int64_t{64});
    QCOMPARE(phase("MXM", "Multiply").repeat, std::int64_t{48});
    QCOMPARE(phase("MEM write", "Write").last, view.cycles);
    const auto& step = model.program.steps[StepId(0)];
    QVERIFY(std::abs(step.estimate.time.value * 0.9e9 - static_cast<double>(view.cycles)) < 1e-3);

    const auto rows = cycleRows(view, 84, 100);
    QCOMPARE(rows.size(), std::size_t{100});
    QCOMPARE(rows.front().cycle, std::int64_t{84});
    const std::size_t mxm = phase("MXM", "Multiply").unit;
    QVERIFY(rows.front().instructions[mxm].ends_with(" 1/48"));
    QVERIFY(rows[64].instructions[mxm].ends_with(" 2/48"));
    QVERIFY(cycleRows(view, view.cycles, 10).empty());
    QCOMPARE(cycleRows(view, view.cycles - 3, 100).size(), std::size_t{3});
}

void TestGroqFamily::theCycleViewNamesWhatCannotBeScheduled() {
    ModelBuilder builder;
    builder.output(builder.node(ir::Op::NonZero, {builder.input("x", {8, 8})}));
    const Lowered model = at16(builder.finish());
    const CycleView view = cycleView(
        *model.machine, machines::Precision::Fp16, model.stage(Stage::Scheduled), KernelId(0));
    QCOMPARE(view.cycles, std::int64_t{0});
    QVERIFY(view.note.find("cannot be scheduled") != std::string::npos);
    QVERIFY(cycleRows(view, 0, 10).empty());

    const Lowered lp30 = block("groq_lp30", at(machines::Precision::Fp8));
    QVERIFY(cycleView(
        *lp30.machine, machines::Precision::Fp8, lp30.stage(Stage::Scheduled), KernelId(0))
                .isEstimated);
}

void TestGroqFamily::tensorsBeyondInt64HaveNoTime() {
    ModelBuilder builder;
    const auto x = builder.input("x", {std::int64_t{1} << 31, std::int64_t{1} << 31});
    builder.output(builder.node(ir::Op::Exp, {x}));
    const Lowered model = at16(builder.finish());
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY(!model.program.steps[StepId(0)].estimate.isKnown);
    for (const Buffer& buffer : model.program.buffers)
        QVERIFY(buffer.bytes.value >= 0);
}

void TestGroqFamily::elementwiseWorkJoinsTheStream() {
    const Lowered model = block();
    const StageGraph& graph = model.stage(Stage::Fused);
    const auto product = kernelsOf(graph, findNode(*model.graph, ir::Op::MatMul, 0));
    const auto bias = kernelsOf(graph, findNode(*model.graph, ir::Op::Add, 2));
    QCOMPARE(product, bias);
    QVERIFY(block("groq_lpu_v1", at(machines::Precision::Fp16, false))
                .stage(Stage::Fused)
                .kernels.size()
        > graph.kernels.size());
    for (const Kernel& kernel : graph.kernels)
        QVERIFY(kernel.reason.size() > 20 && kernel.kind == "chain");
}

void TestGroqFamily::productCyclesAreWhole_data() {
    QTest::addColumn<QList<qint64>>("shape"); // m n k
    QTest::addColumn<int>("bytes");
    QTest::addColumn<qint64>("cycles");
    // int8, one tile: the rows over four planes, but never less than the installation.
    QTest::newRow("int8, one tile, 1600 rows") << QList<qint64>{1600, 320, 320} << 1 << qint64{400};
    QTest::newRow("int8, one tile, one row") << QList<qint64>{1, 320, 320} << 1 << qint64{40};
    QTest::newRow("int8, four tiles, 100 rows") << QList<qint64>{100, 640, 640} << 1 << qint64{100};
    // fp16 takes four byte-plane passes a tile.
    QTest::newRow("fp16, one tile, 100 rows") << QList<qint64>{100, 320, 320} << 2 << qint64{100};
    QTest::newRow("fp16, padding to whole tiles")
        << QList<qint64>{128, 2304, 768} << 2 << qint64{8 * 3 * 128};
}

void TestGroqFamily::productCyclesAreWhole() {
    QFETCH(QList<qint64>, shape);
    QFETCH(int, bytes);
    QFETCH(qint64, cycles);
    Chip chip;
    chip.elementBytes = bytes;
    QCOMPARE(productCycles(chip, shape[0], shape[1], shape[2], 1), cycles);
}

void TestGroqFamily::weightsBeyondOneChipNeedMore() {
    ModelBuilder builder;
    auto x = builder.input("x", {1, 6400});
    for (int i = 0; i < 10; ++i)
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {6400, 6400})});
    builder.output(x);
    const Lowered model = lowerGraph(
        families::groq::family(), builder.finish(), "groq_lpu_v1", at(machines::Precision::Fp16));
    QVERIFY2(model.error.empty(), model.error.c_str());
    // 10 · 81.92 MB over 220 MiB a chip.
    QCOMPARE(model.program.chips, std::int64_t{4});
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    bool crosses = false;
    for (const Step& step : model.program.steps)
        for (const TimePart& part : step.estimate.scheduling)
            crosses = crosses || part.name == "chip to chip";
    QVERIFY(crosses);
}

void TestGroqFamily::channelsLieInTheLanesOfConvolutions() {
    ModelBuilder builder;
    const auto x = builder.input("x", {1, 64, 56, 56});
    builder.output(builder.node(ir::Op::Conv, {x, builder.weight("w", {320, 64, 3, 3})}));
    const Lowered model = lowerGraph(
        families::groq::family(), builder.finish(), "groq_lpu_v1", at(machines::Precision::Fp16));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    const StageGraph& graph = model.stage(Stage::LaidOut);
    QCOMPARE(graph.values[graph.inputs.front()].layout->axes.back().dimension, 1);
    QCOMPARE(graph.values[graph.nodes[NodeId(0)].inputs[1]].layout->axes.back().dimension, 0);
}

void TestGroqFamily::unpublishedFiguresAreNamed() {
    const Lowered model = block("groq_lp30", at(machines::Precision::Fp8));
    QCOMPARE(model.diagnostics.count("groq.unpublished"), std::int64_t{1});
    QVERIFY(!model.machine->clock.isKnown());
    for (const Step& step : model.program.steps)
        QVERIFY(step.estimate.because.find("not published") != std::string::npos);
    QCOMPARE(block().diagnostics.count("groq.unpublished"), std::int64_t{0});
}

void TestGroqFamily::timesAreWholeCycles() {
    const Lowered model = block();
    const double clock = *model.machine->clock.value;
    for (const Step& step : model.program.steps) {
        const double cycles = step.estimate.compute.value * clock;
        const bool isAtPeak =
            std::abs(step.estimate.compute.value
                - step.estimate.flops.value / *model.machine->peak(machines::Precision::Fp16))
            < 1e-15;
        QVERIFY2(isAtPeak || std::abs(cycles - std::round(cycles)) < 1e-3, step.name.c_str());
    }
}

void TestGroqFamily::graphsOfAtenLower() {
    const auto files = atenGraphs();
    QVERIFY(files.size() > 10);
    for (const std::string& file : files) {
        const Lowered model =
            lowerFile(families::groq::family(), file, "groq_lpu_v1", at(machines::Precision::Fp16));
        QVERIFY2(model.error.empty(), (file + ": " + model.error).c_str());
        QVERIFY2(broken(model).empty(), (file + ": " + broken(model)).c_str());
        for (const Step& step : model.program.steps)
            QVERIFY2(step.estimate.isKnown, (file + ": " + step.name).c_str());
    }
}

QTEST_APPLESS_MAIN(TestGroqFamily)
#include "test_groq_family.moc"
