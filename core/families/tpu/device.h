// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

#include <cstdint>
#include <optional>

namespace fivefold::families::tpu {

/// Constants of XLA's own cycle estimate, fitted to its ahead-of-time output (jax 0.10.2).
struct XlaCycles {
    double step = 1830; ///< cycles a step (xla_step_cycles)
    double a = 1.03; ///< of the systolic cycles (xla_matmul_a)
    double w = 12; ///< cycles an output tile (xla_matmul_w)
    double h = 1.26; ///< of the HBM time (xla_matmul_h)
};

/// What the TPU rules read of a machine and its settings, resolved once a stage. A program runs on
/// one JAX device: the whole chip up to v5p (its cores work as one), one of the two TensorCores
/// from v7x on.
struct Device {
    const machines::Machine* machine = nullptr; ///< outlives the stage
    int generation = 5; ///< 4, 5, 6 or 7: decides tile rows and packing
    std::int64_t lanes = 128, sublanes = 8;
    std::int64_t side = 128; ///< rows and columns of a matrix unit
    std::int64_t arrays = 1; ///< matrix units that reproduce the published peak at `clock`
    std::int64_t cores = 1; ///< TensorCores of the device
    double chipShare = 1; ///< of the chip's arrays and HBM bandwidth that the device has
    double clock = 1e9; ///< Hz
    double chipPeak = 1e12; ///< FLOP/s of the chip at the chosen precision
    double precisionFactor = 1; ///< rate of the chosen precision over that of bf16
    double vectorRate = 0; ///< elementwise operations per second on whole tiles

    std::size_t hbmLevel = 0; ///< indices into Machine::memories
    std::optional<std::size_t> vmemLevel, cmemLevel;
    std::optional<std::size_t> nearLevel; ///< where internal results go: CMEM on v4, else VMEM
    std::int64_t residentBytes =
        0; ///< of the near level that results may take; the rest are windows
    double hbmBandwidth = 1; ///< bytes per second
    std::optional<double> vmemBandwidth;
    double hostLinkBandwidth = 15e9; ///< bytes per second one way

    double matrixEfficiency = 0.78; ///< share of the systolic count's rate that is reached
    double hbmEfficiency = 0.87; ///< share of the HBM bandwidth
    /// Bytes a second of kernels without a product; the HBM's share where none was measured.
    double streamBandwidth = 1;
    double opSeconds = 1.5e-6; ///< fixed cost of one kernel on the device
    double copySeconds = 1.5e-6; ///< the same for a copy
    double productSeconds = 1.5e-6; ///< the same for a product
    double dispatchSeconds = 118e-6; ///< host cost of one call of the program

    XlaCycles xla;
    double xlaMacsPerCycle = 65536; ///< rate that XLA's estimate assumes (xla_mac_per_cycle)
    std::int64_t windowBytes = 16 << 20; ///< of VMEM that one kernel's windows may take

    bool isDispatchCounted = false; ///< each call is waited for, so dispatch is not hidden
    bool isVmemOn = true;
    bool isRecomputeOn = true;

    /// v7x keeps a dot with one row or one column; before, it is a multiply and a reduce.
    bool keepsThinDots() const { return generation >= 7; }
    /// The vector unit adds and multiplies this 16-bit type as it is; else it works in f32 between
    /// two conversions. bf16 from v7x on.
    bool hasNarrowArithmetic(ir::DType type) const {
        return generation >= 7 && type == ir::DType::BFloat16;
    }
};

/// Reads the device from the machine description. Parameters: generation, lanes, sublanes,
/// mxu_size, mxu_count, mxu_rate_factor, tensor_cores, xla_clock_hz, matmul_efficiency,
/// hbm_efficiency, elementwise_bytes_per_s, op_fixed_s, copy_fixed_s, matmul_fixed_s, dispatch_s,
/// prefetch_bytes, kernel_vmem_bytes, xla_step_cycles, xla_mac_per_cycle, xla_matmul_a, _w, _h.
Device device(const lowering::Context& context);

} // namespace fivefold::families::tpu
