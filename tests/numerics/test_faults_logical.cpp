// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/fault_rules.h"
#include "physical_models.h"

#include <QtTest>
#include <functional>

using namespace fivefold;
using namespace fivefold::numerics;
using namespace fivefold::test;
using ir::Op;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor tensor(std::vector<std::int64_t> shape, const std::function<double(std::int64_t)>& value) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(value(i));
    return {ir::DType::Float32, std::move(shape), std::move(values)};
}

/// A model with one output, the operator that the fault befalls, and its inputs.
struct Case {
    std::shared_ptr<const ir::Graph> graph;
    Inputs inputs;
    Op op = Op::Unknown;
    int fault = 0;
    std::map<std::string, double> parameters;
};

ir::NodeId lastOf(const ir::Graph& graph, Op op) {
    ir::NodeId found;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].op == op)
            found = ir::NodeId(i);
    return found;
}

Case mean() {
    ModelBuilder model;
    const auto x = model.input("x", {4, 65});
    model.output(model.node(
        Op::ReduceMean, {x, model.integers("axes", {1})}, with("keepdims", std::int64_t(1))));
    return {model.finish(), {{"x", tensor({4, 65}, [](auto i) { return 1.0 + double(i % 7); })}},
        Op::ReduceMean, 1, {{"n0", 64}}};
}

Case branch() {
    ModelBuilder model;
    const auto c = model.input("c", {3, 5}, ir::DType::Bool);
    model.output(model.node(Op::Where, {c, model.input("a", {3, 5}), model.input("b", {3, 5})}));
    return {model.finish(),
        {{"c", Tensor(ir::DType::Bool, {3, 5}, std::vector<std::int64_t>(15, 1))},
            {"a", tensor({3, 5}, [](auto) { return 1.0; })},
            {"b", tensor({3, 5}, [](auto) { return 2.0; })}},
        Op::Where, 2, {}};
}

Case alias() {
    ModelBuilder model;
    const auto x = model.input("x", {6, 4});
    const auto updated = model.node(Op::Add, {x, model.scalar("one", 1)});
    model.output(
        model.node(Op::Transpose, {updated}, with("perm", std::vector<std::int64_t>{1, 0})));
    return {model.finish(), {{"x", arange({6, 4})}}, Op::Transpose, 3, {}};
}

Case gelu() {
    ModelBuilder model;
    model.output(model.node(Op::Gelu, {model.input("x", {1, 121})}));
    return {model.finish(), {{"x", tensor({1, 121}, [](auto i) { return -6 + 0.1 * double(i); })}},
        Op::Gelu, 4, {}};
}

Case softmax() {
    ModelBuilder model;
    model.output(
        model.node(Op::Softmax, {model.input("x", {3, 9})}, with("axis", std::int64_t(-1))));
    return {model.finish(),
        {{"x", tensor({3, 9}, [](auto i) { return i == 13 ? 800.0 : 0.1 * double(i); })}},
        Op::Softmax, 5, {}};
}

Case variance() {
    ModelBuilder model;
    const auto x = model.input("x", {2, 64});
    model.output(model.node(Op::LayerNormalization,
        {x, model.weight("scale", {64}), model.weight("shift", {64})},
        with("axis", std::int64_t(-1))));
    return {model.finish(),
        {{"x", tensor({2, 64}, [](auto i) { return (i < 64 ? 1.0 : 1000.0) + double(i % 5); })}},
        Op::LayerNormalization, 6, {}};
}

