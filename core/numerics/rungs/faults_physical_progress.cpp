// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_physical.h"

#include "core/lowering/tiling.h"
#include "core/schedule/firing.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fivefold::numerics {

using lowering::EventId;
using lowering::NodeId;
using lowering::Program;
using lowering::StepId;
using lowering::ValueId;
using schedule::Deadlock;
using schedule::WaitKind;
using schedule::WaitReason;

namespace {

constexpr std::uint64_t kOrder = 26; ///< purpose of the draw

/// Events by step, each list by start time.
base::IdVector<StepId, std::vector<EventId>> eventsOfSteps(const Program& program) {
    base::IdVector<StepId, std::vector<EventId>> result(program.steps.size());
    for (std::size_t i = 0; i < program.events.size(); ++i)
        if (result.contains(program.events[EventId(i)].step))
            result[program.events[EventId(i)].step].emplace_back(i);
    return result;
}

/// Steps, events and places of a planted fault.
struct Ground {
    explicit Ground(const PlantedFault& planted)
        : program(*planted.program)
        , graph(*planted.graph)
        , place(planted.place)
        , stepOf(stepsOfNodes(program, graph.nodes.size()))
        , events(eventsOfSteps(program)) { }

    EventId firstOf(StepId step) const {
        return step.isValid() && !events[step].empty() ? events[step].front() : EventId();
    }
    EventId lastOf(StepId step) const {
        return step.isValid() && !events[step].empty() ? events[step].back() : EventId();
    }
    StepId stepOfProducer(ValueId value) const {
        const NodeId producer = graph.values[value].producer;
        return producer.isValid() ? stepOf[producer] : StepId();
    }
    /// Of nodes that read a value, each once, in program order.
    std::vector<StepId> readers(ValueId value) const {
        std::vector<StepId> steps;
        for (const NodeId user : graph.values[value].users)
            if (stepOf[user].isValid())
                steps.push_back(stepOf[user]);
        std::sort(steps.begin(), steps.end());
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        return steps;
    }
    std::string name(EventId event) const { return schedule::eventName(program, event); }
    std::string unit(EventId event) const {
        const lowering::ResourceId resource = program.events[event].resource;
        return program.resources.contains(resource) ? program.resources[resource].name
                                                    : std::string("its unit");
    }

