// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/stored.h"

#include "core/ir/element_codec.h"

#include <bit>
#include <cstring>
#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;

template <typename T> T loadAt(const std::byte* bytes, std::size_t index) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
}

/// Wide formats: a plain conversion.
template <typename Stored, typename T>
std::vector<T> widened(std::span<const std::byte> bytes, std::size_t count) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<T>(loadAt<Stored>(bytes.data(), i));
    return values;
}

/// Formats of 16 bits or fewer: one decoding a bit pattern.
template <typename T>
std::vector<T> looked(std::span<const std::byte> bytes, DType dtype, std::size_t count) {
    const int bits = ir::bitWidth(dtype);
    std::vector<T> table(std::size_t(1) << bits);
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<T>(ir::decodeSmallFloat(dtype, static_cast<std::uint32_t>(i)));
    std::vector<T> values(count);
    const std::size_t perByte = bits < 8 ? static_cast<std::size_t>(8 / bits) : 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (bits == 16)
            values[i] = table[loadAt<std::uint16_t>(bytes.data(), i)];
        else
            values[i] = table[(static_cast<std::size_t>(bytes[i / perByte])
                                  >> (i % perByte * static_cast<std::size_t>(bits)))
                & (table.size() - 1)];
    }
    return values;
}

template <typename T>
Elements floats(std::span<const std::byte> bytes, DType dtype, std::size_t count) {
    if (dtype == DType::Float64)
        return widened<double, T>(bytes, count);
    if (dtype == DType::Float32)
        return widened<float, T>(bytes, count);
    return looked<T>(bytes, dtype, count);
}

base::Error undecodable(DType dtype) {
    const bool isComplex = dtype == DType::Complex64 || dtype == DType::Complex128;
    return {isComplex ? base::ErrorCode::Unsupported : base::ErrorCode::Malformed,
        isComplex ? "Complex numbers are not executable here; export them as pairs of floats."
                  : "The stored tensor has fewer bytes than its shape needs; get the file again.",
        {}};
}

/// Fewest bytes that hold the elements; nullopt for a size beyond any file.
std::optional<std::int64_t> countOf(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        if (size < 0 || __builtin_mul_overflow(count, size, &count))
            return std::nullopt;
    return count <= std::numeric_limits<std::int64_t>::max() / 128 ? std::optional(count)
                                                                   : std::nullopt;
}

base::Result<Tensor> dense(const ir::TensorStore& store, ir::TensorId id, Carrier carrier) {
    const ir::TensorData& data = store[id];
    constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
    if (!ir::isFloat(data.dtype)) {
        if (auto integers = store.integers(id, kAny))
            return Tensor(data.dtype, data.shape, std::move(*integers));
        return undecodable(data.dtype);
    }
    auto numbers = store.numbers(id, kAny);
    if (!numbers)
        return undecodable(data.dtype);
    const Tensor tensor(data.dtype, data.shape, std::move(*numbers));
    return carrier == Carrier::Float ? tensor.carried<float>() : tensor;
}

} // namespace

base::Result<Tensor> decodeTensor(std::span<const std::byte> bytes, DType dtype,
    std::vector<std::int64_t> shape, Carrier carrier) {
    const auto count = countOf(shape);
    if (!count || ir::bitWidth(dtype) == 0 || dtype == DType::Complex64
        || dtype == DType::Complex128
        || static_cast<std::int64_t>(bytes.size()) < ir::packedBytes(dtype, *count))
        return undecodable(dtype);
    const auto elements = static_cast<std::size_t>(*count);
    if (ir::isFloat(dtype))
        return Tensor(dtype, std::move(shape),
            carrier == Carrier::Float ? floats<float>(bytes, dtype, elements)
                                      : floats<double>(bytes, dtype, elements));
    if (dtype == DType::UInt64)
        return Tensor(
            dtype, std::move(shape), widened<std::uint64_t, std::int64_t>(bytes, elements));
    if (dtype == DType::Int64)
        return Tensor(
            dtype, std::move(shape), widened<std::int64_t, std::int64_t>(bytes, elements));
    auto integers = ir::decodeIntegers(bytes, dtype, *count);
    if (!integers)
        return undecodable(dtype);
    return Tensor(dtype, std::move(shape), std::move(*integers));
}

base::Result<Tensor> storedTensor(const ir::TensorStore& store, ir::TensorId id, Carrier carrier) {
    if (!id.isValid() || id.index() >= store.size())
        return base::Error{base::ErrorCode::NotFound, "There is no such stored tensor.", {}};
    const ir::TensorData& data = store[id];
    if (data.storage == ir::TensorStorage::Strings) {
        if (data.elements() != static_cast<std::int64_t>(data.strings.size()))
            return undecodable(data.dtype);
        return Tensor(data.dtype, data.shape, data.strings);
    }
    const auto count = countOf(data.shape);
    if (count && *count == 0)
        return decodeTensor({}, data.dtype, data.shape, carrier);
    if (data.isSparse() && data.storage != ir::TensorStorage::Missing)
        return dense(store, id, carrier);
    const auto bytes = store.read(id);
    if (!bytes)
        return bytes.error();
    auto tensor = decodeTensor(*bytes, data.dtype, data.shape, carrier);
    if (!tensor)
        return base::Error{tensor.error().code, tensor.error().message, data.name};
    return tensor;
}

} // namespace fivefold::numerics
