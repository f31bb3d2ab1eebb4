// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::families::spyre {

/// Bundles of consecutive device operators: a host operator ends one, the allocation of a tensor
/// that several operators write ends one, and so does an operator that would give it more than
/// `tensorLimit` tensors that are not its own (0: no limit). Replaces all kernels. O(nodes +
/// edges).
void formBundles(lowering::StageGraph& graph, std::size_t tensorLimit);

} // namespace fivefold::families::spyre
