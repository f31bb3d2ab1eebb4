// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/kernel_rounds.h"

namespace fivefold::families::gpu {

/// The fused graph: one kernel a group. A node that is inlined in several kernels has a copy in
/// each (same sources); what a kernel reads from memory, and the result that is stored, stay the
/// values of the graph before. Copies that the compiler adds are nodes of their own, split
/// reductions two. Views stand in the kernels of their readers. O(nodes after copying).
lowering::StageGraph kernelGraph(const lowering::Context& context, lowering::StageGraph graph,
    const BufferPlan& plan, const std::vector<KernelGroup>& groups);

/// Captured nodes of each group as Inductor's own lists name them: for a call its node; else what
/// was inlined in its buffers when they were lowered and the nodes that own them, views and casts
/// left out. A node that owns memory elsewhere is named once: by the first kernel of several nodes
/// that has it. Parallel to `groups`.
std::vector<std::vector<ir::NodeId>> kernelOrigins(const lowering::Context& context,
    const lowering::StageGraph& graph, const BufferPlan& plan,
    const std::vector<KernelGroup>& groups);

} // namespace fivefold::families::gpu
