// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/cerebras/fabric.h"
#include "core/families/cerebras/family.h"
#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/packer.h"
#include "core/layout/tensor_layout.h"
#include "core/memory/memory.h"

#include <QFile>
#include <QRandomGenerator>
#include <QtTest>

#include <map>
#include <set>

using namespace fivefold;
using namespace fivefold::families::cerebras;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

Settings with(std::map<std::string, std::string> values, bool isFusionOn = true) {
    return settingsAt(machines::Precision::Fp16, std::move(values), isFusionOn);
}

Lowered block(const std::string& machine = "cerebras_wse3", Settings settings = with({})) {
    return lowerFile(families::cerebras::family(), kAttentionBlock, machine, std::move(settings));
}

/// Layers of a product and a normalisation of its rows over the heads, one after another.
std::shared_ptr<const ir::Graph> layers(int count, std::int64_t rows, std::int64_t width) {
    ModelBuilder builder;
    auto x = builder.input("x", {1, rows, width});
    for (int i = 0; i < count; ++i) {
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {width, width})});
        x = builder.node(ir::Op::Softmax, {x});
    }
    builder.output(x);
    return builder.finish();
}

bool areApart(const Rectangle& a, const Rectangle& b) {
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y
        || b.y + b.height <= a.y;
}

std::string op(const Lowered& model, const Step& step) {
    return model.stage(Stage::Scheduled).nodes[step.mainNode].op;
}

} // namespace

class TestCerebrasFamily : public QObject {
    Q_OBJECT

private slots:
    void rectanglesTileTheFloor_data();
    void rectanglesTileTheFloor();
    void squaresOfEqualSidesFitWithoutOverlap();
    void moreDemandsThanCellsCannotBePacked();
    void areasFollowTheDemands();
    void attentionBlockKeepsEveryRule_data();
    void attentionBlockKeepsEveryRule();
    void regionsOfTheAttentionBlockDoNotOverlap();
    void softmaxIsTwoAllReducesInOneRegion();
    void elementwiseWorkFoldsIntoItsProducer();
    void handOffsBetweenDifferentBlocksAreAdded();
    void noPeHoldsMoreThanItsMemory();
    void modelThatDoesNotFitStreamsItsWeights();
    void streamingTakesWeightsOverTheEdge();
    void resultOfUnknownShapeIsRefused();
    void gemvMatchesTheFittedCycles();
    void everyHandOffBetweenRegionsIsATransfer();
    void hopsAreCountedBetweenMiddles();
    void aForcedPipelineSaysWhichLayerDoesNotFit();
    void routesAreCompiledAndArrivalsStartTasks();
    void tensorsBeyondInt64HaveNoTime();
    void graphsOfAtenLower();
    void everyBufferIsTheBlockOfItsLayout_data();
    void everyBufferIsTheBlockOfItsLayout();
    void equalLayersTakeEqualTimes();
    void everySpillIsReported();
};

void TestCerebrasFamily::rectanglesTileTheFloor_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("count");
    QTest::newRow("one part") << 762 << 1172 << 1;
    QTest::newRow("a layer's parts") << 762 << 1172 << 7;
    QTest::newRow("many parts") << 762 << 1172 << 3000;
    QTest::newRow("as many parts as cells") << 13 << 7 << 91;
    QTest::newRow("almost as many") << 16 << 16 << 250;
    QTest::newRow("a strip") << 1 << 50 << 50;
}

void TestCerebrasFamily::rectanglesTileTheFloor() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, count);
    QRandomGenerator random(5);
    std::vector<double> demands;
    for (int i = 0; i < count; ++i)
        demands.push_back(std::pow(10, random.bounded(6.0) - 1));
    const auto packed = packRectangles({0, 0, width, height}, demands);
    QVERIFY(packed);
    std::int64_t area = 0;
    std::vector<int> cells(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
    for (const Rectangle& r : *packed) {
        QVERIFY(r.width >= 1 && r.height >= 1);
        QVERIFY(r.x >= 0 && r.y >= 0 && r.x + r.width <= width && r.y + r.height <= height);
        area += r.area();
        for (std::int64_t y = r.y; y < r.y + r.height; ++y)
            for (std::int64_t x = r.x; x < r.x + r.width; ++x)
                ++cells[static_cast<std::size_t>(y * width + x)];
    }
    QCOMPARE(area, std::int64_t{width} * height);
    QVERIFY(std::ranges::all_of(cells, [](int n) { return n == 1; }));
}

