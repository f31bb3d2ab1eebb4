// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/five/five_presenter.h"

#include <QRectF>
#include <QSizeF>

namespace fivefold::views::five {

constexpr double kRowHeight = 98;
constexpr double kLeastRowHeight = 78; ///< lower canvases scroll
constexpr double kHeadHeight = 24;
constexpr double kAxisHeight = 24;

struct ColumnPlace {
    Column column = Column::Machine;
    QString title;
    QRectF head; ///< its cells have the same left and right
};

struct Tick {
    double x = 0;
    QString text; ///< may be empty: a mark without a label
};

/// Rectangles of the canvas for one size, axis and scroll position.
struct Geometry {
    QSizeF size;
    double rowHeight = kRowHeight;
    QVector<ColumnPlace> columns; ///< those that have room, in their order
    QRectF rows; ///< where rows are seen
    QVector<QRectF> rowRects; ///< all rows; those out of `rows` are scrolled away
    QRectF axis;
    common::Interval range; ///< of the time axis
    bool isLog = true;
    QVector<Tick> ticks;
    double contentHeight = 0; ///< of all rows

    /// x of a time; clamped to a little beyond the cell.
    double toX(double seconds) const;
    QRectF cell(int row, Column column) const; ///< null for a column without room
    QRectF because(int row) const; ///< the line under the cells
    int rowAt(const QPointF& point) const; ///< −1: none
    Column columnAt(const QPointF& point) const; ///< Because below the cells
    double maximumScroll() const { return std::max(0.0, contentHeight - rows.height()); }
};

Geometry arrange(const Picture& picture, const common::Interval& range, bool isLog,
    const QSizeF& size, double scroll);

/// Ticks of a range of seconds (log10 of them on a log axis): 1-2-5 below two decades, else powers
/// of ten.
QVector<double> tickTimes(const common::Interval& range, bool isLog);

} // namespace fivefold::views::five