    const Program& program;
    const lowering::StageGraph& graph;
    const FaultPlace& place;
    base::IdVector<NodeId, StepId> stepOf;
    base::IdVector<StepId, std::vector<EventId>> events;
};

/// The program stops at a step: everything from there on never fires.
Deadlock stoppedAt(const Ground& ground, StepId step, std::vector<EventId> cycle,
    std::vector<schedule::WaitFor> waits) {
    Deadlock deadlock;
    std::map<EventId, schedule::WaitFor> known;
    for (const schedule::WaitFor& wait : waits)
        known.emplace(wait.waiter, wait);
    for (std::size_t i = 0; i < ground.program.events.size(); ++i) {
        const EventId id(i);
        const lowering::Event& event = ground.program.events[id];
        const auto found = known.find(id);
        if (event.step < step && found == known.end()) {
            deadlock.at = std::max(deadlock.at, event.end);
            continue;
        }
        schedule::Stuck stuck{id, WaitKind::Operand, {}};
        if (found != known.end()) {
            stuck.waitsFor = found->second.holder;
            stuck.wait = found->second.reason == WaitReason::Room ? WaitKind::QueueRoom
                : found->second.reason == WaitReason::Turn        ? WaitKind::Turn
                                                                  : WaitKind::Operand;
        } else if (!event.depends.empty()) {
            stuck.waitsFor = event.depends.back();
        }
        deadlock.stuck.push_back(stuck);
    }
    deadlock.waits = std::move(waits);
    deadlock.cycle = std::move(cycle);
    return deadlock;
}

std::string microseconds(base::Picoseconds time) {
    constexpr double kPerMicrosecond = 1e6;
    std::string text = std::to_string(static_cast<double>(time.value) / kPerMicrosecond);
    return text.substr(0, text.find('.') + 4) + " µs";
}

/// F24: an event outside of the place's step, on another unit where there is one.
EventId partnerOf(const Ground& ground, EventId own, StepId step) {
    std::vector<StepId> candidates = ground.readers(ground.place.result);
    for (std::size_t i = step.index() + 1; i < ground.program.steps.size(); ++i)
        candidates.emplace_back(i);
    for (std::size_t i = step.index(); i-- > 0;)
        candidates.emplace_back(i);
    candidates.push_back(step);
    EventId any;
    constexpr std::size_t kEnough = 64; // steps nearby; any of them will do
    for (std::size_t i = 0; i < candidates.size() && i < kEnough; ++i)
        for (const EventId event : ground.events[candidates[i]]) {
            if (event == own)
                continue;
            if (ground.program.events[event].resource != ground.program.events[own].resource)
                return event;
            if (!any.isValid())
                any = event;
        }
    return any;
}

std::optional<Standstill> cyclicWait(const PlantedFault& planted) {
    const Ground ground(planted);
    const StepId step = ground.stepOf[planted.place.entry];
    const EventId own = ground.firstOf(step);
    const EventId other = own.isValid() ? partnerOf(ground, own, step) : EventId();
    if (!other.isValid())
        return std::nullopt;
    Standstill still;
    still.before = planted.place.entry;
    std::vector<EventId> cycle{std::min(own, other), std::max(own, other)};
    still.deadlock = stoppedAt(ground, step, std::move(cycle),
        {{own, other, WaitReason::Turn, {}, {}}, {other, own, WaitReason::Operand, {}, {}}});
    still.sentence = ground.name(own) + " on " + ground.unit(own) + " waits for "
        + ground.name(other) + " on " + ground.unit(other)
        + ", which waits for it: neither starts. The last event before ended at "
        + microseconds(still.deadlock->at) + "; no queue is full, so no depth frees them: one of "
        + "the two waits must go.";
    return still;
}

/// Longest way in nodes from a value to what reads it, over everything it is made from.
std::map<ValueId, std::int64_t> ancestors(
    const lowering::StageGraph& graph, ValueId value, std::size_t limit) {
    std::map<ValueId, std::int64_t> depth{{value, 0}};
    // Producers come before users, so that values by producer, last first, are settled in turn.
    std::map<NodeId, std::vector<ValueId>, std::greater<>> open;
    const auto push = [&](ValueId id) {
        if (graph.values[id].producer.isValid())
            open[graph.values[id].producer].push_back(id);
    };
    push(value);
    while (!open.empty() && depth.size() < limit) {
        const auto [node, made] = *open.begin();
        open.erase(open.begin());
        std::int64_t deepest = 0;
        for (const ValueId id : made)
            deepest = std::max(deepest, depth[id]);
        for (const ValueId input : graph.nodes[node].inputs) {
            if (!graph.values.contains(input)
                || graph.values[input].role == lowering::ValueRole::Weight
                || graph.values[input].role == lowering::ValueRole::Constant)
                continue;
            const auto [entry, isNew] = depth.try_emplace(input, deepest + 1);
            entry->second = std::max(entry->second, deepest + 1);
            if (isNew)
                push(input);
        }
    }
    return depth;
}

/// Two ways from one value to a node that needs both.
struct Reconvergence {
    NodeId join;
    ValueId fork, shortWay, longWay; ///< the ways: operands of the join
    std::int64_t depth = 0; ///< nodes on the longer one
    EventId forked, joined, late; ///< the fork's, the join's, the last of the longer way
};

std::optional<Reconvergence> joinAt(const Ground& ground, NodeId join) {
    constexpr std::size_t kLimit = 512; // values looked at
    std::vector<std::pair<ValueId, std::map<ValueId, std::int64_t>>> ways;
    for (const ValueId input : ground.graph.nodes[join].inputs)
        if (ground.graph.values.contains(input) && (ways.empty() || ways.front().first != input)
            && ways.size() < 3)
            ways.emplace_back(input, ancestors(ground.graph, input, kLimit));
    std::optional<Reconvergence> best;
    for (const auto& [first, near] : ways)
        for (const auto& [second, far] : ways)
            for (const auto& [fork, depth] : near) {
                const auto found = far.find(fork);
                if (first == second || found == far.end() || found->second < depth + 1
                    || (best && best->depth <= found->second))
                    continue;
                Reconvergence r{join, fork, first, second, found->second, {}, {}, {}};
                StepId origin = ground.stepOfProducer(fork);
                if (!origin.isValid() && !ground.readers(fork).empty())
                    origin = ground.readers(fork).front();
                r.forked = ground.firstOf(origin);
                r.joined = ground.firstOf(ground.stepOf[join]);
                r.late = ground.lastOf(ground.stepOfProducer(second));
                const bool areApart = r.forked.isValid() && r.joined.isValid() && r.late.isValid()
                    && r.forked != r.joined && r.late != r.joined && r.late != r.forked;
                if (areApart)
                    best = r;
            }
    return best;
}

/// Of the place's nodes, the first that joins two ways.
std::optional<Reconvergence> reconvergence(const Ground& ground) {
    for (const NodeId node : ground.place.nodes)
        if (auto found = joinAt(ground, node))
            return found;
    return std::nullopt;
}

std::optional<Standstill> fullQueue(const PlantedFault& planted) {
    const Ground ground(planted);
    const auto way = reconvergence(ground);
    if (!way)
        return std::nullopt;
    const std::int64_t needed = std::max<std::int64_t>(2, way->depth);
    const auto room = static_cast<std::int64_t>(
        std::llround(planted.parameter("depth", static_cast<double>(needed - 1))));
    if (room >= needed)
        return std::nullopt; // deep enough: no stall
    const Program& program = ground.program;
    const auto from = program.events[way->forked].resource;
    const auto to = program.events[way->joined].resource;
    Standstill still;
    still.before = way->join;
    still.deadlock =
        stoppedAt(ground, ground.stepOf[way->join], {way->forked, way->joined, way->late},
            {{way->forked, way->joined, WaitReason::Room, from, to},
                {way->joined, way->late, WaitReason::Operand, {}, {}},
                {way->late, way->forked, WaitReason::Operand, {}, {}}});
    const std::string queue = "the queue of " + ground.graph.values[way->fork].name + " from "
        + ground.unit(way->forked) + " to " + ground.unit(way->joined);
    still.sentence = ground.name(way->joined) + " stands still: " + queue + " holds "
        + std::to_string(room) + " of " + std::to_string(room) + " tokens, and the other way takes "
        + std::to_string(way->depth) + " operators before its first token. "
        + ground.name(way->forked) + " waits for room, " + ground.name(way->joined) + " for "
        + ground.name(way->late) + ", and that for the next token of " + ground.name(way->forked)
        + ". A depth of " + std::to_string(needed) + " frees it.";
    return still;
}

std::optional<Standstill> stolenToken(const PlantedFault& planted) {
    const Ground ground(planted);
    const auto readers = ground.readers(planted.place.result);
    if (readers.size() < 2)
        return std::nullopt;
    constexpr double kHangs = 0.5; // of the interleavings
    if (planted.parameter("hangs", uniform(planted.draw, kOrder) < kHangs) == 0)
        return std::nullopt; // both look before one takes
    const StepId late = readers[1];
    const EventId taker = ground.firstOf(readers[0]), loser = ground.firstOf(late);
    const EventId maker = ground.lastOf(ground.stepOf[planted.place.exit]);
    if (!taker.isValid() || !loser.isValid() || !maker.isValid())
        return std::nullopt;
    Standstill still;
    for (const NodeId user : ground.graph.values[planted.place.result].users)
        if (ground.stepOf[user] == late && (!still.before.isValid() || user < still.before))
            still.before = user;
    const auto& events = ground.program.events;
    still.deadlock = stoppedAt(ground, late, {maker, loser},
        {{maker, loser, WaitReason::Room, events[maker].resource, events[loser].resource},
            {loser, maker, WaitReason::Operand, {}, {}}});
    still.lostTokens = 1;
    still.sentence = ground.name(taker) + " took the token of "
        + ground.graph.values[planted.place.result].name + " before " + ground.name(loser)
        + " had looked at it: " + ground.name(loser) + " waits for a token that is gone, and "
        + ground.name(maker) + " for its answer. Another interleaving of the same program ends; "
        + "a queue of depth 1 for each reader frees it.";
    return still;
}

std::optional<Standstill> lostCompletion(const PlantedFault& planted) {
    if (!isTimeout(planted))
        return std::nullopt;
    const Ground ground(planted);
    const StepId step = ground.stepOf[planted.place.entry];
    Standstill still;
    still.before = planted.place.entry;
    Transfer lost;
    lost.value = planted.place.operand.isValid() ? planted.place.operand : planted.place.result;
    const EventId own = ground.firstOf(step);
    if (own.isValid())
        lost.issued = ground.program.events[own].start;
    // A limit in multiples of the whole program, as operation time-outs are far above any transfer.
    constexpr double kPrograms = 10;
    const auto limit = planted.parameter("deadline_ps",
        kPrograms
            * static_cast<double>(
                std::max<std::int64_t>(1, schedule::makespan(ground.program).value)));
    lost.deadline = base::Picoseconds(lost.issued.value + std::llround(limit));
    lost.completed = lost.firstRead = base::Picoseconds(lost.deadline->value + 1);
    if (const auto bytes = ground.graph.values[lost.value].deviceBytes())
        lost.bytes = bytes->value;
    still.outstanding = lost;
    still.sentence = "The transfer of " + ground.graph.values[lost.value].name
        + " timed out: issued at " + microseconds(lost.issued)
        + ", its completion was not seen by the deadline at " + microseconds(*lost.deadline)
        + ". Nothing waits in a cycle; what needs it never ran.";
    return still;
}

/// F27: tokens of a stream, one a stick of its operand or an eighth of it.
struct Stream {
    std::int64_t token = 1, tokens = 0; ///< elements of a token
    std::int64_t capacity = 0, drops = 0; ///< tokens
};

Stream streamOf(const PlantedFault& planted, const layout::TensorLayout& layout) {
    Stream stream;
    const std::int64_t elements = layout::logicalElements(layout);
    std::int64_t lanes = 1;
    for (const layout::Axis& axis : layout.axes)
        if (axis.role == layout::AxisRole::Lane)
            lanes = std::max(lanes, axis.extent);
    constexpr std::int64_t kParts = 8; // so that small tensors are streams, too
    stream.token = std::clamp<std::int64_t>(elements / kParts, 1, lanes);
    stream.tokens = lowering::ceilDiv(elements, stream.token);
    const auto asked = planted.parameter("depth", static_cast<double>(stream.tokens / 2));
    stream.capacity = std::clamp<std::int64_t>(std::llround(asked), 0, stream.tokens);
    constexpr std::uint64_t kMostDrops = 3;
    const auto drops =
        planted.parameter("drops", static_cast<double>(1 + (planted.fault->seed - 1) % kMostDrops));
    stream.drops =
        std::clamp<std::int64_t>(std::llround(drops), 0, stream.tokens - stream.capacity);
    return stream;
}

template <typename T>
std::vector<T> shifted(const std::vector<T>& right, const Stream& stream, T junk) {
    std::vector<T> wrong = right;
    const auto from = static_cast<std::size_t>(stream.capacity * stream.token);
    const auto gap = static_cast<std::size_t>(stream.drops * stream.token);
    for (std::size_t i = from; i < wrong.size(); ++i)
        wrong[i] = i + gap < right.size() ? right[i + gap] : junk;
    return wrong;
}

} // namespace

