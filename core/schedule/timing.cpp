// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/schedule.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::Event;
using lowering::EventId;
using lowering::StepId;

namespace {

using Timings = base::IdVector<EventId, Timing>;

Hold kindOf(const Event& event, const Event& before) {
    if (before.step == event.step)
        return Hold::Step;
    return before.resource == event.resource ? Hold::Resource : Hold::Operand;
}

/// Finds what each event waited for: of the events that end where it starts, or else of its
/// dependencies, the one with the longest busy chain behind it.
class Holds {
public:
    explicit Holds(const lowering::Program& program)
        : m_events(program.events)
        , m_busy(program.events.size(), 0) {
        m_endingAt.reserve(m_events.size());
    }

    void fill(Timings& timings) {
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const EventId id(i);
            const Event& event = m_events[id];
            Timing& timing = timings[id];
            timing.heldBy = dependency(id);
            if (timing.heldBy.isValid())
                timing.hold = kindOf(event, m_events[timing.heldBy]);
            if (!timing.heldBy.isValid() || m_events[timing.heldBy].end < event.start)
                if (const auto found = m_endingAt.find(event.start.value);
                    found != m_endingAt.end()) {
                    timing.heldBy = found->second;
                    timing.hold = Hold::Order;
                }
            m_busy[i] = (event.end - event.start).value
                + (timing.heldBy.isValid() ? m_busy[timing.heldBy.index()] : 0);
            EventId& last = m_endingAt[event.end.value];
            if (!last.isValid() || m_busy[i] > m_busy[last.index()])
                last = id;
        }
    }

private:
    EventId dependency(EventId id) const {
        EventId best;
        const auto key = [this](EventId event) {
            return std::pair(m_events[event].end, m_busy[event.index()]);
        };
        for (const EventId before : m_events[id].depends)
            if (before.isValid() && before < id && (!best.isValid() || key(before) > key(best)))
                best = before;
        return best;
    }

    const base::IdVector<EventId, Event>& m_events;
    std::vector<std::int64_t> m_busy; ///< of the chain that ends with each event
    std::unordered_map<std::int64_t, EventId> m_endingAt;
};

/// Goes back from the makespan: an event may end as late as the latest start of what waits for it,
/// and no later than its step.
void fillSlack(const lowering::Program& program, Timings& timings) {
    const auto& events = program.events;
    const std::int64_t end = makespan(program).value;
    std::vector<std::int64_t> latest(events.size(), end);
    std::vector<std::int64_t> ofStep(program.steps.size(), end);
    const auto spans = stepSpans(program);
    for (std::size_t i = events.size(); i-- > 0;) {
        const EventId id(i);
        const Event& event = events[id];
        const bool hasStep = program.steps.contains(event.step);
        if (hasStep)
            latest[i] = std::min(latest[i], ofStep[event.step.index()]);
        timings[id].slack = Picoseconds(std::max<std::int64_t>(0, latest[i] - event.end.value));
        const std::int64_t start = latest[i] - (event.end - event.start).value;
        const EventId heldBy = timings[id].heldBy;
        const auto bound = [&](EventId before) {
            if (!before.isValid() || before >= id)
                return;
            // What lies between an event and the one that holds it is overhead of its own.
            const std::int64_t lag =
                before == heldBy ? (event.start - events[before].end).value : 0;
            latest[before.index()] = std::min(latest[before.index()], start - lag);
            const StepId step = events[before].step;
            if (program.steps.contains(step) && step != event.step
                && events[before].end == spans[step].end)
                ofStep[step.index()] = std::min(ofStep[step.index()], start - lag);
        };
        for (const EventId before : event.depends)
            bound(before);
        if (timings[id].hold == Hold::Order)
            bound(heldBy);
    }
}

} // namespace

std::string_view toString(Hold hold) {
    constexpr std::string_view kNames[] = {"nothing", "operand", "step", "resource", "order"};
    return kNames[static_cast<std::size_t>(hold)];
}

base::IdVector<EventId, Timing> timing(const lowering::Program& program) {
    Timings timings(program.events.size());
    Holds(program).fill(timings);
    fillSlack(program, timings);
    return timings;
}

std::vector<EventId> criticalPath(const lowering::Program& program, const Timings& timings) {
    const auto& events = program.events;
    std::vector<std::int64_t> busy(events.size(), 0);
    EventId last;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const EventId id(i);
        const EventId before = timings[id].heldBy;
        busy[i] = (events[id].end - events[id].start).value
            + (before.isValid() ? busy[before.index()] : 0);
        if (!last.isValid() || events[id].end > events[last].end
            || (events[id].end == events[last].end && busy[i] > busy[last.index()]))
            last = id;
    }
    std::vector<EventId> path;
    for (; last.isValid(); last = timings[last].heldBy)
        path.push_back(last);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<EventId> criticalPath(const lowering::Program& program) {
    return criticalPath(program, timing(program));
}

} // namespace fivefold::schedule
