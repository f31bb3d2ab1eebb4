// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::roofline {

enum class CeilingKind : std::uint8_t { Compute, Memory, Scheduling };
std::string_view toString(CeilingKind kind);

/// A roof of the chart: FLOP/s for compute, bytes/s for memory, always base units.
struct Ceiling {
    std::string name; ///< "fp16", "LPDDR5"
    CeilingKind kind = CeilingKind::Compute;
    machines::Figure value;
    std::size_t level = 0; ///< index into Machine::memories for memory ceilings
    bool isCurrent = false; ///< compute ceiling of the chosen precision
};

/// All compute ceilings with a rate and all memory levels with a bandwidth, fastest compute first, then memories
/// far to near.
std::vector<Ceiling> ceilings(const machines::Machine& machine, machines::Precision precision);

/// One step on the chart. Intensity is per level: flops over that level's bytes.
struct Point {
    lowering::StepId step;
    base::Flops flops;
    base::Seconds time;
    base::Seconds ideal;
    lowering::Bound bound = lowering::Bound::Unknown;
    std::size_t boundLevel = 0;
    std::vector<base::Bytes> bytesByLevel; ///< parallel to Machine::memories
    double achieved = 0; ///< FLOP/s
    std::optional<double> schedulingCap; ///< FLOP/s: flops ÷ scheduling time; nullopt when there is none

    /// FLOP per byte at a level; nullopt without bytes there.
    std::optional<double> intensity(std::size_t level) const;
};

/// One point a step that has work and a known time, in program order.
std::vector<Point> points(const lowering::Program& program, const machines::Machine& machine);

/// Fills the shares and the bound of an estimate from its parts (flops, compute, traffic, scheduling):
/// time = max(compute, slowest level) + Σ scheduling; the overlapped part goes to the bound that holds.
/// `overlaps` false: compute and memory add up.
void finish(lowering::Estimate& estimate, bool overlaps = true);

} // namespace fivefold::roofline
