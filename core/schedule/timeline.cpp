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

base::IdVector<StepId, Span> stepSpans(const lowering::Program& program) {
    base::IdVector<StepId, Span> spans(program.steps.size());
    std::vector<std::uint8_t> isSet(program.steps.size(), 0);
    for (const Event& event : program.events) {
        if (!spans.contains(event.step))
            continue;
        Span& span = spans[event.step];
        std::uint8_t& set = isSet[event.step.index()];
        span.start = set ? std::min(span.start, event.start) : event.start;
        span.end = set ? std::max(span.end, event.end) : event.end;
        set = 1;
    }
    Picoseconds at; // a step without events stands where the one before it ended
    for (std::size_t i = 0; i < spans.size(); ++i) {
        Span& span = spans[StepId(i)];
        if (!isSet[i])
            span = {at, at};
        at = span.end;
    }
    return spans;
}

void fillBufferTimes(lowering::Program& program) {
    const auto spans = stepSpans(program);
    for (lowering::Buffer& buffer : program.buffers) {
        buffer.first =
            spans.contains(buffer.firstStep) ? spans[buffer.firstStep].start : Picoseconds(0);
        buffer.last = spans.contains(buffer.lastStep) ? spans[buffer.lastStep].end : buffer.first;
    }
}

Picoseconds makespan(const lowering::Program& program) {
    Picoseconds end;
    for (const Event& event : program.events)
        end = std::max(end, event.end);
    return end;
}

std::vector<EventId> criticalPath(const lowering::Program& program) {
    const auto& events = program.events;
    // Busy time of the longest chain that ends with each event, and the event before it on that
    // chain. Events come by start time: what one depends on stands before it.
    std::vector<std::int64_t> busy(events.size(), 0);
    std::vector<EventId> previous(events.size());
    EventId last;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& event = events[EventId(i)];
        for (const EventId before : event.depends)
            if (before.isValid() && before.index() < i
                && (!previous[i].isValid() || busy[before.index()] > busy[previous[i].index()]))
                previous[i] = before;
        busy[i] = event.end.value - event.start.value
            + (previous[i].isValid() ? busy[previous[i].index()] : 0);
        if (!last.isValid() || event.end > events[last].end
            || (event.end == events[last].end && busy[i] > busy[last.index()]))
            last = EventId(i);
    }
    std::vector<EventId> path;
    for (; last.isValid(); last = previous[last.index()])
        path.push_back(last);
    std::reverse(path.begin(), path.end());
    return path;
}

base::IdVector<ResourceId, double> utilisation(const lowering::Program& program) {
    base::IdVector<ResourceId, double> shares(program.resources.size(), 0.0);
    const Picoseconds total = makespan(program);
    if (total.value <= 0)
        return shares;
    std::vector<EventId> order(program.events.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = EventId(i);
    std::stable_sort(order.begin(), order.end(),
        [&](EventId a, EventId b) { return program.events[a].start < program.events[b].start; });
    std::vector<std::int64_t> busyUntil(program.resources.size(), 0),
        busy(program.resources.size(), 0);
    for (const EventId id : order) { // union of the events of each resource
        const Event& event = program.events[id];
        if (!shares.contains(event.resource))
            continue;
        std::int64_t& until = busyUntil[event.resource.index()];
        const std::int64_t from = std::max(event.start.value, until);
        if (event.end.value > from) {
            busy[event.resource.index()] += event.end.value - from;
            until = event.end.value;
        }
    }
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[ResourceId(i)] = Picoseconds(busy[i]) / total;
    return shares;
}

} // namespace fivefold::schedule
