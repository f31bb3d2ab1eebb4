// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing.h"
#include "core/schedule/schedule.h"

#include <QtTest>
#include <random>

using namespace fivefold;
using base::Picoseconds;
using lowering::EventId;
using lowering::EventKind;
using lowering::ResourceId;
using lowering::StepId;
using schedule::Arbitration;
using schedule::ExecutionModel;
using schedule::Firing;
using schedule::FiringOptions;
using schedule::FiringTrace;
using schedule::WaitKind;

namespace {

/// A program made by hand: steps with the steps they take from, and their events.
class Maker {
public:
    ResourceId resource(const char* name, const char* kind) {
        return program.resources.add({name, kind});
    }

    StepId step(const char* name, const std::vector<StepId>& takes) {
        lowering::Node node;
        node.name = name;
        for (const StepId from : takes)
            node.inputs.push_back(m_values[from.index()]);
        const lowering::NodeId id(m_graph->nodes.size());
        lowering::Value value;
        value.producer = id;
        m_values.push_back(m_graph->values.add(value));
        node.outputs = {m_values.back()};
        m_graph->nodes.add(node);
        lowering::Step step;
        step.name = name;
        step.nodes = {id};
        step.mainNode = id;
        return program.steps.add(step);
    }

    EventId event(StepId step, ResourceId resource, EventKind kind, std::int64_t start,
        std::int64_t end, std::vector<EventId> depends = {}) {
        lowering::Event event;
        event.step = step;
        event.resource = resource;
        event.kind = kind;
        event.start = Picoseconds(start);
        event.end = Picoseconds(end);
        event.depends = std::move(depends);
        return program.events.add(event);
    }

    lowering::Program program = [] {
        lowering::Program p;
        return p;
    }();

    const lowering::Program& done() {
        program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)] = m_graph;
        return program;
    }

private:
    std::shared_ptr<lowering::StageGraph> m_graph = std::make_shared<lowering::StageGraph>();
    std::vector<lowering::ValueId> m_values;
};

/// Two independent loads with their sums, and a third step that takes both. Planned: 50 ps.
struct Fork : Maker {
    ResourceId left = resource("left", "memory"), right = resource("right", "memory"),
               alu = resource("alu", "compute");
    StepId a = step("a", {}), b = step("b", {}), c = step("c", {a, b});
    EventId readA = event(a, left, EventKind::Read, 0, 10),
            sumA = event(a, alu, EventKind::Compute, 10, 20, {readA}),
            readB = event(b, right, EventKind::Read, 20, 30, {sumA}),
            sumB = event(b, alu, EventKind::Compute, 30, 40, {readB}),
            last = event(c, alu, EventKind::Compute, 40, 50, {sumB});
};

FiringOptions with(ExecutionModel model) {
    FiringOptions options;
    options.model = model;
    return options;
}

FiringOptions late(ExecutionModel model, EventId event, double by) {
    FiringOptions options = with(model);
    options.late = event;
    options.jitter = by;
    return options;
}

std::int64_t startOf(const FiringTrace& trace, EventId event) {
    const Firing* firing = trace.firingOf(event);
    return firing ? firing->start.value : -1;
}

/// Loads of 1 ps, each with a sum of 10 ps.
struct Producer : Maker {
    ResourceId in = resource("in", "memory"), alu = resource("alu", "compute");
    std::vector<EventId> reads, sums;
    explicit Producer(int count) {
        for (int i = 0; i < count; ++i) {
            const StepId s = step("s", {});
            reads.push_back(event(s, in, EventKind::Read, i * 11, i * 11 + 1));
            sums.push_back(
                event(s, alu, EventKind::Compute, i * 11 + 1, i * 11 + 11, {reads.back()}));
        }
    }
};

