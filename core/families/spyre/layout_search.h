// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/layout_rules.h"

namespace fivefold::families::spyre {

/// A copy of a whole buffer with its stick elsewhere, for one operation.
struct NeededRestickify {
    std::size_t op = 0; ///< index into the program's operations
    BufferIndex buffer = kNoBuffer; ///< what the operation reads
    DeviceLayout target;
    std::string reason; ///< a sentence that names the operands
};

struct ChosenLayouts {
    std::vector<DeviceLayout> layouts; ///< one a buffer
    std::vector<NeededRestickify> restickifies; ///< in program order
    /// The compiler's reason not to compile the program, at the operation that it stops at; empty:
    /// it takes it.
    std::vector<std::pair<std::size_t, std::string>> refusals;
};

/// One layout a buffer, such that as few device elements as possible are restickified over the
/// whole graph: a beam search over the candidates in program order with a lower bound of what
/// follows (torch-spyre optimize_restickify.py, BEAM_WIDTH = 200). Where an operation cannot be
/// laid out it is noted and the search goes on as if it took any operand, so that the rest can be
/// shown. Inputs have the layouts of their buffers. O(operations · states · candidates²).
ChosenLayouts chooseLayouts(const LoopProgram& program, layout::SpyreLayoutVersion version);

} // namespace fivefold::families::spyre
