// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/groq/chip.h"
#include "core/families/groq/family.h"
#include "core/memory/memory.h"

#include <QtTest>

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
    void nothingIsDecidedByHardware();
    void elementwiseWorkJoinsTheStream();
    void productCyclesAreWhole_data();
    void productCyclesAreWhole();
    void weightsBeyondOneChipNeedMore();
    void channelsLieInTheLanesOfConvolutions();
    void unpublishedFiguresAreNamed();
    void timesAreWholeCycles();
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

void TestGroqFamily::nothingIsDecidedByHardware() {
    const Lowered model = block();
    QVERIFY(!model.program.events.empty());
    for (const Event& event : model.program.events)
        QVERIFY(event.decidedBy == DecidedBy::Compiler);
    for (const Node& node : model.stage(Stage::Scheduled).nodes)
        QVERIFY(node.decidedBy == DecidedBy::Compiler || node.decidedBy == DecidedBy::Programmer);
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

QTEST_APPLESS_MAIN(TestGroqFamily)
#include "test_groq_family.moc"