/// `a` is launched before `b` and takes what `b` makes.
struct Inversion : Maker {
    ResourceId queue = resource("queue", "queue"), alu = resource("alu", "compute");
    StepId b = step("b", {}), a = step("a", {b});
    EventId launchA = event(a, queue, EventKind::Launch, 0, 1),
            launchB = event(b, queue, EventKind::Launch, 1, 2),
            sumB = event(b, alu, EventKind::Compute, 2, 10, {launchB}),
            sumA = event(a, alu, EventKind::Compute, 10, 20, {launchA, sumB});
};

Maker randomProgram(int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    Maker maker;
    schedule::ResourceMap map;
    map.compute = maker.resource("array", "compute");
    map.vector = maker.resource("vector", "compute");
    map.read = maker.resource("in", "memory");
    map.write = maker.resource("out", "memory");
    map.launch = maker.resource("queue", "queue");
    const auto time = [&] {
        return random() % 4 == 0 ? 0.0 : static_cast<double>(random() % 1000) * 1e-12;
    };
    for (int i = 0; i < 40; ++i) {
        std::vector<StepId> takes;
        for (int k = 0; k < 2 && i > 0; ++k)
            if (random() % 4 != 0)
                takes.emplace_back(random() % static_cast<unsigned>(i));
        const StepId step = maker.step("step", takes);
        lowering::Estimate& e = maker.program.steps[step].estimate;
        e.compute = base::Seconds(time());
        e.traffic.push_back({0, base::Bytes(300), base::Bytes(100), base::Seconds(time())});
        e.scheduling.push_back({"launch", base::Seconds(time())});
        e.time = base::Seconds(
            std::max(e.compute.value, e.traffic[0].time.value) + e.scheduling[0].time.value);
    }
    maker.done();
    schedule::sequence(maker.program, map);
    return maker;
}

constexpr ExecutionModel kModels[] = {ExecutionModel::ProgramCounter,
    ExecutionModel::DynamicDataflow, ExecutionModel::StaticSchedule};

} // namespace

class TestFiring : public QObject {
    Q_OBJECT

private slots:
    void modelsWithoutJitter() {
        Fork fork;
        const auto& program = fork.done();
        const auto counter = schedule::fire(program, with(ExecutionModel::ProgramCounter));
        QCOMPARE(counter.length.value, std::int64_t(50));
        QCOMPARE(startOf(counter, fork.readB), std::int64_t(20));
        QVERIFY(counter.firingOf(fork.readB)->wait == WaitKind::Turn);
        QVERIFY(counter.firingOf(fork.readB)->waitsFor == fork.sumA);
        const auto flow = schedule::fire(program, with(ExecutionModel::DynamicDataflow));
        QCOMPARE(startOf(flow, fork.readB), std::int64_t(0)); // nothing to wait for
        QCOMPARE(startOf(flow, fork.sumB), std::int64_t(20)); // the older one first
        QVERIFY(flow.firingOf(fork.sumB)->wait == WaitKind::Resource);
        QVERIFY(flow.firingOf(fork.sumB)->waitsFor == fork.sumA);
        QCOMPARE(flow.length.value, std::int64_t(40));
        const auto fixed = schedule::fire(program, with(ExecutionModel::StaticSchedule));
        QCOMPARE(fixed.length.value, std::int64_t(50));
        QCOMPARE(fixed.lateOperands, std::int64_t(0));
        QCOMPARE(fixed.slack.value, std::int64_t(0));
        for (const auto* trace : {&counter, &flow, &fixed})
            QCOMPARE(trace->planned.value, std::int64_t(50));
    }

    void aLateTransferStopsTheProgramCounter() {
        Fork fork;
        const auto trace =
            schedule::fire(fork.done(), late(ExecutionModel::ProgramCounter, fork.readA, 1));
        QCOMPARE(startOf(trace, fork.sumA), std::int64_t(20));
        QCOMPARE(startOf(trace, fork.readB), std::int64_t(30)); // does not need it, stands behind
        QCOMPARE(startOf(trace, fork.sumB), std::int64_t(40));
        QCOMPARE(trace.length.value, std::int64_t(60));
        QCOMPARE(trace.delayed, std::int64_t(1));
        QCOMPARE(trace.sentence,
            std::string("The program counter ends 20 % later than planned: 1 late transfer held up "
                        "all that stands behind."));
    }

