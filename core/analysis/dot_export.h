// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <string>

namespace fivefold::analysis {

/// A stage's graph in Graphviz' DOT language: nodes labelled with operator and name, edges with
/// dtype and shape, kernels as clusters, nodes that a compiler added dashed. `label` becomes the
/// graph's caption.
std::string toDot(const lowering::StageGraph& graph, const std::string& label);

} // namespace fivefold::analysis
