// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/elements.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace fivefold::numerics {

namespace {

using ir::DType;

/// A float type of 8 bits or fewer: OCP 8-bit floating point 1.0, its FNUZ variants, OCP MX E2M1.
struct SmallFloat {
    int mantissaBits;
    int lowestExponent; ///< of normal numbers
    double largest;
    bool hasInfinity;
};

std::optional<SmallFloat> smallFloat(DType dtype) {
    switch (dtype) {
    case DType::Float8E4M3FN:
        return SmallFloat{3, -6, 448, false};
    case DType::Float8E4M3FNUZ:
        return SmallFloat{3, -7, 240, false};
    case DType::Float8E5M2:
        return SmallFloat{2, -14, 57344, true};
    case DType::Float8E5M2FNUZ:
        return SmallFloat{2, -15, 57344, false};
    case DType::Float4E2M1:
        return SmallFloat{1, 0, 6, false};
    default:
        return std::nullopt;
    }
}

double roundedToSmall(double value, DType dtype, const SmallFloat& type, bool saturates) {
    const double magnitude = std::abs(value);
    double result = magnitude;
    if (std::isfinite(magnitude) && magnitude > 0) {
        const int exponent = std::max(std::ilogb(magnitude), type.lowestExponent);
        const double step = std::ldexp(1.0, exponent - type.mantissaBits);
        result = std::nearbyint(magnitude / step) * step;
    }
    if (result > type.largest) {
        if (saturates || dtype == DType::Float4E2M1)
            result = type.largest;
        else
            result = type.hasInfinity ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
    }
    const bool hasOneZero = dtype == DType::Float8E4M3FNUZ || dtype == DType::Float8E5M2FNUZ;
    return result == 0 && hasOneZero ? 0.0 : std::copysign(result, value);
}

std::int64_t truncatedTo(double value, DType dtype) {
    if (dtype == DType::UInt64 && value >= 9223372036854775808.0)
        return value < 18446744073709551616.0
            ? static_cast<std::int64_t>(static_cast<std::uint64_t>(value))
            : -1;
    return wrapped(Tensor::scalar(DType::Int64, value).integer(0), dtype);
}

std::vector<std::int64_t> asIntegers(const Tensor& tensor, DType dtype) {
    std::vector<std::int64_t> result(static_cast<std::size_t>(tensor.size()));
    const auto* list = tensor.as<std::int64_t>();
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double value = list ? 0 : tensor.number(static_cast<std::int64_t>(i));
        if (dtype == DType::Bool)
            result[i] = list ? (*list)[i] != 0 : value != 0;
        else
            result[i] = list ? wrapped((*list)[i], dtype) : truncatedTo(value, dtype);
    }
    return result;
}

} // namespace

bool isUnsigned(DType dtype) {
    switch (dtype) {
    case DType::UInt64:
    case DType::UInt32:
    case DType::UInt16:
    case DType::UInt8:
    case DType::UInt4:
    case DType::UInt2:
        return true;
    default:
        return false;
    }
}

std::int64_t wrapped(std::int64_t value, DType dtype) {
    if (dtype == DType::Bool)
        return value != 0;
    const int bits = ir::bitWidth(dtype);
    if (bits <= 0 || bits >= 64)
        return value;
    const int gap = 64 - bits;
    const std::uint64_t high = static_cast<std::uint64_t>(value) << gap;
    return isUnsigned(dtype) ? static_cast<std::int64_t>(high >> gap)
                             : static_cast<std::int64_t>(high) >> gap;
}

std::pair<std::int64_t, std::int64_t> integerRange(DType dtype) {
    const int bits = ir::bitWidth(dtype);
    if (dtype == DType::Bool)
        return {0, 1};
    if (bits <= 0 || bits >= 64)
        return {dtype == DType::UInt64 ? 0 : std::numeric_limits<std::int64_t>::min(),
            std::numeric_limits<std::int64_t>::max()};
    if (isUnsigned(dtype))
        return {0, (std::int64_t(1) << bits) - 1};
    return {-(std::int64_t(1) << (bits - 1)), (std::int64_t(1) << (bits - 1)) - 1};
}

double roundedTo(double value, DType dtype, bool saturates) {
    if (std::isnan(value))
        return dtype == DType::Float4E2M1 ? 0.0 : value; // that type has no NaN
    if (dtype == DType::Float16)
        return round(value, Format::Fp16);
    if (dtype == DType::BFloat16)
        return round(value, Format::Bf16);
    const auto type = smallFloat(dtype);
    return type ? roundedToSmall(value, dtype, *type, saturates) : value;
}

Tensor ofType(const Tensor& tensor, DType dtype, Carrier carrier) {
    const bool isNumeric = ir::isFloat(dtype) || ir::isInteger(dtype) || dtype == DType::Bool;
    if (tensor.as<std::string>() || !isNumeric)
        return tensor.retyped(dtype);
    const bool hasIntegers = tensor.as<std::int64_t>() != nullptr;
    if (!ir::isFloat(dtype))
        return {dtype, tensor.shape(), asIntegers(tensor, dtype)};
    if (!hasIntegers)
        return tensor.retyped(dtype);
    std::vector<double> values = tensor.numbers();
    if (carrier == Carrier::Double)
        return {dtype, tensor.shape(), std::move(values)};
    return {dtype, tensor.shape(), std::vector<float>(values.begin(), values.end())};
}

base::Error tooLargeError(const Call& call, const Extents& shape) {
    return {base::ErrorCode::Limit,
        call.error("a result of " + extentsText(shape)
                + " elements is beyond the memory limit; smaller sizes would fit.")
            .message,
        {}};
}

Rounder::Rounder(Format format, const Arithmetic& arithmetic)
    : m_isExact(format == Format::Fp64 && !arithmetic.flushesSubnormals)
    , m_format(format)
    , m_rounding(arithmetic.rounding)
    , m_flushes(arithmetic.flushesSubnormals) {
    const FormatFacts& limits = facts(format);
    if (format == Format::Fp64 || limits.exponentBits == 0)
        return;
    m_low = limits.smallestNormal * 2;
    m_high = limits.largest / 2; // room for what rounding adds
    if (format == Format::DlFloat16)
        m_exception = 65504;
    m_dropped = 52 - limits.mantissaBits;
    if (m_rounding == Rounding::NearestEven) {
        m_bias = (std::uint64_t(1) << (m_dropped - 1)) - 1;
        m_odd = 1;
    }
}

} // namespace fivefold::numerics
