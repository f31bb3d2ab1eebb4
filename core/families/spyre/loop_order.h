// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

/// Inductor's choice of loop and stride orders (torch/_inductor/scheduler.py, pick_loop_order;
/// ir.py, get_fill_order and simplify_and_reorder). Spyre merges no loops.
namespace fivefold::families::spyre {

/// Dimensions from the innermost outwards: a dimension goes inside another where more accesses move
/// less along it; ties keep the row-major order, extents of 1 go last.
std::vector<std::size_t> loopOrder(
    const std::vector<std::vector<std::int64_t>>& strides, const std::vector<std::int64_t>& sizes);

/// Strides of a dense result whose dimensions lie in the order of the reads.
std::vector<std::int64_t> fillOrderStrides(
    const LoopOp& op, const std::vector<Index>& at, const std::vector<std::int64_t>& shape);

/// Output loops, then reduced ones, each in the order of the write and the reads.
std::vector<int> emissionOrder(const LoopOp& op);

} // namespace fivefold::families::spyre