    void independentWorkPassesALateTransferUnderDataflow() {
        Fork fork;
        const auto trace =
            schedule::fire(fork.done(), late(ExecutionModel::DynamicDataflow, fork.readA, 1));
        QCOMPARE(startOf(trace, fork.sumB), std::int64_t(10)); // b passes a
        QCOMPARE(startOf(trace, fork.sumA), std::int64_t(20));
        QCOMPARE(startOf(trace, fork.last), std::int64_t(30));
        QCOMPARE(trace.length.value, std::int64_t(40));
    }

    void aLateTransferMakesTheStaticScheduleWrongNotLonger() {
        Fork fork;
        const auto trace =
            schedule::fire(fork.done(), late(ExecutionModel::StaticSchedule, fork.readA, 1));
        QCOMPARE(trace.length.value, std::int64_t(50));
        QCOMPARE(startOf(trace, fork.sumA), std::int64_t(10));
        QVERIFY(trace.firingOf(fork.sumA)->isLate);
        QVERIFY(!trace.firingOf(fork.last)->isLate); // in time, but of a stale value
        QVERIFY(trace.firingOf(fork.last)->isWrong);
        QVERIFY(!trace.firingOf(fork.sumB)->isWrong);
        QCOMPARE(trace.lateOperands, std::int64_t(1));
        QCOMPARE(trace.wrong, std::int64_t(2));
        QCOMPARE(trace.slack.value, std::int64_t(10));
        QCOMPARE(trace.sentence,
            std::string("The static schedule ends as planned but wrong: 1 operand came after the "
                        "cycle that reads it, and 2 operations compute on stale values. With 20 % "
                        "of slack nothing would be late."));
    }

    void aResultThatComesAfterTheEndIsReadTooEarly() {
        Maker maker;
        const ResourceId out = maker.resource("out", "memory");
        const EventId write = maker.event(maker.step("w", {}), out, EventKind::Write, 0, 10);
        const auto trace =
            schedule::fire(maker.done(), late(ExecutionModel::StaticSchedule, write, 0.5));
        QCOMPARE(trace.length.value, std::int64_t(10));
        QCOMPARE(trace.firingOf(write)->end.value, std::int64_t(15));
        QCOMPARE(trace.lateOperands, std::int64_t(0));
        QCOMPARE(trace.lateResults, std::int64_t(1));
        QCOMPARE(trace.slack.value, std::int64_t(5));
    }

    void aFullQueueHoldsTheProducerBack() {
        Producer maker(4);
        FiringOptions options = with(ExecutionModel::DynamicDataflow);
        options.queueCapacity = 1;
        const auto narrow = schedule::fire(maker.done(), options);
        QCOMPARE(startOf(narrow, maker.reads[1]), std::int64_t(1));
        QCOMPARE(startOf(narrow, maker.reads[2]), std::int64_t(11)); // when sum 1 takes its token
        const Firing& held = *narrow.firingOf(maker.reads[2]);
        QVERIFY(held.wait == WaitKind::QueueRoom);
        QVERIFY(held.waitsFor == maker.sums[1]);
        QCOMPARE(narrow.queues.size(), std::size_t(1));
        QCOMPARE(narrow.queues[0].peak, std::int64_t(1));
        QCOMPARE(narrow.queues[0].tokensAt(Picoseconds(5)), std::int64_t(1));
        QCOMPARE(narrow.queues[0].tokensAt(Picoseconds(41)), std::int64_t(0));
        options.queueCapacity = 2;
        const auto wide = schedule::fire(maker.done(), options);
        QCOMPARE(startOf(wide, maker.reads[2]), std::int64_t(2));
        QCOMPARE(startOf(wide, maker.reads[3]), std::int64_t(11));
        QCOMPARE(wide.queues[0].peak, std::int64_t(2));
        QCOMPARE(wide.length.value, std::int64_t(41));
    }

