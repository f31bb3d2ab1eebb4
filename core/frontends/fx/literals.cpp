// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/literals.h"

#include "core/ir/element_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace fivefold::frontends::fx {

namespace {

using ir::DType;

/// The pattern of a 16-bit or narrower format whose value is nearest; a tie takes the even pattern.
/// The formats' values grow with the patterns of one sign, so a bisection finds it.
std::uint64_t smallFloatBits(double value, DType dtype) {
    const int bits = ir::bitWidth(dtype);
    const std::uint32_t sign = std::signbit(value) ? 1U << (bits - 1) : 0;
    const double magnitude = std::abs(value);
    std::uint32_t low = 0;
    std::uint32_t high = (1U << (bits - 1)) - 1;
    // Patterns past the greatest finite value are infinities or NaN.
    while (
        high > 0 && !(ir::decodeSmallFloat(dtype, high) < std::numeric_limits<double>::infinity()))
        --high;
    if (std::isnan(value))
        return (1U << (bits - 1)) - 1;
    if (std::isinf(value))
        return sign | (std::isinf(ir::decodeSmallFloat(dtype, high + 1)) ? high + 1 : high);
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (ir::decodeSmallFloat(dtype, middle) <= magnitude ? low : high) = middle;
    }
    const double below = magnitude - ir::decodeSmallFloat(dtype, low);
    const double above = ir::decodeSmallFloat(dtype, high) - magnitude;
    const bool isUp = above < below || (above == below && high % 2 == 0);
    return sign | (isUp ? high : low);
}

} // namespace

ir::TensorData scalarData(std::int64_t value, DType dtype) {
    if (dtype == DType::Undefined || ir::isFloat(dtype))
        return scalarData(static_cast<double>(value), dtype);
    ir::TensorData data;
    data.dtype = ir::bitWidth(dtype) >= 8 && dtype <= DType::Bool ? dtype : DType::Int64;
    data.storage = ir::TensorStorage::Inline;
    const std::int64_t stored = data.dtype == DType::Bool ? (value != 0 ? 1 : 0) : value;
    ir::appendPacked(data.bytes, data.dtype, static_cast<std::uint64_t>(stored));
    return data;
}

ir::TensorData scalarData(double value, DType dtype) {
    if (dtype == DType::Undefined)
        dtype = DType::Float32;
    if (!ir::isFloat(dtype)) {
        constexpr double kLimit = 9.2e18; // inside int64
        const double whole = std::isnan(value) ? 0 : std::clamp(value, -kLimit, kLimit);
        return scalarData(static_cast<std::int64_t>(whole), dtype);
    }
    ir::TensorData data;
    data.dtype = dtype;
    data.storage = ir::TensorStorage::Inline;
    std::uint64_t bits = 0;
    if (dtype == DType::Float64)
        bits = std::bit_cast<std::uint64_t>(value);
    else if (dtype == DType::Float32)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    else
        bits = smallFloatBits(value, dtype);
    ir::appendPacked(data.bytes, dtype, bits);
    return data;
}

ir::TensorData vectorData(const std::vector<std::int64_t>& values) {
    ir::TensorData data;
    data.dtype = DType::Int64;
    data.shape = {static_cast<std::int64_t>(values.size())};
    data.storage = ir::TensorStorage::Inline;
    for (const std::int64_t value : values)
        ir::appendPacked(data.bytes, DType::Int64, static_cast<std::uint64_t>(value));
    return data;
}

ir::DType literalType(bool isFloatLiteral, ir::DType neighbour) {
    if (isFloatLiteral || ir::isFloat(neighbour))
        return neighbour == DType::Float64 ? DType::Float64 : DType::Float32;
    return ir::isInteger(neighbour) ? neighbour : DType::Int64;
}

} // namespace fivefold::frontends::fx
