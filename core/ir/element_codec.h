// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fivefold::ir {

/// Value of one element of a floating-point format of 16 bits or fewer from its bit pattern (low
/// bits of `bits`). IEEE 754 binary16; bfloat16; the OCP 8-bit formats E4M3 (finite, NaN at 0x7F)
/// and E5M2; their FNUZ variants (one zero, NaN at 0x80, bias 8 and 16); OCP MX E8M0 (2^(bits −
/// 127), NaN at 0xFF) and E2M1. NaN for a format that is none of these.
double decodeSmallFloat(DType dtype, std::uint32_t bits);

/// Decodes `count` packed little-endian elements. 4- and 2-bit elements fill bytes from the low
/// bits up. Nullopt when the bytes are too few, the type is not of the asked kind (integers:
/// integer or bool; numbers: anything real), or an unsigned integer does not fit into int64.
std::optional<std::vector<std::int64_t>> decodeIntegers(
    std::span<const std::byte> bytes, DType dtype, std::int64_t count);
std::optional<std::vector<double>> decodeNumbers(
    std::span<const std::byte> bytes, DType dtype, std::int64_t count);

/// A run of protobuf varints, as the typed fields of an ONNX tensor hold them, to packed
/// little-endian elements. Each varint holds one element's bits, or one byte of packed elements
/// where an element has fewer than 8 bits. Nullopt for a damaged run.
std::optional<std::vector<std::byte>> unpackVarints(std::span<const std::byte> run, DType dtype);
/// Appends the low bytes of one such integer.
void appendPacked(std::vector<std::byte>& bytes, DType dtype, std::uint64_t bits);

} // namespace fivefold::ir
