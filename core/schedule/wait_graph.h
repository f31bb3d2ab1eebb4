// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"

#include <string_view>
#include <vector>

namespace fivefold::schedule {

enum class WaitReason : std::uint8_t {
    Operand, ///< for a token that the other has not made
    Room, ///< for the other to take its token out of a full queue
    Turn, ///< for the other, which its unit serves first
};
std::string_view toString(WaitReason reason);

/// One edge of a wait-for graph.
struct WaitFor {
    lowering::EventId waiter, holder;
    WaitReason reason = WaitReason::Operand;
    lowering::ResourceId from, to; ///< the full queue; invalid for other reasons
    bool operator==(const WaitFor&) const = default;
};

/// A cycle of the graph, each waiting for the next and the last for the first, starting at its
/// smallest id; the one that is reached first from the smallest waiter. Empty: there is none.
/// O(waits · log waits), no recursion.
std::vector<lowering::EventId> waitCycle(const std::vector<WaitFor>& waits);

} // namespace fivefold::schedule
