// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <vector>

namespace fivefold::views::graph {

/// The nodes of a stage that each step runs: by name where the scheduled nodes already have their
/// names, else all nodes that come from the step's captured nodes.
base::IdVector<lowering::StepId, std::vector<lowering::NodeId>> nodesOfSteps(
    const analysis::Result& result, lowering::Stage stage);

/// Time of all executions of a step; nullopt when it is unknown.
/// 1 for the nodes of a stage that the reader counts: on Spyre, whose views are no OpSpecs, the
/// main node of each step from Laid out on; elsewhere, and where no step is known, all.
base::IdVector<lowering::NodeId, char> countedNodes(
    const analysis::Result& result, lowering::Stage stage);

std::optional<base::Seconds> timeOf(const lowering::Step& step);

} // namespace fivefold::views::graph