    void arbitrationChoosesAmongReadyOperations() {
        // b is behind a in the program but has the longer way to the end.
        Maker maker;
        const ResourceId alu = maker.resource("alu", "compute"),
                         other = maker.resource("other", "compute");
        const StepId a = maker.step("a", {}), b = maker.step("b", {}), c = maker.step("c", {b});
        const EventId first = maker.event(a, alu, EventKind::Compute, 0, 10),
                      second = maker.event(b, alu, EventKind::Compute, 10, 20),
                      third = maker.event(c, other, EventKind::Compute, 20, 50);
        FiringOptions options = with(ExecutionModel::DynamicDataflow);
        QCOMPARE(startOf(schedule::fire(maker.done(), options), first), std::int64_t(0));
        QCOMPARE(schedule::fire(maker.program, options).length.value, std::int64_t(50));
        options.arbitration = Arbitration::CriticalFirst;
        const auto critical = schedule::fire(maker.program, options);
        QCOMPARE(startOf(critical, second), std::int64_t(0));
        QCOMPARE(startOf(critical, first), std::int64_t(10));
        QCOMPARE(startOf(critical, third), std::int64_t(10));
        QCOMPARE(critical.length.value, std::int64_t(40));
    }

    void roundRobinGoesOnFromTheOneServedLast() {
        // 0 and 2 are ready at once; 1 gets ready while 0 runs, but the turn has moved past it only
        // after 2 was served.
        Maker maker;
        const ResourceId alu = maker.resource("alu", "compute"),
                         other = maker.resource("other", "compute");
        const StepId source = maker.step("source", {});
        const StepId a = maker.step("a", {}), b = maker.step("b", {source}),
                     c = maker.step("c", {}), d = maker.step("d", {});
        maker.event(source, other, EventKind::Compute, 0, 15);
        const EventId e0 = maker.event(a, alu, EventKind::Compute, 0, 10),
                      e1 = maker.event(b, alu, EventKind::Compute, 15, 25),
                      e2 = maker.event(c, alu, EventKind::Compute, 25, 35),
                      e3 = maker.event(d, alu, EventKind::Compute, 35, 45);
        FiringOptions options = with(ExecutionModel::DynamicDataflow);
        const auto oldest = schedule::fire(maker.done(), options);
        QCOMPARE(startOf(oldest, e2), std::int64_t(10));
        QCOMPARE(startOf(oldest, e1), std::int64_t(20)); // older than 3
        options.arbitration = Arbitration::RoundRobin;
        const auto round = schedule::fire(maker.program, options);
        QCOMPARE(startOf(round, e0), std::int64_t(0));
        QCOMPARE(startOf(round, e2), std::int64_t(10));
        QCOMPARE(startOf(round, e3), std::int64_t(20)); // 1 has to wait for its round
        QCOMPARE(startOf(round, e1), std::int64_t(30));
    }

    void dataThatComesPieceByPieceLetsTheNextStartBeforeTheEnd() {
        Maker maker;
        const ResourceId in = maker.resource("in", "memory"),
                         alu = maker.resource("alu", "compute");
        const StepId s = maker.step("s", {});
        const EventId read = maker.event(s, in, EventKind::Read, 0, 10),
                      sum = maker.event(s, alu, EventKind::Compute, 4, 14);
        for (const ExecutionModel model : kModels)
            QCOMPARE(startOf(schedule::fire(maker.done(), with(model)), sum), std::int64_t(4));
        // 5 ps late: so is the sum; a static schedule reads what is not there yet.
        QCOMPARE(
            startOf(schedule::fire(maker.program, late(ExecutionModel::DynamicDataflow, read, 0.5)),
                sum),
            std::int64_t(9));
        QCOMPARE(schedule::fire(maker.program, late(ExecutionModel::StaticSchedule, read, 0.5))
                     .lateOperands,
            std::int64_t(1));
    }

