// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "physical_models.h"

#include <QtTest>

#include <set>

using namespace fivefold;
using namespace fivefold::numerics;
using namespace fivefold::test;
using ir::Op;

namespace {

Fault faultAt(int id, ir::NodeId node, std::map<std::string, double> parameters = {},
    std::uint64_t seed = 1) {
    return {FaultId(id), node, seed, std::move(parameters)};
}

RungOptions under(const Fault& fault, double poison = 0) {
    RungOptions options;
    options.fault = &fault;
    options.poison = poison;
    return options;
}

/// One input, one operator, one output, and what a run of it gives.
struct Case {
    OnMachine on;
    ir::ValueId input, output;
    ir::NodeId node;

    std::vector<double> run(
        Rung rung, const Tensor& x, const Fault* fault, double poison = 0) const {
        RungOptions options;
        options.fault = fault;
        options.poison = poison;
        const auto run = runRung(on.subject, rung, {{"x", Datum(x)}}, options);
        if (!run || !run->values.contains(output))
            return {};
        return run->values.at(output).tensor.numbers();
    }
};

Case caseOf(const std::string& machine, Op op, const std::vector<std::int64_t>& shape,
    ir::Attributes attributes = {}, const std::vector<std::int64_t>& axes = {}) {
    ModelBuilder model;
    Case result;
    result.input = model.input("x", shape);
    std::vector<ir::ValueId> operands{result.input};
    if (!axes.empty())
        operands.push_back(model.integers("axes", axes));
    result.output = model.node(op, operands, std::move(attributes));
    model.output(result.output);
    result.on = lowerFor(machine, model.finish());
    result.node = findNode(result.on.subject.graph(), op);
    return result;
}

/// All values of a stage in `lanes` lanes of their last dimension.
void padTo(OnMachine& on, std::int64_t lanes) {
    auto program = std::make_shared<lowering::Program>(*on.subject.program);
    for (auto& stage : program->stages) {
        auto graph = std::make_shared<lowering::StageGraph>(*stage);
        for (auto& value : graph->values) {
            if (!value.layout || !value.shape || value.shape->empty())
                continue;
            layout::TensorLayout layout;
            layout.shape = *value.shape;
            layout.dtype = value.dtype;
            layout.elementBits = std::max(8, ir::bitWidth(value.dtype));
            for (std::size_t d = 0; d < layout.shape.size(); ++d) {
                const bool isLast = d + 1 == layout.shape.size();
                layout.axes.push_back({isLast ? lanes : layout.shape[d], static_cast<int>(d), 1,
                    isLast ? layout::AxisRole::Lane : layout::AxisRole::Row});
            }
            value.layout = std::make_shared<const layout::TensorLayout>(std::move(layout));
        }
        stage = graph;
    }
    on.subject.program = program;
}

bool areClose(double a, double b, double tolerance = 5e-4) {
    return std::abs(a - b) <= tolerance;
}

/// A residual block: two ways from x to the sum, one of them long.
struct Residual {
    OnMachine on;
    ir::NodeId first, middle, last, join;
    ir::ValueId start, output, skip;
};

Residual residual(const std::string& machine) {
    ModelBuilder model;
    Residual r;
    const auto x = model.input("x", {16, 64});
    r.skip = model.node(Op::MatMul, {x, model.weight("w0", {64, 64})});
    const auto a = model.node(Op::MatMul, {r.skip, model.weight("w1", {64, 64})});
    const auto b = model.node(Op::Softmax, {a}, with("axis", std::int64_t(-1)));
    const auto c = model.node(Op::MatMul, {b, model.weight("w2", {64, 64})});
    r.output = model.node(Op::Add, {r.skip, c});
    model.output(r.output);
    r.on = lowerFor(machine, model.finish());
    const ir::Graph& graph = r.on.subject.graph();
    r.first = findNode(graph, Op::MatMul, 0);
    r.middle = findNode(graph, Op::MatMul, 1);
    r.last = findNode(graph, Op::MatMul, 2);
    r.join = findNode(graph, Op::Add);
    return r;
}

Tensor outputOf(const OnMachine& on, ir::ValueId value, Rung rung, const RungOptions& options,
    std::uint64_t seed = 5) {
    const auto run = runRung(on.subject, rung, randomInputs(*on.subject.typed, seed), options);
    return run && run->values.contains(value) ? run->values.at(value).tensor : Tensor();
}

std::vector<std::int64_t> wrongElements(const Tensor& wrong, const Tensor& right) {
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < right.size(); ++i)
        if (!(wrong.number(i) == right.number(i)))
            found.push_back(i);
    return found;
}

} // namespace

