// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_lanes.h"
#include "core/numerics/rungs/physical_memory.h"
#include "physical_models.h"

#include "core/layout/family_layouts.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::numerics;
using namespace fivefold::test;
using ir::Op;

namespace {

std::shared_ptr<const ir::Graph> raggedProduct() {
    ModelBuilder model;
    const auto x = model.input("x", {3, 65});
    const auto y = model.node(Op::MatMul, {x, model.weight("w", {65, 70})});
    const auto z = model.node(Op::Add, {y, model.weight("b", {70})});
    const auto p = model.node(Op::Softmax, {z}, with("axis", std::int64_t(-1)));
    model.output(model.node(Op::MatMul, {p, model.weight("v", {70, 33})}));
    return model.finish();
}

std::shared_ptr<const ir::Graph> reductions() {
    ModelBuilder model;
    const auto x = model.input("x", {5, 9, 70});
    const auto e = model.node(Op::Exp, {x});
    for (const Op op : {Op::ReduceMax, Op::ReduceMin, Op::ReduceSum, Op::ReduceMean}) {
        const auto axes = model.integers(std::string(ir::name(op)) + "_axes", {2});
        model.output(model.node(op, {e, axes}, with("keepdims", std::int64_t(1))));
    }
    const auto axes = model.integers("middle", {1});
    const auto s = model.node(Op::ReduceSum, {e, axes}, with("keepdims", std::int64_t(1)));
    model.output(model.node(Op::Div, {e, s}));
    return model.finish();
}

std::shared_ptr<const ir::Graph> moves() {
    ModelBuilder model;
    const auto x = model.input("x", {4, 7, 66});
    const auto t = model.node(Op::Transpose, {x}, with("perm", std::vector<std::int64_t>{2, 0, 1}));
    const auto n = model.node(Op::Neg, {t});
    const auto r = model.node(Op::Reshape, {n, model.integers("shape", {66, 28})});
    const auto m = model.node(Op::Mul, {r, model.scalar("half", 0.5)});
    model.output(model.node(Op::Concat, {m, r}, with("axis", std::int64_t(1))));
    return model.finish();
}

std::shared_ptr<const ir::Graph> norm() {
    ModelBuilder model;
    const auto x = model.input("x", {2, 6, 72});
    const auto n = model.node(Op::LayerNormalization,
        {x, model.weight("scale", {72}), model.weight("bias", {72})},
        with("axis", std::int64_t(-1)));
    model.output(model.node(Op::Add, {x, model.node(Op::Gelu, {n})}));
    return model.finish();
}

std::shared_ptr<const ir::Graph> graphOf(const QString& name) {
    if (name == "product")
        return raggedProduct();
    if (name == "reductions")
        return reductions();
    return name == "moves" ? moves() : norm();
}

constexpr Rung kPhysical[] = {Rung::LaidOut, Rung::Placed, Rung::Scheduled, Rung::Timed};

void fillModels() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("machine");
    for (const char* model : {"product", "reductions", "moves", "norm"})
        for (const Target& target : targets())
            QTest::addRow("%s on %s", model, target.machine)
                << QString(model) << QString(target.machine);
}

} // namespace

class TestPhysicalRungs : public QObject {
    Q_OBJECT

private slots:
    void offsetsAgreeWithTheLayout_data();
    void offsetsAgreeWithTheLayout();
    void boxesReachIntoPadding();
    void everyRungGivesWhatTheFusedOneGives_data() { fillModels(); }
    void everyRungGivesWhatTheFusedOneGives();
    void theAttentionBlock_data();
    void theAttentionBlock();
    void whatMemoryHeldBeforeDoesNotMatter_data() { fillModels(); }
    void whatMemoryHeldBeforeDoesNotMatter();
    void paddingHoldsTheIdentityOfItsConsumer();
    void transfersAreClean();
    void soundPlacementsDoNotClash_data() { fillModels(); }
    void soundPlacementsDoNotClash();
    void aClashShowsTheOtherTensor();
    void oneNodeFromGivenInputs();
};

void TestPhysicalRungs::offsetsAgreeWithTheLayout_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 4; ++i)
        QTest::addRow("%d", i) << i;
}

void TestPhysicalRungs::offsetsAgreeWithTheLayout() {
    QFETCH(int, which);
    const std::vector<std::int64_t> shape{3, 5, 70};
    const layout::TensorLayout layouts[] = {layout::tpuTiled(shape, ir::DType::BFloat16, 5),
        layout::gpuRowMajor(shape, ir::DType::Float16),
        layout::waferBlocked(shape, ir::DType::Float16, 4, 9),
        layout::groqVectors(shape, ir::DType::Float16, 320, 4)};
    const layout::TensorLayout& l = layouts[which];
    const LaneIndex index(l);
    QCOMPARE(index.lanes(), layout::deviceElements(l));
    std::int64_t real = 0;
    for (std::int64_t device = 0; device < index.lanes(); ++device) {
        const auto at = layout::indexAt(l, layout::coordinatesOf(l, device));
        if (!at)
            continue;
        ++real;
        QCOMPARE(index.laneOf(*at), device);
    }
    QCOMPARE(real, layout::logicalElements(l));
}

