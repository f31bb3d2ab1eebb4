// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/groq/chip.h"
#include "core/lowering/stage_graph.h"

namespace fivefold::families::groq {

/// The program over the chips it needs.
struct Partition {
    /// A part of a stored tensor in one chip's SRAM; large tensors are cut at chip borders.
    struct Piece {
        lowering::ValueId value;
        std::int64_t chip = 0, address = 0, bytes = 0;
    };
    std::int64_t chips = 1; ///< ⌈weight bytes ÷ (SRAM − room for activations)⌉
    std::int64_t weightBytes = 0; ///< padding included
    std::int64_t activationBase = 0; ///< the same on every chip
    std::vector<Piece> pieces;
    base::IdVector<lowering::KernelId, std::int64_t>
        chipOf; ///< where a kernel runs: with the end of its weights
};

/// Weights in the order in which kernels use them, chip after chip (a pipeline by layer), above
/// them `activationBytes` of room on each (half the SRAM at most). Sums saturate. O(nodes +
/// pieces).
Partition partition(
    const lowering::StageGraph& graph, const Chip& chip, std::int64_t activationBytes);

} // namespace fivefold::families::groq
