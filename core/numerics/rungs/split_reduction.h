// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"
#include "core/numerics/evaluate.h"

namespace fivefold::numerics {

/// True for a half of a reduction that a machine splits: attribute `parts` (the first, whose result
/// has the parts as its last axis) or `combines` (the second).
bool isSplitReduction(const lowering::Node& node);

/// Runs a half by reductions of the whole operator. Sums, means, products, largest and least
/// values; an Error for other reductions.
base::Result<std::vector<Datum>> evaluateSplit(const lowering::StageGraph& graph,
    const lowering::Node& node, std::span<const Datum> inputs, const Evaluation& evaluation);

} // namespace fivefold::numerics