void TestPhysicalRungs::boxesReachIntoPadding() {
    const layout::TensorLayout l = layout::tpuTiled({2, 3}, ir::DType::Float32, 5);
    const LaneIndex index(l);
    QVERIFY(index.isPadded(1));
    std::vector<double> lanes(static_cast<std::size_t>(index.lanes()), -1.0);
    writeBox<double>(index, {1, 2, 3, 4, 5, 6}, {2, 3}, lanes, nullptr);
    QCOMPARE(readBox(index, lanes, {2, 3}, 0.0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    QCOMPARE(readBox(index, lanes, {2, 4}, 0.0), (std::vector<double>{1, 2, 3, -1, 4, 5, 6, -1}));
    const std::size_t axes[] = {1};
    fillPadding(index, axes, 9.0, lanes, nullptr);
    QCOMPARE(readBox(index, lanes, {2, 4}, 0.0), (std::vector<double>{1, 2, 3, 9, 4, 5, 6, 9}));
}

void TestPhysicalRungs::everyRungGivesWhatTheFusedOneGives() {
    QFETCH(QString, model);
    QFETCH(QString, machine);
    const OnMachine on = lowerFor(machine.toStdString(), graphOf(model));
    QVERIFY2(on.error.empty(), on.error.c_str());
    const Inputs inputs = randomInputs(*on.subject.typed, 3);
    const auto fused = runRung(on.subject, Rung::Fused, inputs);
    QVERIFY2(fused.isOk(), fused.isOk() ? "" : fused.error().text().c_str());
    QVERIFY(!fused->values.empty());
    for (const Rung rung : kPhysical) {
        const auto run = runRung(on.subject, rung, inputs);
        QVERIFY2(run.isOk(), run.isOk() ? "" : run.error().text().c_str());
        const std::string found = differences(on.subject.graph(), *run, *fused);
        QVERIFY2(found.empty(), (std::string(toString(rung)) + ": " + found).c_str());
        QVERIFY(!run->deadlock);
    }
}

void TestPhysicalRungs::theAttentionBlock_data() {
    QTest::addColumn<QString>("machine");
    for (const Target& target : targets())
        QTest::newRow(target.machine) << QString(target.machine);
}

void TestPhysicalRungs::theAttentionBlock() {
    QFETCH(QString, machine);
    const std::string id = machine.toStdString();
    const auto precision = machines::findMachine(id)->defaultPrecision();
    const OnMachine on =
        onMachine(lowerFile(familyOf(id), kAttentionBlock, id, settingsAt(precision)), precision);
    QVERIFY2(on.error.empty(), on.error.c_str());
    const Inputs inputs = randomInputs(*on.subject.typed, 3);
    const auto fused = runRung(on.subject, Rung::Fused, inputs);
    QVERIFY(fused.isOk());
    for (const Rung rung : {Rung::LaidOut, Rung::Timed}) {
        const auto run = runRung(on.subject, rung, inputs);
        QVERIFY(run.isOk());
        const std::string found = differences(on.subject.graph(), *run, *fused);
        QVERIFY2(found.empty(), (std::string(toString(rung)) + ": " + found).c_str());
    }
}

void TestPhysicalRungs::whatMemoryHeldBeforeDoesNotMatter() {
    QFETCH(QString, model);
    QFETCH(QString, machine);
    const OnMachine on = lowerFor(machine.toStdString(), graphOf(model));
    const Inputs inputs = randomInputs(*on.subject.typed, 4);
    RungOptions a, b;
    b.poison = 1e30;
    const auto nan = runRung(on.subject, Rung::Scheduled, inputs, a);
    const auto large = runRung(on.subject, Rung::Scheduled, inputs, b);
    QVERIFY(nan.isOk() && large.isOk());
    QVERIFY(!nan->values.empty());
    for (const auto& [id, datum] : nan->values)
        QVERIFY(datum.tensor == large->values.at(id).tensor
            || difference(datum.tensor, large->values.at(id).tensor) == 0);
}

void TestPhysicalRungs::paddingHoldsTheIdentityOfItsConsumer() {
    for (const auto& [op, identity] : {std::pair(Op::ReduceMax, -double(INFINITY)),
             std::pair(Op::ReduceMin, double(INFINITY)), std::pair(Op::ReduceSum, 0.0)}) {
        ModelBuilder model;
        const auto x = model.input("x", {5, 70});
        const auto e = model.node(Op::Relu, {x});
        model.output(model.node(op, {e, model.integers("axes", {1})}));
        const OnMachine on = lowerFor("groq_lpu_v1", model.finish());
        QVERIFY2(on.error.empty(), on.error.c_str());
        RungOptions options;
        options.keepsLanes = true;
        const auto run =
            runRung(on.subject, Rung::LaidOut, randomInputs(*on.subject.typed, 1), options);
        QVERIFY(run.isOk());
        const Lanes& lanes = run->lanes.at(e);
        const LaneIndex index(lanes.layout);
        QVERIFY(index.isPadded(1));
        QCOMPARE(lanes.values.size(), static_cast<std::size_t>(index.lanes()));
        for (std::int64_t row = 0; row < 5; ++row)
            for (std::int64_t i = 70; i < index.reach()[1]; ++i) {
                const std::int64_t at[] = {row, i};
                const auto lane = static_cast<std::size_t>(index.laneOf(at));
                QCOMPARE(lanes.values[lane], identity);
                QVERIFY(lanes.isWritten[lane]);
            }
        QCOMPARE(lanes.loopRange.size(), lanes.layout.axes.size());
    }
}

void TestPhysicalRungs::transfersAreClean() {
    for (const Target& target : targets()) {
        const OnMachine on = lowerFor(target.machine, raggedProduct());
        const auto run = runRung(on.subject, Rung::Timed, randomInputs(*on.subject.typed, 1));
        QVERIFY(run.isOk());
        QVERIFY2(!run->transfers.empty(), target.machine);
        for (const Transfer& transfer : run->transfers)
            QVERIFY(transfer.isClean());
        const auto early = runRung(on.subject, Rung::LaidOut, randomInputs(*on.subject.typed, 1));
        QVERIFY(early->transfers.empty());
    }
}

void TestPhysicalRungs::soundPlacementsDoNotClash() {
    QFETCH(QString, model);
    QFETCH(QString, machine);
    const OnMachine on = lowerFor(machine.toStdString(), graphOf(model));
    QVERIFY(clashes(*on.subject.program).empty());
}

void TestPhysicalRungs::aClashShowsTheOtherTensor() {
    ModelBuilder model;
    const auto x = model.input("x", {16, 64});
    const auto a = model.node(Op::MatMul, {x, model.weight("w0", {64, 64})});
    const auto b = model.node(Op::MatMul, {x, model.weight("w1", {64, 64})});
    const auto c = model.node(Op::Concat, {a, b}, with("axis", std::int64_t(1)));
    model.output(model.node(Op::MatMul, {c, model.weight("w2", {128, 64})}));
    OnMachine on = lowerFor("gpu_h100_sxm", model.finish());
    const Inputs inputs = randomInputs(*on.subject.typed, 2);
    const auto sound = runRung(on.subject, Rung::Placed, inputs);
    QVERIFY(sound.isOk());
    // Two buffers that are held together, one moved onto the other.
    auto program = std::make_shared<lowering::Program>(*on.subject.program);
    const auto& placed = program->stage(lowering::Stage::Placed).values;
    QVERIFY(clashes(*program).empty());
    lowering::Buffer *first = nullptr, *second = nullptr;
    for (auto& buffer : program->buffers)
        if (placed[buffer.value].role == lowering::ValueRole::Activation)
            (placed[buffer.value].source == a ? first : second) = &buffer;
    if (first && second) {
        second->address = first->address;
        first->firstStep = lowering::StepId(0);
        first->lastStep = lowering::StepId(program->steps.size());
    }
    QVERIFY(!clashes(*program).empty());
    on.subject.program = program;
    const auto run = runRung(on.subject, Rung::Placed, inputs);
    QVERIFY(run->diagnostics.count("numerics.overlap") > 0);
    QVERIFY(difference(run->values.at(a).tensor, sound->values.at(a).tensor) > 0);
    const auto logical = runRung(on.subject, Rung::LaidOut, inputs);
    QCOMPARE(difference(logical->values.at(a).tensor, sound->values.at(a).tensor), 0.0);
}

void TestPhysicalRungs::oneNodeFromGivenInputs() {
    for (const Target& target : targets()) {
        const OnMachine on = lowerFor(target.machine, raggedProduct());
        const Inputs inputs = randomInputs(*on.subject.typed, 3);
        const auto fused = runRung(on.subject, Rung::Fused, inputs);
        QVERIFY(fused.isOk());
        const ir::NodeId softmax = findNode(on.subject.graph(), Op::Softmax);
        const ir::Node& node = on.subject.graph().nodes[softmax];
        RungOptions options;
        options.only = {softmax};
        options.given[node.inputs[0]] = Datum(arange({3, 70}));
        const auto run = runRung(on.subject, Rung::Timed, {}, options);
        QVERIFY2(run.isOk(), target.machine);
        const auto found = run->values.find(node.outputs[0]);
        QVERIFY2(found != run->values.end(), target.machine);
        const double sum = 1 / (1 - std::exp(-1.0)) * (1 - std::exp(-70.0));
        QVERIFY(std::abs(found->second.tensor.number(69) - 1 / sum) < 1e-12);
        QVERIFY(!run->values.contains(on.subject.graph().main().outputs[0]));
    }
}

QTEST_APPLESS_MAIN(TestPhysicalRungs)
#include "test_physical_rungs.moc"
