// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::play {

using base::Picoseconds;
using common::Palette;

namespace {

constexpr double kToken = 8;
constexpr double kPale = 0.3;
constexpr std::size_t kMostQueues = 4;

QString tr(const char* text) {
    return QCoreApplication::translate("play", text);
}

QColor role(const char* name) {
    return Palette::current().role(name);
}

double barHeight(const Places& places) {
    return std::max(4.0, places.laneHeight - (places.laneHeight >= 14 ? 6 : 2));
}

QRectF barRect(
    const Places& places, std::size_t side, int lane, Picoseconds start, Picoseconds end) {
    const double height = barHeight(places);
    const double left = places.x(side, start);
    return {
        left, places.y(side, lane) - height / 2, std::max(1.0, places.x(side, end) - left), height};
}

void paintBarsOf(QPainter& painter, const Picture& picture, const Places& places, std::size_t side,
    bool isFired) {
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * (isFired ? 1 : kPale));
    double filledTo = -1;
    int lane = -1;
    for (const Bar& bar : picture.sides[side].bars) {
        if (bar.lane >= places.lanes)
            continue;
        if (bar.lane != lane)
            filledTo = -1;
        lane = bar.lane;
        const QRectF rect = barRect(places, side, bar.lane, bar.start, bar.end);
        if (!bar.isLate && rect.right() <= filledTo) // under a pixel that is painted already
            continue;
        filledTo = std::max(filledTo, std::floor(rect.right()));
        if (bar.fill.isValid())
            painter.fillRect(rect, bar.fill);
        else
            common::paintHatch(painter, rect, role("hatch"), true);
        if (rect.width() > 4) // neighbours stay apart
            painter.fillRect(
                QRectF(rect.right() - 1, rect.top(), 1, rect.height()), role("canvas"));
    }
    painter.setOpacity(opacity);
    if (!isFired)
        return;
    const QColor wrong = Palette::current().verdict("origin");
    for (const Bar& bar : picture.sides[side].bars) // over all fills
        if (bar.isWrong && bar.lane < places.lanes) {
            const QRectF rect = barRect(places, side, bar.lane, bar.start, bar.end);
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2), wrong);
            if (bar.isLate)
                painter.fillRect(
                    QRectF(rect.left() - 1, rect.top() - 2, 2, rect.height() + 4), wrong);
        }
}

void paintLanes(
    QPainter& painter, const Picture& picture, const Places& places, std::size_t index) {
    const SidePlace& side = places.sides[index];
    painter.setFont(common::smallFont());
    const QFontMetricsF metrics(painter.font());
    const bool hasWords = places.laneHeight >= metrics.height() - 3;
    for (int lane = 0; lane < places.lanes; ++lane) {
        const double bottom = side.chart.top() + (lane + 1) * places.laneHeight;
        painter.fillRect(QRectF(side.labels.left(), std::floor(bottom) - 1,
                             side.chart.right() - side.labels.left(), 1),
            role("grid"));
        if (!hasWords)
            continue;
        painter.setPen(role("textSecondary"));
        const QRectF label(side.labels.left(), bottom - places.laneHeight, side.labels.width() - 8,
            places.laneHeight);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
            metrics.elidedText(picture.lanes[lane], Qt::ElideMiddle, label.width()));
    }
}

/// Where the program was planned to end, and where it does.
void paintEnds(QPainter& painter, const Picture& picture, const Places& places, std::size_t index) {
    const QRectF& chart = places.sides[index].chart;
    const double planned = places.x(index, picture.planned);
    painter.setPen(common::dashedPen(role("textSecondary"), 1, {3, 3}));
    painter.drawLine(QPointF(planned, chart.top() - 3), QPointF(planned, chart.bottom()));
    const double end = places.x(index, picture.sides[index].length);
    painter.setPen(QPen(picture.sides[index].isWrong ? role("error") : role("text"), 2));
    painter.drawLine(QPointF(end, chart.top() - 3), QPointF(end, chart.bottom()));
}

