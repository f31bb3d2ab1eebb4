// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"

#include <cstdint>
#include <string>

namespace fivefold::families::tpu {

/// batch × (m × k)·(k × n); the k × n operand is stationary. A convolution is one with m = batch ·
/// output pixels, n = output channels of a group, k = input channels of a group × window.
struct MxuProblem {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
};

/// How the product runs through the systolic arrays.
struct MxuPlan {
    std::int64_t foldsK = 0, foldsN = 0; ///< stationary blocks of side × side along k and n
    std::int64_t folds = 0; ///< batch · foldsK · foldsN: weight tiles pushed
    std::int64_t rows = 0; ///< rows streamed through one fold, up to a multiple of 8
    std::int64_t rowParts =
        1; ///< arrays that share one fold's rows when there are more arrays than folds
    double foldCycles = 0; ///< one fold in one array: max(rows of a part, side)
    double streamCycles = 0; ///< of the array that has most folds
    double fillCycles = 0; ///< first weight load, skew and drain
    double paddedFlops = 0; ///< folds · side² · rows · 2
    double utilisation = 0; ///< useful ÷ padded work, 0..1

    double cycles() const { return streamCycles + fillCycles; }
};

/// Weight stationary, double buffered: the next weight tile is pushed while rows stream, so that a
/// fold takes max(rows, side) cycles:
///
///     folds  = batch · ⌈k/side⌉ · ⌈n/side⌉
///     cycles = ⌈folds/arrays⌉ · max(rows, side) + side (first load) + 2·side − 2 (skew and drain)
///
/// SCALE-Sim's weight-stationary count with hidden weight loads; one row of a bf16 operand enters
/// an array a cycle (JAX scaling book, "TPUs"). O(1).
MxuPlan planMxu(const Device& device, const MxuProblem& problem);

/// SCALE-Sim's array without double buffering: ⌈k/R⌉·⌈n/C⌉·(m + 2R + C − 2) − 1 cycles for one
/// array of R × C.
double nonOverlappedCycles(
    std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t rows, std::int64_t columns);

/// "6×6 folds of 128×128 on 4 arrays, 128 rows each".
std::string describe(const MxuPlan& plan, const Device& device);

} // namespace fivefold::families::tpu
