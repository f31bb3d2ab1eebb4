// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/range.h"

#include <algorithm>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::StepId;

namespace {

/// Picoseconds of [from, to) inside [start, end).
std::int64_t inside(Picoseconds start, Picoseconds end, Picoseconds from, Picoseconds to) {
    return std::max<std::int64_t>(0, (std::min(end, to) - std::max(start, from)).value);
}

/// The memory whose bytes take longest at its bandwidth; where no bandwidth is known, the one that
/// moves most.
std::size_t busiestLevel(
    const std::vector<memory::TrafficByCause>& traffic, const machines::Machine& machine) {
    std::size_t level = 0;
    std::pair<double, double> most{-1, -1}; // seconds, bytes
    for (const memory::TrafficByCause& entry : traffic) {
        const auto bytes = static_cast<double>(entry.total().value);
        const auto rate = machine.memories[entry.level].totalBandwidth();
        const std::pair<double, double> key{rate && *rate > 0 ? bytes / *rate : 0, bytes};
        if (bytes > 0 && key > most) {
            most = key;
            level = entry.level;
        }
    }
    return level;
}

} // namespace

RangeTotals rangeTotals(const lowering::Program& program, const machines::Machine& machine,
    const memory::StepBorders& borders, const base::IdVector<StepId, Span>& spans, Picoseconds from,
    Picoseconds to) {
    RangeTotals totals;
    totals.busy = utilisation(program, from, to);
    totals.events.assign(program.resources.size(), 0);
    if (to <= from)
        return totals;
    totals.duration = base::toSeconds(to - from);
    if (const Picoseconds end = makespan(program); end.value > 0)
        totals.share = (to - from) / end;
    for (const lowering::Event& event : program.events)
        if (totals.events.contains(event.resource) && inside(event.start, event.end, from, to) > 0)
            ++totals.events[event.resource];
    std::vector<double> shares(program.steps.size(), 0.0);
    std::int64_t longest = 0;
    for (std::size_t s = 0; s < shares.size(); ++s) {
        const Span& span = spans[StepId(s)];
        const std::int64_t part = inside(span.start, span.end, from, to);
        if (part <= 0)
            continue;
        ++totals.steps;
        shares[s] = Picoseconds(part) / (span.end - span.start);
        const lowering::Step& step = program.steps[StepId(s)];
        totals.flops += base::Flops(
            step.estimate.flops.value * static_cast<double>(step.executions) * shares[s]);
        if (part > longest) {
            longest = part;
            totals.step = StepId(s);
        }
    }
    totals.traffic = memory::trafficByCause(program, machine, borders, shares);
    totals.level = busiestLevel(totals.traffic, machine);
    return totals;
}

base::Picoseconds besideCompute(const lowering::Program& program, lowering::EventId id) {
    Picoseconds sum;
    if (!program.events.contains(id))
        return sum;
    const lowering::Event& transfer = program.events[id];
    if (transfer.kind != lowering::EventKind::Read && transfer.kind != lowering::EventKind::Write)
        return sum;
    std::int64_t covered = transfer.start.value; // parts may overlap each other
    for (const lowering::Event& event : program.events) {
        if (event.start >= transfer.end)
            break; // they come by start time
        if (event.step != transfer.step || event.kind != lowering::EventKind::Compute)
            continue;
        const std::int64_t from = std::max(event.start.value, covered);
        const std::int64_t to = std::min(event.end.value, transfer.end.value);
        if (to > from) {
            sum += Picoseconds(to - from);
            covered = to;
        }
    }
    return sum;
}

} // namespace fivefold::schedule
