// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/chart_adapter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/type.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::common {

namespace {

/// Below this many decades the library's own axis loses its ticks.
constexpr double kOwnTicksBelow = 1.5;
constexpr double kTop = 10;
constexpr double kRight = 14;
constexpr int kLabelPitch = 44; // px between labels

QString plainLabel(double value) {
    return QString::number(value, 'g', 6);
}

QString prefixedLabel(double value) {
    static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    while (value >= 999.5 && step + 1 < std::size(kPrefixes)) {
        value /= 1000;
        ++step;
    }
    const QString number = plainLabel(value);
    return step == 0 ? number : number + QChar(0x2009) + QLatin1String(kPrefixes[step]);
}

bool isDrawable(const QPointF& point) {
    return point.x() > 0 && point.y() > 0 && std::isfinite(point.x()) && std::isfinite(point.y());
}

} // namespace

QVector<Tick> logTicks(const Interval& range, TickStyle style, int maximumLabels) {
    QVector<Tick> ticks;
    if (!(range.span() > 0) || !std::isfinite(range.span()) || range.span() > 60)
        return ticks;
    const bool isClose = range.span() < kOwnTicksBelow;
    const int first = static_cast<int>(std::floor(range.low));
    const int last = static_cast<int>(std::ceil(range.high));
    const int skip = std::max(
        1, (last - first) / std::max(1, maximumLabels) + ((last - first) > maximumLabels ? 1 : 0));
    for (int decade = first; decade <= last; ++decade) {
        for (int digit = 1; digit <= 9; ++digit) {
            const double at = decade + std::log10(digit);
            if (!range.contains(at))
                continue;
            const bool hasLabel =
                isClose ? digit == 1 || digit == 2 || digit == 5 : digit == 1 && decade % skip == 0;
            const double value = digit * std::pow(10.0, decade);
            QString label;
            if (hasLabel)
                label = style == TickStyle::Plain ? plainLabel(value) : prefixedLabel(value);
            ticks.push_back({at, label});
        }
    }
    return ticks;
}

struct LogLogChart::Impl {
    QGraphicsScene scene;
    QChart* chart = new QChart; ///< owned by the scene
    QLogValueAxis* xAxis = new QLogValueAxis; ///< owned by the chart
    QLogValueAxis* yAxis = new QLogValueAxis;
    QSizeF size{400, 300};
    Interval x{-1, 3};
    Interval y{9, 14};
    QString xTitle, yTitle;
    QVector<ChartLine> lines;

    Impl() {
        scene.addItem(chart);
        chart->legend()->hide();
        chart->setBackgroundVisible(false);
        chart->setMargins({});
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        chart->addAxis(xAxis, Qt::AlignBottom);
        chart->addAxis(yAxis, Qt::AlignLeft);
        for (auto* axis : {xAxis, yAxis}) {
            axis->setBase(10);
            axis->setLabelsVisible(false);
            axis->setMinorTickCount(0);
            axis->setMinorGridLineVisible(false);
        }
    }

    QFont labelFont() const { return smallFont(); }
    double leftMargin() const { return textWidth(labelFont(), QStringLiteral("888 M")) + 12; }
    double bottomMargin() const { return 2 * lineHeight(labelFont()) + 8; }
    QRectF plotRect; ///< between the axes; kept, because measuring text for every point is dear
    const QRectF& plot() const { return plotRect; }
    QRectF measuredPlot() const {
        return QRectF(QPointF(leftMargin(), kTop),
            QPointF(std::max(leftMargin() + 1, size.width() - kRight),
                std::max(kTop + 1, size.height() - bottomMargin())));
    }
    int labelsAcross() const { return std::max(2, static_cast<int>(plot().width()) / kLabelPitch); }
    int labelsDown() const { return std::max(2, static_cast<int>(plot().height()) / 20); }

    void place() {
        plotRect = measuredPlot();
        chart->resize(size);
        chart->setPlotArea(plot());
        scene.setSceneRect(QRectF(QPointF(0, 0), size));
        chart->layout()->activate();
    }
    void paintTicks(QPainter& painter, const LogLogChart& owner) const;
};

