// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fivefold::views::divergence {

constexpr std::int64_t kPadding = -1; ///< a lane without an element
constexpr std::int64_t kNoCell = -2; ///< past the end of a wrapped row

/// The elements of a tensor on a grid of rows and columns: in logical order (the last dimension
/// along a row; a long vector is wrapped), or in the machine's (a stick, tile row or vector a row).
class ElementGrid {
public:
    ElementGrid() = default;
    static ElementGrid logical(std::vector<std::int64_t> shape);
    static ElementGrid device(std::shared_ptr<const layout::TensorLayout> layout);

    bool isDevice() const { return m_layout != nullptr; }
    bool isEmpty() const { return m_rows <= 0 || m_columns <= 0; }
    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    const layout::TensorLayout* layout() const { return m_layout.get(); }

    /// Flat logical indices of the cells [first, last) of a row; kPadding and kNoCell where there
    /// is none. O(cells · axes).
    void row(std::int64_t row, std::int64_t first, std::int64_t last,
        std::vector<std::int64_t>& out) const;
    std::int64_t at(std::int64_t row, std::int64_t column) const;
    /// Row and column of an element.
    std::optional<std::pair<std::int64_t, std::int64_t>> placeOf(std::int64_t flat) const;
    /// Device coordinates and place in memory of a cell, device grids alone.
    std::vector<std::int64_t> coordinates(std::int64_t row, std::int64_t column) const;
    layout::Location location(std::int64_t row, std::int64_t column) const;

private:
    std::vector<std::int64_t> m_shape;
    std::int64_t m_total = 0;
    std::int64_t m_rows = 0, m_columns = 0;
    std::shared_ptr<const layout::TensorLayout> m_layout;
};

} // namespace fivefold::views::divergence
