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

base::IdVector<ResourceId, double> utilisation(
    const lowering::Program& program, Picoseconds from, Picoseconds to) {
    base::IdVector<ResourceId, double> shares(program.resources.size(), 0.0);
    if (to <= from)
        return shares;
    // Union of the events of each resource; they come by start time.
    std::vector<std::int64_t> busyUntil(program.resources.size(), from.value);
    std::vector<std::int64_t> busy(program.resources.size(), 0);
    for (const Event& event : program.events) {
        if (event.start >= to)
            break;
        if (!shares.contains(event.resource))
            continue;
        std::int64_t& until = busyUntil[event.resource.index()];
        const std::int64_t begin = std::max(event.start.value, until);
        const std::int64_t end = std::min(event.end.value, to.value);
        if (end > begin) {
            busy[event.resource.index()] += end - begin;
            until = end;
        }
    }
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[ResourceId(i)] = Picoseconds(busy[i]) / (to - from);
    return shares;
}

base::IdVector<ResourceId, double> utilisation(const lowering::Program& program) {
    return utilisation(program, Picoseconds(0), makespan(program));
}

} // namespace fivefold::schedule
