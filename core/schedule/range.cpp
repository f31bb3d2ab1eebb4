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
    for (const memory::TrafficByCause& traffic : totals.traffic)
        if (traffic.total() > totals.traffic[totals.level].total())
            totals.level = traffic.level;
    return totals;
}

} // namespace fivefold::schedule
