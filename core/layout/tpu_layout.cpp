// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/arithmetic.h"
#include "core/layout/family_layouts.h"

#include <algorithm>
#include <numeric>

namespace fivefold::layout {

namespace {

constexpr std::int64_t kLanes = 128; ///< jax tpu_info.py: lanes of a vector register
constexpr std::int64_t kSublanes = 8;
constexpr std::int64_t kLargestVectorTile =
    1024; ///< XLA's 1-D tile never exceeds one 32-bit register

/// Elements that share a 32-bit word.
std::int64_t packing(ir::DType dtype) {
    const int bits = ir::bitWidth(dtype);
    return bits > 0 && bits < 32 ? 32 / bits : 1;
}

/// Rows of the tile for the second-minor extent `rows`.
std::int64_t tileRows(ir::DType dtype, std::int64_t rows) {
    const std::int64_t pack = packing(dtype);
    const std::int64_t nativeRows = kSublanes * pack;
    if (pack >= 4 && rows % nativeRows == 0)
        return nativeRows;
    return std::min(kSublanes, std::max(pack, powerOfTwoCeiling(rows)));
}

std::int64_t vectorTile(ir::DType dtype, std::int64_t extent) {
    const std::int64_t lines = ceilDivide(extent, kLanes);
    const std::int64_t wanted = saturatingMultiply(kLanes, powerOfTwoCeiling(lines));
    return std::clamp(wanted, kLanes * packing(dtype), kLargestVectorTile);
}

/// Padding of the two minor dimensions multiplies the other extents by this.
std::int64_t paddedPlane(ir::DType dtype, std::int64_t minor, std::int64_t secondMinor) {
    const std::int64_t rows = tileRows(dtype, secondMinor);
    return saturatingMultiply(saturatingMultiply(ceilDivide(secondMinor, rows), rows),
        saturatingMultiply(ceilDivide(minor, kLanes), kLanes));
}

std::string tileText(std::int64_t pack, const std::string& tile) {
    return pack > 1 ? tile + "(" + std::to_string(pack) + ",1)" : tile;
}

TensorLayout tiledScalar(ir::DType dtype) {
    TensorLayout layout;
    const std::int64_t lanes = kLanes * packing(dtype);
    layout.axes = {{lanes, kSynthetic, 0, AxisRole::Lane}};
    layout.notation = "{:T(" + std::to_string(lanes) + ")}";
    return layout;
}

TensorLayout tiledVector(std::int64_t extent, ir::DType dtype) {
    TensorLayout layout;
    const std::int64_t pack = packing(dtype);
    const std::int64_t tile = vectorTile(dtype, extent);
    layout.axes = {{ceilDivide(extent, tile), 0, tile, AxisRole::Block},
        {tile / (kLanes * pack), 0, kLanes * pack, AxisRole::Row}, {kLanes, 0, 1, AxisRole::Lane}};
    if (pack > 1)
        layout.axes.push_back({pack, 0, kLanes, AxisRole::Pack});
    const std::string base = "T(" + std::to_string(tile) + ")";
    layout.notation = "{0:" + (pack > 1 ? tileText(pack, base + "(128)") : base) + "}";
    return layout;
}

TensorLayout tiledMatrix(
    const std::vector<std::int64_t>& shape, ir::DType dtype, const std::vector<int>& minorToMajor) {
    TensorLayout layout;
    const std::int64_t pack = packing(dtype);
    const int minor = minorToMajor[0];
    const int second = minorToMajor[1];
    const std::int64_t columns = shape[static_cast<std::size_t>(minor)];
    const std::int64_t rows = shape[static_cast<std::size_t>(second)];
    const std::int64_t tile = tileRows(dtype, rows);

    for (std::size_t i = minorToMajor.size(); i-- > 2;)
        layout.axes.push_back({shape[static_cast<std::size_t>(minorToMajor[i])], minorToMajor[i], 1,
            AxisRole::Block});
    layout.axes.push_back({ceilDivide(rows, tile), second, tile, AxisRole::Block});
    layout.axes.push_back({ceilDivide(columns, kLanes), minor, kLanes, AxisRole::Block});
    layout.axes.push_back({tile / pack, second, pack, AxisRole::Row});
    layout.axes.push_back({kLanes, minor, 1, AxisRole::Lane});
    if (pack > 1)
        layout.axes.push_back({pack, second, 1, AxisRole::Pack});

    std::string order;
    for (const int dimension : minorToMajor)
        order += (order.empty() ? "" : ",") + std::to_string(dimension);
    layout.notation =
        "{" + order + ":" + tileText(pack, "T(" + std::to_string(tile) + ",128)") + "}";
    return layout;
}

bool isPermutation(const std::vector<int>& order, std::size_t rank) {
    std::vector<bool> seen(rank, false);
    for (const int dimension : order) {
        if (dimension < 0 || static_cast<std::size_t>(dimension) >= rank
            || seen[static_cast<std::size_t>(dimension)])
            return false;
        seen[static_cast<std::size_t>(dimension)] = true;
    }
    return order.size() == rank;
}

} // namespace

std::vector<int> tpuMinorToMajor(const std::vector<std::int64_t>& shape, ir::DType dtype) {
    const int rank = static_cast<int>(shape.size());
    std::vector<int> order(shape.size());
    for (int i = 0; i < rank; ++i)
        order[static_cast<std::size_t>(i)] = rank - 1 - i;
    if (rank < 2)
        return order;

    int bestMinor = order[0];
    int bestSecond = order[1];
    double least = -1;
    // Descending, so that among equal bytes the lexicographically largest order stays.
    for (const int minor : order) {
        for (const int second : order) {
            if (minor == second)
                continue;
            double elements = static_cast<double>(paddedPlane(dtype,
                shape[static_cast<std::size_t>(minor)], shape[static_cast<std::size_t>(second)]));
            for (int d = 0; d < rank; ++d) {
                if (d != minor && d != second)
                    elements *= static_cast<double>(shape[static_cast<std::size_t>(d)]);
            }
            if (least < 0 || elements < least) {
                least = elements;
                bestMinor = minor;
                bestSecond = second;
            }
        }
    }
    std::vector<int> chosen{bestMinor, bestSecond};
    for (const int dimension : order) {
        if (dimension != bestMinor && dimension != bestSecond)
            chosen.push_back(dimension);
    }
    return chosen;
}

TensorLayout tpuTiled(const std::vector<std::int64_t>& shape, ir::DType dtype,
    [[maybe_unused]] int generation, const std::vector<int>& minorToMajor) {
    TensorLayout layout;
    if (shape.empty()) {
        layout = tiledScalar(dtype);
    } else if (shape.size() == 1) {
        layout = tiledVector(shape[0], dtype);
    } else {
        std::vector<int> order = minorToMajor;
        if (!isPermutation(order, shape.size())) {
            order.resize(shape.size());
            std::iota(order.rbegin(), order.rend(), 0);
        }
        layout = tiledMatrix(shape, dtype, order);
    }
    layout.shape = shape;
    layout.dtype = dtype;
    layout.elementBits = ir::bitWidth(dtype);
    return layout;
}

} // namespace fivefold::layout
