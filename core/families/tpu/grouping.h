// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <string>
#include <vector>

namespace fivefold::families::tpu {

/// Which fusions a node belongs to. A node that is cheap to compute again stands in every fusion
/// that reads it, as XLA duplicates producers into their readers.
struct Grouping {
    /// For each node the fusions it is part of, by number; the first is the one that keeps the node
    /// itself.
    base::IdVector<lowering::NodeId, std::vector<std::uint32_t>> fusions;
    std::uint32_t count = 0;
};

/// The rules, readers first:
/// - each product, reduction, gather, sort, relayout and whatever leaves the model is the root of a
/// fusion;
/// - elementwise consumers of a product's only result, of the same size, join it (epilogue), one
/// product a fusion;
/// - loop operators join the fusions of all their readers (loop, reduction or the prologue of a
/// product) when they
///   are read at their own size, by at most three fusions; else they are roots themselves:
///   row-sized arithmetic that is broadcast back is a small kernel of its own;
/// - slices and relayouts join a relayout that reads them: one copy.
/// `recomputes` off: a node with several readers' fusions is a root. O(nodes + edges).
Grouping group(const lowering::StageGraph& graph, bool recomputes);

} // namespace fivefold::families::tpu
