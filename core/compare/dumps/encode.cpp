// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/elements.h"

#include "core/ir/element_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fivefold::compare::dumps {

namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using numerics::Tensor;

std::uint16_t floatToHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) // 65520, where rounding leaves the range
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // below 2^-14: a multiple of 2^-24
        const float steps = std::bit_cast<float>(magnitude) * 0x1p24f;
        return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::rint(steps)));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | (rounded - 0x38000000u) >> 13);
}

std::uint16_t floatToBfloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// The pattern of the nearest value of a format of at most 8 bits; of two as near, the even one.
std::uint8_t nearestPattern(DType dtype, double value) {
    const unsigned patterns = 1u << ir::bitWidth(dtype);
    unsigned best = 0;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (unsigned bits = 0; bits < patterns; ++bits) {
        const double candidate = ir::decodeSmallFloat(dtype, bits);
        if (std::isnan(value) ? std::isnan(candidate) : candidate == value)
            return static_cast<std::uint8_t>(value == 0
                        && std::signbit(value) != std::signbit(candidate) && bits == 0
                        && std::signbit(ir::decodeSmallFloat(dtype, patterns / 2))
                    ? patterns / 2
                    : bits);
        const double distance = std::abs(candidate - value);
        if (distance < bestDistance || (distance == bestDistance && bits % 2 == 0)) {
            bestDistance = distance;
            best = bits;
        }
    }
    return static_cast<std::uint8_t>(best);
}

template <typename T> void put(std::vector<std::byte>& bytes, std::size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

/// Writes element i of the type.
void putElement(std::vector<std::byte>& bytes, std::size_t i, const Tensor& tensor) {
    const auto at = static_cast<std::int64_t>(i);
    const DType dtype = tensor.dtype();
    switch (dtype) {
    case DType::Float64:
        put(bytes, i, tensor.number(at));
        return;
    case DType::Float32:
        put(bytes, i, static_cast<float>(tensor.number(at)));
        return;
    case DType::Float16:
        put(bytes, i, floatToHalf(static_cast<float>(tensor.number(at))));
        return;
    case DType::BFloat16:
        put(bytes, i, floatToBfloat(static_cast<float>(tensor.number(at))));
        return;
    default:
        break;
    }
    if (ir::isFloat(dtype)) {
        put(bytes, i, nearestPattern(dtype, tensor.number(at)));
        return;
    }
    const std::int64_t value = tensor.integer(at);
    const std::size_t width = static_cast<std::size_t>(std::max(ir::bitWidth(dtype), 8)) / 8;
    std::memcpy(bytes.data() + i * width, &value, width);
}

} // namespace

Result<std::vector<std::byte>> encodeElements(const Tensor& tensor) {
    const DType dtype = tensor.dtype();
    const int width = ir::bitWidth(dtype);
    if (width == 0 || width > 64 || dtype == DType::Complex64 || !tensor.isDefined()
        || tensor.as<std::string>())
        return Error{ErrorCode::Unsupported,
            "Tensors of type " + std::string(ir::name(dtype))
                + " cannot be written; write them as real numbers.",
            {}};
    const auto count = static_cast<std::size_t>(tensor.size());
    std::vector<std::byte> bytes(count * static_cast<std::size_t>(std::max(width, 8)) / 8);
    const auto* floats = dtype == DType::Float32 ? tensor.as<float>() : nullptr;
    if (floats && count > 0) {
        std::memcpy(bytes.data(), floats->data(), bytes.size());
        return bytes;
    }
    for (std::size_t i = 0; i < count; ++i)
        putElement(bytes, i, tensor);
    return bytes;
}

} // namespace fivefold::compare::dumps