void TestCerebrasFamily::squaresOfEqualSidesFitWithoutOverlap() {
    const std::vector<std::int64_t> sides{3, 500, 3, 100, 100, 100, 40, 3, 1};
    const auto packed = packSquares({0, 0, 762, 1172}, sides);
    QVERIFY(packed);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Rectangle& r = (*packed)[i];
        QVERIFY(r.width == sides[i] && r.height == sides[i]);
        QVERIFY(r.x >= 0 && r.y >= 0 && r.x + r.width <= 762 && r.y + r.height <= 1172);
        for (std::size_t k = 0; k < i; ++k)
            QVERIFY(areApart(r, (*packed)[k]));
    }
    QVERIFY(packSquares({0, 0, 3, 3}, std::vector<std::int64_t>(9, 1)));
    QVERIFY(!packSquares({0, 0, 3, 3}, std::vector<std::int64_t>(10, 1)));
    QVERIFY(!packSquares({0, 0, 3, 9}, {4}));
    QVERIFY(packSquares({0, 0, 3, 3}, {})->empty());
}

void TestCerebrasFamily::moreDemandsThanCellsCannotBePacked() {
    QVERIFY(!packRectangles({0, 0, 3, 3}, std::vector<double>(10, 1.0)));
    QVERIFY(packRectangles({0, 0, 3, 3}, {})->empty());
}

void TestCerebrasFamily::areasFollowTheDemands() {
    const auto packed = packRectangles({0, 0, 762, 1172}, {1, 2, 4, 8});
    const double whole = 762.0 * 1172;
    for (int i = 0; i < 4; ++i)
        QVERIFY(
            std::abs(static_cast<double>((*packed)[i].area()) / whole - (1 << i) / 15.0) < 0.01);
}

void TestCerebrasFamily::attentionBlockKeepsEveryRule_data() {
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<bool>("isFusionOn");
    QTest::newRow("WSE-3") << "cerebras_wse3"
                           << "auto" << true;
    QTest::newRow("WSE-2") << "cerebras_wse2"
                           << "auto" << true;
    QTest::newRow("a region an operator") << "cerebras_wse3"
                                          << "auto" << false;
    QTest::newRow("streaming") << "cerebras_wse3"
                               << "weight_streaming" << true;
}

void TestCerebrasFamily::attentionBlockKeepsEveryRule() {
    QFETCH(QString, machine);
    QFETCH(QString, mode);
    QFETCH(bool, isFusionOn);
    const Lowered model =
        block(machine.toStdString(), with({{"mode", mode.toStdString()}}, isFusionOn));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    QVERIFY(!model.program.mode.empty());
}

