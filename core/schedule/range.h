// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/step_borders.h"
#include "core/memory/traffic.h"
#include "core/schedule/schedule.h"

namespace fivefold::schedule {

/// What happens in a stretch of the program. Bytes and work of a step that lies partly inside count
/// in proportion to its time there.
struct RangeTotals {
    base::Seconds duration;
    double share = 0; ///< of the program's time
    base::Flops flops; ///< useful work
    std::int64_t steps = 0; ///< that run in it, wholly or partly
    lowering::StepId step; ///< the one that takes most of it; invalid without steps
    /// Bytes moved at each memory of the machine, by cause.
    std::vector<memory::TrafficByCause> traffic;
    std::size_t level = 0; ///< memory that they keep busy longest
    base::IdVector<lowering::ResourceId, std::int64_t> events; ///< of each resource
    base::IdVector<lowering::ResourceId, double> busy; ///< share of the stretch that each works
};

/// Totals of a stretch; all 0 where it is empty. `spans` are stepSpans(program). O(events + steps +
/// border values).
RangeTotals rangeTotals(const lowering::Program& program, const machines::Machine& machine,
    const memory::StepBorders& borders, const base::IdVector<lowering::StepId, Span>& spans,
    base::Picoseconds from, base::Picoseconds to);

/// How long a transfer runs beside the arithmetic of its own step: the next tile moves while this
/// one is worked on (double buffering). 0 for other events. O(events).
base::Picoseconds besideCompute(const lowering::Program& program, lowering::EventId event);

} // namespace fivefold::schedule
