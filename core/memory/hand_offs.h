// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"

namespace fivefold::memory {

/// What one region of a wafer's floor plan hands to another.
struct HandOff {
    lowering::KernelId from, to;
    base::Bytes bytes; ///< all tensors together, as they lie on the device
    std::int64_t tensors = 0;
    double hops = 0; ///< links between the middles of the regions, along x and then y
};

/// The hand-offs of a program's floor plan, by writer and then by reader; empty without regions.
/// O(edges · log edges).
std::vector<HandOff> handOffs(const lowering::Program& program);

} // namespace fivefold::memory
