// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

#include <cstdint>
#include <optional>

namespace fivefold::families::tpu {

/// What the TPU rules read of a machine and its settings, resolved once a stage.
struct Device {
    int generation = 5; ///< 4, 5, 6 or 7: decides tile rows and packing
    std::int64_t lanes = 128, sublanes = 8;
    std::int64_t side = 128; ///< rows and columns of a matrix unit
    std::int64_t arrays = 1; ///< matrix units that reproduce the published peak at `clock`
    std::int64_t cores = 1; ///< TensorCores
    double clock = 1e9; ///< Hz
    double peak = 0; ///< FLOP/s at the chosen precision
    double arrayRate = 0; ///< FLOP/s of all arrays: arrays · side² · 2 · clock · (peak of precision ÷ of bf16)
    double vectorRate = 0; ///< elementwise operations per second on whole (8,128) tiles
    std::int64_t elementBytes = 2;

    std::size_t hbmLevel = 0;
    std::optional<std::size_t> vmemLevel, cmemLevel;
    double hbmBandwidth = 1; ///< bytes per second
    std::optional<double> vmemBandwidth;
    std::int64_t vmemBytes = 0; ///< of one core
    std::int64_t vmemResidentBytes = 0; ///< what results and prefetched operands may take; the rest are windows

    double matrixEfficiency = 0.9; ///< share of the systolic count's rate that is reached
    double hbmEfficiency = 0.87; ///< share of the HBM bandwidth
    double exposedCopySeconds = 0; ///< longest part of a kernel's copies that nothing hides
    double opSeconds = 1.5e-6; ///< fixed cost of one operation on the device
    double dispatchSeconds = 118e-6; ///< host cost of one call of the program
    double hostLinkBandwidth = 15e9; ///< bytes per second one way

    bool isDispatchCounted = false;
};

/// Reads the device from the machine description. Keys: see resources/machines/README.md, section tpu.
Device device(const lowering::Context& context);

} // namespace fivefold::families::tpu
