// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/range.h"

#include <QtTest>

using namespace fivefold;
using base::Bytes;
using base::Picoseconds;
using base::Seconds;
using lowering::ResourceId;
using lowering::StepId;

class TestRange : public QObject {
    Q_OBJECT

private:
    /// Two steps of 4000 ps: 400 bytes and 8 FLOP each, the second twice.
    static lowering::Program program() {
        lowering::Program program;
        for (const std::int64_t executions : {1, 2}) {
            lowering::Step step;
            step.executions = executions;
            step.estimate.flops = base::Flops(8);
            step.estimate.traffic.push_back({0, Bytes(300), Bytes(100), Seconds(4e-9)});
            step.estimate.time = Seconds(4e-9 / static_cast<double>(executions));
            program.steps.add(step);
        }
        schedule::ResourceMap map;
        map.compute = map.vector = program.resources.add({"array", "compute"});
        map.read = program.resources.add({"in", "memory"});
        map.write = program.resources.add({"out", "memory"});
        schedule::sequence(program, map);
        return program;
    }

    static machines::Machine machine() {
        machines::Machine machine;
        machine.memories.resize(2);
        return machine;
    }

    static schedule::RangeTotals totals(std::int64_t from, std::int64_t to) {
        const lowering::Program made = program();
        return schedule::rangeTotals(made, machine(), memory::StepBorders(made),
            schedule::stepSpans(made), Picoseconds(from), Picoseconds(to));
    }

private slots:
    void theWholeProgramIsTheSumOfItsSteps() {
        const auto all = totals(0, 8000);
        QCOMPARE(all.share, 1.0);
        QCOMPARE(all.duration.value, 8e-9);
        QCOMPARE(all.steps, std::int64_t(2));
        QCOMPARE(all.flops.value, 24.0);
        QCOMPARE(all.level, std::size_t(0));
        QCOMPARE(all.traffic[0].total().value, std::int64_t(1200));
        QCOMPARE(all.traffic[1].total().value, std::int64_t(0));
        QCOMPARE(all.events[ResourceId(1)], std::int64_t(2));
        QCOMPARE(all.busy[ResourceId(1)], 0.75);
        QCOMPARE(all.busy[ResourceId(2)], 0.25);
    }

    void aStepCountsInProportionToItsTime() {
        const auto half = totals(2000, 5000); // half of the first step, a quarter of the second
        QCOMPARE(half.steps, std::int64_t(2));
        QCOMPARE(half.step, StepId(0));
        QCOMPARE(half.flops.value, 8.0);
        QCOMPARE(half.traffic[0].total().value, std::int64_t(400));
        QCOMPARE(half.share, 0.375);
    }

    void aTransferBesideArithmeticIsDoubleBuffered() {
        lowering::Program program;
        lowering::Step step;
        step.estimate.compute = Seconds(5e-9);
        step.estimate.traffic.push_back({0, Bytes(300), Bytes(100), Seconds(4e-9)});
        step.estimate.time = Seconds(6e-9);
        program.steps.add(step);
        schedule::ResourceMap map;
        map.compute = map.vector = program.resources.add({"array", "compute"});
        map.read = program.resources.add({"in", "memory"});
        map.write = program.resources.add({"out", "memory"});
        schedule::sequence(program, map);
        for (std::size_t i = 0; i < program.events.size(); ++i) { // arithmetic from 1000 to 6000
            const lowering::EventId id(i);
            const auto kind = program.events[id].kind;
            QCOMPARE(schedule::besideCompute(program, id).value,
                kind == lowering::EventKind::Read        ? std::int64_t(2000) // of 3000
                    : kind == lowering::EventKind::Write ? std::int64_t(1000)
                                                         : std::int64_t(0));
        }
        QCOMPARE(schedule::besideCompute(program, lowering::EventId()).value, std::int64_t(0));
    }

    void anEmptyRangeHasNothing() {
        for (const auto& none : {totals(3000, 3000), totals(5000, 4000)}) {
            QCOMPARE(none.steps, std::int64_t(0));
            QVERIFY(!none.step.isValid());
            QCOMPARE(none.flops.value, 0.0);
            QCOMPARE(none.busy[ResourceId(1)], 0.0);
        }
        const auto behind = totals(9000, 12000);
        QCOMPARE(behind.steps, std::int64_t(0));
        QCOMPARE(behind.traffic[0].total().value, std::int64_t(0));
    }
};

QTEST_APPLESS_MAIN(TestRange)
#include "test_range.moc"
