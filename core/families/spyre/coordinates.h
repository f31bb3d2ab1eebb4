// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

/// What part of each loop moves along which axis of a tensor: the arithmetic under stick
/// propagation (torch-spyre views.py and pass_utils.py). coordinatesOf() is in loops.h.
namespace fivefold::families::spyre {

/// Coordinates on the device axes, the last one is the stick expression; nullopt where the index
/// does not come apart, or where the stick is not a loop (whole or modulo the lanes) plus a
/// constant.
std::optional<std::vector<Coordinate>> deviceCoordinates(
    const DeviceLayout& layout, const std::vector<std::int64_t>& extents, const Index& index);

/// The one axis whose values include those of a stick expression of one variable.
std::optional<std::size_t> matchingDimension(
    const std::vector<Coordinate>& coordinates, const Coordinate& stick);

/// Whether a stick expression is 0, a loop, or a loop modulo the lanes: no slice starts inside a
/// stick.
bool isOffsetFree(const Coordinate& stick, std::int64_t perStick);

} // namespace fivefold::families::spyre
