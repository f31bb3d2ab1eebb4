// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/families/tpu/mxu.h"

#include <string>

namespace fivefold::families::tpu {

/// How a matrix product walks through VMEM: the blocks that one step holds, in XLA's units of 8 ×
/// 128 elements of any type (the kernel operand k × n, the result m × n, the input m × k), and how
/// often it steps along n, m and k.
struct WindowPlan {
    std::int64_t k8 = 1, k128 = 1, n128 = 1, m8 = 1; ///< one window
    std::int64_t stepsN = 1, stepsM = 1, stepsK = 1; ///< XLA's `iterations`
    std::int64_t bytes = 0; ///< VMEM of all windows, double-buffered where they change

    std::int64_t steps() const;
};

/// The cheapest windows by XLA's cycle estimate as fitted to its ahead-of-time output:
///
///     T = max(a·C, h·S/BW, w·To) + [w·t1 + h·S1/BW] + c0·steps        (the bracket where steps >
///     1)
///
/// C padded multiply-accumulates ÷ rate, S bytes streamed (the input once a step along n where it
/// changes, the kernel once a step along m), To output tiles, t1 and S1 those of the first step, c0
/// cycles a step. One step: the three parts follow one another. XLA's own choice has no published
/// rule; this one gives its windows on most square products, not on all. The larger operand counts
/// as prefetched. `elementBytes` is that of operands and result. O(1): about 500 candidates.
WindowPlan planWindows(const Device& device, const MxuProblem& problem, std::int64_t elementBytes);

/// "kernel window 128×4 of 8×128, 1×3×1 steps along n, m, k".
std::string describe(const WindowPlan& plan);

} // namespace fivefold::families::tpu
