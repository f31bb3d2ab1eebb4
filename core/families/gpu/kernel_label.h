// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::families::gpu {

struct KernelLabel {
    std::string name; ///< "triton_per_fused_amax_sub_exp_sum_div_3", "extern_addmm_4"
    std::string kind; ///< library, reduction, pointwise, copy, fallback, view (no launch)
    std::string reason; ///< a sentence
};

/// Name, kind and reason of a kernel in the way of Inductor's generated code: `poi` pointwise,
/// `per` a reduction of at most 1024 elements that one block keeps, `red` a looped one, `extern` a
/// library call. `number` makes the name unique.
/// `isCall` says whether the kernel is a library call where the operators alone do not (a short
/// sort).
KernelLabel labelOf(const lowering::StageGraph& graph, const std::vector<lowering::NodeId>& nodes,
    const std::string& mergeReason, std::size_t number, std::optional<bool> isCall = {});

/// The kind of a kernel that holds this node alone.
std::string kernelKind(const lowering::Node& node);

} // namespace fivefold::families::gpu
