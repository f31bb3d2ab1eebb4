// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"

/// What quantised operators share.
namespace fivefold::numerics {

/// The nearest integer of the type's range to a whole number; 0 for NaN.
std::int64_t saturated(double value, ir::DType dtype);
/// x ÷ scale in the carrier's precision, which decides ties.
double quotientOf(const Call& call, double x, double scale);

struct Quantised {
    Tensor values; ///< UInt8
    double scale = 1;
    std::int64_t zeroPoint = 0;
};
/// By DynamicQuantizeLinear.
Quantised dynamicallyQuantised(const Call& call, const Tensor& x);

/// Weights of 2, 4 or 8 bits in blocks along K (com.microsoft MatMulNBits: B, scales, zero points)
/// as floats (N, K), by the attributes N, K, bits and block_size.
base::Result<Tensor> unpackedWeights(
    const Call& call, std::size_t weights, std::size_t scales, std::size_t zeroPoints);

} // namespace fivefold::numerics
