// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/elements_geometry.h"

#include "views/common/zoom_pan.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::divergence {

namespace {

constexpr double kLeastCell = 3; ///< smaller cells are drawn as blocks
constexpr double kWidestCell = 40;
constexpr double kMargin = 8, kTicks = 18, kLoopLine = 22, kStripHeight = 34;
constexpr double kLabel = 132, kShortLabel = 76, kBracket = 76;
constexpr std::int64_t kLeastColumns = 8;

Window fitted(const Window& window, const ElementGrid& grid) {
    if (window.rows <= 0 || window.columns <= 0)
        return wholeOf(grid);
    Window fit = window;
    fit.rows = std::min(fit.rows, grid.rows());
    fit.columns = std::min(fit.columns, grid.columns());
    fit.row = std::clamp<std::int64_t>(fit.row, 0, grid.rows() - fit.rows);
    fit.column = std::clamp<std::int64_t>(fit.column, 0, grid.columns() - fit.columns);
    return fit;
}

void take(Bin& bin, const ElementsPicture& picture, std::int64_t flat) {
    using State = Bin::State;
    if (flat == kNoCell)
        return;
    if (flat == kPadding) {
        if (bin.state == State::None) {
            bin.state = State::Padding;
            bin.element = kPadding;
        }
        return;
    }
    const auto index = static_cast<std::size_t>(flat);
    const bool isWrong = picture.isWrong(flat);
    const bool isKnown = index < picture.measure.size();
    const float position =
        isKnown ? static_cast<float>(picture.position(picture.measure[index])) : 0;
    const State state = isWrong                 ? State::Wrong
        : isKnown && picture.measure[index] > 0 ? State::Within
                                                : State::Equal;
    if (bin.element < 0 || (isWrong && bin.wrong == 0))
        bin.element = flat;
    bin.wrong += isWrong;
    bin.isUnstable |= (picture.marks[index] & 2) != 0;
    if (state > bin.state) {
        bin.state = state;
        bin.position = position;
    } else if (state == bin.state) {
        bin.position = std::max(bin.position, position);
    }
}

void fillBins(Pane& pane, const ElementsPicture& picture, const ElementGrid& grid) {
    pane.bins.assign(
        static_cast<std::size_t>(pane.binRows) * static_cast<std::size_t>(pane.binColumns), {});
    std::vector<std::int64_t> cells;
    const Window& w = pane.window;
    int bin = 0;
    for (std::int64_t row = w.row; row < w.row + w.rows; ++row) {
        while (bin + 1 < pane.binRows && row >= pane.firstRow(bin + 1))
            ++bin;
        grid.row(row, w.column, w.column + w.columns, cells);
        Bin* const first =
            &pane.bins[static_cast<std::size_t>(bin) * static_cast<std::size_t>(pane.binColumns)];
        for (std::size_t c = 0; c < cells.size(); ++c)
            take(first[static_cast<std::int64_t>(c) * pane.binColumns / w.columns], picture,
                cells[c]);
    }
}

/// Rows as high as there is room: with words (52 apart), with a gap, or as blocks without one.
void placeRows(Pane& pane, double room) {
    const auto rows = static_cast<double>(pane.window.rows);
    const double pitch = room / rows;
    if (pitch >= 34) {
        pane.pitch = std::min(pitch, 52.0);
        pane.rowHeight = std::min(32.0, pane.pitch - 14);
        pane.binRows = static_cast<int>(pane.window.rows);
    } else if (pitch >= 12) {
        pane.pitch = pitch;
        pane.rowHeight = pitch - 3;
        pane.binRows = static_cast<int>(pane.window.rows);
    } else {
        pane.binRows =
            static_cast<int>(std::min(rows, std::max(1.0, std::floor(room / kLeastCell))));
        pane.pitch = pane.rowHeight = room / pane.binRows;
    }
}

Pane place(
    const ElementsPicture& picture, bool isDevice, const Window& window, const QRectF& area) {
    Pane pane;
    const ElementGrid& grid = isDevice ? picture.device : picture.logical;
    pane.isDevice = isDevice;
    pane.area = area;
    if (grid.isEmpty() || area.width() < 60 || area.height() < 30)
        return pane;
    pane.window = fitted(window, grid);
    placeRows(pane, area.height() - kTicks);
    const bool hasBrackets = isDevice && picture.lanes && !picture.lanes->loopRange.empty();
    const double label = area.width() < 360 ? 48 : pane.isTall() && isDevice ? kLabel : kShortLabel;
    const double width = area.width() - label - (hasBrackets ? kBracket : kMargin);
    const auto columns = static_cast<double>(pane.window.columns);
    const double cells = std::min(std::max(16.0, width), columns * kWidestCell);
    pane.binColumns =
        static_cast<int>(std::min(columns, std::max(1.0, std::floor(cells / kLeastCell))));
    pane.cells = QRectF(area.left() + label, area.top() + kTicks, cells,
        pane.pitch * (pane.binRows - 1) + pane.rowHeight);
    fillBins(pane, picture, grid);
    return pane;
}

Strip placeStrip(const ElementsPicture& picture, const QRectF& area, std::int64_t element) {
    Strip strip;
    const auto total = static_cast<std::int64_t>(picture.marks.size());
    strip.area = area;
    const double width = area.width() - kShortLabel - 96;
    strip.count = std::min<std::int64_t>(
        total, std::max<std::int64_t>(8, static_cast<std::int64_t>(width / 11)));
    strip.first = std::clamp<std::int64_t>(element - strip.count / 2, 0, total - strip.count);
    strip.cells = QRectF(area.left() + kShortLabel, area.top() + 4,
        std::min(width, static_cast<double>(strip.count) * 24), 18);
    return strip;
}

} // namespace

