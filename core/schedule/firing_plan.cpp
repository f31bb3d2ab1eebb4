// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace fivefold::schedule {

using lowering::Event;
using lowering::EventId;
using lowering::EventKind;
using lowering::ResourceId;
using lowering::Stage;
using lowering::StepId;

namespace {

/// A number in [0, 1) that depends on both arguments alone (splitmix64, Steele et al. 2014).
double uniform(std::uint64_t seed, std::uint64_t event) {
    std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + (event + 1) * 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-53;
}

class Planner {
public:
    Planner(const lowering::Program& program, const FiringOptions& options)
        : m_program(program)
        , m_options(options)
        , m_opsOf(program.steps.size())
        , m_producers(program.steps.size()) {
        for (const Stage stage : {Stage::Scheduled, Stage::Placed})
            if (!m_graph)
                m_graph = program.stages[static_cast<std::size_t>(stage)].get();
    }

    FiringPlan plan(std::span<const StepId> block) {
        addOperations(block);
        findProducers();
        addTokensInsideSteps();
        addTokensBetweenSteps();
        addDeclared();
        findBackground();
        pack();
        countLanes();
        fixSlots(!block.empty());
        return std::move(m_plan);
    }

private:
    struct Arc {
        std::size_t from, to;
        Token token; ///< `other` unset
    };

    const Event& event(std::size_t op) const {
        return m_program.events[m_plan.operations[op].event];
    }
    bool isLaunch(std::size_t op) const { return event(op).kind == EventKind::Launch; }

    void addOperations(std::span<const StepId> block) {
        std::vector<std::uint8_t> isIn(m_program.steps.size(), block.empty());
        for (const StepId step : block)
            if (m_program.steps.contains(step))
                isIn[step.index()] = 1;
        std::vector<EventId> order;
        for (std::size_t i = 0; i < m_program.events.size(); ++i) {
            const StepId step = m_program.events[EventId(i)].step;
            if (m_program.steps.contains(step) ? isIn[step.index()] != 0 : block.empty())
                order.emplace_back(i);
        }
        std::stable_sort(order.begin(), order.end(), [&](EventId a, EventId b) {
            return m_program.events[a].start < m_program.events[b].start;
        });
        m_opOf.assign(m_program.events.size(), Course::kNone);
        const auto leads = fixedTimes();
        for (const EventId id : order)
            addOperation(id, leads[id.index()]);
        m_hasEvents.assign(m_program.steps.size(), 0);
        for (const Event& event : m_program.events)
            if (m_program.steps.contains(event.step))
                m_hasEvents[event.step.index()] = 1;
    }

    /// The time before each event in which the program has nothing running: what a step takes
    /// without being on a resource. It counts with the event.
    std::vector<std::int64_t> fixedTimes() const {
        std::vector<EventId> order;
        for (std::size_t i = 0; i < m_program.events.size(); ++i)
            order.emplace_back(i);
        std::stable_sort(order.begin(), order.end(), [&](EventId a, EventId b) {
            return m_program.events[a].start < m_program.events[b].start;
        });
        std::vector<std::int64_t> times(m_program.events.size(), 0);
        std::int64_t end = 0;
        for (const EventId id : order) {
            const Event& event = m_program.events[id];
            times[id.index()] = std::max<std::int64_t>(event.start.value - end, 0);
            end = std::max(end, event.end.value);
        }
        return times;
    }

    void addOperation(EventId id, std::int64_t lead) {
        const Event& event = m_program.events[id];
        Operation op;
        op.event = id;
        op.step = event.step;
        op.resource = event.resource;
        const std::int64_t busy = std::max<std::int64_t>(event.end.value - event.start.value, 0);
        op.slot = op.programStart = event.start.value - lead;
        op.planned = addUpTo(busy, lead);
        op.programEnd = addUpTo(op.programStart, op.planned);
        op.duration = addUpTo(delayed(id, busy), lead);
        m_opOf[id.index()] = m_plan.operations.size();
        if (m_program.steps.contains(op.step))
            m_opsOf[op.step].push_back(m_plan.operations.size());
        m_plan.operations.push_back(op);
    }

