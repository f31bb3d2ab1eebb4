// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/family.h"
#include "core/memory/memory.h"
#include "core/schedule/schedule.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::Stage;
using lowering::StepId;

class TestCpuFamily : public QObject {
    Q_OBJECT

private slots:
    void aSmallModelByHand() {
        Model m; // the test machine: 1e12 FLOP/s, 1e11 B/s, fp16
        const auto x = m.input("x", {64, 128});
        const auto y = m.node(ir::Op::MatMul, {x, m.weight("w", {128, 256})});
        const auto view = m.node(ir::Op::Reshape, {y, m.integers("shape", {128, 128})});
        m.output(m.node(ir::Op::Relu, {view}));
        m.infer();
        const auto context = m.context();
        const auto program = lowering::lower(families::cpu::family(), context);
        QVERIFY(program.isOk());
        QVERIFY2(m.diagnostics.empty(),
            m.diagnostics.empty() ? "" : m.diagnostics.entries()[0].message.c_str());
        QCOMPARE(program->steps.size(), std::size_t(3));
        const lowering::Estimate& product = program->steps[StepId(0)].estimate;
        QCOMPARE(product.flops.value, 2.0 * 64 * 128 * 256);
        QCOMPARE(product.traffic[0].read.value, std::int64_t(2 * (64 * 128 + 128 * 256)));
        QCOMPARE(product.traffic[0].written.value, std::int64_t(2 * 64 * 256));
        QCOMPARE(product.compute.value, 2.0 * 64 * 128 * 256 / 1e12);
        QVERIFY(product.bound == lowering::Bound::Compute);
        QCOMPARE(program->steps[StepId(1)].estimate.time.value, 0.0); // a view
        const lowering::Estimate& relu = program->steps[StepId(2)].estimate;
        QVERIFY(relu.bound == lowering::Bound::Memory);
        QCOMPARE(relu.time.value, 2.0 * 2 * 128 * 128 / 1e11);
        QCOMPARE(
            program->buffers.size(), std::size_t(4)); // x, w, y and its view as one, the result
        std::int64_t end = 0;
        for (const lowering::Step& step : program->steps)
            end += step.executions * base::toPicoseconds(step.estimate.time).value;
        QCOMPARE(fivefold::schedule::makespan(*program).value, end);
        const auto levels = memory::use(*program, m.machine);
        QCOMPARE(levels[0].read.value, std::int64_t(2 * (64 * 128 + 128 * 256 + 128 * 128)));
        // All of x, w and y live during the product.
        QCOMPARE(levels[0].peak.value, std::int64_t(2 * (64 * 128 + 128 * 256 + 64 * 256)));
    }

    void everyStageIsSoundAndNamed() {
        Model m;
        m.output(m.node(ir::Op::Softmax, {m.input("x", {4, 8})}));
        m.infer();
        const auto context = m.context();
        const auto program = lowering::lower(families::cpu::family(), context);
        QVERIFY(program.isOk());
        for (const Stage stage : lowering::kStages) {
            QVERIFY(program->stage(stage).stage == stage);
            QCOMPARE(firstFinding(program->stage(stage), *m.graph), std::string());
        }
    }

    void anUnknownOperatorHasNoTimeRatherThanNone() {
        Model m;
        m.output(m.node(ir::Op::Unknown, {m.input("x", {4})}));
        m.infer();
        const auto context = m.context();
        const auto program = lowering::lower(families::cpu::family(), context);
        QVERIFY(program.isOk());
        QVERIFY(!program->steps[StepId(0)].estimate.isKnown);
        QVERIFY(program->stage(Stage::Scheduled).nodes[lowering::NodeId(0)].support
            == lowering::Support::Unsupported);
        QCOMPARE(m.diagnostics.count("cpu.unknown_operator"), std::int64_t(1));
    }

    void cancellingStopsTheLowering() {
        Model m;
        m.output(m.node(ir::Op::Relu, {m.input("x", {4})}));
        m.infer();
        std::stop_source source;
        source.request_stop();
        m.progress = base::Progress(source.get_token());
        const auto context = m.context();
        const auto program = lowering::lower(families::cpu::family(), context);
        QVERIFY(!program.isOk());
        QCOMPARE(program.error().code, base::ErrorCode::Cancelled);
    }

    void anEmptyModelGivesAnEmptyProgram() {
        Model m;
        m.infer();
        const auto context = m.context();
        const auto program = lowering::lower(families::cpu::family(), context);
        QVERIFY(program.isOk());
        QVERIFY(program->steps.empty());
    }
};

QTEST_APPLESS_MAIN(TestCpuFamily)
#include "test_cpu_family.moc"