class TestPhysicalFaults : public QObject {
    Q_OBJECT

private slots:
    void aCopyOfFullSticksOnly();
    void aFaultOfALaterRungDoesNothingYet();
    void zeroIntoAMaximum();
    void zeroIntoASoftmax();
    void oneNthIntoAMean();
    void nansInTheLanesOfAProduct();
    void aTranspositionThatIsMissing();
    void aStalePitch();
    void anIndexThatIsTooNarrow();
    void anotherTensorOnTop();
    void slicesOfOtherCores();
    void aPipelineBufferTooFew();
    void aConsumerBeforeItsProducer();
    void aCyclicWait();
    void aQueueTooSmall();
    void aTokenForTwo();
    void aQueueThatDrops();
    void aReadBeforeTheTransferIsDone();
    void aShortDescriptor();
    void aLostCompletion();
    void anAccumulationTwice();
    void bitsOfAnotherType();
    void faultsStayInForceAtNumerics();
    void aNodeRunAloneShowsItsFault();
};

void TestPhysicalFaults::aCopyOfFullSticksOnly() {
    for (const Op op : {Op::Abs, Op::Identity}) {
        const Case c = caseOf("spyre", op, {65});
        QVERIFY2(c.on.error.empty(), c.on.error.c_str());
        if (!physicalFaultAppliesTo(FaultId(12), c.on.subject, c.node)) {
            QVERIFY(op == Op::Identity); // the lowering may see through a copy
            continue;
        }
        const Fault fault = faultAt(12, c.node);
        const Tensor x = arange({65});
        auto wanted = x.numbers();
        QCOMPARE(c.run(Rung::LaidOut, x, nullptr), wanted);
        wanted[64] = 0;
        QCOMPARE(c.run(Rung::LaidOut, x, &fault), wanted);
        QVERIFY(std::isnan(c.run(Rung::LaidOut, x, &fault, NAN)[64]));
        RungOptions options = under(fault);
        options.keepsLanes = true;
        const auto run = runRung(c.on.subject, Rung::LaidOut, {{"x", Datum(x)}}, options);
        const Lanes& lanes = run->lanes.at(c.output);
        QVERIFY(std::any_of(lanes.loopRange.begin(), lanes.loopRange.end(), [](const auto& range) {
            return range == std::pair<std::int64_t, std::int64_t>(0, 1);
        }));
        QCOMPARE(std::count(lanes.isWritten.begin(), lanes.isWritten.end(), 1), 64);
    }
    // 64 elements fill their stick, and a GPU has no sticks.
    QVERIFY(!physicalFaultAppliesTo(
        FaultId(12), caseOf("spyre", Op::Abs, {64}).on.subject, ir::NodeId(0)));
    QVERIFY(!physicalFaultAppliesTo(
        FaultId(12), caseOf("gpu_h100_sxm", Op::Abs, {65}).on.subject, ir::NodeId(0)));
}

void TestPhysicalFaults::aFaultOfALaterRungDoesNothingYet() {
    const Residual r = residual("spyre");
    const Tensor right = outputOf(r.on, r.output, Rung::LaidOut, {});
    const Fault fault = faultAt(22, r.middle);
    QCOMPARE(difference(outputOf(r.on, r.output, Rung::Placed, under(fault)), right), 0.0);
    QVERIFY(difference(outputOf(r.on, r.output, Rung::Scheduled, under(fault)), right) > 0);
    QVERIFY(difference(outputOf(r.on, r.output, Rung::Timed, under(fault)), right) > 0);
}

