// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"

namespace fivefold::layout {

/// Tiled layout that XLA gives a TPU array in HBM: the tile (rows × 128 lanes) by type, rank, size
/// and generation, minor dimensions padded, 16-bit and narrower types packed. `generation` is 4, 5,
/// 6 or 7. `minorToMajor` empty: row-major (last dimension in the lanes). Fills `notation`.
TensorLayout tpuTiled(const std::vector<std::int64_t>& shape, ir::DType dtype, int generation,
    const std::vector<int>& minorToMajor = {});

/// The order of dimensions that XLA gives an array on a TPU, lanes first: the one of least bytes;
/// among equals the lexicographically largest minor-to-major list, so row-major where nothing is
/// gained. O(rank²).
std::vector<int> tpuMinorToMajor(const std::vector<std::int64_t>& shape, ir::DType dtype);

/// Row-major in device memory; the last dimension is split in 128-byte lines. No padding is
/// imposed.
TensorLayout gpuRowMajor(const std::vector<std::int64_t>& shape, ir::DType dtype);
/// An output tensor cut in CTA tiles over `units` SMs for drawing: unit = slot of the wave.
TensorLayout gpuTiled(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t tileRows, std::int64_t tileColumns, std::int64_t units);

/// A tensor cut over a rectangle of rows × columns PEs: leading dimensions are dealt out over the
/// rows, outermost first, the last over the columns; columns that the last leaves go to the leading
/// dimensions that got no rows, innermost first.
TensorLayout waferBlocked(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t peRows, std::int64_t peColumns);
/// bytesPerUnit() of that layout without making it; O(rank).
std::int64_t waferBytesPerPe(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t peRows, std::int64_t peColumns);

/// Last dimension in vectors of 320 lanes; wider types take several byte planes. `slices`: MEM
/// slices used.
TensorLayout groqVectors(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t lanes, std::int64_t slices);

} // namespace fivefold::layout