    void fixedTimeStaysWithItsEvent() {
        Maker maker; // 5 ps before each sum in which nothing runs
        const ResourceId alu = maker.resource("alu", "compute");
        const StepId a = maker.step("a", {}), b = maker.step("b", {a});
        maker.event(a, alu, EventKind::Compute, 5, 10);
        const EventId second = maker.event(b, alu, EventKind::Compute, 15, 20);
        for (const ExecutionModel model : kModels) {
            const auto trace = schedule::fire(maker.done(), with(model));
            QCOMPARE(trace.length.value, std::int64_t(20));
            QCOMPARE(trace.planned.value, std::int64_t(20));
            QCOMPARE(startOf(trace, second), std::int64_t(10));
        }
    }

    void onlyCopiesThatTakeNoTimeRunBesideTheProgram() {
        Maker maker; // a gather and a copy that follows it without reading what it writes
        const ResourceId in = maker.resource("in", "memory"), out = maker.resource("out", "memory");
        const StepId gather = maker.step("gather", {}), copy = maker.step("copy", {});
        maker.event(gather, in, EventKind::Read, 0, 10);
        maker.event(gather, out, EventKind::Write, 10, 20);
        const EventId next = maker.event(copy, in, EventKind::Read, 20, 30);
        maker.program.steps[gather].estimate.time = base::Seconds(20e-12);
        const FiringOptions options = with(ExecutionModel::ProgramCounter);
        QCOMPARE(startOf(schedule::fire(maker.done(), options), next), std::int64_t(20));
        maker.program.steps[gather].estimate.time = base::Seconds(); // hidden, as a prefetch is
        QCOMPARE(startOf(schedule::fire(maker.program, options), next), std::int64_t(10));
    }

    void aDeadlockIsFoundWithItsCycle() {
        Inversion maker;
        FiringOptions options = with(ExecutionModel::DynamicDataflow);
        options.queueCapacity = 1;
        const auto trace = schedule::fire(maker.done(), options);
        QVERIFY(trace.deadlock.has_value());
        QCOMPARE(trace.firings.size(), std::size_t(1)); // the launch of a
        QCOMPARE(trace.deadlock->stuck.size(), std::size_t(3));
        const std::vector<EventId> cycle{maker.launchB, maker.sumA, maker.sumB};
        QVERIFY(trace.deadlock->cycle == cycle);
        const auto room = std::find_if(trace.deadlock->waits.begin(), trace.deadlock->waits.end(),
            [](const auto& wait) { return wait.reason == schedule::WaitReason::Room; });
        QVERIFY(room != trace.deadlock->waits.end());
        QVERIFY(room->waiter == maker.launchB && room->holder == maker.sumA);
        QVERIFY(room->from == maker.queue && room->to == maker.alu);
        QCOMPARE(trace.sentence,
            std::string("Dynamic dataflow stops for good after 1 of 4 operations: launch of b "
                        "waits for compute of a waits for compute of b waits for the first."));
        options.queueCapacity = 2;
        QVERIFY(!schedule::fire(maker.program, options).deadlock);
    }

    void aTurnClosesTheCycleOfADeadlock() {
        Maker maker; // the fabric serves b's launch first, which lacks room; a needs what is behind
        const ResourceId fabric = maker.resource("fabric", "link"),
                         alu = maker.resource("alu", "compute");
        const StepId behind = maker.step("behind", {}), a = maker.step("a", {behind}),
                     b = maker.step("b", {});
        maker.event(a, fabric, EventKind::Launch, 0, 1);
        const EventId launch = maker.event(b, fabric, EventKind::Launch, 1, 2),
                      read = maker.event(behind, fabric, EventKind::Read, 2, 3),
                      sum = maker.event(a, alu, EventKind::Compute, 3, 13);
        maker.event(b, alu, EventKind::Compute, 13, 23);
        FiringOptions options = with(ExecutionModel::DynamicDataflow);
        options.queueCapacity = 1;
        const auto trace = schedule::fire(maker.done(), options);
        QVERIFY(trace.deadlock.has_value());
        const std::vector<EventId> cycle{launch, sum, read};
        QVERIFY(trace.deadlock->cycle == cycle);
        const auto stuck = std::find_if(trace.deadlock->stuck.begin(), trace.deadlock->stuck.end(),
            [&](const auto& each) { return each.event == read; });
        QVERIFY(stuck != trace.deadlock->stuck.end());
        QVERIFY(stuck->wait == WaitKind::Turn && stuck->waitsFor == launch);
        options.arbitration = Arbitration::RoundRobin; // passes over what lacks room
        QVERIFY(!schedule::fire(maker.program, options).deadlock);
    }