std::int64_t misreadQueue(const PlantedFault& planted, DeviceValue& operand) {
    const Stream stream = streamOf(planted, operand.layout());
    const Tensor right = operand.tensor();
    if (const auto* list = right.as<std::int64_t>())
        operand.write(Tensor(right.dtype(), right.shape(),
                          shifted(*list, stream, integerPoison(planted.poison))),
            false);
    else
        operand.write(
            Tensor(right.dtype(), right.shape(), shifted(right.numbers(), stream, planted.poison)),
            false);
    return stream.drops;
}

bool progressFaultActs(const PlantedFault& planted) {
    const FaultPlace& place = planted.place;
    if (planted.number == 27) {
        const auto id = place.operand;
        return planted.graph->values.contains(id) && planted.graph->values[id].layout
            && streamOf(planted, *planted.graph->values[id].layout).tokens >= 2;
    }
    const Ground ground(planted);
    if (planted.number == 24) {
        const EventId own = ground.firstOf(ground.stepOf[place.entry]);
        return own.isValid() && partnerOf(ground, own, ground.stepOf[place.entry]).isValid();
    }
    if (planted.number == 25)
        return reconvergence(ground).has_value();
    return ground.readers(place.result).size() >= 2;
}

std::optional<Standstill> standstill(const PlantedFault& planted) {
    switch (planted.number) {
    case 24:
        return cyclicWait(planted);
    case 25:
        return fullQueue(planted);
    case 26:
        return stolenToken(planted);
    case 30:
        return lostCompletion(planted);
    default:
        return std::nullopt;
    }
}

} // namespace fivefold::numerics