    std::int64_t delayed(EventId id, std::int64_t planned) const {
        const double jitter = std::isfinite(m_options.jitter)
            ? std::clamp(m_options.jitter, 0.0, FiringOptions::kMostJitter)
            : 0.0;
        if (jitter <= 0 || !isTransfer(m_program, id)
            || (m_options.late.isValid() && m_options.late != id))
            return planned;
        const double share = m_options.late.isValid() ? 1.0 : uniform(m_options.seed, id.value);
        constexpr double kLargest = 9.2e18; // ps that an int64 holds
        const double extra = static_cast<double>(planned) * jitter * share;
        return extra >= kLargest ? std::numeric_limits<std::int64_t>::max()
                                 : addUpTo(planned, static_cast<std::int64_t>(extra));
    }

    /// Steps whose results a step takes. A step without events hands on what it takes.
    void findProducers() {
        if (!m_graph)
            return;
        std::vector<StepId> stepOf(m_graph->nodes.size());
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            for (const lowering::NodeId node : m_program.steps[StepId(s)].nodes)
                if (m_graph->nodes.contains(node))
                    stepOf[node.index()] = StepId(s);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            auto& producers = m_producers[StepId(s)];
            for (const lowering::NodeId node : m_program.steps[StepId(s)].nodes)
                if (m_graph->nodes.contains(node))
                    addProducers(m_graph->nodes[node], StepId(s), stepOf, producers);
            std::sort(producers.begin(), producers.end());
            producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
        }
    }

    void addProducers(const lowering::Node& node, StepId self, const std::vector<StepId>& stepOf,
        std::vector<StepId>& producers) const {
        for (const lowering::ValueId input : node.inputs) {
            if (!m_graph->values.contains(input))
                continue;
            const lowering::NodeId producer = m_graph->values[input].producer;
            if (!m_graph->nodes.contains(producer))
                continue;
            const StepId step = stepOf[producer.index()];
            if (!step.isValid() || step == self)
                continue;
            if (m_hasEvents[step.index()])
                producers.push_back(step);
            else if (step < self)
                producers.insert(
                    producers.end(), m_producers[step].begin(), m_producers[step].end());
        }
    }

    void addArc(std::size_t from, std::size_t to, std::size_t queue) {
        const Event &a = event(from), &b = event(to);
        Token token;
        token.overlap = std::max<std::int64_t>(a.end.value - b.start.value, 0);
        token.queue = queue;
        m_arcs.push_back({from, to, token});
    }

    std::size_t queueBetween(ResourceId from, ResourceId to) {
        if (from == to || !from.isValid() || !to.isValid())
            return Token::kNoQueue;
        const auto [found, isNew] = m_queueOf.try_emplace({from, to}, m_plan.queues.size());
        if (isNew)
            m_plan.queues.push_back({from, to});
        return found->second;
    }

    /// Whether the first of two events of a step ends before the second starts.
    bool isBefore(std::size_t a, std::size_t b) const { return event(a).end <= event(b).start; }

    /// Data goes from launches to reads, to arithmetic, to writes. Where the program starts a write
    /// before the arithmetic, the one only keeps pace with the other.
    static int rank(EventKind kind) {
        switch (kind) {
        case EventKind::Launch:
        case EventKind::Wait:
            return 0;
        case EventKind::Read:
            return 1;
        case EventKind::Compute:
        case EventKind::Relayout:
        case EventKind::HostWork:
            return 2;
        case EventKind::Write:
            return 3;
        }
        return 0;
    }

    std::size_t queueOf(std::size_t from, std::size_t to) {
        return rank(event(from).kind) <= rank(event(to).kind)
            ? queueBetween(event(from).resource, event(to).resource)
            : Token::kNoQueue;
    }

