// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/family_layouts.h"

#include "core/layout/arithmetic.h"

#include <algorithm>

namespace fivefold::layout {

namespace {

constexpr std::int64_t kCacheLineBits = 128 * 8; ///< NVIDIA L2 line, CUDA C++ Programming Guide

TensorLayout empty(const std::vector<std::int64_t>& shape, ir::DType dtype, std::string notation) {
    TensorLayout layout;
    layout.shape = shape;
    layout.dtype = dtype;
    layout.elementBits = ir::bitWidth(dtype);
    layout.notation = std::move(notation);
    return layout;
}

int lastDimension(const std::vector<std::int64_t>& shape) {
    return static_cast<int>(shape.size()) - 1;
}

/// How one dimension is dealt out: `units` places that hold `each` elements.
struct Share {
    std::int64_t units = 1;
    std::int64_t each = 1;
};

Share share(std::int64_t extent, std::int64_t available) {
    const std::int64_t units =
        std::max<std::int64_t>(1, std::min(extent, std::max<std::int64_t>(1, available)));
    return {units, ceilDivide(extent, units)};
}

/// As share(), but a count of units that divides the extent where one of at least half as many
/// exists: a compiler that places every vector itself leaves no row of vectors unused.
Share evenShare(std::int64_t extent, std::int64_t units) {
    const Share plain = share(extent, units);
    for (std::int64_t even = plain.units; 2 * even >= plain.units && even > 0; --even)
        if (extent % even == 0)
            return {even, extent / even};
    return plain;
}

/// The rectangle of tiles that runs at once: rows·columns ≤ units, fewest waves, then most nearly
/// square in elements (the panel of both operands that a wave reads is smallest).
struct Wave {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
};

Wave bestWave(std::int64_t tilesDown, std::int64_t tilesAcross, std::int64_t tileRows,
    std::int64_t tileColumns, std::int64_t units) {
    Wave best;
    double fewest = -1;
    double smallest = 0;
    for (std::int64_t columns = 1; columns <= std::min(tilesAcross, units); ++columns) {
        const std::int64_t rows = std::max<std::int64_t>(1, std::min(tilesDown, units / columns));
        const double waves = static_cast<double>(ceilDivide(tilesDown, rows))
            * static_cast<double>(ceilDivide(tilesAcross, columns));
        const double panel = static_cast<double>(rows) * static_cast<double>(tileRows)
            + static_cast<double>(columns) * static_cast<double>(tileColumns);
        if (fewest < 0 || waves < fewest || (waves == fewest && panel < smallest)) {
            best = {rows, columns};
            fewest = waves;
            smallest = panel;
        }
    }
    return best;
}

} // namespace

TensorLayout gpuRowMajor(const std::vector<std::int64_t>& shape, ir::DType dtype) {
    TensorLayout layout = rowMajor(shape, dtype);
    const int bits = ir::bitWidth(dtype);
    if (shape.empty() || bits <= 0)
        return layout;
    const std::int64_t perLine = std::max<std::int64_t>(1, kCacheLineBits / bits);
    const std::int64_t last = shape.back();
    if (last <= perLine || last % perLine != 0)
        return layout; // a line that straddles rows belongs to both: the rows stay whole
    for (std::size_t d = 0; d + 1 < shape.size(); ++d)
        layout.axes[d].role = d + 2 == shape.size() ? AxisRole::Row : AxisRole::Block;
    layout.axes.back() = {last / perLine, lastDimension(shape), perLine, AxisRole::Block};
    layout.axes.push_back({perLine, lastDimension(shape), 1, AxisRole::Lane});
    return layout;
}

TensorLayout gpuTiled(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t tileRows, std::int64_t tileColumns, std::int64_t units) {
    tileRows = std::max<std::int64_t>(1, tileRows);
    tileColumns = std::max<std::int64_t>(1, tileColumns);
    units = std::max<std::int64_t>(1, units);
    if (shape.empty())
        return gpuRowMajor(shape, dtype);
    TensorLayout layout = empty(
        shape, dtype, "CTA tiles " + std::to_string(tileRows) + "×" + std::to_string(tileColumns));
    const int columnDimension = lastDimension(shape);
    const int rowDimension = columnDimension - 1; // kSynthetic for a vector
    if (rowDimension < 0)
        tileRows = 1;
    const std::int64_t rows = rowDimension < 0 ? 1 : shape[static_cast<std::size_t>(rowDimension)];
    const std::int64_t tilesDown = ceilDivide(rows, tileRows);
    const std::int64_t tilesAcross = ceilDivide(shape.back(), tileColumns);
    const Wave wave = bestWave(tilesDown, tilesAcross, tileRows, tileColumns, units);

    for (int d = 0; d < rowDimension; ++d)
        layout.axes.push_back({shape[static_cast<std::size_t>(d)], d, 1, AxisRole::Block});
    const auto step = [](int dimension, std::int64_t elements) {
        return dimension < 0 ? std::int64_t{0} : elements;
    };
    layout.axes.push_back({ceilDivide(tilesDown, wave.rows), rowDimension,
        step(rowDimension, wave.rows * tileRows), AxisRole::Block});
    layout.axes.push_back({ceilDivide(tilesAcross, wave.columns), columnDimension,
        wave.columns * tileColumns, AxisRole::Block});
    layout.axes.push_back({wave.rows, rowDimension, step(rowDimension, tileRows), AxisRole::Unit});
    layout.axes.push_back({wave.columns, columnDimension, tileColumns, AxisRole::Unit});
    layout.axes.push_back({tileRows, rowDimension, step(rowDimension, 1), AxisRole::Row});
    layout.axes.push_back({tileColumns, columnDimension, 1, AxisRole::Lane});
    return layout;
}

namespace {

/// How a tensor of rank ≥ 1 is dealt out over rows × columns of PEs: leading dimensions take rows
/// from the outermost on, the last one columns, and the columns that it leaves go to the leading
/// dimensions that no row was left for, from the innermost out. One share a dimension.
std::vector<Share> waferShares(
    const std::vector<std::int64_t>& shape, std::int64_t peRows, std::int64_t peColumns) {
    const std::size_t last = shape.size() - 1;
    std::vector<Share> shares(shape.size());
    std::int64_t rows = std::max<std::int64_t>(1, peRows);
    for (std::size_t d = 0; d < last; ++d) {
        shares[d] = share(shape[d], rows);
        rows = std::max<std::int64_t>(1, rows / shares[d].units);
    }
    shares[last] = share(shape[last], peColumns);
    std::int64_t columns =
        std::max<std::int64_t>(1, std::max<std::int64_t>(1, peColumns) / shares[last].units);
    for (std::size_t d = last; d-- > 0 && columns > 1 && shares[d].units == 1;) {
        shares[d] = share(shape[d], columns);
        columns = std::max<std::int64_t>(1, columns / shares[d].units);
    }
    return shares;
}

} // namespace

TensorLayout waferBlocked(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t peRows, std::int64_t peColumns) {
    TensorLayout layout = empty(shape, dtype, "");
    if (shape.empty()) {
        layout.axes = {{1, kSynthetic, 0, AxisRole::Unit}, {1, kSynthetic, 0, AxisRole::Lane}};
        layout.notation = "one PE";
        return layout;
    }
    const int last = lastDimension(shape);
    const std::vector<Share> shares = waferShares(shape, peRows, peColumns);
    std::int64_t rows = 1, columns = 1;
    std::int64_t rowsLeft = std::max<std::int64_t>(1, peRows);
    for (int d = 0; d <= last; ++d) {
        const Share& part = shares[static_cast<std::size_t>(d)];
        layout.axes.push_back(
            {part.units, d, std::max<std::int64_t>(1, part.each), AxisRole::Unit});
        if (d < last && part.units <= rowsLeft) {
            rows *= part.units;
            rowsLeft = std::max<std::int64_t>(1, rowsLeft / part.units);
        } else {
            columns *= part.units;
        }
    }
    for (int d = 0; d < last; ++d)
        layout.axes.push_back({shares[static_cast<std::size_t>(d)].each, d, 1,
            d + 1 == last ? AxisRole::Row : AxisRole::Block});
    layout.axes.push_back({shares.back().each, last, 1, AxisRole::Lane});
    layout.notation = std::to_string(rows) + "×" + std::to_string(columns) + " PEs";
    return layout;
}

std::int64_t waferBytesPerPe(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t peRows, std::int64_t peColumns) {
    std::int64_t elements = 1;
    if (!shape.empty())
        for (const Share& part : waferShares(shape, peRows, peColumns))
            elements = saturatingMultiply(elements, part.each);
    return packedBytes(elements, ir::bitWidth(dtype));
}

TensorLayout groqVectors(const std::vector<std::int64_t>& shape, ir::DType dtype,
    std::int64_t lanes, std::int64_t slices) {
    lanes = std::max<std::int64_t>(1, lanes);
    slices = std::max<std::int64_t>(1, slices);
    const int planes = std::max(1, (ir::bitWidth(dtype) + 7) / 8);
    TensorLayout layout = empty(shape, dtype,
        std::to_string(lanes) + "-lane vectors, " + std::to_string(planes)
            + (planes == 1 ? " byte plane" : " byte planes"));
    if (shape.empty()) {
        layout.axes = {{1, kSynthetic, 0, AxisRole::Unit}, {lanes, kSynthetic, 0, AxisRole::Lane}};
        return layout;
    }
    const int last = lastDimension(shape);
    const std::int64_t rows = last > 0 ? shape[static_cast<std::size_t>(last - 1)] : 1;
    const std::int64_t vectors = ceilDivide(shape.back(), lanes);
    // Neighbouring vectors go to neighbouring slices, so that a stream can take one from each at
    // once.
    const Share rowShare = evenShare(rows, slices);
    const Share vectorShare = share(vectors, slices / rowShare.units);

    for (int d = 0; d + 1 < last; ++d)
        layout.axes.push_back({shape[static_cast<std::size_t>(d)], d, 1, AxisRole::Block});
    layout.axes.push_back({vectorShare.each, last, vectorShare.units * lanes, AxisRole::Block});
    layout.axes.push_back({vectorShare.units, last, lanes, AxisRole::Unit});
    if (last > 0) {
        layout.axes.push_back({rowShare.units, last - 1, 1, AxisRole::Unit});
        layout.axes.push_back({rowShare.each, last - 1, rowShare.units, AxisRole::Row});
    }
    layout.axes.push_back({lanes, last, 1, AxisRole::Lane});
    return layout;
}

} // namespace fivefold::layout
