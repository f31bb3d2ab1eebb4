// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <span>
#include <string>
#include <vector>

namespace fivefold::roofline {

/// In the order of the bar.
enum class GapKind : std::uint8_t { Ideal, Padding, Tile, Memory, Relayout, Launch, Stall };
std::string_view toString(GapKind kind);

/// One stretch of the way from the work at peak to the estimate.
struct GapPart {
    GapKind kind = GapKind::Ideal;
    std::string name; ///< "ideal", "padding", "tile and fill", "LPDDR5", "restickify", "launch"
    std::size_t level = 0; ///< of Memory: index into Machine::memories
    base::Seconds time; ///< of all executions; > 0
};

/// Who pays for a relayout: the operator that asked for it, or the relayout itself.
enum class Charge : std::uint8_t { ToCause, ToItself };

/// Where the time of some steps goes. The parts add up to `estimate`.
struct Gap {
    std::vector<GapPart>
        parts; ///< by kind, memory levels far to near; parts of no time are left out
    base::Seconds estimate;
    base::Flops flops;
    bool isAtLeast = false; ///< a step's time is unknown and counts as none
};

/// The gap of the steps. Under Charge::ToCause relayouts that a step asked for count in it as
/// Relayout, and a relayout given alone has no gap of its own unless nobody asked for it. O(steps).
Gap gapOf(const lowering::Program& program, const machines::Machine& machine,
    std::span<const lowering::StepId> steps, Charge charge);
/// Of the whole program; the same under either charge but for the names.
Gap gapOf(const lowering::Program& program, const machines::Machine& machine);

} // namespace fivefold::roofline
