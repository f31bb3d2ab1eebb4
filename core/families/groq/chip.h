// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/machines/machine.h"

#include <cstdint>
#include <optional>

namespace fivefold::families::groq {

/// The chip as the rules see it, read from the machine's parameters of the names given; defaults
/// are those of the first chip ("Think Fast", ISCA 2020, and the ALCF user guide).
struct Chip {
    std::int64_t lanes = 320; ///< lanes
    std::int64_t planes = 4; ///< mxm_planes
    std::int64_t planeRows = 320, planeColumns = 320; ///< mxm_rows, mxm_columns
    std::int64_t installCycles = 40; ///< install_cycles: all weights of one plane
    std::int64_t streamBytesPerCycle =
        20480; ///< stream_bytes_per_cycle: 64 streams × 320 lanes × 1 B
    bool hasStreams = true; ///< the description has a memory level for the streams
    std::int64_t sramBytesPerCycle = 56320; ///< sram_bytes_per_cycle: 88 slices × 2 banks × 320 B
    std::int64_t alusPerLane = 16; ///< vxm_alus_per_lane
    std::int64_t slices = 88; ///< mem_slices
    std::int64_t shifters = 2; ///< SXM units, one a hemisphere
    std::int64_t latencyCycles = 0; ///< layer_latency_cycles
    std::int64_t elementBytes =
        2; ///< of the precision: each byte pair of operands is a pass of its own
    std::int64_t sramBytes = 230686720; ///< usable bytes of one chip
    double clockHz = 0.9e9;
    bool isClockAssumed = false; ///< no clock is published
    double hostBytesPerSecond = 32e9; ///< PCIe 4 ×16 one way
    double linkBytesPerSecond = 224e9; ///< one way to the neighbour chips, all links
    double peak = 0; ///< FLOP/s of the precision; 0 = unknown
    /// A figure above is carried over from another chip or assumed: cycles are estimates then, else
    /// exact relative to the figures.
    bool isEstimated = false;

    /// Bytes that pass between SRAM and the units in a cycle.
    std::int64_t operandBytesPerCycle() const {
        return hasStreams && streamBytesPerCycle < sramBytesPerCycle ? streamBytesPerCycle
                                                                     : sramBytesPerCycle;
    }
    /// A vector passes one slice a cycle on its way to the middle of the chip (ISCA 2020).
    std::int64_t transitCycles() const { return slices / 2 + latencyCycles; }
};
Chip chip(const machines::Machine& machine, machines::Precision precision);

/// How a product runs on the MXM planes.
struct ProductPlan {
    std::int64_t tiles = 0; ///< ⌈k/320⌉·⌈n/320⌉ · weight sets
    std::int64_t passes = 0; ///< tiles · bytes²: one byte plane of each operand a pass
    std::int64_t planesOnTiles = 1; ///< planes that hold different tiles; the others share rows
    std::int64_t rounds = 0; ///< ⌈passes / planesOnTiles⌉
    std::int64_t roundCycles = 0; ///< max(⌈m · planesOnTiles / planes⌉, install)
    bool isWeightBound = false; ///< the weights take longer to arrive on the streams
    std::int64_t cycles = 0;
};
ProductPlan planProduct(
    const Chip& chip, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t weightSets);

/// Cycles of an m × n × k product on the MXM: tiles = ⌈k/320⌉·⌈n/320⌉, each in bytes² byte-plane
/// passes; p of the four planes take different tiles and the others share the rows: min over p of
/// ⌈tiles·bytes²/p⌉·max(⌈m·p/4⌉, install), and never less than the weights take to arrive on the
/// streams. Integer: nothing is arbitrated.
std::int64_t productCycles(
    const Chip& chip, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t weightSets);
/// Cycles of `vectors` vectors through a chain of `operations` on the vector unit (16 ALUs a lane
/// in a row).
std::int64_t vectorCycles(const Chip& chip, std::int64_t vectors, std::int64_t operations);
/// Cycles of a reduction across lanes: SXM turns the vectors, the vector unit folds them.
std::int64_t reductionCycles(const Chip& chip, std::int64_t vectors);
/// Cycles to rearrange `vectors` vectors on both SXM units, one byte plane at a time.
std::int64_t shiftCycles(const Chip& chip, std::int64_t vectors);

} // namespace fivefold::families::groq