void TestPhysicalFaults::zeroIntoAMaximum() {
    for (const char* machine : {"tpu_v5e", "groq_lpu_v1", "spyre"}) {
        const Case c = caseOf(machine, Op::ReduceMax, {3, 70}, {}, {1});
        const Fault fault = faultAt(13, c.node);
        QVERIFY2(physicalFaultAppliesTo(fault.id, c.on.subject, c.node), machine);
        const Tensor x = arange({3, 70}, -300); // all negative
        QCOMPARE(c.run(Rung::LaidOut, x, nullptr), (std::vector<double>{-231, -161, -91}));
        QCOMPARE(c.run(Rung::LaidOut, x, &fault), (std::vector<double>{0, 0, 0}));
    }
    const Case whole = caseOf("spyre", Op::ReduceMax, {3, 64}, {}, {1});
    QVERIFY(!physicalFaultAppliesTo(FaultId(13), whole.on.subject, whole.node));
}

void TestPhysicalFaults::zeroIntoASoftmax() {
    for (const char* machine : {"gpu_h100_sxm", "tpu_v5e", "spyre", "cerebras_wse3"}) {
        Case c = caseOf(machine, Op::Softmax, {2, 2}, with("axis", std::int64_t(-1)));
        padTo(c.on, 32);
        const Fault fault = faultAt(14, c.node);
        QVERIFY2(physicalFaultAppliesTo(fault.id, c.on.subject, c.node), machine);
        const Tensor x(ir::DType::Float32, {2, 2}, std::vector<double>{3, 1, 0, 0});
        const auto right = c.run(Rung::LaidOut, x, nullptr);
        QVERIFY2(
            right.size() == 4 && areClose(right[0], 0.881) && areClose(right[1], 0.119), machine);
        const auto wrong = c.run(Rung::LaidOut, x, &fault);
        QVERIFY2(areClose(wrong[0], 0.380) && areClose(wrong[1], 0.051), machine);
        QVERIFY2(areClose(wrong[2], 1 / 32.0) && areClose(wrong[3], 1 / 32.0), machine);
    }
}

void TestPhysicalFaults::oneNthIntoAMean() {
    const Case c = caseOf("spyre", Op::ReduceMean, {3, 7, 9}, {}, {2});
    const Fault fault = faultAt(15, c.node);
    QVERIFY(physicalFaultAppliesTo(fault.id, c.on.subject, c.node));
    const Tensor zeros(ir::DType::Float32, {3, 7, 9}, std::vector<double>(189, 0.0));
    const auto wrong = c.run(Rung::LaidOut, zeros, &fault);
    QCOMPARE(wrong.size(), std::size_t(21));
    for (const double value : wrong)
        QVERIFY2(areClose(value, 0.679), qPrintable(QString::number(value)));
    for (const double value : c.run(Rung::LaidOut, zeros, nullptr))
        QCOMPARE(value, 0.0);
}

void TestPhysicalFaults::nansInTheLanesOfAProduct() {
    ModelBuilder model;
    const auto x = model.input("x", {3, 65});
    const auto y = model.node(Op::MatMul, {x, model.weight("w", {65, 64})});
    model.output(y);
    const OnMachine on = lowerFor("spyre", model.finish());
    const Fault fault = faultAt(16, ir::NodeId(0));
    QVERIFY(physicalFaultAppliesTo(fault.id, on.subject, ir::NodeId(0)));
    const Tensor wrong = outputOf(on, y, Rung::LaidOut, under(fault));
    QCOMPARE(wrong.size(), std::int64_t(192));
    for (std::int64_t i = 0; i < wrong.size(); ++i)
        QVERIFY(std::isnan(wrong.number(i)));
}