Case attention(int fault, bool isWhere) {
    ModelBuilder model;
    const auto q = model.input("q", {8, 16});
    const auto scores = model.node(Op::MatMul, {q, model.input("k", {16, 8})});
    const auto mask = model.input("mask", {8, 8}, isWhere ? ir::DType::Bool : ir::DType::Float32);
    const auto masked = isWhere
        ? model.node(Op::Where, {mask, scores, model.scalar("low", -kInfinity)})
        : model.node(Op::Add, {scores, mask});
    model.output(model.node(Op::Softmax, {masked}, with("axis", std::int64_t(-1))));
    const auto isSeen = [](std::int64_t i) { return i % 8 <= i / 8; };
    Inputs inputs{{"q", tensor({8, 16}, [](auto i) { return 0.01 * double(i % 11); })},
        {"k", tensor({16, 8}, [](auto i) { return 0.02 * double(i % 13); })}};
    if (isWhere) {
        std::vector<std::int64_t> bits;
        for (std::int64_t i = 0; i < 64; ++i)
            bits.push_back(isSeen(i) && i >= 8 ? 1 : 0); // row 0 is masked whole
        inputs["mask"] = Tensor(ir::DType::Bool, {8, 8}, bits);
    } else {
        inputs["mask"] = tensor({8, 8}, [&](auto i) { return isSeen(i) ? 0.0 : -1e9; });
    }
    return {model.finish(), inputs, isWhere ? Op::Where : Op::Add, fault, {}};
}

Case broadcast() {
    ModelBuilder model;
    const auto x = model.input("x", {3, 4});
    model.output(model.node(Op::Relu, {model.node(Op::Add, {x, model.input("bias", {3, 1})})}));
    return {model.finish(),
        {{"x", arange({3, 4}, 1)},
            {"bias", tensor({3, 1}, [](auto i) { return 10.0 * double(i); })}},
        Op::Add, 8, {}};
}

Case epilogue(int fault) {
    ModelBuilder model;
    const auto product =
        model.node(Op::MatMul, {model.input("a", {4, 6}), model.input("w", {6, 5})});
    const auto sum = model.node(Op::Add, {product, model.input("b", {5})});
    model.output(fault == 9 ? model.node(Op::Mul, {sum, model.scalar("alpha", 0.25)})
                            : model.node(Op::Relu, {sum}));
    return {model.finish(),
        {{"a", tensor({4, 6}, [](auto i) { return double(i % 5) - 2; })},
            {"w", tensor({6, 5}, [](auto i) { return double(i % 7) - 3; })},
            {"b", tensor({5}, [](auto i) { return double(i) - 2; })}},
        fault == 9 ? Op::Mul : Op::Relu, fault, {}};
}

Case inverse() {
    ModelBuilder model;
    model.output(model.node(Op::Log, {model.node(Op::Exp, {model.input("x", {4})})}));
    return {model.finish(), {{"x", tensor({4}, [](auto i) { return i == 2 ? 800.0 : double(i); })}},
        Op::Log, 11, {}};
}

Case count() {
    ModelBuilder model;
    const auto x = model.input("x", {2, 4096});
    model.output(model.node(
        Op::ReduceSum, {x, model.integers("axes", {1})}, with("keepdims", std::int64_t(1))));
    return {model.finish(), {{"x", tensor({2, 4096}, [](auto) { return 1.0; })}}, Op::ReduceSum, 32,
        {}};
}

Case product(int fault, double a, double b) {
    ModelBuilder model;
    model.output(model.node(Op::Mul, {model.input("a", {64}), model.input("b", {64})}));
    return {model.finish(),
        {{"a", tensor({64}, [a](auto i) { return a * (1 + double(i) / 64); })},
            {"b", tensor({64}, [b](auto) { return b; })}},
        Op::Mul, fault, {}};
}

class LogicalFaultsTest : public QObject {
    Q_OBJECT

private:
    Fault m_fault;

    Tensor output(const OnMachine& model, const Case& c, Rung rung, bool isFaulty) {
        m_fault = {FaultId(c.fault), lastOf(*c.graph, c.op), 1, c.parameters};
        RungOptions options;
        if (isFaulty)
            options.fault = &m_fault;
        const auto run = runRung(model.subject, rung, c.inputs, options);
        if (!run)
            throw std::runtime_error(run.error().text());
        const ir::ValueId id = c.graph->main().outputs[0];
        return run->values.contains(id) ? run->values.at(id).tensor : Tensor();
    }

