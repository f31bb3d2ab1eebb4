// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/measured_operator.h"

namespace fivefold::families::tpu {

/// A product as the equations see it: batch × (m × k)·(k × n), and what of it comes from and goes
/// to HBM.
struct Product {
    double batch = 1, m = 1, n = 1, k = 1;
    double firstBytes = 0, secondBytes = 0, resultBytes = 0;
    double bytes() const { return firstBytes + secondBytes + resultBytes; }
};

/// Device seconds of a product without its fixed cost.
struct ProductTime {
    double compute = 0, memory = 0;
    double exposed = 0; ///< of the copies, beside the longer of the two
    bool isOverlapped = true; ///< false: compute and memory add up
    double seconds() const;
};

/// By generation, with the machine's own constants; `flopsPerSecond` and `bytesPerSecond` are the
/// JAX device's peak at the precision and its HBM bandwidth:
/// - up to v4: the sum of 2·M8·N128·K128 ÷ (share·peak) and bytes ÷ (share·HBM), on one of the
///   TensorCores up to one_core_macs multiply-adds (XProf times, fp16);
/// - v5 and v6: the larger of flops ÷ (share·peak) and bytes ÷ (share·HBM) (wall times);
/// - v7x: the larger of max(C, all bytes) and C + the second operand's copy, which nothing hides;
///   C plus all bytes where they fit the windows' VMEM at once, so that nothing is double buffered
///   (device times).
ProductTime productTime(const machines::Machine& machine, double flopsPerSecond,
    double bytesPerSecond, const Product& product);

/// Seconds of a layer norm over the last dimension by the series tpu_v4_layer_norm.
double layerNormSeconds(const machines::Machine& machine, const std::vector<std::int64_t>& shape);

/// The equation that predicts the row on one of the family's machines, or null where none was
/// measured. The pointer lives as long as the program. O(equations).
const roofline::MeasuredEquation* measuredEquation(
    const machines::Machine& machine, const roofline::MeasuredOperator& row);

} // namespace fivefold::families::tpu
