// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"

#include <QtTest>
#include <random>

using namespace fivefold;
using base::Bytes;
using base::Picoseconds;
using base::Seconds;
using lowering::EventId;
using lowering::EventKind;
using lowering::ResourceId;
using lowering::StepId;

class TestSchedule : public QObject {
    Q_OBJECT

private:
    static lowering::Step step(
        double compute, double memory, double launch, std::int64_t executions) {
        lowering::Step s;
        s.executions = executions;
        lowering::Estimate& e = s.estimate;
        e.compute = Seconds(compute);
        if (memory > 0)
            e.traffic.push_back({0, Bytes(300), Bytes(100), Seconds(memory)});
        if (launch > 0)
            e.scheduling.push_back({"launch", Seconds(launch)});
        e.time = Seconds(std::max(compute, memory) + launch);
        return s;
    }

    static schedule::ResourceMap resources(lowering::Program& program) {
        schedule::ResourceMap map;
        map.compute = map.vector = program.resources.add({"array", "compute"});
        map.read = program.resources.add({"in", "memory"});
        map.write = program.resources.add({"out", "memory"});
        map.launch = program.resources.add({"queue", "queue"});
        return map;
    }

private slots:
    void oneStepByHand() {
        lowering::Program program;
        program.steps.add(step(
            1e-9, 4e-9, 2e-9, 1)); // 2000 ps launch, 3000 read, 1000 write, 1000 compute at the end
        lowering::Buffer buffer;
        buffer.firstStep = buffer.lastStep = StepId(0);
        program.buffers.add(buffer);
        schedule::sequence(program, resources(program));
        QCOMPARE(program.events.size(), std::size_t(4));
        const lowering::Event& launch = program.events[EventId(0)];
        QVERIFY(launch.kind == EventKind::Launch);
        QCOMPARE(launch.end.value, std::int64_t(2000));
        const lowering::Event& read = program.events[EventId(1)];
        QVERIFY(read.kind == EventKind::Read);
        QCOMPARE(read.start.value, std::int64_t(2000));
        QCOMPARE(read.end.value, std::int64_t(5000));
        QVERIFY(read.depends == std::vector<EventId>{EventId(0)});
        QCOMPARE(schedule::makespan(program).value, std::int64_t(6000));
        QCOMPARE(program.buffers[lowering::BufferId(0)].last.value, std::int64_t(6000));
        const auto shares = schedule::utilisation(program);
        QCOMPARE(shares[ResourceId(1)], 0.5); // in: 3000 of 6000
        QCOMPARE(shares[ResourceId(3)], 2000.0 / 6000);
    }

    void theEndIsTheSumOfAllSteps_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void theEndIsTheSumOfAllSteps() {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto time = [&] {
            return random() % 3 == 0 ? 0.0 : static_cast<double>(random() % 100000) * 1.37e-13;
        };
        lowering::Program program;
        std::int64_t expected = 0;
        for (int i = 0; i < 200; ++i) {
            program.steps.add(
                step(time(), time(), time(), static_cast<std::int64_t>(random() % 4)));
            const lowering::Step& s = program.steps[StepId(static_cast<std::size_t>(i))];
            expected += s.executions * base::toPicoseconds(s.estimate.time).value;
        }
        schedule::sequence(program, resources(program));
        QCOMPARE(schedule::makespan(program).value, expected);
        const auto spans = schedule::stepSpans(program);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            QCOMPARE(spans[StepId(i)].start.value, at); // one after another, no gap
            at = spans[StepId(i)].end.value;
        }
        for (std::size_t i = 0; i < program.events.size(); ++i) {
            const lowering::Event& event = program.events[EventId(i)];
            QVERIFY(event.start <= event.end);
            QVERIFY(i == 0 || program.events[EventId(i - 1)].start <= event.start);
            for (const EventId before : event.depends)
                QVERIFY(program.events[before].end <= event.start);
        }
    }

    void theCriticalPathRunsFromStartToEnd() {
        lowering::Program program;
        for (int i = 0; i < 10; ++i)
            program.steps.add(step(i % 2 == 0 ? 3e-9 : 1e-9, 2e-9, 1e-9, 2));
        schedule::sequence(program, resources(program));
        const auto path = schedule::criticalPath(program);
        QCOMPARE(program.events[path.front()].start.value, std::int64_t(0));
        QCOMPARE(program.events[path.back()].end, schedule::makespan(program));
        for (std::size_t i = 1; i < path.size();
             ++i) // no gap: each starts when the one before ends
            QCOMPARE(program.events[path[i]].start, program.events[path[i - 1]].end);
    }

    void anUnknownStepTakesNoTimeAndKeepsItsPlace() {
        lowering::Program program;
        program.steps.add(step(1e-9, 0, 0, 1));
        lowering::Step unknown;
        unknown.estimate.isKnown = false;
        program.steps.add(unknown);
        program.steps.add(step(1e-9, 0, 0, 1));
        schedule::sequence(program, resources(program));
        const auto spans = schedule::stepSpans(program);
        QCOMPARE(spans[StepId(1)].start.value, std::int64_t(1000));
        QCOMPARE(spans[StepId(1)].end.value, std::int64_t(1000));
        QCOMPARE(schedule::makespan(program).value, std::int64_t(2000));
    }

    void anEmptyProgramHasNoPath() {
        const lowering::Program program;
        QVERIFY(schedule::criticalPath(program).empty());
        QCOMPARE(schedule::makespan(program).value, std::int64_t(0));
        QVERIFY(schedule::utilisation(program).empty());
    }

    void aHundredThousandStepsStayLinear() {
        lowering::Program program;
        for (int i = 0; i < 100000; ++i)
            program.steps.add(step(1e-9, 2e-9, 1e-9, 1));
        schedule::sequence(program, resources(program));
        QCOMPARE(schedule::makespan(program).value, std::int64_t(100000) * 3000);
        QVERIFY(schedule::criticalPath(program).size() >= 200000);
    }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "test_schedule.moc"