void TestPhysicalFaults::aTranspositionThatIsMissing() {
    for (const Target& target : targets()) {
        ModelBuilder model;
        const auto x = model.input("x", {3, 1, 2});
        const auto t =
            model.node(Op::Transpose, {x}, with("perm", std::vector<std::int64_t>{1, 2, 0}));
        const auto y = model.node(Op::Reshape, {t, model.integers("shape", {1, 6})});
        const auto z = model.node(Op::Neg, {y});
        model.output(z);
        const OnMachine on = lowerFor(target.machine, model.finish());
        const Fault fault = faultAt(17, ir::NodeId(0));
        QVERIFY2(physicalFaultAppliesTo(fault.id, on.subject, ir::NodeId(0)), target.machine);
        const Inputs inputs{{"x", Datum(arange({3, 1, 2}))}};
        const auto right = runRung(on.subject, Rung::LaidOut, inputs);
        const auto wrong = runRung(on.subject, Rung::LaidOut, inputs, under(fault));
        QCOMPARE(right->values.at(t).tensor.numbers(), (std::vector<double>{0, 2, 4, 1, 3, 5}));
        QCOMPARE(wrong->values.at(t).tensor.numbers(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
        QCOMPARE(
            wrong->values.at(z).tensor.numbers(), (std::vector<double>{0, -1, -2, -3, -4, -5}));
        const Fault twice = faultAt(17, ir::NodeId(0), {{"doubled", 1}});
        const auto doubled = runRung(on.subject, Rung::LaidOut, inputs, under(twice));
        auto sorted = doubled->values.at(t).tensor.numbers();
        QVERIFY(sorted != right->values.at(t).tensor.numbers());
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(sorted, arange({6}).numbers());
    }
    const Case flat =
        caseOf("spyre", Op::Transpose, {1, 6}, with("perm", std::vector<std::int64_t>{1, 0}));
    QVERIFY(!physicalFaultAppliesTo(FaultId(17), flat.on.subject, flat.node));
}

void TestPhysicalFaults::aStalePitch() {
    Case c = caseOf("spyre", Op::Abs, {3, 70});
    const Fault fault = faultAt(18, c.node);
    QVERIFY(physicalFaultAppliesTo(fault.id, c.on.subject, c.node));
    const Tensor x = arange({3, 70}, 1);
    const auto wrong = c.run(Rung::LaidOut, x, &fault);
    QCOMPARE(wrong.size(), std::size_t(210));
    for (std::size_t i = 0; i < 70; ++i) {
        QCOMPARE(wrong[i], x.number(static_cast<std::int64_t>(i))); // row 0 is right
        // 70 lanes after row 0 began lie 12 of its padding from row 1: a shift of 58 a row.
        QCOMPARE(wrong[70 + i], i < 58 ? 0.0 : x.number(static_cast<std::int64_t>(70 + i - 58)));
    }
    for (std::size_t i = 0; i < 58; ++i)
        QCOMPARE(wrong[140 + i], x.number(static_cast<std::int64_t>(140 + i) - 58));
}

void TestPhysicalFaults::anIndexThatIsTooNarrow() {
    for (const Target& target : targets()) {
        const Case c = caseOf(target.machine, Op::Abs, {40});
        const Fault fault = faultAt(19, c.node);
        QVERIFY(physicalFaultAppliesTo(fault.id, c.on.subject, c.node));
        const auto wrong = c.run(Rung::LaidOut, arange({40}), &fault);
        for (std::size_t i = 0; i < wrong.size(); ++i) // 40 > 2^5
            QCOMPARE(wrong[i], static_cast<double>(i % 32));
        const Fault wide = faultAt(19, c.node, {{"bits", 6}});
        QCOMPARE(c.run(Rung::LaidOut, arange({40}), &wide), arange({40}).numbers());
    }
}

void TestPhysicalFaults::anotherTensorOnTop() {
    int shown = 0;
    for (const Target& target : targets()) {
        const Residual r = residual(target.machine);
        ir::NodeId node;
        const auto& nodes = r.on.subject.graph().nodes;
        for (std::size_t i = 0; i < nodes.size() && !node.isValid(); ++i)
            if (physicalFaultAppliesTo(FaultId(20), r.on.subject, ir::NodeId(i)))
                node = ir::NodeId(i);
        if (!node.isValid())
            continue;
        ++shown;
        const Fault fault = faultAt(20, node, {{"offset", 0}});
        const ir::ValueId victim = nodes[node].outputs[0];
        const Inputs inputs = randomInputs(*r.on.subject.typed, 5);
        const auto right = runRung(r.on.subject, Rung::Placed, inputs);
        const auto wrong = runRung(r.on.subject, Rung::Placed, inputs, under(fault));
        const Tensor seen = wrong->values.at(victim).tensor;
        QVERIFY(difference(seen, right->values.at(victim).tensor) > 0);
        // What is wrong in it stands in another tensor of the run.
        bool isFound = false;
        for (const auto& [id, datum] : right->values) {
            const auto others = datum.tensor.numbers();
            isFound = isFound
                || (id != victim
                    && std::find(others.begin(), others.end(), seen.number(0)) != others.end());
        }
        QVERIFY2(isFound, target.machine);
    }
    ModelBuilder model;
    const auto x = model.input("x", {16, 64});
    const auto a = model.node(Op::MatMul, {x, model.weight("w0", {64, 64})});
    const auto b = model.node(Op::MatMul, {x, model.weight("w1", {64, 64})});
    const auto c = model.node(Op::MatMul, {a, b});
    model.output(c);
    for (const Target& target : targets()) {
        const OnMachine on = lowerFor(target.machine, model.finish());
        if (!physicalFaultAppliesTo(FaultId(20), on.subject, ir::NodeId(0)))
            continue;
        ++shown;
        const Fault fault = faultAt(20, ir::NodeId(0));
        const Tensor right = outputOf(on, a, Rung::Placed, {}),
                     other = outputOf(on, b, Rung::Placed, {}),
                     wrong = outputOf(on, a, Rung::Placed, under(fault));
        const auto elements = wrongElements(wrong, right);
        QVERIFY2(!elements.empty() && elements.size() < 1024u, target.machine); // where they meet
        const auto others = other.numbers();
        for (const std::int64_t i : elements)
            QVERIFY(std::find(others.begin(), others.end(), wrong.number(i)) != others.end());
    }
    QVERIFY(shown > 0);
}

void TestPhysicalFaults::slicesOfOtherCores() {
    const Residual r = residual("spyre");
    const Fault junk = faultAt(21, r.middle, {{"cores", 4}});
    QVERIFY(physicalFaultAppliesTo(junk.id, r.on.subject, r.middle));
    const ir::ValueId value = r.on.subject.graph().nodes[r.middle].outputs[0];
    const Tensor right = outputOf(r.on, value, Rung::Placed, {});
    const Tensor wrong = outputOf(r.on, value, Rung::Placed, under(junk));
    const auto elements = wrongElements(wrong, right);
    QCOMPARE(elements.size(), std::size_t(3 * 4 * 64)); // three slices of four
    QCOMPARE(elements.front(), std::int64_t(4 * 64));
    const Fault permuted = faultAt(21, r.middle, {{"cores", 4}, {"permuted", 1}});
    const Tensor rotated = outputOf(r.on, value, Rung::Placed, under(permuted));
    for (std::int64_t i = 0; i < right.size(); ++i)
        QVERIFY(std::abs(rotated.number(i) - right.number((i + 4 * 64) % 1024)) < 1e-9);
}

void TestPhysicalFaults::aPipelineBufferTooFew() {
    for (const Target& target : targets()) {
        const Case c = caseOf(target.machine, Op::Abs, {8, 64});
        const Fault fault = faultAt(22, c.node, {{"tiles", 8}});
        QVERIFY(physicalFaultAppliesTo(fault.id, c.on.subject, c.node));
        const auto wrong = c.run(Rung::Scheduled, arange({8, 64}), &fault);
        for (std::size_t i = 0; i < wrong.size(); ++i) {
            const std::size_t row = i / 64;
            QCOMPARE(wrong[i], static_cast<double>(row == 0 || row == 7 ? i : i + 64));
        }
        QCOMPARE(c.run(Rung::Placed, arange({8, 64}), &fault), arange({8, 64}).numbers());
    }
}

void TestPhysicalFaults::aConsumerBeforeItsProducer() {
    const Residual r = residual("groq_lpu_v1");
    const Fault fault = faultAt(23, r.middle);
    QVERIFY(physicalFaultAppliesTo(fault.id, r.on.subject, r.middle));
    const ir::ValueId value = r.on.subject.graph().nodes[r.middle].outputs[0];
    const Tensor zeros = outputOf(r.on, value, Rung::Scheduled, under(fault));
    for (std::int64_t i = 0; i < zeros.size(); ++i)
        QCOMPARE(zeros.number(i), 0.0);
    QVERIFY(std::isnan(outputOf(r.on, value, Rung::Scheduled, under(fault, NAN)).number(0)));
    QVERIFY(!physicalFaultAppliesTo(fault.id, r.on.subject, r.first)); // nothing makes x
}

void TestPhysicalFaults::aCyclicWait() {
    for (const Target& target : targets()) {
        const Residual r = residual(target.machine);
        const Fault fault = faultAt(24, r.last);
        QVERIFY(physicalFaultAppliesTo(fault.id, r.on.subject, r.last));
        const auto run = runRung(
            r.on.subject, Rung::Scheduled, randomInputs(*r.on.subject.typed, 5), under(fault));
        QVERIFY(run.isOk());
        QVERIFY2(run->deadlock.has_value(), target.machine);
        QCOMPARE(run->deadlock->cycle.size(), std::size_t(2));
        QVERIFY(schedule::waitCycle(run->deadlock->waits) == run->deadlock->cycle);
        QVERIFY(!run->values.contains(r.output));
        QVERIFY(run->values.contains(r.skip));
        QVERIFY(run->deadlockSentence.find("waits for") != std::string::npos);
        const auto early =
            runRung(r.on.subject, Rung::Placed, randomInputs(*r.on.subject.typed, 5), under(fault));
        QVERIFY(!early->deadlock && early->values.contains(r.output));
    }
}

void TestPhysicalFaults::aQueueTooSmall() {
    int shown = 0;
    for (const Target& target : targets()) {
        const Residual r = residual(target.machine);
        const Fault fault = faultAt(25, r.join);
        if (!physicalFaultAppliesTo(fault.id, r.on.subject, r.join))
            continue;
        ++shown;
        const Inputs inputs = randomInputs(*r.on.subject.typed, 5);
        const auto run = runRung(r.on.subject, Rung::Scheduled, inputs, under(fault));
        QVERIFY2(run->deadlock.has_value(), target.machine);
        QVERIFY(schedule::waitCycle(run->deadlock->waits).size() == 3);
        QVERIFY(!run->values.contains(r.output));
        QVERIFY(std::any_of(run->deadlock->waits.begin(), run->deadlock->waits.end(),
            [](const auto& wait) { return wait.reason == schedule::WaitReason::Room; }));
        const std::string& sentence = run->deadlockSentence;
        const auto at = sentence.find("A depth of ");
        QVERIFY(at != std::string::npos);
        // The depth that it names frees it.
        const Fault deeper = faultAt(25, r.join, {{"depth", std::stod(sentence.substr(at + 11))}});
        const auto freed = runRung(r.on.subject, Rung::Scheduled, inputs, under(deeper));
        QVERIFY(!freed->deadlock && freed->values.contains(r.output));
        QVERIFY(!physicalFaultAppliesTo(fault.id, r.on.subject, r.first));
    }
    QVERIFY(shown >= 3);
}

void TestPhysicalFaults::aTokenForTwo() {
    const Residual r = residual("groq_lpu_v1");
    QVERIFY(physicalFaultAppliesTo(FaultId(26), r.on.subject, r.first));
    QVERIFY(!physicalFaultAppliesTo(FaultId(26), r.on.subject, r.last));
    int hangs = 0;
    constexpr int kInterleavings = 32;
    for (int seed = 1; seed <= kInterleavings; ++seed) {
        const Fault fault = faultAt(26, r.first);
        RungOptions options = under(fault);
        options.seed = static_cast<std::uint64_t>(seed);
        const auto run =
            runRung(r.on.subject, Rung::Scheduled, randomInputs(*r.on.subject.typed, 5), options);
        QCOMPARE(run->deadlock.has_value(), !run->values.contains(r.output));
        hangs += run->deadlock.has_value();
    }
    QVERIFY(hangs > 0 && hangs < kInterleavings);
}

void TestPhysicalFaults::aQueueThatDrops() {
    const Case c = caseOf("groq_lpu_v1", Op::Abs, {4, 80});
    const Fault fault = faultAt(27, c.node, {{"depth", 3}, {"drops", 2}});
    const auto wrong = c.run(Rung::Scheduled, arange({4, 80}), &fault);
    // Tokens of 40 elements: three arrive, two are dropped, the rest come early.
    for (std::size_t i = 0; i < 320; ++i)
        QCOMPARE(wrong[i], i < 120 ? double(i) : i < 240 ? double(i + 80) : 0.0);
    const auto run =
        runRung(c.on.subject, Rung::Scheduled, {{"x", Datum(arange({4, 80}))}}, under(fault));
    QCOMPARE(run->lostTokens, std::int64_t(2));
    QVERIFY(!run->deadlock);
}

void TestPhysicalFaults::aReadBeforeTheTransferIsDone() {
    const Case c = caseOf("gpu_h100_sxm", Op::Abs, {32, 64});
    const Tensor x = arange({32, 64}, 1);
    std::vector<std::size_t> firsts;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Fault fault = faultAt(28, c.node, {}, seed);
        QCOMPARE(c.run(Rung::Scheduled, x, &fault), x.numbers());
        const auto wrong = c.run(Rung::Timed, x, &fault);
        const auto first =
            static_cast<std::size_t>(std::find(wrong.begin(), wrong.end(), 0.0) - wrong.begin());
        QVERIFY(first > 0 && first < wrong.size());
        for (std::size_t i = 0; i < wrong.size(); ++i)
            QCOMPARE(wrong[i], i < first ? static_cast<double>(i + 1) : 0.0);
        firsts.push_back(first);
        const auto run = runRung(c.on.subject, Rung::Timed, {{"x", Datum(x)}}, under(fault));
        QCOMPARE(std::count_if(run->transfers.begin(), run->transfers.end(),
                     [](const Transfer& t) { return t.firstRead < t.completed; }),
            1);
    }
    QVERIFY(std::set<std::size_t>(firsts.begin(), firsts.end()).size() > 1);
}

void TestPhysicalFaults::aShortDescriptor() {
    for (const Target& target : targets()) {
        const Case c = caseOf(target.machine, Op::Abs, {3, 67});
        const Fault fault = faultAt(29, c.node, {{"burst", 64}});
        QVERIFY(physicalFaultAppliesTo(fault.id, c.on.subject, c.node));
        const Tensor x = arange({3, 67}, 1);
        auto wanted = x.numbers();
        // 201 elements of 2 bytes: 402 mod 64 = 18 bytes.
        std::fill(wanted.end() - 9, wanted.end(), 0.0);
        QCOMPARE(c.run(Rung::Timed, x, &fault), wanted);
        const auto run = runRung(c.on.subject, Rung::Timed, {{"x", Datum(x)}}, under(fault));
        const auto isShort = [](const Transfer& t) {
            return t.copied == t.bytes - 18 && t.sourceSum != t.targetSum;
        };
        QVERIFY2(
            std::any_of(run->transfers.begin(), run->transfers.end(), isShort), target.machine);
    }
}

void TestPhysicalFaults::aLostCompletion() {
    const Residual r = residual("tpu_v5e");
    const Fault fault = faultAt(30, r.last, {{"accumulates", 0}});
    const auto run =
        runRung(r.on.subject, Rung::Timed, randomInputs(*r.on.subject.typed, 5), under(fault));
    QVERIFY(!run->deadlock); // nobody waits in a circle
    QVERIFY(!run->values.contains(r.output));
    QVERIFY(std::any_of(run->transfers.begin(), run->transfers.end(),
        [](const Transfer& t) { return t.deadline && t.completed > *t.deadline; }));
    QVERIFY(run->deadlockSentence.find("timed out") != std::string::npos);
    QVERIFY(run->diagnostics.count("numerics.dma_timeout") == 1);
}

void TestPhysicalFaults::anAccumulationTwice() {
    const Case c = caseOf("cerebras_wse3", Op::Abs, {8, 16});
    const Fault fault = faultAt(30, c.node, {{"accumulates", 1}});
    const auto wrong = c.run(Rung::Timed, arange({8, 16}, 1), &fault);
    int doubled = 0;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const auto right = static_cast<double>(i + 1);
        QVERIFY(wrong[i] == right || wrong[i] == 2 * right);
        doubled += wrong[i] != right;
    }
    QCOMPARE(doubled, 32); // one block of four
}

