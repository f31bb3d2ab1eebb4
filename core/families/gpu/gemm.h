// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fivefold::families::gpu {

/// batch × (m × k)·(k × n). A convolution is one as an implicit product: m = batch · output pixels,
/// n = output channels of a group, k = input channels of a group × window.
struct GemmProblem {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    std::int64_t elementBytes = 2;
    std::int64_t resultBytes = 0; ///< of one element; 0: as the operands
};

/// How the product is cut into CTAs, and what that costs. Times are seconds of one launch, without
/// launch cost.
struct GemmPlan {
    std::int64_t tileM = 128, tileN = 128;
    std::int64_t splitK = 1;
    std::int64_t tiles = 0; ///< CTAs: batch · ⌈m/tileM⌉ · ⌈n/tileN⌉ · splitK
    std::int64_t waves = 0; ///< ⌈tiles ÷ SMs⌉
    std::int64_t tail = 0; ///< CTAs of the last wave; equals SMs when it is full
    double waveEfficiency = 0; ///< tiles ÷ (waves · SMs), 0..1
    double tileEfficiency = 0; ///< m·n ÷ padded m·n, 0..1
    double paddedFlops = 0; ///< with tiles rounded up
    double computeSeconds = 0, dramSeconds = 0, l2Seconds = 0;
    double dramReadBytes = 0, dramWrittenBytes = 0;
    double operandBytes =
        0; ///< what all CTAs load: each a tileM and a tileN panel of its share of k
    double partialBytes = 0; ///< fp32 partial sums of a split k, written and read back
    std::int64_t sharedBytesPerCta = 0; ///< staging buffers in shared memory
    double exposedSeconds = 0; ///< what the longest part does not hide of the others
    double splitSeconds = 0; ///< of adding up the parts of a split k
    double quantiseSeconds = 0; ///< of quantising the first operand to fp8

    /// Of the kernel without its fixed part.
    double seconds() const;
};

/// The plan of least time over the device's candidate tiles and splits of k (1, 2, 4, 8, 16 with
/// k/s ≥ 256). A fixed tile (device.tile) is taken as it is. The terms:
///
///     compute = waves · (2·tm·tn·32·⌈k/s/32⌉ / (peak·sustained·e(tile)/SMs) + cta),
///               waves = max(1, w·⌈x⌉ + (1−w)·x),  x = tiles / SMs
///     dram    = bytes·((1−h) + h/residentFactor) / (BW·eff·min(1, min(tiles, SMs)/(saturation·SMs))),
///               h = min(1, residentShare·L2 / bytes)
///     l2      = (tiles·(tm+tn)·k·b + [s>1]·8·s·batch·m·n) / (BW·l2Factor)
///     time    = max(compute, dram, l2) + exposed·min(compute, max(dram, l2)) + [s>1]·split
///             + [fp8] quantise·3·m·k / BW
///
/// Tile and wave quantisation: NVIDIA, Matrix Multiplication Background (tile and wave
/// quantisation); the constants were fitted on aiconfigurator's GEMM tables, machine by machine.
/// O(tiles · splits).
GemmPlan planGemm(const Device& device, const GemmProblem& problem);

/// The splits of k that a product may take: 1, and 2 to 16 while a part keeps 256 elements.
std::vector<std::int64_t> splitsOf(const GemmProblem& problem);

/// Plans by problem: a model repeats few sizes many times.
class GemmPlans {
public:
    const GemmPlan& get(const Device& device, const GemmProblem& problem);

private:
    std::map<std::array<std::int64_t, 5>, GemmPlan> m_plans;
};

/// The plan with one given tile and split.
GemmPlan planGemm(const Device& device, const GemmProblem& problem, Tile tile, std::int64_t splitK);

/// "7×14 tiles of 256×128, 1 wave on 108 SMs, tail 98".
std::string describe(const GemmPlan& plan, const Device& device, const GemmProblem& problem);

/// What the alignment of k and n costs, as a clause; empty when both are multiples of 16 bytes.
std::string alignmentNote(const GemmProblem& problem);

} // namespace fivefold::families::gpu
