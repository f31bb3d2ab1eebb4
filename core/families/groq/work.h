// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/groq/chip.h"
#include "core/lowering/fusion.h"

namespace fivefold::families::groq {

/// Whole cycles of one execution of a kernel by slice. Everything streams, so that the slices work
/// at the same time and the longest decides. Numbers saturate at the largest int64.
struct SliceCycles {
    std::int64_t matrix = 0, vector = 0, shift = 0;
    std::int64_t read = 0, write = 0; ///< MEM: operands onto the streams and results from them
    std::int64_t install = 0; ///< before the first row of a product
    std::int64_t transit = 0; ///< from the slices to the middle of the chip
    std::int64_t link = 0; ///< a transfer's bytes over the links between chips
    std::int64_t readBytes = 0, writtenBytes = 0;
    ProductPlan product; ///< of the kernel's product, if it has one
    std::int64_t products = 0;

    std::int64_t work() const; ///< the longest of matrix, vector, shift; 1 at least
    std::int64_t memory() const; ///< read + write
    std::int64_t total() const; ///< link, or install + transit + max(work, memory)
};

/// Vectors of a tensor: ⌈extent in the lanes ÷ 320⌉ times everything else; 0 without a layout.
std::int64_t vectorsOf(const lowering::StageGraph& graph, const Chip& chip, lowering::ValueId id);

/// The graph must be laid out; a node without known work counts nothing. O(nodes of the kernel).
SliceCycles sliceCycles(const Chip& chip, const lowering::StageGraph& graph,
    lowering::KernelId kernel, const lowering::Boundary& boundary);

} // namespace fivefold::families::groq
