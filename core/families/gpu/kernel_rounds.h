// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/buffer_plan.h"

#include <string>
#include <vector>

namespace fivefold::families::gpu {

/// One kernel to be: buffers that it writes, in order of realisation. Library calls and joined
/// concatenations stand alone.
struct KernelGroup {
    std::vector<int> buffers;
    bool isReduction = false;
    std::int64_t numel = 0, rnumel = 1; ///< results × reduced elements each
    std::string reason; ///< why they are together; a sentence, empty for one buffer
};

/// Inductor's second half [Scheduler.fuse_nodes]: rounds in which all pairs of kernels with a
/// common buffer are sorted by what fusing them saves, tested again and fused, at most ten and then
/// one that may permute the loops of pointwise kernels. A pair must have common accesses (same
/// buffer, same index), agreeing iteration domains, no kernel in between, at most 64 buffers, and
/// must not keep much more memory alive than it saves. Rules: scheduler.py (_can_fuse,
/// can_fuse_vertical, score_fusion_memory, can_fusion_increase_peak_memory, MixOrderReduction),
/// choices.py, codegen/simd.py (can_fuse) of PyTorch 2.13/2.14. Groups come in execution order;
/// buffers that nobody reads are left out. O(buffers · pairs within a window of 64).
std::vector<KernelGroup> fuseBuffers(const lowering::Context& context,
    const lowering::StageGraph& graph, const BufferPlan& plan, bool hasTemplates = false);

} // namespace fivefold::families::gpu
