// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"
#include "core/families/spyre/lx_solver.h"

/// Planning of the LX scratchpad as the public compiler does it between work division and bundling
/// (torch-spyre, scratchpad/allocator.py, lx_relayout.py, scratchpad/graph_editor.py, read at
/// August 2026; docs/source/compiler/scratchpad_planning.md).
namespace fivefold::families::spyre {

struct LxSettings {
    bool isOn = true; ///< LX_PLANNING
    std::int64_t lxBytes = std::int64_t{2} << 20; ///< of one core
    double backendShare = 0.2; ///< DXP_LX_FRAC_AVAIL, 0…1
    LxSolver solver = LxSolver::Greedy; ///< LAYOUT_SOLVER
    bool allowsRelayout = true; ///< copies between cores; greedy only
    std::int64_t cores = 32; ///< that work may be divided over
    /// June 2026 had a shorter list of operators, no copies at the graph's boundaries and no
    /// relayouts.
    bool isAugust = true;
};

/// Decides which buffers lie in LX, and where. Expects layouts, splits and cores of every
/// operation; bundles come after it.
///
/// Adds `identity` operations and their buffers: a copy into LX before the first reader of a graph
/// input that several operations read (BoundaryCopy), a copy out after the writer of a graph output
/// that is also read (BoundaryCopy; it becomes the output), and before a reader that cuts an LX
/// buffer in another way a copy from cores to cores (LxRelayout). Sets `space`, `address`,
/// `lxBytes` and `inPlaceOf` of what lies in LX, and `reason` of everything that does not. Loops of
/// LX writers take the order of their first reader (align_lx_producer_loop_order).
/// O(accesses · loops + n · alive).
void planScratchpad(LoopProgram& program, const LxSettings& settings);

/// First and last operation that touch a buffer, indices into program.ops: the write of an
/// intermediate, the first read of an argument. One entry a buffer; nullopt: untouched.
struct OpRange {
    std::size_t first = 0, last = 0;
};
std::vector<std::optional<OpRange>> liveRanges(const LoopProgram& program);

} // namespace fivefold::families::spyre
