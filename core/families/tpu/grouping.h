// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/anchors.h"

#include <vector>

namespace fivefold::families::tpu {

/// Which fusions a node belongs to. A node that is cheap to compute again stands in every fusion
/// that reads it, as XLA duplicates producers into their readers.
struct Grouping {
    /// For each node the fusions it is part of, by number; the first is the one that keeps the node
    /// itself.
    base::IdVector<lowering::NodeId, std::vector<std::uint32_t>> fusions;
    std::vector<Bond> bonds; ///< by fusion
    std::uint32_t count() const { return static_cast<std::uint32_t>(bonds.size()); }
};

/// The rules, readers first:
/// - anchored nodes (anchors.h) stand in their fusion; every other product, reduction, gather,
///   sort, relayout and whatever leaves the model is the root of a fusion of its own;
/// - loop operators join the fusions of all their readers (loop, reduction or the prologue of a
///   product) when they are read at their own size, by at most three fusions; else they are roots
///   themselves: row-sized arithmetic that is broadcast back is a small kernel of its own;
/// - what reads several whole operands to make one is stored rather than made again: it becomes a
///   second output of the reduction that reads it;
/// - a repeat that a product reads, and the clamp of a gather's indices, are kernels of their own;
/// - slices and relayouts join a relayout that reads them: one copy.
/// `recomputes` off: a node with several readers' fusions is a root. O(nodes + edges).
Grouping group(const lowering::StageGraph& graph, int generation, bool recomputes);

} // namespace fivefold::families::tpu
