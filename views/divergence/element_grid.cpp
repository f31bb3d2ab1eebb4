// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/element_grid.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::divergence {

using layout::Axis;
using layout::AxisRole;
using layout::TensorLayout;

namespace {

constexpr std::int64_t kLongestRow = 512; ///< a vector up to here is one row
constexpr std::int64_t kWrap = 64; ///< longer ones wrap at a multiple

std::int64_t product(const std::vector<std::int64_t>& shape) {
    std::int64_t total = 1;
    for (const std::int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(total, extent, &total))
            return 0;
    return total;
}

bool isInLine(const Axis& axis) {
    return axis.role == AxisRole::Lane || axis.role == AxisRole::Pack;
}

/// The logical index at device coordinates as a flat number, or kPadding.
std::int64_t flatAt(const TensorLayout& layout, const std::vector<std::int64_t>& coordinates,
    std::vector<std::int64_t>& index) {
    index.assign(layout.shape.size(), 0);
    for (std::size_t a = 0; a < layout.axes.size(); ++a) {
        const Axis& axis = layout.axes[a];
        if (axis.dimension == layout::kSynthetic) {
            if (coordinates[a] != 0)
                return kPadding;
            continue;
        }
        index[static_cast<std::size_t>(axis.dimension)] += coordinates[a] * axis.step;
    }
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
        if (index[d] < 0 || index[d] >= layout.shape[d])
            return kPadding;
        flat = flat * layout.shape[d] + index[d];
    }
    return flat;
}

/// Steps the coordinates to the next cell in device order.
void step(const TensorLayout& layout, std::vector<std::int64_t>& coordinates) {
    for (const bool isUnit : {false, true})
        for (std::size_t a = layout.axes.size(); a-- > 0;) {
            if ((layout.axes[a].role == AxisRole::Unit) != isUnit)
                continue;
            if (++coordinates[a] < layout.axes[a].extent)
                return;
            coordinates[a] = 0;
        }
}

} // namespace

ElementGrid ElementGrid::logical(std::vector<std::int64_t> shape) {
    ElementGrid grid;
    grid.m_total = product(shape);
    grid.m_shape = std::move(shape);
    if (grid.m_total <= 0)
        return grid;
    const std::int64_t last = grid.m_shape.empty() ? 1 : grid.m_shape.back();
    grid.m_columns = last;
    if (last == grid.m_total || last == 1) {
        grid.m_columns = grid.m_total;
        if (grid.m_total > kLongestRow) {
            const auto root = static_cast<std::int64_t>(
                std::ceil(2 * std::sqrt(static_cast<double>(grid.m_total))));
            grid.m_columns = (root + kWrap - 1) / kWrap * kWrap;
        }
    }
    grid.m_rows = (grid.m_total + grid.m_columns - 1) / grid.m_columns;
    return grid;
}

ElementGrid ElementGrid::device(std::shared_ptr<const TensorLayout> layout) {
    ElementGrid grid;
    if (!layout || product(layout->shape) <= 0)
        return grid;
    grid.m_shape = layout->shape;
    grid.m_total = product(layout->shape);
    std::int64_t all = 1, line = 1;
    for (const Axis& axis : layout->axes)
        if (axis.extent < 1 || __builtin_mul_overflow(all, axis.extent, &all))
            return ElementGrid();
    for (std::size_t a = layout->axes.size(); a-- > 0;) {
        if (layout->axes[a].role == AxisRole::Unit)
            continue;
        if (!isInLine(layout->axes[a]))
            break;
        line *= layout->axes[a].extent;
    }
    grid.m_columns = line;
    grid.m_rows = all / line;
    grid.m_layout = std::move(layout);
    return grid;
}

void ElementGrid::row(
    std::int64_t row, std::int64_t first, std::int64_t last, std::vector<std::int64_t>& out) const {
    out.clear();
    first = std::max<std::int64_t>(0, first);
    last = std::min(last, m_columns);
    if (row < 0 || row >= m_rows || first >= last)
        return;
    out.reserve(static_cast<std::size_t>(last - first));
    if (!m_layout) {
        for (std::int64_t c = first; c < last; ++c) {
            const std::int64_t flat = row * m_columns + c;
            out.push_back(flat < m_total ? flat : kNoCell);
        }
        return;
    }
    std::vector<std::int64_t> at = layout::coordinatesOf(*m_layout, row * m_columns + first);
    std::vector<std::int64_t> index;
    for (std::int64_t c = first; c < last; ++c) {
        out.push_back(flatAt(*m_layout, at, index));
        step(*m_layout, at);
    }
}

std::int64_t ElementGrid::at(std::int64_t row, std::int64_t column) const {
    std::vector<std::int64_t> cells;
    this->row(row, column, column + 1, cells);
    return cells.empty() ? kNoCell : cells.front();
}

std::optional<std::pair<std::int64_t, std::int64_t>> ElementGrid::placeOf(std::int64_t flat) const {
    if (isEmpty() || flat < 0 || flat >= m_total)
        return std::nullopt;
    if (!m_layout)
        return std::pair(flat / m_columns, flat % m_columns);
    const auto coordinates =
        layout::coordinates(*m_layout, layout::unflatten(m_layout->shape, flat));
    if (!coordinates)
        return std::nullopt;
    std::int64_t device = 0;
    for (const bool isUnit : {true, false})
        for (std::size_t a = 0; a < coordinates->size(); ++a)
            if ((m_layout->axes[a].role == AxisRole::Unit) == isUnit)
                device = device * m_layout->axes[a].extent + (*coordinates)[a];
    return std::pair(device / m_columns, device % m_columns);
}

std::vector<std::int64_t> ElementGrid::coordinates(std::int64_t row, std::int64_t column) const {
    return layout::coordinatesOf(*m_layout, row * m_columns + column);
}

layout::Location ElementGrid::location(std::int64_t row, std::int64_t column) const {
    return layout::locationOf(*m_layout, coordinates(row, column));
}

} // namespace fivefold::views::divergence