void TestCerebrasFamily::regionsOfTheAttentionBlockDoNotOverlap() {
    const Lowered model = block();
    const auto& regions = model.program.regions;
    QCOMPARE(regions.size(), model.stage(Stage::Scheduled).kernels.size());
    QVERIFY(regions.size() >= 5);
    std::vector<Rectangle> rectangles;
    for (const Region& r : regions) {
        QVERIFY(r.width >= 1 && r.height >= 1 && r.x >= 0 && r.y >= 0);
        QVERIFY(r.x + r.width <= 762 && r.y + r.height <= 1172);
        rectangles.push_back({r.x, r.y, r.width, r.height});
    }
    for (std::size_t i = 0; i < rectangles.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            QVERIFY(areApart(rectangles[i], rectangles[k]));
}

void TestCerebrasFamily::softmaxIsTwoAllReducesInOneRegion() {
    const Lowered model = block();
    const StageGraph& graph = model.stage(Stage::Fused);
    const ir::NodeId softmax = findNode(*model.graph, ir::Op::Softmax);
    QCOMPARE(kernelsOf(graph, softmax).size(), std::size_t{1});
    int reductions = 0;
    for (const Node& node : graph.nodes)
        if (std::ranges::find(node.sources, softmax) != node.sources.end())
            reductions += node.op == "allreduce_max" || node.op == "allreduce_sum";
    QCOMPARE(reductions, 2);
}

void TestCerebrasFamily::elementwiseWorkFoldsIntoItsProducer() {
    const Lowered model = block();
    const StageGraph& graph = model.stage(Stage::Fused);
    const auto product = kernelsOf(graph, findNode(*model.graph, ir::Op::MatMul, 3));
    const auto residual = kernelsOf(graph, findNode(*model.graph, ir::Op::Add, 4));
    QCOMPARE(product, residual);
    for (const Kernel& kernel : graph.kernels) {
        int products = 0;
        for (NodeId id : kernel.nodes)
            products += graph.nodes[id].opClass() == ir::OpClass::Contraction;
        QVERIFY(products <= 1);
        QVERIFY(kernel.reason.size() > 20);
    }
}

void TestCerebrasFamily::handOffsBetweenDifferentBlocksAreAdded() {
    const Lowered model = block();
    int moves = 0;
    for (const Node& node : model.stage(Stage::LaidOut).nodes)
        if (node.op == "fabric_move") {
            ++moves;
            QVERIFY(node.addedBy.find("blocks of") != std::string::npos);
        }
    QVERIFY(moves >= 3);
    bool hasHops = false;
    for (const Step& step : model.program.steps)
        for (const TimePart& part : step.estimate.scheduling)
            hasHops = hasHops || part.name == "hops";
    QVERIFY(hasHops);
}

void TestCerebrasFamily::noPeHoldsMoreThanItsMemory() {
    const Lowered model = block();
    for (const memory::LevelUse& use : memory::use(model.program, *model.machine))
        if (use.capacity)
            QVERIFY2(
                use.peak.value <= use.capacity->value, qPrintable(QString::number(use.peak.value)));
}

void TestCerebrasFamily::modelThatDoesNotFitStreamsItsWeights() {
    ModelBuilder builder;
    auto x = builder.input("x", {1, 65536});
    for (int i = 0; i < 5; ++i)
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {65536, 65536})});
    builder.output(x);
    const Lowered model =
        lowerGraph(families::cerebras::family(), builder.finish(), "cerebras_wse3", with({}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY(model.program.mode.starts_with("Weight streaming"));
    QVERIFY(model.program.regions.empty());
    // 5 · 8.6 GB at 150 GB/s.
    double total = 0;
    for (const Step& step : model.program.steps)
        total += step.estimate.time.value;
    QVERIFY(total >= 5 * 65536.0 * 65536 * 2 / 150e9);
}

void TestCerebrasFamily::streamingTakesWeightsOverTheEdge() {
    const Lowered model = block("cerebras_wse3", with({{"mode", "weight_streaming"}}));
    const auto far = model.machine->memoryIndex("MemoryX");
    QVERIFY(far);
    std::int64_t read = 0;
    for (const Step& step : model.program.steps)
        for (const LevelTraffic& level : step.estimate.traffic)
            read += level.level == *far ? level.read.value : 0;
    QVERIFY(read >= 2 * (768 * 2304 + 768 * 768));
    QVERIFY(block().program.mode.starts_with("Layer-pipelined"));
}

void TestCerebrasFamily::resultOfUnknownShapeIsRefused() {
    ModelBuilder builder;
    const auto x = builder.input("x", {16, 16});
    builder.output(builder.node(ir::Op::NonZero, {x}));
    const Lowered model =
        lowerGraph(families::cerebras::family(), builder.finish(), "cerebras_wse3", with({}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QCOMPARE(model.diagnostics.count("cerebras.dynamic_shape"), std::int64_t{1});
    QVERIFY(!model.program.steps[StepId(0)].estimate.isKnown);
}

void TestCerebrasFamily::gemvMatchesTheFittedCycles() {
    // 4096×4096 on 360×360 PEs: 307 + 2.39·360 + 0.335·12·12 cycles.
    const Cycles cycles = productCycles(Fabric{}, 1, 4096, 4096, 360);
    QVERIFY(std::abs(cycles.total() - (307 + 2.39 * 360 + 0.335 * 12 * 12)) < 1e-6);
    QVERIFY(op(block(), block().program.steps[StepId(0)]).size() > 0);
}

void TestCerebrasFamily::everyHandOffBetweenRegionsIsATransfer() {
    const Lowered model = block();
    QVERIFY(model.program.mode.starts_with("Layer-pipelined"));
    const StageGraph& graph = model.stage(Stage::Placed);
    const StageGraph& fused = model.stage(Stage::Fused);
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges; // value, reading kernel
    std::map<std::uint32_t, KernelId> holders; // of what no kernel makes: its first reader
    for (const Node& node : fused.nodes)
        for (const ValueId input : node.inputs)
            if (input.isValid() && fused.values[input].producer.isValid()
                && fused.nodes[fused.values[input].producer].kernel != node.kernel)
                edges.insert({input.value, node.kernel.value});
            else if (input.isValid() && isCopied(fused.values[input])
                && holders.try_emplace(input.value, node.kernel).first->second != node.kernel)
                edges.insert({input.value, node.kernel.value});
    std::size_t moves = 0;
    for (const Node& node : graph.nodes)
        if (node.op == "fabric_move") {
            ++moves;
            QVERIFY2(node.addedBy.find(" hops.") != std::string::npos, node.addedBy.c_str());
        }
    QCOMPARE(moves, edges.size());
}

void TestCerebrasFamily::hopsAreCountedBetweenMiddles() {
    QCOMPARE(hopsBetween({0, 0, 10, 10}, {10, 0, 10, 10}), 10.0);
    QCOMPARE(hopsBetween({0, 0, 100, 50}, {0, 50, 100, 50}), 50.0);
    QCOMPARE(hopsBetween({0, 0, 4, 4}, {6, 10, 4, 8}), 6.0 + 12.0);
    QCOMPARE(hopsBetween({3, 3, 5, 7}, {3, 3, 5, 7}), 0.0);
}

void TestCerebrasFamily::aForcedPipelineSaysWhichLayerDoesNotFit() {
    ModelBuilder builder;
    auto x = builder.input("x", {1, 65536});
    for (int i = 0; i < 5; ++i)
        x = builder.node(
            ir::Op::MatMul, {x, builder.weight("w" + std::to_string(i), {65536, 65536})});
    builder.output(x);
    const Lowered model = lowerGraph(families::cerebras::family(), builder.finish(),
        "cerebras_wse3", with({{"mode", "layer_pipelined"}}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(model.program.mode.starts_with("Layer-pipelined, as set"), model.program.mode.c_str());
    QCOMPARE(model.program.regions.size(), std::size_t{5});
    // A fifth of 762·1172 PEs holds 2·65536² bytes of weights: about 48 KB each, of which 70 % are
    // for data.
    QCOMPARE(model.diagnostics.count("cerebras.pe_memory"), std::int64_t{5});
    for (const base::Diagnostic& d : model.diagnostics.entries())
        if (d.code == "cerebras.pe_memory")
            QVERIFY2(d.message.find("MatMul") != std::string::npos
                    && d.message.find("34406 of its 49152") != std::string::npos,
                d.message.c_str());
    // The block fits either way, and says nothing.
    QCOMPARE(block("cerebras_wse3", with({{"mode", "layer_pipelined"}}))
                 .diagnostics.count("cerebras.pe_memory"),
        std::int64_t{0});
}

void TestCerebrasFamily::routesAreCompiledAndArrivalsStartTasks() {
    const Lowered model = block();
    bool hasHops = false;
    for (const Event& event : model.program.events) {
        const std::string& resource = model.program.resources[event.resource].name;
        const DecidedBy wanted = resource == "PEs" ? DecidedBy::Hardware
            : resource == "fabric"                 ? DecidedBy::Compiler
                                                   : DecidedBy::Runtime;
        QVERIFY2(event.decidedBy == wanted, resource.c_str());
        hasHops = hasHops || (resource == "fabric" && event.kind == EventKind::Read);
    }
    QVERIFY(hasHops);
    for (const Buffer& buffer : model.program.buffers)
        QVERIFY(buffer.decidedBy == DecidedBy::Compiler);
    for (const Node& node : model.stage(Stage::Placed).nodes)
        QVERIFY(node.decidedBy == DecidedBy::Compiler
            || (node.addedBy.empty() && node.decidedBy == DecidedBy::Programmer));
}

void TestCerebrasFamily::tensorsBeyondInt64HaveNoTime() {
    ModelBuilder builder;
    const auto x = builder.input("x", {std::int64_t{1} << 31, std::int64_t{1} << 31});
    builder.output(builder.node(ir::Op::Exp, {x}));
    const Lowered model =
        lowerGraph(families::cerebras::family(), builder.finish(), "cerebras_wse3", with({}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY(!model.program.steps[StepId(0)].estimate.isKnown);
}

void TestCerebrasFamily::graphsOfAtenLower() {
    const auto files = atenGraphs();
    QVERIFY(files.size() > 10);
    for (const std::string& file : files) {
        const Lowered model =
            lowerFile(families::cerebras::family(), file, "cerebras_wse3", with({}));
        QVERIFY2(model.error.empty(), (file + ": " + model.error).c_str());
        QVERIFY2(broken(model).empty(), (file + ": " + broken(model)).c_str());
        for (const Step& step : model.program.steps)
            QVERIFY2(step.estimate.isKnown, (file + ": " + step.name).c_str());
    }
}

void TestCerebrasFamily::everyBufferIsTheBlockOfItsLayout_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("mode");
    for (const char* mode : {"auto", "weight_streaming"}) {
        QTest::addRow("eight layers, %s", mode) << QString() << QString(mode);
        QTest::addRow("attention block, %s", mode)
            << QString::fromStdString(kAttentionBlock) << QString(mode);
        const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
        for (const char* name : {"gpt2_small", "resnet50_stripped"})
            if (const QString file = shared + "/data/onnx/" + name + ".onnx";
                !shared.isEmpty() && QFile::exists(file))
                QTest::addRow("%s, %s", name, mode) << file << QString(mode);
    }
}

void TestCerebrasFamily::everyBufferIsTheBlockOfItsLayout() {
    QFETCH(QString, file);
    QFETCH(QString, mode);
    const Settings settings = with({{"mode", mode.toStdString()}});
    const Lowered model = file.isEmpty()
        ? lowerGraph(families::cerebras::family(), layers(8, 68, 768), "cerebras_wse3", settings)
        : lowerFile(families::cerebras::family(), file.toStdString(), "cerebras_wse3", settings);
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    const StageGraph& graph = model.stage(Stage::Placed);
    const auto near = model.machine->memoryIndex("PE SRAM");
    QVERIFY(near);
    std::int64_t placed = 0, spilled = 0;
    for (const Buffer& buffer : model.program.buffers) {
        spilled += buffer.isSpill;
        if (buffer.level != *near)
            continue;
        ++placed;
        const Value& value = graph.values[buffer.value];
        QVERIFY2(buffer.bytes.value <= 34406, value.name.c_str()); // 70 % of 49,152
        QVERIFY2(buffer.address + buffer.bytes.value <= 34406, value.name.c_str());
        QVERIFY2(value.layout
                && buffer.bytes.value
                    == std::max<std::int64_t>(1, layout::bytesPerUnit(*value.layout)),
            value.name.c_str());
    }
    QVERIFY(placed > 0);
    QCOMPARE(model.diagnostics.count("cerebras.spill") > 0, spilled > 0);
    if (mode == "auto") {
        QVERIFY2(model.program.mode.starts_with("Layer-pipelined"), model.program.mode.c_str());
        QCOMPARE(spilled, std::int64_t{0});
    }
}

void TestCerebrasFamily::equalLayersTakeEqualTimes() {
    const Lowered model =
        lowerGraph(families::cerebras::family(), layers(8, 68, 768), "cerebras_wse3", with({}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    const auto withoutWay = [](const Step& step) {
        double seconds = step.estimate.time.value;
        for (const TimePart& part : step.estimate.scheduling)
            if (part.name == "hops" || part.name == "wafer I/O")
                seconds -= part.time.value;
        return seconds;
    };
    const auto& steps = model.program.steps;
    QCOMPARE(steps.size(), std::size_t{16});
    for (std::size_t i = 2; i < steps.size(); ++i) {
        const Step &first = steps[StepId(i % 2)], &other = steps[StepId(i)];
        QCOMPARE(
            QString::fromStdString(other.workDivision), QString::fromStdString(first.workDivision));
        // Only the way to the region before and over the wafer's edge may differ.
        QVERIFY(std::abs(withoutWay(other) - withoutWay(first)) < 1e-12);
    }
}

void TestCerebrasFamily::everySpillIsReported() {
    // Inputs and outputs of 60 GB in all, more than the wafer has.
    ModelBuilder builder;
    const auto x = builder.input("x", {131072, 131072});
    builder.output(builder.node(ir::Op::Exp, {x}));
    const Lowered model =
        lowerGraph(families::cerebras::family(), builder.finish(), "cerebras_wse3", with({}));
    QVERIFY2(model.error.empty(), model.error.c_str());
    std::int64_t spilled = 0;
    for (const Buffer& buffer : model.program.buffers)
        spilled += buffer.isSpill;
    QVERIFY(spilled > 0);
    QCOMPARE(model.diagnostics.count("cerebras.spill"), spilled);
}

QTEST_APPLESS_MAIN(TestCerebrasFamily)
#include "test_cerebras_family.moc"