    void addTokensInsideSteps() {
        constexpr std::size_t kMostBefore = 16; // a step has a handful of events
        for (const auto& ops : m_opsOf)
            for (std::size_t j = 0; j < ops.size(); ++j)
                for (std::size_t i = j > kMostBefore ? j - kMostBefore : 0; i < j; ++i)
                    addArc(ops[i], ops[j], queueOf(ops[i], ops[j]));
    }

    /// Events of a step that take what comes from outside: no launch, and none of the step's own
    /// before them.
    std::vector<std::size_t> takers(const std::vector<std::size_t>& ops) const {
        std::vector<std::size_t> found;
        for (const std::size_t op : ops)
            if (!isLaunch(op) && std::none_of(ops.begin(), ops.end(), [&](std::size_t before) {
                    return before < op && !isLaunch(before) && isBefore(before, op);
                }))
                found.push_back(op);
        return found.empty() && !ops.empty() ? std::vector{ops.back()} : found;
    }

    /// Events of a step after whose ends its results are there.
    std::vector<std::size_t> makers(const std::vector<std::size_t>& ops) const {
        std::vector<std::size_t> found;
        for (const std::size_t op : ops)
            if (!isLaunch(op) && std::none_of(ops.begin(), ops.end(), [&](std::size_t after) {
                    return after > op && isBefore(op, after);
                }))
                found.push_back(op);
        return found.empty() && !ops.empty() ? std::vector{ops.back()} : found;
    }

    void addTokensBetweenSteps() {
        std::vector<std::vector<std::size_t>> makersOf(m_program.steps.size());
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            makersOf[s] = makers(m_opsOf[StepId(s)]);
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            for (const std::size_t to : takers(m_opsOf[StepId(s)]))
                for (const StepId producer : m_producers[StepId(s)])
                    for (const std::size_t from : makersOf[producer.index()])
                        if (from < to)
                            addArc(from, to, Token::kNoQueue);
    }

    /// Where no graph says what a step takes: what the program says it depends on.
    void addDeclared() {
        for (std::size_t to = 0; to < m_plan.operations.size(); ++to)
            for (const EventId before : event(to).depends) {
                if (!m_program.events.contains(before))
                    continue;
                const std::size_t from = m_opOf[before.index()];
                if (from == Course::kNone || from >= to || (hasNodes(from) && hasNodes(to)))
                    continue;
                if (m_plan.operations[from].step != m_plan.operations[to].step
                    || !m_plan.operations[to].step.isValid())
                    addArc(from, to, Token::kNoQueue);
            }
    }

    bool hasNodes(std::size_t op) const {
        const StepId step = m_plan.operations[op].step;
        return m_graph && m_program.steps.contains(step) && !m_program.steps[step].nodes.empty();
    }