void paintTitle(QPainter& painter, const Side& side, const QRectF& row, const QString& counts) {
    painter.setFont(common::boldFont());
    painter.setPen(role("text"));
    const double model = QFontMetricsF(painter.font()).horizontalAdvance(side.model);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, side.model);
    painter.setFont(common::smallFont());
    const QFontMetricsF metrics(painter.font());
    const double right = metrics.horizontalAdvance(counts);
    const double room = row.width() - model - 10;
    const double ending = metrics.horizontalAdvance(side.ending);
    const bool hasCounts = ending + right + 16 <= room;
    painter.setPen(side.isWrong ? role("error") : role("textSecondary"));
    painter.drawText(row.adjusted(model + 10, 0, 0, 0),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        metrics.elidedText(side.ending, Qt::ElideRight, room));
    if (!hasCounts)
        return;
    painter.setPen(role("textSecondary"));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, counts);
}

void paintLit(QPainter& painter, const Picture& picture, const Places& places, std::size_t side,
    const Moment& moment) {
    const auto& trace = picture.play->traces[side];
    const auto laneOf = [&](std::size_t firing) {
        const auto id = picture.result->program.events[trace.firings[firing].event].resource;
        return picture.result->program.resources.contains(id) ? picture.laneOf[id.index()] : -1;
    };
    painter.setBrush(Qt::NoBrush);
    for (const std::size_t index : moment.blocked) {
        const int lane = laneOf(index);
        if (lane < 0 || lane >= places.lanes)
            continue;
        painter.setPen(common::dashedPen(role("text"), 1, {4, 3}));
        const auto& firing = trace.firings[index];
        painter.drawRect(
            barRect(places, side, lane, firing.start, firing.end).adjusted(-1, -1, 1, 1));
    }
    for (const std::size_t index : moment.running) {
        const int lane = laneOf(index);
        if (lane < 0 || lane >= places.lanes)
            continue;
        const auto& firing = trace.firings[index];
        painter.setPen(QPen(role("text"), 2));
        painter.drawRect(
            barRect(places, side, lane, firing.start, firing.end).adjusted(-2, -1, 1, 1));
    }
}

/// Tokens go along the clock's line from the lane that makes them to the lane that takes them.
void paintDots(QPainter& painter, const Places& places, std::size_t side, const Moment& moment,
    Picoseconds at) {
    const double x = places.x(side, at);
    std::vector<QPointF> placed;
    for (const Dot& dot : moment.dots) {
        if (dot.from < 0 || dot.to < 0 || dot.from >= places.lanes || dot.to >= places.lanes)
            continue;
        const double y = places.y(side, dot.from)
            + (places.y(side, dot.to) - places.y(side, dot.from)) * dot.progress;
        QPointF centre(x, y);
        const auto isTaken = [&] {
            return std::any_of(placed.begin(), placed.end(), [&](const QPointF& other) {
                return std::abs(other.x() - centre.x()) < kToken
                    && std::abs(other.y() - centre.y()) < kToken / 2;
            });
        };
        // To the left, where what has run lies; near the labels to the right.
        const double room = x - places.sides[side].chart.left();
        const double step = room < 4 * kToken ? kToken + 1 : -(kToken + 1);
        while (isTaken())
            centre.rx() += step;
        if (centre.x() < places.sides[side].chart.left()
            || centre.x() > places.sides[side].chart.right())
            continue;
        placed.push_back(centre);
        painter.setPen(QPen(role("canvas"), 1));
        painter.setBrush(role("text"));
        painter.drawEllipse(centre, kToken / 2, kToken / 2);
    }
}

