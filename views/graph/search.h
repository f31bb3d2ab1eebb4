// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <QString>

#include <vector>

namespace fivefold::views::graph {

/// Captured nodes that a query finds, in graph order, each once:
/// - part of a name or of an operator, letters of any case: "attn", "matmul";
/// - neighbouring sizes in the shape of an input or output: "12x128", "128×768"; "?" and "*" stand
/// for any size;
/// - a path of operators: "MatMul → * → Softmax" or with "->"; "*" is any one operator; all nodes
/// of all
///   matching paths are found. Only operators count as steps, not values.
/// Empty for an empty query. O(nodes + edges) times the length of a path.
std::vector<ir::NodeId> findNodes(const analysis::Result& result, const QString& query);

} // namespace fivefold::views::graph
