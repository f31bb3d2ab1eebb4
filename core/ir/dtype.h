// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fivefold::ir {

/// Element types of tensors. Names and widths follow ONNX (TensorProto.DataType); the ATen reader maps to
/// the same set.
enum class DType : std::uint8_t {
    Undefined,
    Float64,
    Float32,
    Float16,
    BFloat16,
    Float8E4M3FN,
    Float8E4M3FNUZ,
    Float8E5M2,
    Float8E5M2FNUZ,
    Float8E8M0,
    Float4E2M1,
    Int64,
    Int32,
    Int16,
    Int8,
    Int4,
    Int2,
    UInt64,
    UInt32,
    UInt16,
    UInt8,
    UInt4,
    UInt2,
    Bool,
    Complex64,
    Complex128,
    String,
};

/// Bits of one element; 0 for Undefined and String, whose elements have no fixed width.
int bitWidth(DType dtype);
/// The long name: "float16", "float8e4m3fn", "int64".
std::string_view name(DType dtype);
/// The short name used in figures and on the command line: "fp16", "bf16", "int8", "bool".
std::string_view shortName(DType dtype);
/// Accepts long and short names.
std::optional<DType> parseDType(std::string_view text);
bool isFloat(DType dtype); ///< any floating-point format, 4 and 8 bit ones included
bool isInteger(DType dtype); ///< signed or unsigned, without Bool
bool isQuantised(DType dtype); ///< 8 bits or fewer, Bool excluded

/// Bytes that `elements` take when packed without gaps, rounded up to whole bytes.
std::int64_t packedBytes(DType dtype, std::int64_t elements);

} // namespace fivefold::ir