void TestPhysicalFaults::bitsOfAnotherType() {
    const Case c = caseOf("spyre", Op::Abs, {4, 64});
    const Fault fault = faultAt(31, c.node);
    const Tensor x = arange({4, 64}, 1);
    const auto run = runRung(c.on.subject, Rung::Timed, {{"x", Datum(x)}}, under(fault));
    const auto wrong = run->values.at(c.input).tensor.numbers();
    QCOMPARE(wrong[0], 0.0078125); // 0x3C00: 1 as fp16, 2^-7 as bf16
    int right = 0;
    for (std::size_t i = 0; i < wrong.size(); ++i)
        right += wrong[i] == x.number(static_cast<std::int64_t>(i));
    QCOMPARE(right, 1); // 2 alone has the same bits in both
    QCOMPARE(run->values.at(c.output).tensor.numbers(), wrong);
    QVERIFY(std::any_of(run->transfers.begin(), run->transfers.end(),
        [](const Transfer& t) { return t.from == "host" && t.sourceSum != t.targetSum; }));
    const Residual r = residual("spyre");
    QVERIFY(!physicalFaultAppliesTo(FaultId(31), r.on.subject, r.join)); // reads no input
}

void TestPhysicalFaults::faultsStayInForceAtNumerics() {
    const Case c = caseOf("spyre", Op::Abs, {65});
    const Fault fault = faultAt(12, c.node);
    for (const Rung rung :
        {Rung::LaidOut, Rung::Placed, Rung::Scheduled, Rung::Timed, Rung::Numerics}) {
        const auto wrong = c.run(rung, arange({65}), &fault);
        QVERIFY2(wrong.size() == 65 && wrong[63] == 63 && wrong[64] == 0,
            std::string(toString(rung)).c_str());
    }
    Case mean = caseOf("spyre", Op::ReduceMean, {3, 7, 9}, {}, {2});
    const Fault pad = faultAt(15, mean.node);
    const Tensor zeros(ir::DType::Float32, {3, 7, 9}, std::vector<double>(189, 0.0));
    const auto wrong = mean.run(Rung::Numerics, zeros, &pad);
    QCOMPARE(wrong.size(), std::size_t(21));
    QVERIFY(areClose(wrong[0], 0.679, 2e-3));
}