    /// Right before its rung, and from it on as `check` wants, on every machine.
    void everywhere(
        const Case& c, const std::function<void(const Tensor& right, const Tensor& wrong)>& check) {
        for (const Target& target : targets()) {
            const OnMachine model = lowerFor(target.machine, c.graph);
            QVERIFY2(
                appliesTo(FaultId(c.fault), model.subject, lastOf(*c.graph, c.op)), target.machine);
            for (const Rung rung : {Rung::Captured, Rung::Decomposed, Rung::Fused}) {
                const Tensor right = output(model, c, rung, false);
                const Tensor wrong = output(model, c, rung, true);
                QVERIFY2(right.isDefined() && wrong.isDefined(), target.machine);
                if (rung < firstRung(FaultId(c.fault)))
                    QVERIFY2(difference(right, wrong) == 0, target.machine);
                else
                    check(right, wrong);
                if (QTest::currentTestFailed())
                    qInfo("on %s at rung %d", target.machine, int(rung));
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

private slots:
    void frozenSize() { // F01
        everywhere(mean(), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t i = 0; i < right.size(); ++i)
                QVERIFY(std::abs(wrong.number(i) / right.number(i) - 1.015625) < 1e-12);
        });
    }
    void otherBranch() { // F02
        everywhere(branch(), [](const Tensor&, const Tensor& wrong) {
            for (const double value : wrong.numbers())
                QCOMPARE(value, 2.0);
        });
    }
    void staleAlias() { // F03
        everywhere(alias(), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t i = 0; i < right.size(); ++i)
                QCOMPARE(right.number(i) - wrong.number(i), 1.0);
        });
    }
    void geluByTanh() { // F04: the figures of the facts
        everywhere(gelu(), [](const Tensor& right, const Tensor& wrong) {
            double worst = 0;
            for (std::int64_t i = 0; i < right.size(); ++i)
                worst = std::max(worst, std::abs(right.number(i) - wrong.number(i)));
            QVERIFY2(worst > 4.6e-4 && worst < 4.74e-4, std::to_string(worst).c_str());
            QVERIFY(std::abs(wrong.number(20) + 7.0e-5) < 1e-6); // x = −4
            QVERIFY(std::abs(right.number(20) + 1.27e-4) < 1e-6);
        });
    }
    void softmaxOverflow() { // F05
        everywhere(softmax(), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t i = 0; i < 27; ++i) {
                const bool isBad = i == 13;
                QCOMPARE(std::isnan(wrong.number(i)), isBad);
                if (i / 9 != 1)
                    QVERIFY(std::abs(right.number(i) - wrong.number(i)) < 1e-12);
            }
        });
    }
    void varianceCancels() { // F06: a little in fp64, not at all a number in fp16
        const Case c = variance();
        everywhere(c, [](const Tensor& right, const Tensor& wrong) {
            const double error = difference(right, wrong);
            QVERIFY(error > 0 && error < 1e-6);
        });
        const auto precision = machines::Precision::Fp16;
        const OnMachine gpu = onMachine(
            lowerGraph(familyOf("gpu_h100_sxm"), c.graph, "gpu_h100_sxm", settingsAt(precision)),
            precision);
        const Tensor wrong = output(gpu, c, Rung::Numerics, true);
        const Tensor right = output(gpu, c, Rung::Numerics, false);
        QVERIFY(std::isfinite(right.number(100)));
        QVERIFY(!(std::abs(wrong.number(100) - right.number(100)) < 0.1));
    }
    void maskDropped() { // F07
        everywhere(attention(7, false), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t row = 0; row < 8; ++row) {
                double error = 0;
                for (std::int64_t i = row * 8; i < row * 8 + 8; ++i)
                    error = std::max(error, std::abs(right.number(i) - wrong.number(i)));
                QVERIFY(row == 7 ? error < 1e-12 : error > 1e-3);
            }
        });
    }
    void broadcastLost() { // F08
        everywhere(broadcast(), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t i = 0; i < 12; ++i)
                QCOMPARE(right.number(i) - wrong.number(i), 10.0 * double(i / 4));
        });
    }
    void alphaOnTheProductAlone() { // F09
        everywhere(epilogue(9), [](const Tensor& right, const Tensor& wrong) {
            for (std::int64_t i = 0; i < 20; ++i)
                QCOMPARE(wrong.number(i) - right.number(i), 0.75 * (double(i % 5) - 2));
        });
    }
    void reluBeforeTheBias() { // F10
        everywhere(epilogue(10), [](const Tensor& right, const Tensor& wrong) {
            int different = 0;
            for (std::int64_t i = 0; i < 20; ++i)
                different += right.number(i) != wrong.number(i);
            QVERIFY(different > 0 && different < 20);
            const std::vector<double> values = wrong.numbers();
            QVERIFY(*std::ranges::min_element(values) < 0);
        });
    }
    void inversePairCancelled() { // F11
        everywhere(inverse(), [](const Tensor& right, const Tensor& wrong) {
            QCOMPARE(right.number(2), kInfinity);
            QCOMPARE(wrong.number(2), 800.0);
            QVERIFY(std::abs(right.number(1) - wrong.number(1)) < 1e-12);
        });
    }

    void halfAccumulator() { // F32
        const Case c = count();
        const OnMachine wafer = lowerFor("cerebras_wse3", c.graph);
        QVERIFY(appliesTo(FaultId(32), wafer.subject, lastOf(*c.graph, c.op)));
        QCOMPARE(output(wafer, c, Rung::Numerics, false).number(0), 4096.0);
        QCOMPARE(output(wafer, c, Rung::Numerics, true).number(0), 2048.0);
        QCOMPARE(output(wafer, c, Rung::Fused, true).number(0), 4096.0);
    }
    void flushedSubnormals() { // F33: 0.1875 · 2^−124, pytorch 126848
        const Case c = product(33, 0.1875, std::ldexp(1.0, -124));
        const auto precision = machines::Precision::Fp32;
        const OnMachine gpu = onMachine(
            lowerGraph(familyOf("gpu_h100_sxm"), c.graph, "gpu_h100_sxm", settingsAt(precision)),
            precision);
        QVERIFY(appliesTo(FaultId(33), gpu.subject, lastOf(*c.graph, c.op)));
        QVERIFY(output(gpu, c, Rung::Numerics, false).number(0) == 0.1875 * std::ldexp(1.0, -124));
        QVERIFY(output(gpu, c, Rung::Numerics, true).number(0) == 0);
        const OnMachine spyre = lowerFor("spyre", c.graph); // DLFloat16 has none to flush
        QVERIFY(!appliesTo(FaultId(33), spyre.subject, lastOf(*c.graph, c.op)));
    }
    void finiteMask() { // F34: a row that is masked whole is uniform, not NaN
        const Case c = attention(34, true);
        const OnMachine wafer = lowerFor("cerebras_wse3", c.graph);
        QVERIFY(appliesTo(FaultId(34), wafer.subject, lastOf(*c.graph, c.op)));
        const Tensor wrong = output(wafer, c, Rung::Numerics, true);
        QCOMPARE(wrong.number(0), 0.125);
        QVERIFY(std::isnan(output(wafer, c, Rung::Numerics, false).number(0)));
    }
    void truncation() { // F35: never above, and below on the mean
        const Case c = product(35, 1.0, 1.1);
        for (const Target& target : targets()) {
            const OnMachine model = lowerFor(target.machine, c.graph);
            const Tensor exact = output(model, c, Rung::Fused, true);
            const Tensor wrong = output(model, c, Rung::Numerics, true);
            const Tensor right = output(model, c, Rung::Numerics, false);
            double bias = 0, fair = 0;
            for (std::int64_t i = 0; i < exact.size(); ++i) {
                bias += wrong.number(i) - exact.number(i);
                fair += right.number(i) - exact.number(i);
            }
            QVERIFY2(bias < fair, target.machine);
            QVERIFY2(bias < 0, target.machine);
        }
    }

    void notEverywhere() {
        const Case c = epilogue(10);
        const OnMachine model = lowerFor("gpu_h100_sxm", c.graph);
        for (int fault = 1; fault <= 11; ++fault)
            if (fault != 3 && fault != 10)
                QVERIFY2(!appliesTo(FaultId(fault), model.subject, lastOf(*c.graph, Op::Relu)),
                    std::to_string(fault).c_str());
        QVERIFY(!appliesTo(FaultId(5), model.subject, ir::NodeId()));
    }
};

} // namespace

QTEST_APPLESS_MAIN(LogicalFaultsTest)
#include "test_faults_logical.moc"
