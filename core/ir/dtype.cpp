// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/dtype.h"

#include <array>

namespace fivefold::ir {

namespace {

struct Entry {
    DType dtype;
    int bits;
    std::string_view name;
    std::string_view shortName;
};

constexpr std::array kEntries = {
    Entry {DType::Undefined, 0, "undefined", "?"},
    Entry {DType::Float64, 64, "float64", "fp64"},
    Entry {DType::Float32, 32, "float32", "fp32"},
    Entry {DType::Float16, 16, "float16", "fp16"},
    Entry {DType::BFloat16, 16, "bfloat16", "bf16"},
    Entry {DType::Float8E4M3FN, 8, "float8e4m3fn", "fp8"},
    Entry {DType::Float8E4M3FNUZ, 8, "float8e4m3fnuz", "fp8e4m3fnuz"},
    Entry {DType::Float8E5M2, 8, "float8e5m2", "fp8e5m2"},
    Entry {DType::Float8E5M2FNUZ, 8, "float8e5m2fnuz", "fp8e5m2fnuz"},
    Entry {DType::Float8E8M0, 8, "float8e8m0", "fp8e8m0"},
    Entry {DType::Float4E2M1, 4, "float4e2m1", "fp4"},
    Entry {DType::Int64, 64, "int64", "int64"},
    Entry {DType::Int32, 32, "int32", "int32"},
    Entry {DType::Int16, 16, "int16", "int16"},
    Entry {DType::Int8, 8, "int8", "int8"},
    Entry {DType::Int4, 4, "int4", "int4"},
    Entry {DType::Int2, 2, "int2", "int2"},
    Entry {DType::UInt64, 64, "uint64", "uint64"},
    Entry {DType::UInt32, 32, "uint32", "uint32"},
    Entry {DType::UInt16, 16, "uint16", "uint16"},
    Entry {DType::UInt8, 8, "uint8", "uint8"},
    Entry {DType::UInt4, 4, "uint4", "uint4"},
    Entry {DType::UInt2, 2, "uint2", "uint2"},
    Entry {DType::Bool, 8, "bool", "bool"},
    Entry {DType::Complex64, 64, "complex64", "complex64"},
    Entry {DType::Complex128, 128, "complex128", "complex128"},
    Entry {DType::String, 0, "string", "string"},
};

constexpr bool isInEnumOrder() {
    for (std::size_t i = 0; i < kEntries.size(); ++i)
        if (static_cast<std::size_t>(kEntries[i].dtype) != i)
            return false;
    return true;
}
static_assert(isInEnumOrder());

const Entry& entry(DType dtype) { return kEntries[static_cast<std::size_t>(dtype)]; }

} // namespace

int bitWidth(DType dtype) { return entry(dtype).bits; }
std::string_view name(DType dtype) { return entry(dtype).name; }
std::string_view shortName(DType dtype) { return entry(dtype).shortName; }

std::optional<DType> parseDType(std::string_view text) {
    for (const Entry& e : kEntries)
        if (e.dtype != DType::Undefined && (e.name == text || e.shortName == text))
            return e.dtype;
    return std::nullopt;
}

bool isFloat(DType dtype) { return dtype >= DType::Float64 && dtype <= DType::Float4E2M1; }
bool isInteger(DType dtype) { return dtype >= DType::Int64 && dtype <= DType::UInt2; }

bool isQuantised(DType dtype) {
    const int bits = bitWidth(dtype);
    return bits > 0 && bits <= 8 && dtype != DType::Bool;
}

std::int64_t packedBytes(DType dtype, std::int64_t elements) {
    return (elements * bitWidth(dtype) + 7) / 8;
}

} // namespace fivefold::ir
