// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/comparison.h"

#include <algorithm>

namespace fivefold::analysis {

using base::Picoseconds;
using lowering::EventId;
using lowering::StepId;

namespace {

/// Moves the events together where none of them runs.
void closeGaps(std::vector<RaceEvent>& events) {
    Picoseconds reached, idle;
    if (!events.empty())
        reached = idle = events.front().start;
    for (RaceEvent& event : events) {
        if (event.start > reached) {
            idle += event.start - reached;
            reached = event.start;
        }
        reached = std::max(reached, event.end);
        event.start -= idle;
        event.end -= idle;
    }
}

} // namespace

RaceLane raceLane(const Result& result, std::span<const ir::NodeId> nodes) {
    const auto steps = comparedSteps(result, nodes);
    base::IdVector<StepId, std::uint8_t> isIn;
    isIn.resize(result.program.steps.size());
    RaceLane lane;
    for (const StepId step : steps) {
        isIn[step] = 1;
        lane.isAtLeast = lane.isAtLeast || !result.program.steps[step].estimate.isKnown;
    }
    for (std::size_t i = 0; i < result.program.events.size(); ++i) {
        const lowering::Event& event = result.program.events[EventId(i)];
        if (event.end > event.start && isIn.contains(event.step) && isIn[event.step])
            lane.events.push_back({EventId(i), 0, event.start, event.end});
    }
    std::ranges::stable_sort(lane.events, {}, &RaceEvent::start);
    if (!nodes.empty())
        closeGaps(lane.events);
    for (RaceEvent& event : lane.events) {
        const auto resource = result.program.events[event.event].resource;
        const auto known = std::ranges::find(lane.resources, resource);
        event.resource = static_cast<std::size_t>(known - lane.resources.begin());
        if (known == lane.resources.end())
            lane.resources.push_back(resource);
        lane.length = std::max(lane.length, event.end);
    }
    return lane;
}

} // namespace fivefold::analysis
