// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/elements.h"

#include "core/ir/element_codec.h"

#include <algorithm>
#include <array>
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
using numerics::Elements;
using numerics::Tensor;

static_assert(std::endian::native == std::endian::little);

/// binary16 by two multiplications' worth of bit tricks, so that the loop is vectorised: the
/// fraction and exponent are moved into binary32's places and rescaled by 2^(127 − 15), which is
/// exact, subnormals included.
float halfToFloat(std::uint16_t half) {
    const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffu) << 13;
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    const std::uint32_t special = magnitude >= (0x7c00u << 13) ? 0x7f800000u : 0u;
    return std::bit_cast<float>(scaled | special | sign);
}

float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <typename From, typename To, typename Convert>
std::vector<To> converted(std::span<const std::byte> bytes, std::int64_t count, Convert convert) {
    std::vector<To> values(static_cast<std::size_t>(count));
    const std::byte* at = bytes.data();
    for (To& value : values) {
        From raw;
        std::memcpy(&raw, at, sizeof raw);
        at += sizeof raw;
        value = convert(raw);
    }
    return values;
}

template <typename From> Elements integers(std::span<const std::byte> bytes, std::int64_t count) {
    return converted<From, std::int64_t>(
        bytes, count, [](From value) { return static_cast<std::int64_t>(value); });
}

Elements smallFloats(std::span<const std::byte> bytes, DType dtype, std::int64_t count) {
    std::array<float, 256> table{};
    const std::size_t patterns = std::size_t(1) << ir::bitWidth(dtype);
    for (std::size_t i = 0; i < patterns; ++i)
        table[i] = static_cast<float>(ir::decodeSmallFloat(dtype, static_cast<std::uint32_t>(i)));
    if (ir::bitWidth(dtype) == 8)
        return converted<std::uint8_t, float>(
            bytes, count, [&](std::uint8_t bits) { return table[bits]; });
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = table[static_cast<std::size_t>(bytes[i / 2] >> (i % 2 * 4)) & 15];
    return values;
}

Error noNumbers(DType dtype) {
    return {ErrorCode::Unsupported,
        "Elements of type " + std::string(ir::name(dtype))
            + " are not compared; dump the tensor as real numbers.",
        {}};
}

template <typename T>
std::vector<T> gathered(const std::vector<T>& flat, const Placement& placement) {
    const auto& shape = placement.shape;
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(elementCount(shape)));
    std::vector<std::int64_t> index(shape.size(), 0);
    const std::int64_t last = shape.back();
    const std::int64_t step = placement.strides.back();
    std::int64_t base = 0;
    while (true) {
        for (std::int64_t i = 0; i < last; ++i)
            values.push_back(flat[static_cast<std::size_t>(base + i * step)]);
        auto axis = static_cast<std::ptrdiff_t>(shape.size()) - 2;
        for (; axis >= 0; --axis) {
            const auto a = static_cast<std::size_t>(axis);
            base += placement.strides[a];
            if (++index[a] < shape[a])
                break;
            base -= placement.strides[a] * shape[a];
            index[a] = 0;
        }
        if (axis < 0)
            return values;
    }
}

bool isRowMajor(const Placement& placement) {
    if (placement.strides.empty())
        return true;
    std::int64_t expected = 1;
    for (std::size_t i = placement.shape.size(); i-- > 0;) {
        if (placement.shape[i] != 1 && placement.strides[i] != expected)
            return false;
        expected *= placement.shape[i];
    }
    return true;
}

void swapBytes(std::span<std::byte> bytes, std::size_t width) {
    for (std::size_t at = 0; at + width <= bytes.size(); at += width)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
            bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
}

/// One byte an element to one element after the other without gaps.
std::vector<std::byte> packed(const std::vector<std::byte>& loose, int width) {
    const std::size_t perByte = static_cast<std::size_t>(8 / width);
    const auto mask = static_cast<std::byte>((1 << width) - 1);
    std::vector<std::byte> bytes((loose.size() + perByte - 1) / perByte);
    for (std::size_t i = 0; i < loose.size(); ++i)
        bytes[i / perByte] |= (loose[i] & mask) << (static_cast<int>(i % perByte) * width);
    return bytes;
}

