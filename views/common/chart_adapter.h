// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/zoom_pan.h"

#include <QColor>
#include <QString>
#include <QVector>

#include <memory>

class QPainter;

namespace fivefold::views::common {

/// One tick of a logarithmic axis.
struct Tick {
    double at = 0; ///< log10 of the value
    QString label; ///< empty: a mark alone
    bool operator==(const Tick&) const = default;
};

/// How tick labels are written: "1000", or with a prefix "1 k".
enum class TickStyle { Plain, Prefixed };

/// Ticks of a logarithmic axis: a label a decade and marks at 2…9 from 1.5 decades on, labels at 1,
/// 2, 5 below. At most `maximumLabels` labels (decades are then skipped evenly).
QVector<Tick> logTicks(const Interval& range, TickStyle style, int maximumLabels);

/// A line through data points; both coordinates of every point are > 0.
struct ChartLine {
    QVector<QPointF> points;
    QColor color;
    double width = 1.5;
    QVector<qreal> dash; ///< in pixels; empty = solid
};

/// A chart with two logarithmic axes. Axes, grid and lines are drawn by the charting library; marks
/// on top are the caller's own. The only place that knows that library.
class LogLogChart {
public:
    /// No closer than half a decade: the largest gap of 1-2-5 labels is 0.4 decades.
    static constexpr double kMinimumSpan = 0.5;

    LogLogChart();
    ~LogLogChart();
    LogLogChart(const LogLogChart&) = delete;
    LogLogChart& operator=(const LogLogChart&) = delete;

    void setSize(const QSizeF& size);
    QSizeF size() const;
    /// Pixel rectangle between the axes.
    QRectF plotArea() const;
    /// In log10 of the data. Ranges that are empty or not finite are ignored.
    void setRanges(const Interval& x, const Interval& y);
    Interval xRange() const;
    Interval yRange() const;
    void setTitles(const QString& x, const QString& y);
    /// Points that a logarithm does not have (zero, negative, not finite) are left out.
    void setLines(const QVector<ChartLine>& lines);
    /// Takes the colours of the current palette; call after a change of theme.
    void updateTheme();

    QPointF toPixel(const QPointF& data) const;
    QPointF toData(const QPointF& pixel) const;
    /// Where the charting library itself puts a point, for tests.
    QPointF libraryPosition(const QPointF& data) const;

    void paint(QPainter& painter);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace fivefold::views::common