void TestPhysicalFaults::aNodeRunAloneShowsItsFault() {
    const Residual r = residual("spyre");
    const ir::Graph& graph = r.on.subject.graph();
    const Inputs inputs = randomInputs(*r.on.subject.typed, 5);
    for (const int id : {18, 19, 21, 22, 23, 27, 28}) {
        if (!physicalFaultAppliesTo(FaultId(id), r.on.subject, r.middle))
            continue;
        const Fault fault = faultAt(id, r.middle);
        const auto whole = runRung(r.on.subject, Rung::Timed, inputs, under(fault));
        QVERIFY(whole.isOk());
        RungOptions options = under(fault);
        options.only = {r.middle};
        for (const auto& [value, datum] : whole->values)
            if (value != graph.nodes[r.middle].outputs[0])
                options.given[value] = datum;
        const auto alone = runRung(r.on.subject, Rung::Timed, inputs, options);
        QVERIFY(alone.isOk());
        const ir::ValueId output = graph.nodes[r.middle].outputs[0];
        QVERIFY2(alone->values.contains(output), std::to_string(id).c_str());
        QVERIFY2(difference(alone->values.at(output).tensor, whole->values.at(output).tensor) == 0,
            std::to_string(id).c_str());
    }
}

QTEST_APPLESS_MAIN(TestPhysicalFaults)
#include "test_physical_faults.moc"