QRectF Pane::rect(int row, int column) const {
    const double left = cells.left() + cells.width() * column / binColumns;
    const double right = cells.left() + cells.width() * (column + 1) / binColumns;
    return {left, cells.top() + pitch * row, right - left, rowHeight};
}

std::optional<std::pair<int, int>> Pane::binAt(const QPointF& at) const {
    if (isEmpty() || !cells.contains(at))
        return std::nullopt;
    const int row = std::clamp(static_cast<int>((at.y() - cells.top()) / pitch), 0, binRows - 1);
    const int column = std::clamp(
        static_cast<int>((at.x() - cells.left()) / cells.width() * binColumns), 0, binColumns - 1);
    return std::pair(row, column);
}

std::optional<std::pair<int, int>> Pane::binOf(std::int64_t row, std::int64_t column) const {
    if (isEmpty() || row < window.row || row >= window.row + window.rows || column < window.column
        || column >= window.column + window.columns)
        return std::nullopt;
    // The inverse of firstRow: the last bin that starts at or before the cell.
    int r = static_cast<int>((row - window.row) * binRows / window.rows);
    while (r + 1 < binRows && firstRow(r + 1) <= row)
        ++r;
    int c = static_cast<int>((column - window.column) * binColumns / window.columns);
    return std::pair(std::min(r, binRows - 1), std::min(c, binColumns - 1));
}

QRectF Strip::rect(std::int64_t flat) const {
    const double cell = cells.width() / static_cast<double>(std::max<std::int64_t>(1, count));
    return {
        cells.left() + cell * static_cast<double>(flat - first), cells.top(), cell, cells.height()};
}

Window wholeOf(const ElementGrid& grid) {
    return {0, grid.rows(), 0, grid.columns()};
}