/// Elements whose carrier has the layout of the file are read into place.
template <typename T>
Result<Elements> readDirect(
    const ByteSource& source, const Placement& placement, std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    const auto bytes = std::as_writable_bytes(std::span(values));
    if (auto done = source.read(placement.offset, bytes); !done)
        return done.error();
    if (placement.isBigEndian)
        swapBytes(bytes, sizeof(T));
    return Elements(std::move(values));
}

Result<Elements> readFlat(
    const ByteSource& source, const Placement& placement, std::int64_t count) {
    switch (placement.dtype) {
    case DType::Float32:
        return readDirect<float>(source, placement, count);
    case DType::Float64:
        return readDirect<double>(source, placement, count);
    case DType::Int64:
    case DType::UInt64:
        return readDirect<std::int64_t>(source, placement, count);
    default:
        break;
    }
    const int width = ir::bitWidth(placement.dtype);
    const bool isLoose = placement.isLoose && width < 8;
    const auto length = isLoose ? count : ir::packedBytes(placement.dtype, count);
    std::vector<std::byte> bytes(static_cast<std::size_t>(length));
    if (auto done = source.read(placement.offset, bytes); !done)
        return done.error();
    if (isLoose)
        bytes = packed(bytes, width);
    if (placement.isBigEndian)
        swapBytes(bytes, static_cast<std::size_t>(width / 8));
    return decodeElements(bytes, placement.dtype, count);
}

} // namespace

std::int64_t elementCount(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

std::int64_t elementSpan(const Placement& placement) {
    const std::int64_t count = elementCount(placement.shape);
    if (placement.strides.empty() || count == 0)
        return count;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < placement.shape.size(); ++i)
        last += (placement.shape[i] - 1) * placement.strides[i];
    return last + 1;
}

std::vector<std::int64_t> columnMajorStrides(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides;
    std::int64_t step = 1;
    for (const std::int64_t extent : shape) {
        strides.push_back(step);
        step *= std::max<std::int64_t>(extent, 1);
    }
    return strides;
}

Result<Elements> decodeElements(std::span<const std::byte> bytes, DType dtype, std::int64_t count) {
    switch (dtype) {
    case DType::Float64:
        return Elements(converted<double, double>(bytes, count, [](double x) { return x; }));
    case DType::Float32:
        return Elements(converted<float, float>(bytes, count, [](float x) { return x; }));
    case DType::Float16:
        return Elements(converted<std::uint16_t, float>(bytes, count, halfToFloat));
    case DType::BFloat16:
        return Elements(converted<std::uint16_t, float>(bytes, count, bfloatToFloat));
    case DType::Int64:
    case DType::UInt64:
        return integers<std::int64_t>(bytes, count);
    case DType::Int32:
        return integers<std::int32_t>(bytes, count);
    case DType::UInt32:
        return integers<std::uint32_t>(bytes, count);
    case DType::Int16:
        return integers<std::int16_t>(bytes, count);
    case DType::UInt16:
        return integers<std::uint16_t>(bytes, count);
    case DType::Int8:
        return integers<std::int8_t>(bytes, count);
    case DType::UInt8:
        return integers<std::uint8_t>(bytes, count);
    case DType::Bool:
        return Elements(converted<std::uint8_t, std::int64_t>(
            bytes, count, [](std::uint8_t x) { return std::int64_t(x != 0); }));
    default:
        break;
    }
    if (ir::isFloat(dtype))
        return smallFloats(bytes, dtype, count);
    if (auto narrow = ir::decodeIntegers(bytes, dtype, count))
        return Elements(std::move(*narrow));
    return noNumbers(dtype);
}

Result<Tensor> readTensor(const ByteSource& source, const Placement& placement) {
    if (ir::bitWidth(placement.dtype) == 0 || placement.dtype == DType::Complex64
        || placement.dtype == DType::Complex128)
        return noNumbers(placement.dtype);
    const std::int64_t count = elementSpan(placement);
    auto flat = readFlat(source, placement, count);
    if (!flat)
        return flat.error();
    if (isRowMajor(placement) || elementCount(placement.shape) == 0)
        return Tensor(placement.dtype, placement.shape, std::move(*flat));
    return std::visit(
        [&](const auto& list) {
            return Tensor(placement.dtype, placement.shape, Elements(gathered(list, placement)));
        },
        *flat);
}

} // namespace fivefold::compare::dumps
