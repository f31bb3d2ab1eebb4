// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"

#include <algorithm>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::Event;
using lowering::EventId;
using lowering::ResourceId;
using lowering::StepId;

namespace {

class Connector {
public:
    Connector(lowering::Program& program, const lowering::StageGraph* graph)
        : m_program(program)
        , m_graph(graph)
        , m_lastOn(program.resources.size())
        , m_collected(program.steps.size(), 0) {
        listEvents();
        if (graph)
            findSteps();
    }

    void run() {
        for (std::size_t i = 0; i < m_program.events.size(); ++i)
            connect(EventId(i));
    }

private:
    /// The events of each step, by index.
    void listEvents() {
        const std::size_t steps = m_program.steps.size();
        m_first.assign(steps + 1, 0);
        for (const Event& event : m_program.events)
            if (event.step.index() < steps)
                ++m_first[event.step.index() + 1];
        for (std::size_t s = 0; s < steps; ++s)
            m_first[s + 1] += m_first[s];
        m_events.resize(m_first[steps]);
        std::vector<std::size_t> next(m_first.begin(), m_first.end() - 1);
        for (std::size_t i = 0; i < m_program.events.size(); ++i)
            if (const Event& event = m_program.events[EventId(i)]; event.step.index() < steps)
                m_events[next[event.step.index()]++] = EventId(i);
    }

    void findSteps() {
        m_stepOf.assign(m_graph->nodes.size(), StepId());
        for (std::size_t s = 0; s < m_program.steps.size(); ++s)
            for (const lowering::NodeId node : m_program.steps[StepId(s)].nodes)
                if (m_stepOf.contains(node))
                    m_stepOf[node] = StepId(s);
    }

    bool isBefore(EventId a, EventId b) const {
        return a < b && m_program.events[a].end <= m_program.events[b].start;
    }

    void connect(EventId id) {
        Event& event = m_program.events[id];
        std::vector<EventId> before;
        if (m_program.steps.contains(event.step)) {
            addOwn(id, before);
            if (before.empty())
                addOperands(id, before);
        }
        if (m_lastOn.contains(event.resource)) {
            EventId& last = m_lastOn[event.resource];
            if (last.isValid() && isBefore(last, id))
                before.push_back(last);
            last = id;
        }
        std::sort(before.begin(), before.end());
        before.erase(std::unique(before.begin(), before.end()), before.end());
        event.depends = std::move(before);
    }

    /// Parts of the same step that end before this one starts, without those that another of them
    /// waits for.
    void addOwn(EventId id, std::vector<EventId>& before) const {
        const std::size_t step = m_program.events[id].step.index();
        for (std::size_t k = m_first[step]; k < m_first[step + 1]; ++k) {
            if (!isBefore(m_events[k], id))
                continue;
            std::erase_if(before, [&](EventId other) { return isBefore(other, m_events[k]); });
            before.push_back(m_events[k]);
        }
    }

    /// The last events of the steps that make what this step reads.
    void addOperands(EventId id, std::vector<EventId>& before) {
        const StepId step = m_program.events[id].step;
        if (!m_graph)
            return;
        const auto stamp = static_cast<std::uint32_t>(id.index() + 1);
        for (const lowering::NodeId node : m_program.steps[step].nodes) {
            if (!m_graph->nodes.contains(node))
                continue;
            for (const lowering::ValueId input : m_graph->nodes[node].inputs) {
                if (!m_graph->values.contains(input))
                    continue;
                const lowering::NodeId producer = m_graph->values[input].producer;
                if (!m_stepOf.contains(producer))
                    continue;
                const StepId writer = m_stepOf[producer];
                if (!writer.isValid() || writer == step || m_collected[writer] == stamp)
                    continue;
                m_collected[writer] = stamp;
                addLast(writer, id, before);
            }
        }
    }

    void addLast(StepId writer, EventId id, std::vector<EventId>& before) const {
        Picoseconds end;
        for (std::size_t k = m_first[writer.index()]; k < m_first[writer.index() + 1]; ++k)
            end = std::max(end, m_program.events[m_events[k]].end);
        for (std::size_t k = m_first[writer.index()]; k < m_first[writer.index() + 1]; ++k)
            if (m_program.events[m_events[k]].end == end && isBefore(m_events[k], id))
                before.push_back(m_events[k]);
    }

    lowering::Program& m_program;
    const lowering::StageGraph* m_graph;
    base::IdVector<ResourceId, EventId> m_lastOn;
    base::IdVector<StepId, std::uint32_t> m_collected; ///< event that has listed the step, plus 1
    std::vector<std::size_t> m_first; ///< step → its first entry; one more than steps
    std::vector<EventId> m_events;
    base::IdVector<lowering::NodeId, StepId> m_stepOf;
};

} // namespace

void connect(lowering::Program& program, const lowering::StageGraph* graph) {
    Connector(program, graph).run();
}

} // namespace fivefold::schedule
