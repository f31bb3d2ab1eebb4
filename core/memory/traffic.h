// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include "core/memory/step_borders.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace fivefold::memory {

enum class TrafficCause : std::uint8_t {
    Weights,
    Activations,
    KvCache,
    Spill,
    Relayout,
    Padding,
    Reread
};
constexpr std::size_t kTrafficCauses = 7;
std::string_view toString(TrafficCause cause); ///< "weights", …; Reread: "read again"

/// Bytes moved at one level over the whole program, by cause. They add up to what the steps move
/// there.
struct TrafficByCause {
    std::size_t level = 0; ///< index into Machine::memories
    std::array<base::Bytes, kTrafficCauses> bytes;
    base::Bytes total() const;
};

/// One entry a memory of the machine, far to near. What a step moves beyond the bytes across its
/// border is Reread. O(steps + values).
std::vector<TrafficByCause> trafficByCause(
    const lowering::Program& program, const machines::Machine& machine);
/// The same where the borders are known already. `shares` says by step which part of it counts,
/// 0..1; empty: all of every step.
std::vector<TrafficByCause> trafficByCause(const lowering::Program& program,
    const machines::Machine& machine, const StepBorders& borders,
    std::span<const double> shares = {});

} // namespace fivefold::memory
