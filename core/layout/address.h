// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"

namespace fivefold::layout {

/// Device coordinates of the element that covers a byte of a unit's memory, one an axis, outermost
/// first; of several that share the byte, the first. Nullopt outside the tensor. `address` counts
/// from the tensor's base. O(axes).
std::optional<std::vector<std::int64_t>> coordinatesAtAddress(
    const TensorLayout& layout, std::int64_t unit, std::int64_t address);

} // namespace fivefold::layout
