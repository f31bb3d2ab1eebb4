// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/implementation/implementation_geometry.h"

#include "views/common/type.h"

#include <algorithm>

namespace fivefold::views::implementation {

using namespace common;

namespace {

constexpr double kPadding = 8, kGap = 24;
constexpr double kRatioWidth = 60;
constexpr double kLeastTable = 300, kMostTable = 520;
constexpr double kLeastSweep = 240;
constexpr double kTimeWidth = 72;
constexpr double kChoiceShare = 0.42; ///< of the width, where figures stand beside the choices
constexpr double kLeastBar = 14, kMostBar = 20;

template <typename Rows, typename Text> double labelWidth(const Rows& rows, const Text& text) {
    int width = 0;
    for (const auto& row : rows)
        width = std::max(width, textWidth(boldFont(), text(row)));
    return width + kPadding;
}

/// A table of rows in an area; returns the height that it took.
class Table {
public:
    Table(const QRectF& area, double label, bool hasRatio)
        : m_area(area)
        , m_label(std::min(label, area.width() * 0.45))
        , m_ratio(hasRatio ? kRatioWidth : 0)
        , m_y(area.top()) { }

    std::array<QRectF, kSides> head() {
        const auto cells = row(0).cell;
        m_y += kRow;
        return cells;
    }

    bool hasRoom() const { return m_y + kRow <= m_area.bottom() + 0.5; }

    PlacedRow take(std::size_t index) {
        PlacedRow placed = row(index);
        m_y += kRow;
        return placed;
    }

private:
    PlacedRow row(std::size_t index) const {
        const double cell = (m_area.width() - m_label - m_ratio) / 2;
        PlacedRow placed;
        placed.row = index;
        placed.label = QRectF(m_area.left(), m_y, m_label, kRow);
        placed.cell[0] = QRectF(m_area.left() + m_label, m_y, cell, kRow);
        placed.cell[1] = placed.cell[0].translated(cell, 0);
        placed.ratio = QRectF(placed.cell[1].right(), m_y, m_ratio, kRow);
        return placed;
    }

    QRectF m_area;
    double m_label, m_ratio, m_y;
};

/// The bar that is in force on side B stays in view.
std::size_t firstBar(const Picture& picture, std::size_t room) {
    std::size_t wanted = 0;
    for (const ChoiceRow& row : picture.choices)
        if (row.isFocused)
            wanted = static_cast<std::size_t>(row.chosen[1]);
    if (picture.sweep.size() <= room || wanted < room)
        return 0;
    return std::min(wanted - room / 2, picture.sweep.size() - room);
}

void placeSweep(Geometry& g, const Picture& picture, const QRectF& area) {
    g.sweepTitle = QRectF(area.left(), area.top(), area.width(), kRow);
    const QRectF body = area.adjusted(0, kRow, 0, 0);
    const auto count = static_cast<double>(picture.sweep.size());
    const double height =
        std::clamp(count > 0 ? body.height() / count : kMostBar, kLeastBar, kMostBar);
    const auto room = static_cast<std::size_t>(std::max(0.0, body.height() / height));
    int label = 0;
    for (const SweepBar& bar : picture.sweep)
        label = std::max(label, textWidth(boldFont(), bar.value));
    const std::size_t first = firstBar(picture, room);
    for (std::size_t i = first; i < std::min(picture.sweep.size(), first + room); ++i) {
        PlacedBar placed;
        placed.bar = i;
        placed.row = QRectF(body.left(), body.top() + static_cast<double>(i - first) * height,
            body.width(), height);
        placed.label = QRectF(placed.row.left(), placed.row.top(), label + kPadding, height);
        placed.time = QRectF(placed.row.right() - kTimeWidth, placed.row.top(), kTimeWidth, height);
        placed.track = QRectF(QPointF(placed.label.right(), placed.row.top() + 2),
            QPointF(placed.time.left() - 4, placed.row.bottom() - 2));
        g.bars.push_back(placed);
    }
}

} // namespace

Geometry arrange(const Picture& picture, const QSizeF& size) {
    Geometry g;
    if (picture.isEmpty())
        return g;
    const double rows = static_cast<double>(picture.choices.size() + picture.figures.size() + 1);
    g.needed = QSizeF(kLeastTable, rows * kRow + kPadding);
    QRectF area(kPadding, 0, size.width() - 2 * kPadding, size.height());
    const bool isBeside =
        area.height() < rows * kRow + kPadding && area.width() >= 2 * kLeastTable + kGap;
    const double tables = isBeside ? 2 * kLeastTable + kGap : kLeastTable;
    if (area.width() >= tables + kGap + kLeastSweep) {
        const double most = isBeside ? 2 * kMostTable + kGap : kMostTable;
        const double left = std::min(most, std::max(tables, area.width() * 0.62));
        placeSweep(g, picture, area.adjusted(left + kGap, 0, 0, 0));
        area.setWidth(left);
    }
    const double ownChoice =
        labelWidth(picture.choices, [](const ChoiceRow& row) { return row.name; });
    const double ownFigure =
        labelWidth(picture.figures, [](const FigureRow& row) { return row.label; });
    const double half = (area.width() - kGap) * kChoiceShare;
    Table choices(isBeside ? QRectF(area.topLeft(), QSizeF(half, area.height())) : area,
        isBeside ? ownChoice : std::max(ownChoice, ownFigure), !isBeside);
    g.head = choices.head();
    for (std::size_t i = 0; i < picture.choices.size() && choices.hasRoom(); ++i)
        g.choices.push_back(choices.take(i));
    Table beside(area.adjusted(half + kGap, 0, 0, 0), ownFigure, true);
    if (isBeside)
        g.figureHead = beside.head();
    Table& figures = isBeside ? beside : choices;
    for (std::size_t i = 0; i < picture.figures.size() && figures.hasRoom(); ++i)
        g.figures.push_back(figures.take(i));
    return g;
}

Hit hitAt(const Geometry& geometry, const QPointF& at) {
    for (const PlacedRow& row : geometry.choices)
        for (const Side side : {Side::A, Side::B})
            if (row.cell[index(side)].contains(at))
                return {Hit::Kind::Choice, row.row, side};
    for (const PlacedRow& row : geometry.choices)
        if (row.label.contains(at))
            return {Hit::Kind::Choice, row.row, Side::B};
    for (const PlacedBar& bar : geometry.bars)
        if (bar.row.contains(at))
            return {Hit::Kind::Bar, bar.bar, Side::B};
    return {};
}

} // namespace fivefold::views::implementation
