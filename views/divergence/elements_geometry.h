// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/elements_presenter.h"

#include <QRectF>
#include <QSizeF>

namespace fivefold::views::divergence {

enum class Coordinates { Logical, Device, Both };

/// The part of a grid that is shown, in cells.
struct Window {
    std::int64_t row = 0, rows = 0, column = 0, columns = 0;
    bool operator==(const Window&) const = default;
};

/// What one mark of the picture stands for: a cell, or a block of cells where they are too small.
struct Bin {
    enum class State : std::uint8_t { None, Padding, Equal, Within, Wrong } state = State::None;
    bool isUnstable = false;
    float position = 0; ///< of the largest measure in it, 0..1
    std::int64_t wrong = 0; ///< elements
    std::int64_t element = kNoCell; ///< the first wrong one, else the first; kPadding for none
};

/// One grid at its place.
struct Pane {
    bool isDevice = false;
    Window window;
    QRectF area; ///< labels and brackets included
    QRectF cells;
    double pitch = 0, rowHeight = 0; ///< of rows of bins
    int binRows = 0, binColumns = 0;
    std::vector<Bin> bins; ///< row-major

    bool isEmpty() const { return bins.empty(); }
    bool isTall() const { return pitch >= 34; } ///< room for words at each row
    bool isBinned() const { return binRows < window.rows || binColumns < window.columns; }
    QRectF rect(int row, int column) const;
    const Bin& bin(int row, int column) const {
        return bins[static_cast<std::size_t>(row) * static_cast<std::size_t>(binColumns)
            + static_cast<std::size_t>(column)];
    }
    std::int64_t firstRow(int bin) const { return window.row + bin * window.rows / binRows; }
    std::int64_t firstColumn(int bin) const {
        return window.column + bin * window.columns / binColumns;
    }
    /// Bin under a point.
    std::optional<std::pair<int, int>> binAt(const QPointF& at) const;
    /// Bin of a cell; nullopt outside the window.
    std::optional<std::pair<int, int>> binOf(std::int64_t row, std::int64_t column) const;
};

/// Elements around the chosen one, in logical order.
struct Strip {
    QRectF area, cells;
    std::int64_t first = 0, count = 0;
    QRectF rect(std::int64_t flat) const;
};

struct ElementsGeometry {
    std::vector<Pane> panes;
    Strip strip; ///< count 0: none
    QRectF loopLine; ///< null: none
};
/// Places of everything; O(cells in view). `windows`: of the logical and the device grid; empty
/// ones show all.
ElementsGeometry elementsGeometry(const ElementsPicture& picture, Coordinates coordinates,
    const QSizeF& size, const Window& logical, const Window& device,
    std::optional<std::int64_t> element);
Window wholeOf(const ElementGrid& grid);
/// The window zoomed about a cell; factor > 1 shows less. Never under 8 columns and one row.
Window zoomed(
    const Window& window, const ElementGrid& grid, double row, double column, double factor);
Window panned(
    const Window& window, const ElementGrid& grid, std::int64_t rows, std::int64_t columns);

} // namespace fivefold::views::divergence
