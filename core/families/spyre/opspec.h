// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

namespace fivefold::families::spyre {

/// Extents and splits of the iteration space of one OpSpec: the loops in the order of emission, cut
/// where a device axis of some operand cuts them, then one loop of one turn for each device axis
/// that no loop of an operand moves along (torch-spyre op_spec.py and align_tensors of the
/// scheduler passes; the compiler's names are c0, c1, … and z0, …).
struct IterationSpace {
    std::vector<std::int64_t> extents, splits;
};
IterationSpace iterationSpace(const LoopProgram& program, const LoopOp& op);

} // namespace fivefold::families::spyre
