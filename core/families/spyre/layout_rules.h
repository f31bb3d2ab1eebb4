// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/sticks.h"

#include <span>

/// Which layouts an operation's result may have, given those of its operands, and what its operands
/// must bring (torch-spyre propagate_layouts.py).
namespace fivefold::families::spyre {

enum class LayoutRule : std::uint8_t {
    AllSame, ///< operands and result share the stick: pointwise operators and reductions
    FixedInOut, ///< each operand and the result has its own: products, exx2
    AnyIn, ///< any operand will do, the result is fixed: clone, constants, results of the host
    Target, ///< writes into a tensor that is there: the operand follows it
};

struct LayoutChoice {
    LayoutRule rule = LayoutRule::AnyIn;
    std::vector<DeviceLayout> candidates; ///< of the result; the first wins a tie
    std::vector<Access> operands; ///< that the rule binds
    std::vector<DeviceLayout> required; ///< FixedInOut: one an operand
    int forbiddenLoop = -1; ///< may not run over the lanes of an operand (top-k's search)
    std::string refusal; ///< the compiler's reason not to take the operation; empty: it does
};

/// `have[b]` are the candidates of buffer b so far.
LayoutChoice layoutsFor(const LoopOp& op, const LoopProgram& program,
    std::span<const std::vector<DeviceLayout>> have, layout::SpyreLayoutVersion version);

} // namespace fivefold::families::spyre
