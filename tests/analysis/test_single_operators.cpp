// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../families/lowered_model.h"

#include "core/analysis/pipeline.h"
#include "core/analysis/predict.h"

#include <QTest>

#include <array>
#include <cctype>
#include <cmath>

using namespace fivefold;
using machines::Precision;

namespace {

std::shared_ptr<const analysis::Result> analyse(std::shared_ptr<const ir::Graph> graph,
    const char* machine, Precision precision, const char* dispatch = "off") {
    analysis::Request request;
    auto model = std::make_shared<analysis::Model>();
    model->graph = std::move(graph);
    request.model = model;
    request.machine = machines::findMachine(machine);
    request.settings.precision = precision;
    request.settings.isPrecisionGiven = true;
    if (request.machine->family == "tpu")
        request.settings.values["dispatch"] = dispatch;
    const auto result = analysis::analyze(request);
    return result ? *result : nullptr;
}

std::shared_ptr<const ir::Graph> productGraph(std::int64_t m, std::int64_t n, std::int64_t k) {
    test::ModelBuilder b;
    b.output(b.node(ir::Op::MatMul, {b.input("a", {m, k}), b.weight("b", {k, n})}));
    return b.finish();
}

/// The one step that takes time, with the sum of all.
struct Single {
    const lowering::Estimate* estimate = nullptr;
    double seconds = 0;
};

Single single(const analysis::Result& result) {
    Single s;
    for (const lowering::Step& step : result.program.steps) {
        s.seconds += step.estimate.time.value;
        if (!s.estimate || step.estimate.time > s.estimate->time)
            s.estimate = &step.estimate;
    }
    return s;
}

roofline::MeasuredOperator productRow(
    const char* machine, Precision precision, std::int64_t m, std::int64_t n, std::int64_t k) {
    roofline::MeasuredOperator row;
    row.machine = machine;
    row.precision = precision;
    row.op = "matmul";
    row.m = m;
    row.n = n;
    row.k = k;
    return row;
}

double seconds(const roofline::MeasuredOperator& row) {
    return analysis::predict({row}).front().value_or(0) * 1e-6;
}

/// The first four numbers of a text.
std::array<std::int64_t, 4> numbersOf(const std::string& text) {
    std::array<std::int64_t, 4> numbers{};
    std::size_t at = 0;
    for (std::int64_t& number : numbers) {
        at = text.find_first_of("0123456789", at);
        for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
            number = 10 * number + (text[at] - '0');
    }
    return numbers;
}

bool isNear(double a, double b, double tolerance = 1e-6) {
    return a > 0 && std::abs(a / b - 1) < tolerance;
}

} // namespace

