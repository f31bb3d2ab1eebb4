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

    void operandsAndResourcesAreWhatEventsWaitFor() {
        // Three steps: 0 and 1 read the model's input, 2 reads what both make.
        lowering::Program program;
        auto graph = std::make_shared<lowering::StageGraph>();
        const auto value = [&](lowering::NodeId producer) {
            lowering::Value v;
            v.producer = producer;
            return graph->values.add(v);
        };
        const auto node = [&](std::vector<lowering::ValueId> inputs) {
            lowering::Node n;
            n.inputs = std::move(inputs);
            const lowering::NodeId id(graph->nodes.size());
            n.outputs = {value(id)};
            graph->nodes.add(n);
            return id;
        };
        const auto input = value(lowering::NodeId());
        const auto a = node({input});
        const auto b = node({input, lowering::ValueId()}); // an omitted operand
        const auto c = node({graph->nodes[a].outputs[0], graph->nodes[b].outputs[0]});
        program.stages[static_cast<std::size_t>(lowering::Stage::Placed)] = graph;
        for (const auto id : {a, b, c}) {
            lowering::Step s = step(1e-9, 4e-9, 2e-9, 1);
            s.nodes = {id};
            s.mainNode = id;
            program.steps.add(s);
        }
        schedule::sequence(program, resources(program));
        QCOMPARE(program.events.size(), std::size_t(12)); // launch, read, compute, write each
        const auto depends = [&](std::size_t event) {
            return program.events[EventId(event)].depends;
        };
        using Ids = std::vector<EventId>;
        const auto ids = [](std::initializer_list<std::size_t> list) {
            Ids out;
            for (const std::size_t id : list)
                out.emplace_back(id);
            return out;
        };
        QVERIFY(depends(0).empty());
        // The second launch needs nothing of step 0, only the queue.
        QVERIFY(program.events[EventId(4)].kind == EventKind::Launch);
        QCOMPARE(depends(4), ids({0}));
        QCOMPARE(depends(5), ids({1, 4})); // its launch, and the reads before on the same engine
        // The third needs what both write; the events that end a step stand for it.
        QCOMPARE(depends(8), ids({2, 3, 4, 6, 7}));
        const auto timing = schedule::timing(program);
        QVERIFY(timing[EventId(0)].hold == schedule::Hold::Nothing);
        QVERIFY(timing[EventId(4)].hold == schedule::Hold::Order);
        QVERIFY(program.events[timing[EventId(4)].heldBy].step == StepId(0));
        QVERIFY(timing[EventId(5)].hold == schedule::Hold::Step);
        QVERIFY(timing[EventId(8)].hold == schedule::Hold::Operand);
        const auto path = schedule::criticalPath(program, timing);
        QCOMPARE(program.events[path.front()].start.value, std::int64_t(0));
        QCOMPARE(program.events[path.back()].end, schedule::makespan(program));
    }

    void slackIsWhatAnEventMayBeLate() {
        // Reading 2000 ps stands beside computing 5000 ps: it may end 3000 ps later.
        lowering::Program program;
        lowering::Step s = step(5e-9, 0, 0, 1);
        s.estimate.traffic.push_back({0, Bytes(400), Bytes(0), Seconds(2e-9)});
        program.steps.add(s);
        program.steps.add(step(1e-9, 0, 0, 1));
        schedule::sequence(program, resources(program));
        const auto timing = schedule::timing(program);
        for (std::size_t i = 0; i < program.events.size(); ++i) {
            const bool isRead = program.events[EventId(i)].kind == EventKind::Read;
            QCOMPARE(timing[EventId(i)].slack.value, isRead ? std::int64_t(3000) : 0);
        }
        QVERIFY(schedule::timing(lowering::Program()).empty());
    }

    void moreSlackThanAnEventHasEndsTheProgramLater_data() { theEndIsTheSumOfAllSteps_data(); }

    void moreSlackThanAnEventHasEndsTheProgramLater() {
        // An independent forward pass over the same constraints agrees with the backward one.
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto time = [&] { return static_cast<double>(random() % 1000) * 1e-12; };
        lowering::Program program;
        for (int i = 0; i < 30; ++i)
            program.steps.add(step(time(), time(), random() % 2 == 0 ? 0 : time(), 1));
        schedule::ResourceMap map = resources(program);
        if (seed % 2 == 1)
            map.launch = ResourceId(); // what it takes is a gap in front of the arithmetic
        schedule::sequence(program, map);
        const auto timing = schedule::timing(program);
        for (const EventId id : schedule::criticalPath(program, timing))
            QCOMPARE(timing[id].slack.value, std::int64_t(0));
        const auto spans = schedule::stepSpans(program);
        const std::int64_t end = schedule::makespan(program).value;
        const auto endWhenLate = [&](EventId late, std::int64_t by) {
            std::vector<std::int64_t> ends;
            std::vector<std::int64_t> ofStep(program.steps.size(), 0);
            std::int64_t last = 0;
            for (std::size_t i = 0; i < program.events.size(); ++i) {
                const auto& event = program.events[EventId(i)];
                std::int64_t start = event.start.value;
                const auto wait = [&](EventId before) {
                    const std::int64_t lag = before == timing[EventId(i)].heldBy
                        ? (event.start - program.events[before].end).value
                        : 0;
                    start = std::max(start, ends[before.index()] + lag);
                    const auto step = program.events[before].step;
                    if (step != event.step
                        && program.events[before].end == spans[step].end) // all of it is needed
                        start = std::max(start, ofStep[step.index()] + lag);
                };
                for (const EventId before : event.depends)
                    wait(before);
                if (timing[EventId(i)].hold == schedule::Hold::Order)
                    wait(timing[EventId(i)].heldBy);
                ends.push_back(
                    start + (event.end - event.start).value + (EventId(i) == late ? by : 0));
                ofStep[event.step.index()] = std::max(ofStep[event.step.index()], ends.back());
                last = std::max(last, ends.back());
            }
            return last;
        };
        for (std::size_t i = 0; i < program.events.size(); ++i) {
            const std::int64_t slack = timing[EventId(i)].slack.value;
            QCOMPARE(endWhenLate(EventId(i), slack), end);
            QVERIFY(endWhenLate(EventId(i), slack + 1) > end);
        }
    }

    void utilisationOfAStretch() {
        lowering::Program program;
        program.steps.add(step(1e-9, 4e-9, 2e-9, 1)); // in 2000..5000, out and array 5000..6000
        schedule::sequence(program, resources(program));
        const auto half = schedule::utilisation(program, Picoseconds(4000), Picoseconds(6000));
        QCOMPARE(half[ResourceId(1)], 0.5);
        QCOMPARE(half[ResourceId(2)], 0.5);
        QCOMPARE(half[ResourceId(3)], 0.0);
        const auto none = schedule::utilisation(program, Picoseconds(4000), Picoseconds(4000));
        QCOMPARE(none[ResourceId(1)], 0.0);
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