    void cyclesOfWaitGraphs() {
        const auto wait = [](int a, int b) {
            return schedule::WaitFor{EventId(static_cast<std::size_t>(a)),
                EventId(static_cast<std::size_t>(b)), schedule::WaitReason::Operand, {}, {}};
        };
        QVERIFY(schedule::waitCycle({}).empty());
        QVERIFY(schedule::waitCycle({wait(0, 1), wait(1, 2), wait(0, 2)}).empty());
        const std::vector<EventId> two{EventId(1), EventId(2)};
        QVERIFY(schedule::waitCycle({wait(0, 1), wait(2, 1), wait(1, 2)}) == two);
        const std::vector<EventId> self{EventId(7)};
        QVERIFY(schedule::waitCycle({wait(7, 7)}) == self);
        std::vector<schedule::WaitFor> chain; // no recursion
        for (int i = 0; i < 200000; ++i)
            chain.push_back(wait(i, i + 1));
        QVERIFY(schedule::waitCycle(chain).empty());
        chain.push_back(wait(200000, 0));
        QCOMPARE(schedule::waitCycle(chain).size(), std::size_t(200001));
    }

    void theSameSeedDelaysTheSameTransfersUnderEveryModel() {
        const Maker maker = randomProgram(3);
        std::vector<std::vector<std::int64_t>> durations;
        for (const ExecutionModel model : kModels) {
            FiringOptions options = with(model);
            options.jitter = 0.5;
            options.seed = 7;
            const auto trace = schedule::fire(maker.program, options);
            auto& each = durations.emplace_back(maker.program.events.size());
            for (const Firing& firing : trace.firings) {
                const auto& event = maker.program.events[firing.event];
                const std::int64_t took = (firing.end - firing.start).value;
                const std::int64_t planned = (event.end - event.start).value;
                each[firing.event.index()] = took;
                const bool isTransfer =
                    event.kind == EventKind::Read || event.kind == EventKind::Write;
                QVERIFY(took >= planned && took <= planned + planned / 2 + 1);
                QVERIFY(isTransfer || took == planned);
            }
        }
        QCOMPARE(durations[1], durations[0]);
        QCOMPARE(durations[2], durations[0]);
        FiringOptions other = with(ExecutionModel::ProgramCounter);
        other.jitter = 0.5;
        other.seed = 8;
        const auto eight = schedule::fire(maker.program, other);
        other.seed = 7;
        QVERIFY(eight.length != schedule::fire(maker.program, other).length);
    }

    void whatHoldsForAnyProgram_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 30; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void whatHoldsForAnyProgram() {
        QFETCH(int, seed);
        const Maker maker = randomProgram(seed);
        for (const ExecutionModel model : kModels)
            for (const double jitter : {0.0, 0.4}) {
                FiringOptions options = with(model);
                options.jitter = jitter;
                options.queueCapacity = 1 + seed % 3;
                options.arbitration = static_cast<Arbitration>(seed % 2 == 0 ? 0 : 2);
                const auto trace = schedule::fire(maker.program, options);
                if (trace.deadlock) { // only where the queue of launches is filled out of order
                    QVERIFY2(
                        options.arbitration != Arbitration::OldestFirst, trace.sentence.c_str());
                    QVERIFY(!trace.deadlock->cycle.empty());
                    QCOMPARE(trace.firings.size() + trace.deadlock->stuck.size(),
                        maker.program.events.size());
                    continue;
                }
                checkTrace(maker.program, trace);
                if (model != ExecutionModel::DynamicDataflow && jitter == 0.0)
                    QVERIFY(trace.length <= schedule::makespan(maker.program));
                const auto again = schedule::fire(maker.program, options);
                for (std::size_t i = 0; i < trace.firings.size(); ++i)
                    QVERIFY(trace.firings[i].event == again.firings[i].event
                        && trace.firings[i].start == again.firings[i].start);
            }
    }

