// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/attention_time.h"
#include "core/lowering/family.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fivefold::families::gpu {

/// A CTA's output tile and the share of the sustained rate that it reaches (0..1).
struct Tile {
    std::int64_t rows = 128, columns = 128;
    double efficiency = 1;
    bool operator==(const Tile&) const = default;
};

/// Constants of the matrix product equation (gemm.h).
struct GemmConstants {
    double sustained = 0.8; ///< share of the peak that tensor cores keep up
    double dramEfficiency = 0.7; ///< share of the device memory's bandwidth
    double fixedSeconds = 4e-6; ///< start and drain of a kernel under a CUDA graph, launch included
    double l2Factor = 2; ///< operand loads move at this multiple of the device memory's bandwidth
    double ctaSeconds = 0.4e-6; ///< prologue and epilogue of a CTA
    double saturation = 0.6; ///< share of the SMs that saturates device memory
    double waveWeight = 1; ///< 1: a plain grid, whole waves; 0.5: persistent kernels
    double residentShare =
        0.1; ///< share of the L2 in which operands of an earlier launch still lie
    double residentFactor = 1; ///< those move at this multiple of the device memory's rate
    double splitSeconds = 2e-6; ///< of adding up the parts where k is split
    double exposedShare =
        0.1; ///< of the shorter of arithmetic and memory that the longer does not hide
    double quantiseFactor = 0; ///< fp8: passes over the first operand that quantise it
};

/// Constants of everything that is not a matrix product: time = fixed + passes · bytes / (BW ·
/// efficiency).
struct StreamConstants {
    double fixedSeconds = 5e-6;
    double passes = 1; ///< factor on the bytes read and written once
    double efficiency = 0.8;
};

/// What the GPU rules read of a machine and its settings, resolved once a stage.
struct Device {
    const machines::Machine* machine = nullptr; ///< outlives the stage
    machines::Precision precision = machines::Precision::Fp16;
    std::int64_t sms = 1;
    std::int64_t warpsPerSm = 0; ///< most resident warps, from the unit "warp"; 0: unknown
    double peak = 0; ///< FLOP/s at the chosen precision
    double vectorPeak = 0; ///< FLOP/s of the fp32 pipes, for work outside the tensor cores
    std::int64_t elementBytes = 2;

    std::size_t dramLevel = 0; ///< indices into Machine::memories
    std::optional<std::size_t> l2Level, sharedLevel;
    double dramBandwidth = 1; ///< bytes per second
    std::optional<double> l2Bandwidth, sharedBandwidth; ///< over all instances
    std::optional<double> l2Bytes;
    std::optional<double> sharedBytesPerSm;
    std::optional<double> registerBytesPerSm;

    GemmConstants gemm;
    StreamConstants pointwise, softmax, layerNorm;
    PrefillConstants prefill;
    DecodeConstants decode;
    std::vector<Tile> tiles;
    double graphLaunchSeconds = 0.9e-6; ///< one kernel inside a CUDA graph
    double driverLaunchSeconds = 5e-6; ///< one launch from the host, without a graph
    double hostLinkBandwidth = 16e9; ///< bytes per second one way

    bool isCudaGraph = true;
    bool isSdpaOn = true;
    bool isConvolutionChannelsLast = true;
    bool hasTemplates = false; ///< products as Triton templates (max-autotune)
    std::optional<Tile> tile; ///< fixed by the user
    std::optional<std::int64_t> splitK; ///< fixed by the user, for one operator
};

/// Reads the device from the machine description. Parameters that a machine does not give take the
/// values of the A100's fit. Keys: see resources/machines/README.md, parameters of the GPUs.
Device device(const lowering::Context& context);

/// The same without a user's settings.
Device deviceOf(const machines::Machine& machine, machines::Precision precision);

/// The candidate tiles of the machine (table cta_tiles: rows, columns, efficiency in thousandths,
/// which is raised to the power of `softening`); one of 128×128 where it has none.
std::vector<Tile> tilesOf(const machines::Machine& machine, double softening);

} // namespace fivefold::families::gpu
