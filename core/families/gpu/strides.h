// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <optional>
#include <vector>

namespace fivefold::families::gpu {

using Strides = std::vector<std::int64_t>;

/// Row-major strides in elements; extents of 0 count as 1.
Strides contiguousStrides(const std::vector<std::int64_t>& shape);

/// The strides that show a tensor of `shape` and `strides` under `newShape` without a copy, or
/// nullopt where there are none. The rule of at::detail::computeStride: every run of old dimensions
/// that is contiguous in memory may be cut anew. O(rank).
std::optional<Strides> viewStrides(const std::vector<std::int64_t>& shape, const Strides& strides,
    const std::vector<std::int64_t>& newShape);

/// How every value of a graph lies: strides over its stored base, nullopt where a view cannot be
/// expressed by strides (or a shape is unknown). Values that are stored themselves are contiguous.
/// O(nodes + edges).
base::IdVector<lowering::ValueId, std::optional<Strides>> stridesOf(
    const lowering::StageGraph& graph);

} // namespace fivefold::families::gpu