    void momentsAndStates() {
        Fork fork;
        const auto trace = schedule::fire(fork.done(), with(ExecutionModel::DynamicDataflow));
        const auto state = schedule::stateAt(trace, Picoseconds(15));
        QCOMPARE(state.running.size(), std::size_t(1)); // sum a
        QVERIFY(trace.firings[state.running[0]].event == fork.sumA);
        QCOMPARE(state.blocked.size(), std::size_t(1)); // sum b, for the unit
        QVERIFY(trace.firings[state.blocked[0]].event == fork.sumB);
        QCOMPARE(schedule::waitOf(fork.program, trace, state.blocked[0], Picoseconds(15)),
            std::string("waits for alu, busy with compute of a"));
        QCOMPARE(state.fired, std::size_t(2));
        QCOMPARE(schedule::ruleOf(fork.program, trace, state.blocked[0]),
            std::string("its operand is there"));
        const std::vector<Picoseconds> expected{
            Picoseconds(0), Picoseconds(10), Picoseconds(20), Picoseconds(30), Picoseconds(40)};
        QVERIFY(schedule::momentsOf(trace) == expected);
        const auto end = schedule::stateAt(trace, trace.length);
        QCOMPARE(end.fired, std::size_t(5));
        QVERIFY(end.running.empty() && end.blocked.empty());
    }

    void tokensFlyBetweenSteps() {
        Fork fork;
        const auto trace = schedule::fire(fork.done(), with(ExecutionModel::ProgramCounter));
        QCOMPARE(trace.flights.size(), std::size_t(2)); // a → c, b → c
        const schedule::Flight& flight = trace.flights[0];
        QVERIFY(flight.from == fork.a && flight.to == fork.c);
        QVERIFY(!flight.progressAt(Picoseconds(9)));
        QCOMPARE(flight.progressAt(Picoseconds(15)), std::optional(0.25)); // sum a, 10 to 20
        QCOMPARE(flight.progressAt(Picoseconds(30)), std::optional(0.5)); // at rest
        QCOMPARE(flight.progressAt(Picoseconds(45)), std::optional(0.75)); // the last, 40 to 50
        QVERIFY(!flight.progressAt(Picoseconds(50)));
        QCOMPARE(schedule::flightsAt(trace, Picoseconds(35)).size(), std::size_t(2));
        QVERIFY(schedule::flightsAt(trace, Picoseconds(5)).empty());
    }

    void theProgramsOwnTimeNeverGoesBack() {
        const Maker maker = randomProgram(11);
        for (const ExecutionModel model : kModels) {
            FiringOptions options = with(model);
            options.jitter = 0.8;
            const auto trace = schedule::fire(maker.program, options);
            Picoseconds last;
            for (int i = 0; i <= 500; ++i) {
                const Picoseconds at(trace.length.value * i / 500);
                const Picoseconds time = schedule::programTime(maker.program, trace, at);
                QVERIFY(time >= last && time <= schedule::makespan(maker.program));
                last = time;
            }
        }
        Fork fork; // as planned: one time is the other
        const auto same = schedule::fire(fork.done(), with(ExecutionModel::StaticSchedule));
        for (int at : {0, 3, 17, 44, 50})
            QCOMPARE(
                schedule::programTime(fork.program, same, Picoseconds(at)).value, std::int64_t(at));
    }

    void aBlockPlaysAlone() {
        Fork fork;
        const std::vector<StepId> block{fork.b, fork.c};
        for (const ExecutionModel model : kModels) {
            const auto trace = schedule::fire(fork.done(), with(model), block);
            QCOMPARE(trace.firings.size(), std::size_t(3));
            QVERIFY(!trace.firingOf(fork.sumA));
            QCOMPARE(startOf(trace, fork.readB), std::int64_t(0));
            QCOMPARE(trace.length.value, std::int64_t(30));
        }
    }

