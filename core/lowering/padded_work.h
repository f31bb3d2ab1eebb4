// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::lowering {

/// Padded over useful work of a node by its tensors' layouts, ≥ 1. Of a product: the square root of
/// what its three tensors grow by, multiplied, since each of m, n and k stands in two of them. Of
/// other operators: what the result grows by. 1 where there are no layouts.
double paddedWork(const StageGraph& graph, const Node& node);

} // namespace fivefold::lowering
