// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/division.h"
#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::families::spyre {

/// Constants of the time equations, read from the machine's parameters of the names given. They
/// were fitted to device times of one card that developers published (AdnanHoque/torch-spyre and
/// HieronZhang/torch-spyre artefacts); the defaults are those values.
struct Constants {
    double kernelFixedSeconds = 1.8e-6; ///< kernel_fixed_s
    double fillRows = 40; ///< pass_rows: row cycles that each weight pass costs on top
    double cyclesPerSecond = 1.117e9; ///< cycles_per_s
    double macsPerCycle =
        1024; ///< mac_per_cycle_core, at fp16; scaled by the ratio of the peaks elsewhere
    double matmulBytesPerSecond = 140.6e9; ///< matmul_bytes_per_s
    double coreBytesPerSecond = 67e9; ///< core_bytes_per_s: what one core can draw
    double streamBytesPerSecond = 120.4e9; ///< stream_bytes_per_s
    double turnaroundSecondsPerByte =
        2.46e-12; ///< turnaround_s_per_byte, on the smaller of read and written
    double relayoutFixedSeconds = 1.5e-6; ///< relayout_fixed_s
    double relayoutBytesPerSecond = 112e9; ///< relayout_bytes_per_s
    /// softmax_core_s_per_element ÷ 5: a softmax makes five passes of the vector unit over its
    /// elements.
    double vectorSecondsPerElement = 3.5e-10 / 5;
    double handoffSeconds = 0.33e-3; ///< program_handoff_s: between two device programs
    double hostBytesPerSecond = 63e9; ///< bandwidth of the link whose role is "host"
    double peak = 0; ///< FLOP/s at the chosen precision; 0 = unknown
    double deviceBytesPerSecond = 204.8e9; ///< published bandwidth, for the ideal time
};
Constants constants(const machines::Machine& machine, machines::Precision precision);

/// Padded bytes that an OpSpec moves through LPDDR5 and through LX.
struct OpTraffic {
    double input = 0, weight = 0, output = 0; ///< LPDDR5; weight: the second operand of a product
    double lxRead = 0, lxWritten = 0;
    double logical = 0; ///< LPDDR5 bytes without padding
    double read() const { return input + weight; }
};

/// T = 1.8 µs + max(C, W/bw) + (A + O)/bw with C = ⌈B/b⌉·(⌈M/m⌉ + 40)·up64(N/n)·up64(K/k) ÷ (MACs a
/// cycle · clock) and bw = min(140.6, 67·cores) GB/s. Known within 13 % (geometric mean, 187
/// measured products).
void timeMatmul(lowering::Estimate& estimate, const Constants& constants, const MatmulShape& shape,
    const MatmulDivision& split, const OpTraffic& traffic);

/// T = max((R + W)/120.4 GB/s + 2.46 ps·min(R, W), (R + W)/(67 GB/s · cores)), overlapped with the
/// vector unit's passes over the elements. Known within 8 to 10 %.
void timeStream(lowering::Estimate& estimate, const Constants& constants, double elements,
    std::int64_t cores, const OpTraffic& traffic);

/// T = 1.5 µs + (R + W)/112 GB/s. Known within 8 %.
void timeRelayout(
    lowering::Estimate& estimate, const Constants& constants, const OpTraffic& traffic);

/// A host operator: the tensors cross PCIe both ways and the device program stops and starts; the
/// host's own arithmetic is not in it.
void timeFallback(
    lowering::Estimate& estimate, const Constants& constants, const OpTraffic& traffic);

} // namespace fivefold::families::spyre
