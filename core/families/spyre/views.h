// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// Arithmetic of views: which reshapes need a copy, and where the stick goes.
namespace fivefold::families::spyre {

using Extents = std::vector<std::int64_t>;

Extents contiguousStrides(const Extents& shape);

/// Strides that a view of `shape` and `strides` under `wanted` has, or nullopt where a copy is
/// needed: dimensions merge only where the outer stride is the inner stride times its extent.
/// Element counts must agree.
std::optional<Extents> viewStrides(
    const Extents& shape, const Extents& strides, const Extents& wanted);

/// Whether sticks of `perStick` elements along the last dimension survive a contiguous reshape: the
/// last extents are equal (trailing ones aside), or both are whole sticks.
bool keepsSticks(const Extents& from, const Extents& to, std::int64_t perStick);

/// The dimension of `to` that walks the elements of dimension `stick` of `from` after a contiguous
/// reshape; −1 where none of more than one element does.
int stickAfterReshape(const Extents& from, int stick, const Extents& to);

} // namespace fivefold::families::spyre