/// A lowering's estimate and a table's prediction are one equation with two callers.
class TestSingleOperators : public QObject {
    Q_OBJECT

private slots:
    void aProductTakesWhatItsEquationPredicts_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        const auto add = [](const char* machine, const char* precision) {
            for (const auto [m, n, k] : {std::array{128, 768, 768}, std::array{1024, 1024, 1024},
                     std::array{2048, 4096, 1024}, std::array{8, 8192, 8192}})
                QTest::addRow("%s %s %d %d %d", machine, precision, m, n, k)
                    << machine << precision << m << n << k;
        };
        for (const char* gpu :
            {"gpu_a100_sxm_80gb", "gpu_h100_sxm", "gpu_h200_sxm", "gpu_b200_sxm", "gpu_l40s"})
            add(gpu, "bf16");
        add("gpu_h100_sxm", "fp8");
        for (const char* tpu : {"tpu_v4", "tpu_v5e", "tpu_v6e", "tpu_v7x"})
            add(tpu, "bf16");
    }
    void aProductTakesWhatItsEquationPredicts() {
        QFETCH(QString, machine);
        QFETCH(QString, precision);
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        const std::string id = machine.toStdString();
        const Precision p = *machines::parsePrecision(precision.toStdString());
        const auto result = analyse(productGraph(m, n, k), id.c_str(), p);
        QVERIFY(result);
        const double estimated = single(*result).seconds;
        const double predicted = seconds(productRow(id.c_str(), p, m, n, k));
        // The tables' fp8 products leave 16 bits; a graph in fp8 leaves 8.
        QVERIFY2(isNear(estimated, predicted, p == Precision::Fp8 ? 0.02 : 1e-6),
            (std::to_string(estimated * 1e6) + " µs against " + std::to_string(predicted * 1e6))
                .c_str());
    }

    /// The host's call comes on top, whether or not copies and arithmetic overlap.
    void aCallCostsItsDispatchOnly() {
        for (const char* tpu : {"tpu_v4", "tpu_v6e", "tpu_v7x"}) {
            const auto off = analyse(productGraph(1024, 1024, 1024), tpu, Precision::Bf16);
            const auto on = analyse(productGraph(1024, 1024, 1024), tpu, Precision::Bf16, "on");
            const double dispatch = on->machine().parameterOr("dispatch_s", 0);
            QVERIFY(isNear(single(*on).seconds - single(*off).seconds, dispatch));
        }
    }

    /// The series names the split of the compiler.
    void aProductOnSpyreTakesWhatItsSeriesPredicts() {
        for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{128, 2304, 768},
                 std::array<std::int64_t, 3>{2048, 4096, 4096},
                 std::array<std::int64_t, 3>{64, 128, 256}}) {
            const auto result = analyse(productGraph(m, n, k), "spyre", Precision::Fp16);
            QVERIFY(result);
            const lowering::StageGraph& graph = result->program.stage(lowering::Stage::Scheduled);
            const lowering::Step* product = nullptr;
            for (const lowering::Step& step : result->program.steps)
                if (graph.nodes[step.mainNode].canonical == ir::Op::MatMul)
                    product = &step;
            QVERIFY(product);
            const auto split = numbersOf(product->workDivision);
            auto row = productRow("spyre", Precision::Fp16, m, n, k);
            row.group = "spyre_sweep_matmul";
            row.split = split; // "b1 · m8 · n4 · k1 = 32 cores"
            QVERIFY2(isNear(product->estimate.time.value, seconds(row)),
                product->estimate.because.c_str());
            QVERIFY(product->estimate.bandSource.find("spyre_matmul") != std::string::npos);
        }
    }

    /// Its cycles on the wafer; tensors that cross the wafer's edge come on top.
    void aProductOnTheWaferTakesTheCyclesOfItsSeries() {
        const auto result =
            analyse(productGraph(2160, 2160, 2160), "cerebras_wse3", Precision::Fp16);
        QVERIFY(result);
        const lowering::Estimate& e = *single(*result).estimate;
        double cycles = e.compute.value;
        for (const lowering::TimePart& part : e.scheduling)
            if (part.name == "shift steps" || part.name == "all-reduce")
                cycles += part.time.value;
        cycles *= result->machine().parameterOr("equation_clock_hz", 0);
        auto row = productRow("cerebras_wse3", Precision::Fp16, 2160, 2160, 2160);
        row.group = "wse3_gemm_mesh";
        // The side that the floor plan chose is one that predicts these cycles.
        bool isFound = false;
        for (row.side = 1; row.side <= 762 && !isFound; ++row.side)
            isFound = isNear(cycles, seconds(row) * 1e6);
        QVERIFY(isFound);
    }

    void anElementwiseKernelOnSpyreTakesWhatItsSeriesPredicts() {
        test::ModelBuilder b;
        b.output(b.node(ir::Op::Neg, {b.input("x", {2048, 1024})}));
        const auto result = analyse(b.finish(), "spyre", Precision::Fp16);
        QVERIFY(result);
        roofline::MeasuredOperator row;
        row.machine = "spyre";
        row.group = "spyre_pointwise";
        row.op = "neg";
        row.precision = Precision::Fp16;
        row.cores = 32;
        row.bytesRead = row.bytesWritten = 2048 * 1024 * 2;
        QVERIFY(isNear(single(*result).seconds, seconds(row)));
    }

    void aSoftmaxOnSpyreTakesWhatItsSeriesPredicts_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("512x1024") << 512 << 1024;
        QTest::newRow("4096x2048") << 4096 << 2048;
    }
    void aSoftmaxOnSpyreTakesWhatItsSeriesPredicts() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        test::ModelBuilder b;
        ir::Attributes attributes;
        attributes.set("axis", std::int64_t{-1});
        b.output(b.node(ir::Op::Softmax, {b.input("x", {rows, columns})}, attributes));
        const auto result = analyse(b.finish(), "spyre", Precision::Fp16);
        QVERIFY(result);
        roofline::MeasuredOperator row;
        row.machine = "spyre";
        row.group = "spyre_softmax";
        row.op = "softmax";
        row.precision = Precision::Fp16;
        row.cores = 32;
        row.shape = {rows, columns};
        QVERIFY2(isNear(single(*result).seconds, seconds(row)),
            std::to_string(single(*result).seconds * 1e6).c_str());
    }

    void aLayerNormOnTpuV4TakesWhatItsSeriesPredicts() {
        test::ModelBuilder b;
        b.output(b.node(ir::Op::LayerNormalization,
            {b.input("x", {1024, 1024}), b.weight("scale", {1024}), b.weight("bias", {1024})}));
        const auto result = analyse(b.finish(), "tpu_v4", Precision::Bf16);
        QVERIFY(result);
        roofline::MeasuredOperator row;
        row.machine = "tpu_v4";
        row.group = "tpu_v4_layer_norm";
        row.op = "layer_norm";
        row.precision = Precision::Bf16;
        row.shape = {1024, 1024};
        QVERIFY2(isNear(single(*result).seconds, seconds(row)),
            std::to_string(single(*result).seconds * 1e6).c_str());
    }

    void anElementwiseKernelOnTpuV4TakesWhatItsSeriesPredicts() {
        test::ModelBuilder b;
        b.output(b.node(ir::Op::Add, {b.input("x", {1024, 1024}), b.input("y", {1024, 1024})}));
        const auto result = analyse(b.finish(), "tpu_v4", Precision::Bf16);
        QVERIFY(result);
        roofline::MeasuredOperator row;
        row.machine = "tpu_v4";
        row.group = "tpu_v4_elementwise";
        row.op = "add";
        row.precision = Precision::Bf16;
        row.shape = {1024, 1024};
        QVERIFY2(isNear(single(*result).seconds, seconds(row)),
            std::to_string(single(*result).seconds * 1e6).c_str());
    }

    /// torch-spyre, cost_model.py: R = W = 16,777,216 bytes take 320.0 µs.
    void theCompilersIdealOfASoftmaxIs320Microseconds() {
        test::ModelBuilder b;
        ir::Attributes attributes;
        attributes.set("axis", std::int64_t{-1});
        b.output(b.node(ir::Op::Softmax, {b.input("x", {4096, 2048})}, attributes));
        const auto result = analyse(b.finish(), "spyre", Precision::Fp16);
        QVERIFY(result);
        double ideal = 0;
        for (const lowering::Step& step : result->program.steps)
            ideal += step.estimate.compilerIdeal.value_or(base::Seconds()).value;
        QCOMPARE(std::round(ideal * 1e7) / 10, 320.0);
        QVERIFY(isNear(ideal, 319.9974e-6, 1e-6)); // what the compiler itself prints
    }

    void otherMachinesHaveNoCompilersIdeal() {
        const auto result = analyse(productGraph(64, 64, 64), "gpu_h100_sxm", Precision::Bf16);
        for (const lowering::Step& step : result->program.steps)
            QVERIFY(!step.estimate.compilerIdeal);
    }

    /// What no series covers has no band and names none.
    void aBandNamesItsSeries() {
        const auto covered = analyse(productGraph(512, 512, 512), "gpu_h100_sxm", Precision::Bf16);
        const lowering::Estimate& e = *single(*covered).estimate;
        QVERIFY(e.low && e.high && *e.low < e.time && e.time < *e.high);
        QVERIFY(e.bandSource.find("gpu_gemm") != std::string::npos);
        const auto groq = analyse(productGraph(512, 512, 512), "groq_lpu_v1", Precision::Fp16);
        QVERIFY(!single(*groq).estimate->low && single(*groq).estimate->bandSource.empty());
        // The v4's rates were measured in fp16 alone.
        const auto v4 = analyse(productGraph(512, 512, 512), "tpu_v4", Precision::Bf16);
        QVERIFY(!single(*v4).estimate->low);
    }
};

QTEST_GUILESS_MAIN(TestSingleOperators)
#include "test_single_operators.moc"
