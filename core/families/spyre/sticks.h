// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/coordinates.h"
#include "core/layout/spyre_layout.h"

/// Stick layouts as the compiler's passes make and compare them (torch-spyre propagate_layouts.py,
/// pass_utils.py, optimize_restickify.py; August 2026).
namespace fivefold::families::spyre {

/// The layout constructor; falls back to June 2026 where a version has no rule, and to one row of
/// 64 lanes for a type that the device does not have.
DeviceLayout makeLayout(const std::vector<std::int64_t>& shape,
    const std::vector<std::int64_t>& strides, ir::DType dtype, const std::vector<int>& order,
    layout::SpyreLayoutVersion version);

/// Lanes of a stick; 64 for a type that the device does not have.
std::int64_t lanesOf(ir::DType dtype);

/// Dimensions that move first, then those that stand still, the stick dimension last (−1: one
/// element a stick).
std::vector<int> dimensionOrder(int stick, const std::vector<Coordinate>& coordinates);

/// Two tensors can be read together: at most one loop runs over lanes, and it runs over nothing but
/// sticks elsewhere.
bool areCompatible(const std::vector<Coordinate>& a, const std::vector<Coordinate>& b);

/// The layout that results from moving the stick of `layout` to `stick`, an expression over the
/// loops of the access; nullopt where the device cannot do that.
std::optional<DeviceLayout> restickified(const DeviceLayout& layout, const Buffer& host,
    const Coordinate& stick, const std::vector<Coordinate>& hostCoordinates,
    const std::vector<Coordinate>& deviceCoordinates);

/// What one operand needs so that `wanted` can be written (or read) with it.
struct Restickify {
    bool isNeeded = false;
    std::optional<DeviceLayout> target; ///< nullopt where needed: impossible
    /// Device elements to move; 0: none, infinite: impossible.
    double cost(const DeviceLayout& from) const;
};
using DeviceCoordinates = std::optional<std::vector<Coordinate>>; ///< of deviceCoordinates()
/// `at` are the coordinates of `have` at `index`, `wanted` those to be met, which `wantedIndex`
/// walks.
Restickify restickifyFor(const DeviceLayout& have, const Buffer& host, const Index& index,
    const DeviceCoordinates& at, const DeviceCoordinates& wanted, const Index& wantedIndex,
    const std::vector<std::int64_t>& extents);

/// The layout as panels and memory accounting know it: axes that walk the tensor's dimensions.
layout::TensorLayout tensorLayout(const DeviceLayout& device,
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
    ir::DType dtype);

} // namespace fivefold::families::spyre