    /// Steps that are transfers and nothing else, and take no time of the program's, run beside it.
    void findBackground() {
        for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
            const auto& ops = m_opsOf[StepId(s)];
            const bool isCopy = m_program.steps[StepId(s)].estimate.time.value <= 0
                && std::all_of(ops.begin(), ops.end(), [&](std::size_t op) {
                       return event(op).kind == EventKind::Read
                           || event(op).kind == EventKind::Write;
                   });
            for (const std::size_t op : ops)
                m_plan.operations[op].isBackground = isCopy;
        }
    }

    /// One token from one operation to another; inside a step it is the one that takes a queue.
    void pack() {
        std::stable_sort(m_arcs.begin(), m_arcs.end(), [](const Arc& a, const Arc& b) {
            return std::tuple(a.to, a.from, a.token.queue)
                < std::tuple(b.to, b.from, b.token.queue);
        });
        m_arcs.erase(
            std::unique(m_arcs.begin(), m_arcs.end(),
                [](const Arc& a, const Arc& b) { return a.to == b.to && a.from == b.from; }),
            m_arcs.end());
        keepOnePlace();
        for (Arc& arc : m_arcs) {
            Operation& op = m_plan.operations[arc.to];
            if (op.operands++ == 0)
                op.firstOperand = m_plan.operands.size();
            arc.token.other = arc.from;
            m_plan.operands.push_back(arc.token);
            ++m_plan.operations[arc.from].uses;
        }
        std::size_t first = 0;
        for (Operation& op : m_plan.operations) {
            op.firstUse = first;
            first += std::exchange(op.uses, 0);
        }
        m_plan.uses.resize(first);
        for (Arc& arc : m_arcs) {
            Operation& op = m_plan.operations[arc.from];
            arc.token.other = arc.to;
            m_plan.uses[op.firstUse + op.uses++] = arc.token;
        }
    }

    /// A step takes one place in a queue: from the start of the first of its events that puts
    /// something in to the start of the last that takes something out.
    void keepOnePlace() {
        std::map<std::pair<std::size_t, StepId>, std::size_t> placeOf;
        for (std::size_t i = 0; i < m_arcs.size(); ++i) {
            Arc& arc = m_arcs[i];
            if (arc.token.queue == Token::kNoQueue)
                continue;
            const StepId step = m_plan.operations[arc.from].step;
            const auto [found, isNew] = placeOf.try_emplace({arc.token.queue, step}, i);
            if (isNew)
                continue;
            Arc& kept = m_arcs[found->second]; // arcs come by who takes, then by who puts in
            if (arc.from > kept.from) {
                arc.token.queue = Token::kNoQueue;
                continue;
            }
            kept.token.queue = Token::kNoQueue;
            found->second = i;
        }
    }

    /// The most events that overlap on each resource in the program.
    void countLanes() {
        struct Edge {
            ResourceId resource;
            std::int64_t at;
            int change;
        };
        std::vector<Edge> edges;
        for (const Event& event : m_program.events)
            if (m_program.resources.contains(event.resource) && event.start < event.end) {
                edges.push_back({event.resource, event.start.value, 1});
                edges.push_back({event.resource, event.end.value, -1});
            }
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
            return std::tuple(a.resource, a.at, a.change) < std::tuple(b.resource, b.at, b.change);
        });
        m_plan.lanes.assign(m_program.resources.size(), 1);
        std::int64_t open = 0;
        for (const Edge& edge : edges) {
            open += edge.change;
            m_plan.lanes[edge.resource] = std::max(m_plan.lanes[edge.resource], open);
        }
    }

    void fixSlots(bool isAlone) {
        if (isAlone) { // the compiler would have planned the block without what stands between
            const auto courses = playInOrder(m_plan, false);
            for (std::size_t op = 0; op < courses.size(); ++op)
                m_plan.operations[op].slot = courses[op].start;
        } else if (!m_plan.operations.empty()) {
            const std::int64_t first = m_plan.operations.front().slot;
            for (Operation& op : m_plan.operations)
                op.slot -= first;
        }
        for (const Operation& op : m_plan.operations)
            m_plan.length = std::max(m_plan.length, addUpTo(op.slot, op.planned));
    }

    const lowering::Program& m_program;
    const FiringOptions& m_options;
    const lowering::StageGraph* m_graph = nullptr;
    FiringPlan m_plan;
    std::vector<Arc> m_arcs;
    std::vector<std::size_t> m_opOf; ///< by event
    base::IdVector<StepId, std::vector<std::size_t>> m_opsOf;
    base::IdVector<StepId, std::vector<StepId>> m_producers;
    std::vector<std::uint8_t> m_hasEvents; ///< by step
    std::map<std::pair<ResourceId, ResourceId>, std::size_t> m_queueOf;
};

} // namespace

bool isTransfer(const lowering::Program& program, EventId id) {
    if (!program.events.contains(id))
        return false;
    const Event& event = program.events[id];
    return event.kind == EventKind::Read || event.kind == EventKind::Write
        || (program.resources.contains(event.resource)
            && program.resources[event.resource].kind == "link");
}

FiringPlan planFiring(
    const lowering::Program& program, const FiringOptions& options, std::span<const StepId> block) {
    return Planner(program, options).plan(block);
}

} // namespace fivefold::schedule