ElementsGeometry elementsGeometry(const ElementsPicture& picture, Coordinates coordinates,
    const QSizeF& size, const Window& logical, const Window& device,
    std::optional<std::int64_t> element) {
    ElementsGeometry geometry;
    if (picture.isEmpty())
        return geometry;
    const bool hasDevice = !picture.device.isEmpty() && coordinates != Coordinates::Logical;
    const bool hasLogical = !hasDevice || coordinates == Coordinates::Both;
    QRectF room(kMargin, 4, size.width() - 2 * kMargin, size.height() - 8);
    const bool isWhole = hasLogical && picture.logical.rows() == 1 && !hasDevice;
    if (element && !isWhole && room.height() > 110 && !(hasDevice && hasLogical)) {
        room.setHeight(room.height() - kStripHeight);
        geometry.strip = placeStrip(
            picture, QRectF(room.left(), room.bottom(), room.width(), kStripHeight), *element);
    }
    if (hasDevice && picture.lanes && !picture.lanes->loopRange.empty() && room.height() > 90) {
        room.setHeight(room.height() - kLoopLine);
        geometry.loopLine = QRectF(room.left(), room.bottom(), room.width(), kLoopLine);
    }
    QRectF first = room, second = room;
    if (hasDevice && hasLogical) {
        if (room.width() > 900) {
            first.setWidth(room.width() / 2 - kMargin);
            second.setLeft(room.left() + room.width() / 2 + kMargin);
        } else {
            first.setHeight(room.height() / 2 - kMargin / 2);
            second.setTop(room.top() + room.height() / 2 + kMargin / 2);
        }
    }
    if (hasDevice)
        geometry.panes.push_back(place(picture, true, device, first));
    if (hasLogical)
        geometry.panes.push_back(place(picture, false, logical, second));
    // What hangs below the rows follows them up.
    if (!geometry.panes.empty() && !geometry.panes.front().isEmpty()) {
        double y = geometry.panes.front().cells.bottom() + 6;
        for (const Pane& pane : geometry.panes)
            y = std::max(y, pane.cells.bottom() + 6);
        if (!geometry.loopLine.isNull()) {
            geometry.loopLine.moveTop(std::min(geometry.loopLine.top(), y));
            y = geometry.loopLine.bottom() + 2;
        }
        if (geometry.strip.count > 0 && geometry.strip.area.top() > y) {
            geometry.strip.cells.translate(0, y - geometry.strip.area.top());
            geometry.strip.area.moveTop(y);
        }
    }
    return geometry;
}

Window zoomed(
    const Window& window, const ElementGrid& grid, double row, double column, double factor) {
    const Window now = fitted(window, grid);
    const auto zoom = [factor](std::int64_t from, std::int64_t count, std::int64_t all,
                          double anchor, std::int64_t least) {
        const common::Interval bounds{0, static_cast<double>(all)};
        const common::Interval next =
            common::zoomInterval({static_cast<double>(from), static_cast<double>(from + count)},
                anchor, factor, bounds, static_cast<double>(std::min(least, all)));
        auto size = static_cast<std::int64_t>(std::lround(next.span()));
        if (size == count && factor > 1)
            --size;
        if (size == count && factor < 1)
            ++size;
        size = std::clamp<std::int64_t>(size, std::min(least, all), all);
        // The cell under the pointer stays in view, whatever was rounded.
        const auto cell = std::clamp<std::int64_t>(static_cast<std::int64_t>(anchor), 0, all - 1);
        const auto near = std::clamp<std::int64_t>(std::lround(next.low), cell - size + 1, cell);
        const auto start = std::clamp<std::int64_t>(near, 0, all - size);
        return std::pair(start, size);
    };
    const auto [r, rows] = zoom(now.row, now.rows, grid.rows(), row, 1);
    const auto [c, columns] = zoom(now.column, now.columns, grid.columns(), column, kLeastColumns);
    return {r, rows, c, columns};
}

Window panned(
    const Window& window, const ElementGrid& grid, std::int64_t rows, std::int64_t columns) {
    Window next = fitted(window, grid);
    next.row += rows;
    next.column += columns;
    return fitted(next, grid);
}

} // namespace fivefold::views::divergence
