// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/element_codec.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fivefold::ir {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the all-ones exponent and the sign-only pattern mean in a small format.
enum class Specials {
    Ieee, ///< all-ones exponent: infinity, or NaN with a fraction
    NaNAtAllOnes, ///< only all ones (without sign) is NaN, no infinity
    NaNAtMinusZero, ///< only the pattern of −0 is NaN, no infinity
    None, ///< every pattern is a number
};

struct SmallFormat {
    int exponentBits;
    int fractionBits;
    int bias;
    Specials specials;
};

std::optional<SmallFormat> smallFormat(DType dtype) {
    switch (dtype) {
    case DType::Float16:
        return SmallFormat{5, 10, 15, Specials::Ieee};
    case DType::BFloat16:
        return SmallFormat{8, 7, 127, Specials::Ieee};
    case DType::Float8E4M3FN:
        return SmallFormat{4, 3, 7, Specials::NaNAtAllOnes};
    case DType::Float8E4M3FNUZ:
        return SmallFormat{4, 3, 8, Specials::NaNAtMinusZero};
    case DType::Float8E5M2:
        return SmallFormat{5, 2, 15, Specials::Ieee};
    case DType::Float8E5M2FNUZ:
        return SmallFormat{5, 2, 16, Specials::NaNAtMinusZero};
    case DType::Float4E2M1:
        return SmallFormat{2, 1, 1, Specials::None};
    default:
        return std::nullopt;
    }
}

template <typename T> T load(const std::byte* p) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

/// Bit pattern of element i of a type of at most 8 bits.
std::uint32_t narrowBits(std::span<const std::byte> bytes, int width, std::int64_t i) {
    const auto perByte = 8 / width;
    const auto byte = static_cast<std::uint32_t>(bytes[static_cast<std::size_t>(i / perByte)]);
    return byte >> (i % perByte * width) & ((1u << width) - 1);
}

std::int64_t signExtend(std::uint32_t bits, int width) {
    const std::uint32_t sign = 1u << (width - 1);
    return static_cast<std::int64_t>(bits ^ sign) - static_cast<std::int64_t>(sign);
}

bool hasEnough(std::span<const std::byte> bytes, DType dtype, std::int64_t count) {
    if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / 128)
        return false;
    return static_cast<std::int64_t>(bytes.size()) >= packedBytes(dtype, count);
}

/// One integer element; nullopt when it does not fit.
std::optional<std::int64_t> integerAt(
    std::span<const std::byte> bytes, DType dtype, std::int64_t i) {
    const std::byte* p = bytes.data();
    switch (dtype) {
    case DType::Int64:
        return load<std::int64_t>(p + i * 8);
    case DType::Int32:
        return load<std::int32_t>(p + i * 4);
    case DType::Int16:
        return load<std::int16_t>(p + i * 2);
    case DType::UInt64: {
        const auto value = load<std::uint64_t>(p + i * 8);
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    case DType::UInt32:
        return load<std::uint32_t>(p + i * 4);
    case DType::UInt16:
        return load<std::uint16_t>(p + i * 2);
    case DType::Bool:
        return p[i] != std::byte{0};
    case DType::Int8:
    case DType::Int4:
    case DType::Int2:
        return signExtend(narrowBits(bytes, bitWidth(dtype), i), bitWidth(dtype));
    case DType::UInt8:
    case DType::UInt4:
    case DType::UInt2:
        return narrowBits(bytes, bitWidth(dtype), i);
    default:
        return std::nullopt;
    }
}

double floatAt(std::span<const std::byte> bytes, DType dtype, std::int64_t i) {
    const std::byte* p = bytes.data();
    switch (bitWidth(dtype)) {
    case 64:
        return load<double>(p + i * 8);
    case 32:
        return load<float>(p + i * 4);
    case 16:
        return decodeSmallFloat(dtype, load<std::uint16_t>(p + i * 2));
    default:
        return decodeSmallFloat(dtype, narrowBits(bytes, bitWidth(dtype), i));
    }
}

} // namespace

double decodeSmallFloat(DType dtype, std::uint32_t bits) {
    if (dtype == DType::Float8E8M0)
        return bits == 0xff ? kNaN : std::ldexp(1.0, static_cast<int>(bits) - 127);
    const auto format = smallFormat(dtype);
    if (!format)
        return kNaN;
    const auto [exponentBits, fractionBits, bias, specials] = *format;
    const std::uint32_t fractionMask = (1u << fractionBits) - 1;
    const std::uint32_t exponentMask = (1u << exponentBits) - 1;
    const std::uint32_t fraction = bits & fractionMask;
    const std::uint32_t exponent = bits >> fractionBits & exponentMask;
    const bool isNegative = bits >> (fractionBits + exponentBits) & 1;
    const double sign = isNegative ? -1 : 1;
    if (specials == Specials::Ieee && exponent == exponentMask)
        return fraction ? kNaN : sign * kInfinity;
    if (specials == Specials::NaNAtAllOnes && exponent == exponentMask && fraction == fractionMask)
        return kNaN;
    if (specials == Specials::NaNAtMinusZero && isNegative && exponent == 0 && fraction == 0)
        return kNaN;
    const int hidden = exponent ? 1 << fractionBits : 0;
    const int power = (exponent ? static_cast<int>(exponent) : 1) - bias - fractionBits;
    return sign * std::ldexp(static_cast<double>(hidden + static_cast<int>(fraction)), power);
}

std::optional<std::vector<std::int64_t>> decodeIntegers(
    std::span<const std::byte> bytes, DType dtype, std::int64_t count) {
    if (!(isInteger(dtype) || dtype == DType::Bool) || !hasEnough(bytes, dtype, count))
        return std::nullopt;
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const auto value = integerAt(bytes, dtype, i);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::optional<std::vector<double>> decodeNumbers(
    std::span<const std::byte> bytes, DType dtype, std::int64_t count) {
    if (!hasEnough(bytes, dtype, count))
        return std::nullopt;
    const bool isReal = isFloat(dtype) || isInteger(dtype) || dtype == DType::Bool;
    if (!isReal)
        return std::nullopt;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        if (isFloat(dtype))
            values.push_back(floatAt(bytes, dtype, i));
        else if (dtype == DType::UInt64)
            values.push_back(static_cast<double>(load<std::uint64_t>(bytes.data() + i * 8)));
        else
            values.push_back(static_cast<double>(*integerAt(bytes, dtype, i)));
    }
    return values;
}

void appendPacked(std::vector<std::byte>& bytes, DType dtype, std::uint64_t bits) {
    const int width = bitWidth(dtype) < 8 ? 8 : bitWidth(dtype);
    for (int shift = 0; shift < width && shift < 64; shift += 8)
        bytes.push_back(static_cast<std::byte>(bits >> shift & 0xff));
}

std::optional<std::vector<std::byte>> unpackVarints(std::span<const std::byte> run, DType dtype) {
    std::vector<std::byte> bytes;
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::byte byte : run) {
        if (shift > 63)
            return std::nullopt;
        value |= (static_cast<std::uint64_t>(byte) & 0x7f) << shift;
        shift += 7;
        if ((byte & std::byte{0x80}) == std::byte{0}) {
            appendPacked(bytes, dtype, value);
            value = 0;
            shift = 0;
        }
    }
    if (shift != 0)
        return std::nullopt;
    return bytes;
}

} // namespace fivefold::ir
