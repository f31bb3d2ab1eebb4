// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/five_geometry.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::five {

using namespace common;

namespace {

constexpr double kMargin = 16;
constexpr double kBecauseLine = 30; ///< of a row of full height
constexpr double kLeastTime = 180;
constexpr double kTimeInset = 16; ///< from the end of the axis to the next column

struct ColumnSpec {
    Column column;
    const char* title;
    double width; ///< at 1200 pixels
    double extra; ///< share of what is wider
};
constexpr ColumnSpec kColumns[] = {
    {Column::Machine, QT_TRANSLATE_NOOP("FivePanel", "Machine"), 178, 0.10},
    {Column::Program, QT_TRANSLATE_NOOP("FivePanel", "Program"), 168, 0.14},
    {Column::Padding, QT_TRANSLATE_NOOP("FivePanel", "Padding"), 120, 0.06},
    {Column::Bytes, QT_TRANSLATE_NOOP("FivePanel", "Bytes by level"), 184, 0.10},
    {Column::Time, QT_TRANSLATE_NOOP("FivePanel", "Time of one pass"), 312, 0.50},
    {Column::Bound, QT_TRANSLATE_NOOP("FivePanel", "Bound"), 118, 0.06},
    {Column::Missing, QT_TRANSLATE_NOOP("FivePanel", "Missing"), 90, 0.04},
};
/// Columns that a narrow canvas leaves to the cards, in this order.
constexpr Column kDroppable[] = {
    Column::Missing, Column::Padding, Column::Program, Column::Bytes, Column::Bound};

double widthOf(const ColumnSpec& spec, double extra) {
    if (extra >= 0)
        return spec.width + extra * spec.extra;
    // Narrower: the axis gives way first.
    return spec.column == Column::Time ? std::max(kLeastTime, spec.width + extra) : spec.width;
}

void placeColumns(Geometry& geometry) {
    std::vector<Column> dropped;
    const auto isDropped = [&](Column column) {
        return std::ranges::find(dropped, column) != dropped.end();
    };
    const double room = geometry.size.width() - kMargin;
    const auto wanted = [&] {
        double sum = 0;
        for (const ColumnSpec& spec : kColumns)
            if (!isDropped(spec.column))
                sum += spec.width;
        return sum;
    };
    for (const Column column : kDroppable) {
        if (wanted() - (312 - kLeastTime) <= room)
            break;
        dropped.push_back(column);
    }
    const double extra = room - wanted();
    double x = kMargin;
    for (const ColumnSpec& spec : kColumns) {
        if (isDropped(spec.column))
            continue;
        const double width = widthOf(spec, extra);
        geometry.columns.push_back(
            {spec.column, QCoreApplication::translate("FivePanel", spec.title),
                QRectF(x, 0, width, kHeadHeight)});
        x += width;
    }
}

} // namespace

QVector<double> tickTimes(const Interval& range, bool isLog) {
    QVector<double> times;
    constexpr double kAlmost = 1e-9;
    if (!isLog) {
        constexpr double kWanted = 5;
        const double rough = range.span() / kWanted;
        if (!(rough > 0))
            return times;
        const double power = std::pow(10, std::floor(std::log10(rough)));
        const double step = power
            * (rough / power < 1.5        ? 1
                    : rough / power < 3.5 ? 2
                    : rough / power < 7.5 ? 5
                                          : 10);
        for (int i = 0; i * step <= range.high * (1 + kAlmost); ++i)
            times.push_back(i * step);
        return times;
    }
    const bool isFine = range.span() < 2.2;
    for (int decade = static_cast<int>(std::floor(range.low)) - 1; decade <= range.high; ++decade)
        for (const double digit : {1.0, 2.0, 5.0}) {
            if (digit != 1 && !isFine)
                continue;
            const double time = digit * std::pow(10.0, decade);
            if (std::log10(time) >= range.low - kAlmost && std::log10(time) <= range.high + kAlmost)
                times.push_back(time);
        }
    return times;
}

double Geometry::toX(double seconds) const {
    for (const ColumnPlace& place : columns)
        if (place.column == Column::Time) {
            const double value = isLog ? std::log10(std::max(seconds, 1e-18)) : seconds;
            const double share = range.span() > 0 ? (value - range.low) / range.span() : 0;
            const double width = place.head.width() - kTimeInset - 8;
            return place.head.left() + 8 + std::clamp(share, -0.02, 1.02) * width;
        }
    return 0;
}

QRectF Geometry::cell(int row, Column column) const {
    if (row < 0 || row >= rowRects.size())
        return {};
    for (const ColumnPlace& place : columns)
        if (place.column == column)
            return {place.head.left(), rowRects[row].top(), place.head.width(),
                rowHeight * (1 - kBecauseLine / kRowHeight)};
    return {};
}

QRectF Geometry::because(int row) const {
    const QRectF& rect = rowRects[row];
    const double height = rowHeight * kBecauseLine / kRowHeight;
    return {kMargin + 4, rect.bottom() - height, rect.width() - kMargin - 4 - 12, height};
}

int Geometry::rowAt(const QPointF& point) const {
    if (!rows.contains(point))
        return -1;
    for (int row = 0; row < rowRects.size(); ++row)
        if (rowRects[row].contains(point))
            return row;
    return -1;
}

Column Geometry::columnAt(const QPointF& point) const {
    const int row = rowAt(point);
    if (row < 0 || because(row).top() <= point.y())
        return Column::Because;
    for (const ColumnPlace& place : columns)
        if (point.x() < place.head.right())
            return place.column;
    return Column::Missing;
}

Geometry arrange(
    const Picture& picture, const Interval& range, bool isLog, const QSizeF& size, double scroll) {
    Geometry geometry;
    geometry.size = size;
    geometry.range = range;
    geometry.isLog = isLog;
    placeColumns(geometry);
    const double room = std::max(0.0, size.height() - kHeadHeight - kAxisHeight);
    const auto count = static_cast<double>(std::max<qsizetype>(1, picture.rows.size()));
    geometry.rowHeight = std::clamp(std::floor(room / count), kLeastRowHeight, kRowHeight);
    geometry.contentHeight = geometry.rowHeight * static_cast<double>(picture.rows.size());
    geometry.rows = QRectF(0, kHeadHeight, size.width(), std::min(room, geometry.contentHeight));
    const double at = std::clamp(scroll, 0.0, geometry.maximumScroll());
    for (int row = 0; row < picture.rows.size(); ++row)
        geometry.rowRects.push_back(QRectF(
            0, kHeadHeight + row * geometry.rowHeight - at, size.width(), geometry.rowHeight));
    geometry.axis = QRectF(0, geometry.rows.bottom(), size.width(), kAxisHeight);
    double lastEnd = -1e9;
    const auto times = tickTimes(range, isLog);
    for (qsizetype i = 0; i < times.size(); ++i) {
        Tick tick{geometry.toX(times[i]), formatTime(std::optional(base::Seconds(times[i])))};
        // "10.0 µs" of a tick is "10 µs".
        tick.text.replace(QStringLiteral(".0") + QChar(0x2009), QString(QChar(0x2009)));
        const double half = textWidth(smallFont(), tick.text) / 2.0;
        if (tick.x - half < lastEnd + 8)
            tick.text.clear();
        else
            lastEnd = tick.x + half;
        geometry.ticks.push_back(tick);
    }
    return geometry;
}

} // namespace fivefold::views::five
