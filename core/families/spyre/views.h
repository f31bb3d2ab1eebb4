// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// Arithmetic of views: which reshapes need a copy.
namespace fivefold::families::spyre {

using Extents = std::vector<std::int64_t>;

Extents contiguousStrides(const Extents& shape);

/// Strides that a view of `shape` and `strides` under `wanted` has, or nullopt where a copy is
/// needed: dimensions merge only where the outer stride is the inner stride times its extent.
/// Element counts must agree.
std::optional<Extents> viewStrides(
    const Extents& shape, const Extents& strides, const Extents& wanted);

} // namespace fivefold::families::spyre