void paintClock(QPainter& painter, const Places& places, std::size_t side, Picoseconds at) {
    const QRectF& chart = places.sides[side].chart;
    const double x = std::round(places.x(side, at));
    painter.setPen(QPen(role("text"), 1));
    painter.drawLine(QPointF(x, chart.top() - 3), QPointF(x, chart.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(role("text"));
    painter.drawPolygon(
        QPolygonF{{x - 5, chart.top() - 6}, {x + 5, chart.top() - 6}, {x, chart.top() + 1}});
}

void paintQueue(QPainter& painter, const QueueLine& queue, const QRectF& row) {
    const QFontMetricsF metrics(painter.font());
    constexpr std::int64_t kMostCircles = 8;
    const double dots = queue.capacity <= kMostCircles
        ? static_cast<double>(queue.capacity) * (kToken + 3)
        : metrics.horizontalAdvance(tr("%1 of %2").arg(queue.tokens).arg(queue.capacity)) + 4;
    painter.setPen(role("textSecondary"));
    painter.drawText(row.adjusted(dots + 8, 0, 0, 0),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        metrics.elidedText(queue.name, Qt::ElideMiddle, row.width() - dots - 8));
    if (queue.capacity > kMostCircles) {
        painter.setPen(role("text"));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
            tr("%1 of %2").arg(queue.tokens).arg(queue.capacity));
        return;
    }
    for (std::int64_t i = 0; i < queue.capacity; ++i) {
        painter.setPen(QPen(role("textSecondary"), 1));
        painter.setBrush(i < queue.tokens ? QBrush(role("text")) : Qt::NoBrush);
        painter.drawEllipse(
            QPointF(row.left() + 5 + static_cast<double>(i) * (kToken + 3), row.center().y()),
            kToken / 2, kToken / 2);
    }
}

void paintLineGlyph(QPainter& painter, const Line& line, const QPointF& centre) {
    const QColor ink = line.isLate ? Palette::current().verdict("origin") : role("text");
    painter.setBrush(line.isBlocked ? Qt::NoBrush : QBrush(ink));
    painter.setPen(line.isBlocked ? common::dashedPen(ink, 1, {2, 2}) : QPen(ink, 1));
    painter.drawEllipse(centre, 4, 4);
}

void paintList(QPainter& painter, const Moment& moment, const QRectF& list) {
    painter.setFont(common::smallFont());
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height() + 1;
    QRectF row(list.left(), list.top(), list.width(), height);
    const auto next = [&] { row.translate(0, height); };
    const auto hasRoom = [&] { return row.bottom() <= list.bottom() + 1; };
    if (!moment.stuck.isEmpty() && hasRoom()) {
        painter.setPen(role("error"));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(moment.stuck, Qt::ElideRight, row.width()));
        next();
    }
    for (const QueueLine& queue : moment.queues) {
        if (!hasRoom() || &queue - moment.queues.data() >= static_cast<std::ptrdiff_t>(kMostQueues))
            break;
        paintQueue(painter, queue, row);
        next();
    }
    for (const Line& line : moment.lines) {
        if (!hasRoom())
            break;
        paintLineGlyph(painter, line, QPointF(row.left() + 5, row.center().y()));
        const double room = row.width() - 14;
        const QString name = metrics.elidedText(line.name, Qt::ElideMiddle, room * 0.5);
        painter.setPen(role("text"));
        painter.drawText(row.adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
        const double used = metrics.horizontalAdvance(name) + 8;
        painter.setPen(line.isLate ? role("error") : role("textSecondary"));
        painter.drawText(row.adjusted(14 + used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(line.words, Qt::ElideRight, room - used));
        next();
    }
}

} // namespace

std::size_t listLines(const SidePlace& side) {
    if (side.list.isNull())
        return 0;
    return static_cast<std::size_t>(
        side.list.height() / (QFontMetricsF(common::smallFont()).height() + 1));
}

void paintBars(QPainter& painter, const Picture& picture, const Places& places, bool isFired) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t side = 0; side < places.sides.size(); ++side) {
        if (!isFired)
            paintLanes(painter, picture, places, side);
        paintBarsOf(painter, picture, places, side, isFired);
    }
}

void paintMoment(QPainter& painter, const Picture& picture, const Places& places, Picoseconds at,
    const std::vector<lowering::StepId>& selected) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t side = 0; side < places.sides.size(); ++side) {
        const Moment moment = momentAt(picture, side, at, listLines(places.sides[side]));
        paintTitle(painter, picture.sides[side], places.sides[side].title, moment.counts);
        paintEnds(painter, picture, places, side);
        for (const Bar& bar : picture.sides[side].bars) {
            if (selected.empty())
                break;
            const auto& firing = picture.play->traces[side].firings[bar.firing];
            const auto step = picture.result->program.events[firing.event].step;
            if (bar.lane < places.lanes
                && std::binary_search(selected.begin(), selected.end(), step))
                common::paintSelectionRing(painter,
                    barRect(places, side, bar.lane, bar.start, bar.end), step == selected.front(),
                    1);
        }
        paintLit(painter, picture, places, side, moment);
        paintClock(painter, places, side, at);
        paintDots(painter, places, side, moment, at);
        if (!places.sides[side].list.isNull())
            paintList(painter, moment, places.sides[side].list);
    }
}

} // namespace fivefold::views::play
