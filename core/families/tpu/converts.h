// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/rewriter.h"

namespace fivefold::families::tpu {

/// The bf16 rule: up to v6e the vector unit has no 16-bit arithmetic, so inside a kernel 16-bit
/// operands are converted to f32 once, everything between is f32, and what leaves the kernel or
/// enters a matrix product is converted back; sums along rows leave as f32. Selections, maxima and
/// movement of 16-bit elements stay as they are. v7x works on bf16 itself, but for rsqrt. Needs
/// kernels. O(nodes + edges).
lowering::StageGraph withConverts(lowering::StageGraph fused, const Device& device);

/// A conversion that this rule added: it costs nothing beside the loads and stores around it.
bool isRuleConvert(const lowering::Node& node);

} // namespace fivefold::families::tpu
