// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/byte_source.h"
#include "core/numerics/tensor.h"

namespace fivefold::compare::dumps {

/// How the elements of a tensor lie in a source. `shape` and `strides` (in elements; empty:
/// row-major) were checked against the limits; elements begin at `offset`.
struct Placement {
    ir::DType dtype = ir::DType::Undefined;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    std::uint64_t offset = 0; ///< in bytes
    bool isBigEndian = false;
    bool isLoose = false; ///< elements of fewer than 8 bits fill a byte each
};

/// Elements of a checked shape.
std::int64_t elementCount(const std::vector<std::int64_t>& shape);
/// Elements that lie between the first one and the last that the strides reach, both counted.
std::int64_t elementSpan(const Placement& placement);
std::vector<std::int64_t> columnMajorStrides(const std::vector<std::int64_t>& shape);

/// Decodes packed little-endian elements: fp64 to double, other floats to float, integers and
/// booleans to int64 (uint64 by its bits). Requires that `bytes` hold `count` elements. An Error
/// for types without a number (complex, text, undefined).
base::Result<numerics::Elements> decodeElements(
    std::span<const std::byte> bytes, ir::DType dtype, std::int64_t count);

/// Reads and decodes one tensor; little more than its elements is in memory at once.
base::Result<numerics::Tensor> readTensor(const ByteSource& source, const Placement& placement);

/// Packed little-endian bytes of a tensor in its own type; floats are rounded to it (to nearest,
/// ties to even), 4- and 2-bit types take a byte an element. An Error for text and complex types.
base::Result<std::vector<std::byte>> encodeElements(const numerics::Tensor& tensor);

} // namespace fivefold::compare::dumps
