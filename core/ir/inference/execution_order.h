// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace fivefold::ir::inference {

struct BlockOrder {
    std::vector<NodeId> nodes; ///< producers first; nodes on or behind cycles last, in file order
    std::size_t sortedCount = 0; ///< nodes before the cyclic rest
};

/// Orders every block of the graph. Linear in nodes and edges times the nesting depth of captured
/// values.
base::IdVector<BlockId, BlockOrder> orderBlocks(const Graph& graph);

} // namespace fivefold::ir::inference