void LogLogChart::Impl::paintTicks(QPainter& painter, const LogLogChart& owner) const {
    const Palette& palette = Palette::current();
    const QRectF area = plot();
    const QFont font = labelFont();
    const int line = lineHeight(font);
    painter.setFont(font);
    const auto at = [&](double logX, double logY) {
        return owner.toPixel({std::pow(10.0, logX), std::pow(10.0, logY)});
    };
    for (const auto& tick : logTicks(x, TickStyle::Plain, labelsAcross())) {
        const double px = at(tick.at, y.low).x();
        painter.setPen(palette.role("border"));
        painter.drawLine(QPointF(px, area.bottom()),
            QPointF(px, area.bottom() - (tick.label.isEmpty() ? 3 : 5)));
        painter.setPen(palette.role("textSecondary"));
        if (!tick.label.isEmpty())
            painter.drawText(QRectF(px - 40, area.bottom() + 3, 80, line),
                Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
    for (const auto& tick : logTicks(y, TickStyle::Prefixed, labelsDown())) {
        if (tick.label.isEmpty())
            continue;
        const double py = at(x.low, tick.at).y();
        painter.setPen(palette.role("textSecondary"));
        painter.drawText(QRectF(0, py - line / 2.0, area.left() - 6, line),
            Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    const QRectF titles(2, area.bottom() + 3 + line, size.width() - 2 - kRight, line);
    painter.drawText(titles, Qt::AlignRight | Qt::AlignVCenter, xTitle);
    painter.drawText(titles, Qt::AlignLeft | Qt::AlignVCenter, yTitle);
}

LogLogChart::LogLogChart()
    : m_impl(std::make_unique<Impl>()) {
    m_impl->place();
    setRanges(m_impl->x, m_impl->y);
    updateTheme();
}

LogLogChart::~LogLogChart() = default;

void LogLogChart::setSize(const QSizeF& size) {
    if (size == m_impl->size || size.isEmpty())
        return;
    m_impl->size = size;
    m_impl->place();
}

QSizeF LogLogChart::size() const {
    return m_impl->size;
}

QRectF LogLogChart::plotArea() const {
    return m_impl->plot();
}

void LogLogChart::setRanges(const Interval& x, const Interval& y) {
    const auto isSound = [](const Interval& range) {
        return range.span() > 0 && std::isfinite(range.low) && std::isfinite(range.high)
            && std::abs(range.low) < 300 && std::abs(range.high) < 300;
    };
    if (!isSound(x) || !isSound(y))
        return;
    m_impl->x = x;
    m_impl->y = y;
    m_impl->xAxis->setRange(std::pow(10.0, x.low), std::pow(10.0, x.high));
    m_impl->yAxis->setRange(std::pow(10.0, y.low), std::pow(10.0, y.high));
}

Interval LogLogChart::xRange() const {
    return m_impl->x;
}

Interval LogLogChart::yRange() const {
    return m_impl->y;
}

void LogLogChart::setTitles(const QString& x, const QString& y) {
    m_impl->xTitle = x;
    m_impl->yTitle = y;
}

void LogLogChart::setLines(const QVector<ChartLine>& lines) {
    m_impl->chart->removeAllSeries();
    m_impl->lines = lines;
    for (const auto& line : lines) {
        auto* series = new QLineSeries; // owned by the chart
        for (const auto& point : line.points)
            if (isDrawable(point))
                series->append(point);
        series->setPen(dashedPen(line.color, line.width, line.dash));
        m_impl->chart->addSeries(series);
        series->attachAxis(m_impl->xAxis);
        series->attachAxis(m_impl->yAxis);
    }
    m_impl->chart->layout()->activate();
}

void LogLogChart::updateTheme() {
    m_impl->place(); // the font may be another one
    const Palette& palette = Palette::current();
    for (auto* axis : {m_impl->xAxis, m_impl->yAxis}) {
        axis->setGridLinePen(QPen(palette.role("grid"), 1));
        axis->setLinePen(QPen(palette.role("border"), 1));
    }
    m_impl->chart->setPlotAreaBackgroundVisible(false);
}

QPointF LogLogChart::toPixel(const QPointF& data) const {
    const QRectF area = m_impl->plot();
    const double x = (std::log10(std::max(data.x(), 1e-300)) - m_impl->x.low) / m_impl->x.span();
    const double y = (std::log10(std::max(data.y(), 1e-300)) - m_impl->y.low) / m_impl->y.span();
    return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

QPointF LogLogChart::toData(const QPointF& pixel) const {
    const QRectF area = m_impl->plot();
    const double x = m_impl->x.low + (pixel.x() - area.left()) / area.width() * m_impl->x.span();
    const double y = m_impl->y.low + (area.bottom() - pixel.y()) / area.height() * m_impl->y.span();
    return {std::pow(10.0, x), std::pow(10.0, y)};
}

QPointF LogLogChart::libraryPosition(const QPointF& data) const {
    const auto series = m_impl->chart->series();
    return series.isEmpty() ? QPointF() : m_impl->chart->mapToPosition(data, series.front());
}

void LogLogChart::paint(QPainter& painter) {
    painter.save();
    const QRectF area = m_impl->plot();
    painter.setPen(QPen(Palette::current().role("grid"), 1));
    if (m_impl->x.span() < kOwnTicksBelow)
        for (const auto& tick : logTicks(m_impl->x, TickStyle::Plain, m_impl->labelsAcross()))
            if (!tick.label.isEmpty()) {
                const double px = toPixel({std::pow(10.0, tick.at), 1}).x();
                painter.drawLine(QPointF(px, area.top()), QPointF(px, area.bottom()));
            }
    if (m_impl->y.span() < kOwnTicksBelow)
        for (const auto& tick : logTicks(m_impl->y, TickStyle::Prefixed, m_impl->labelsDown()))
            if (!tick.label.isEmpty()) {
                const double py = toPixel({1, std::pow(10.0, tick.at)}).y();
                painter.drawLine(QPointF(area.left(), py), QPointF(area.right(), py));
            }
    const QRectF whole(QPointF(0, 0), m_impl->size);
    m_impl->scene.render(&painter, whole, whole, Qt::IgnoreAspectRatio);
    m_impl->paintTicks(painter, *this);
    painter.restore();
}

} // namespace fivefold::views::common