    void oddPrograms() {
        for (const ExecutionModel model : kModels) {
            const lowering::Program empty;
            const auto nothing = schedule::fire(empty, with(model));
            QVERIFY(nothing.firings.empty() && !nothing.deadlock);
            QCOMPARE(nothing.length.value, std::int64_t(0));
            QCOMPARE(schedule::stateAt(nothing, Picoseconds(5)).fired, std::size_t(0));
            QVERIFY(!nothing.sentence.empty());
            // Events without a step, a resource or a length, no graph, times at the end of the
            // range.
            lowering::Program odd;
            constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
            lowering::Event event;
            odd.events.add(event);
            event.end = Picoseconds(kLast);
            event.kind = EventKind::Read;
            event.depends = {EventId(0), EventId(99), EventId()};
            odd.events.add(event);
            FiringOptions options = with(model);
            options.jitter = 1e300;
            options.queueCapacity = -5;
            const auto trace = schedule::fire(odd, options);
            QCOMPARE(trace.firings.size(), std::size_t(2));
            QVERIFY(trace.length.value >= 0);
            options.jitter = std::nan("");
            QCOMPARE(schedule::fire(odd, options).firings.size(), std::size_t(2));
        }
    }

    void intervalsThatCoverAMoment() {
        schedule::IntervalIndex index;
        std::mt19937 random(5);
        std::vector<std::pair<int, int>> all;
        for (std::size_t i = 0; i < 100; ++i) {
            const int begin = static_cast<int>(random() % 100);
            all.emplace_back(begin, begin + static_cast<int>(random() % 20));
            index.add(Picoseconds(all[i].first), Picoseconds(all[i].second), i);
        }
        index.build();
        for (int at = -1; at < 125; ++at) {
            auto found = index.at(Picoseconds(at));
            std::sort(found.begin(), found.end());
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < all.size(); ++i)
                if (all[i].first <= at && at < all[i].second)
                    expected.push_back(i);
            QCOMPARE(found, expected);
        }
    }

private:
    /// Each event once; tokens before those who take them; no resource serves too many.
    static void checkTrace(const lowering::Program& program, const FiringTrace& trace) {
        QCOMPARE(trace.firings.size(), program.events.size());
        std::vector<int> times(program.events.size(), 0);
        std::vector<std::vector<const Firing*>> on(program.resources.size());
        for (const Firing& firing : trace.firings) {
            ++times[firing.event.index()];
            on[program.events[firing.event].resource.index()].push_back(&firing);
            if (trace.options.model != ExecutionModel::StaticSchedule)
                QVERIFY(firing.ready <= firing.start);
            QVERIFY(firing.since <= firing.start && firing.start <= firing.end);
        }
        QCOMPARE(std::count(times.begin(), times.end(), 1),
            static_cast<std::ptrdiff_t>(program.events.size()));
        if (trace.options.model == ExecutionModel::StaticSchedule)
            return;
        for (const auto& firings : on) { // sequence() puts one event at a time on a resource
            Picoseconds free;
            for (const Firing* firing : firings) {
                if (firing->start == firing->end)
                    continue;
                QVERIFY(firing->start >= free);
                free = firing->end;
            }
        }
        const auto& graph = program.stage(lowering::Stage::Scheduled);
        std::vector<Picoseconds> made(program.steps.size());
        for (const Firing& firing : trace.firings)
            made[program.events[firing.event].step.index()] =
                std::max(made[program.events[firing.event].step.index()], firing.end);
        for (const Firing& firing : trace.firings) {
            const lowering::Event& event = program.events[firing.event];
            if (event.kind == EventKind::Launch)
                continue;
            for (const auto value : graph.nodes[program.steps[event.step].mainNode].inputs) {
                const auto producer = graph.values[value].producer;
                QVERIFY(firing.start >= made[producer.index()]);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestFiring)
#include "test_firing.moc"
