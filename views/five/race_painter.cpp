// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/race_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/five/five_geometry.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

namespace {

constexpr double kNames = 178;
constexpr double kPlaces = 148;
constexpr double kLeastTrack = 120;
constexpr double kStripe = 6;
constexpr double kWordsHeight = 22; ///< above the events: what runs now
constexpr double kMostResource = 22; ///< height of a resource's line
constexpr double kUnfired = 0.3; ///< opacity

QString tr(const char* text) {
    return QCoreApplication::translate("FivePanel", text);
}

/// The line of a resource in a course.
QRectF lineOf(const Lane& lane, const QRectF& course, std::size_t resource) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, lane.events.resources.size()));
    const double height = std::min(kMostResource, course.height() / count);
    return {course.left(), course.top() + static_cast<double>(resource) * height, course.width(),
        std::max(1.0, height - (height > 4 ? 2 : 0))};
}

QRectF rectOf(const Lane& lane, const QRectF& course, const analysis::RaceEvent& event) {
    const QRectF line = lineOf(lane, course, event.resource);
    const auto length = static_cast<double>(lane.events.length.value);
    const double left =
        line.left() + line.width() * static_cast<double>(event.start.value) / length;
    const double right = line.left() + line.width() * static_cast<double>(event.end.value) / length;
    return {left, line.top(), std::max(0.75, right - left), line.height()};
}

QString placeText(int place) {
    switch (place) {
    case 1:
        return tr("1st");
    case 2:
        return tr("2nd");
    case 3:
        return tr("3rd");
    default:
        return tr("%1th").arg(place);
    }
}

void words(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
    const QColor& color, Qt::Alignment alignment = Qt::AlignLeft) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, static_cast<int>(rect.width())));
}

void paintPlace(QPainter& painter, const RacePicture& picture, const Lane& lane, const QRectF& rect,
    RaceClock kind, double clock) {
    const Palette& colors = Palette::current();
    const base::Picoseconds at = laneTime(picture, lane, kind, clock);
    const bool isDone = at >= lane.events.length;
    const QRectF upper(rect.left(), rect.center().y() - 20, rect.width(), 20);
    const QRectF lower(rect.left(), rect.center().y() + 1, rect.width(), 18);
    if (isDone) {
        words(painter, upper, lane.place > 0 ? placeText(lane.place) : tr("no place"), figureFont(),
            colors.role("text"));
        words(painter, lower, lane.time, bodyFont(), colors.role("textSecondary"));
        return;
    }
    const double share = static_cast<double>(at.value)
        / static_cast<double>(std::max<std::int64_t>(1, lane.events.length.value));
    words(painter, upper, formatShare(share), boldFont(), colors.role("text"));
    const QRectF bar(rect.left(), lower.center().y() - 3, rect.width() - 16, 6);
    painter.fillRect(bar, colors.role("grid"));
    painter.fillRect(
        QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), colors.role("neutral"));
}

} // namespace

double RaceGeometry::toX(double clock) const {
    return tracks.isEmpty() ? 0 : tracks.front().left() + tracks.front().width() * clock;
}

double RaceGeometry::fromX(double x) const {
    if (tracks.isEmpty() || tracks.front().width() <= 0)
        return 0;
    return std::clamp((x - tracks.front().left()) / tracks.front().width(), 0.0, 1.0);
}

int RaceGeometry::laneAt(const QPointF& point) const {
    for (int lane = 0; lane < lanes.size(); ++lane)
        if (lanes[lane].contains(point))
            return lane;
    return -1;
}

RaceGeometry arrangeRace(const RacePicture& picture, const QSizeF& size) {
    RaceGeometry geometry;
    geometry.size = size;
    const auto count = static_cast<double>(std::max<qsizetype>(1, picture.lanes.size()));
    const double height = std::max(30.0, std::floor((size.height() - kAxisHeight) / count));
    const bool isNarrow = size.width() < kNames + kPlaces + kLeastTrack;
    const double names = isNarrow ? 90 : kNames, places = isNarrow ? 70 : kPlaces;
    for (int lane = 0; lane < picture.lanes.size(); ++lane) {
        const QRectF whole(0, lane * height, size.width(), height);
        geometry.lanes.push_back(whole);
        geometry.tracks.push_back(
            QRectF(names, whole.top() + kWordsHeight, std::max(20.0, size.width() - names - places),
                std::max(4.0, height - kWordsHeight - 6)));
    }
    geometry.axis =
        QRectF(0, height * static_cast<double>(picture.lanes.size()), size.width(), kAxisHeight);
    return geometry;
}

QRectF courseOf(
    const RacePicture& picture, const RaceGeometry& geometry, int index, RaceClock kind) {
    const Lane& lane = picture.lanes[index];
    QRectF course = geometry.tracks[index];
    if (kind == RaceClock::Real && picture.longest.value > 0)
        course.setWidth(course.width() * static_cast<double>(lane.events.length.value)
            / static_cast<double>(picture.longest.value));
    return course;
}

void paintLane(QPainter& painter, const Lane& lane, const QRectF& course, bool isFired) {
    if (!lane.runs())
        return;
    const Palette& colors = Palette::current();
    painter.save();
    if (!isFired)
        painter.setOpacity(kUnfired);
    // Events that fall on one pixel are painted once.
    std::vector<double> reached(lane.events.resources.size(), -1e9);
    const auto& events = lane.events.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const QRectF rect = rectOf(lane, course, events[i]);
        if (rect.right() <= reached[events[i].resource])
            continue;
        reached[events[i].resource] = rect.right();
        QColor fill = colors.operatorClass(lane.classes[i]);
        const auto kind = lane.result->program.events[events[i].event].kind;
        // Getting it to run is no work of its class.
        if (kind == lowering::EventKind::Launch || kind == lowering::EventKind::Wait)
            fill = colors.bound(lowering::Bound::Scheduling);
        painter.fillRect(rect, fill);
        if (rect.width() > 3)
            painter.fillRect(QRectF(rect.right() - 0.75, rect.top(), 0.75, rect.height()),
                colors.role("canvas"));
    }
    painter.restore();
}

void paintRunning(QPainter& painter, const Lane& lane, const QRectF& course, base::Picoseconds at) {
    if (at >= lane.events.length)
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Palette::current().role("text"), 1));
    for (const analysis::RaceEvent& event : lane.events.events) {
        if (event.start > at)
            break;
        if (event.end > at)
            if (const QRectF rect = rectOf(lane, course, event); rect.width() >= 3)
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void paintLaneWords(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    int index, RaceClock kind, double clock) {
    const Lane& lane = picture.lanes[index];
    const Palette& colors = Palette::current();
    const QRectF& rect = geometry.lanes[index];
    painter.fillRect(rect,
        lane.isCurrent  ? colors.selection("row")
            : index % 2 ? colors.role("alternate")
                        : colors.role("canvas"));
    painter.fillRect(QRectF(0, rect.top(), kStripe, rect.height()), colors.machine(lane.family));
    const QRectF& track = geometry.tracks[index];
    const double y = rect.top() + std::min(rect.height() / 2, 34.0);
    paintMachineGlyph(
        painter, QRectF(20, y - 16, 12, 12), lane.family, colors.machine(lane.family));
    words(painter, QRectF(40, y - 20, track.left() - 48, 20), lane.title, boldFont(),
        colors.role("text"));
    words(painter, QRectF(20, y, track.left() - 28, 18), lane.subtitle, smallFont(),
        colors.role("textSecondary"));
    const QRectF above(track.left(), rect.top() + 2, track.width(), kWordsHeight - 4);
    if (!lane.runs()) {
        words(painter, above, lane.stateText, bodyFont(), colors.role("textSecondary"));
        return;
    }
    const base::Picoseconds at = laneTime(picture, lane, kind, clock);
    const auto running = runningEvent(lane, at);
    if (running >= 0) {
        const ir::OpClass of = lane.classes[static_cast<std::size_t>(running)];
        paintClassGlyph(painter, QRectF(above.left(), above.center().y() - 5, 10, 10), of,
            colors.operatorClass(of));
        const auto id = lane.events.events[static_cast<std::size_t>(running)].event;
        const auto& event = lane.result->program.events[id];
        words(painter, above.adjusted(16, 0, 0, 0),
            tr("%1 · %2").arg(eventName(lane, running),
                QString::fromStdString(lane.result->program.resources[event.resource].name)),
            smallFont(), colors.role("text"));
    }
    paintPlace(painter, picture, lane,
        QRectF(track.right() + 16, rect.top(), geometry.size.width() - track.right() - 20,
            rect.height()),
        kind, clock);
}

void paintRaceAxis(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    RaceClock kind, double clock) {
    const Palette& colors = Palette::current();
    const QRectF& axis = geometry.axis;
    painter.setPen(colors.role("separator"));
    painter.drawLine(axis.topLeft(), axis.topRight());
    if (!picture.canRun())
        return;
    const bool isReal = kind == RaceClock::Real;
    const double whole = isReal ? base::toSeconds(picture.longest).value : 1;
    double end = -1e9;
    for (const double time : tickTimes({0, whole}, false)) {
        const double x = geometry.toX(time / whole);
        QString text = isReal ? formatTime(std::optional(base::Seconds(time))) : formatShare(time);
        text.replace(QStringLiteral(".0") + QChar(0x2009), QString(QChar(0x2009)));
        const double width = textWidth(smallFont(), text);
        if (x - width / 2 < end + 8)
            continue;
        end = x + width / 2;
        painter.setPen(colors.role("textSecondary"));
        painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.top() + 4));
        painter.setFont(smallFont());
        painter.drawText(QRectF(x - width / 2, axis.top() + 3, width, axis.height() - 3),
            Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, text);
    }
    const double x = geometry.toX(clock);
    painter.setPen(QPen(colors.selection("ring"), 2));
    painter.drawLine(QPointF(x, 0), QPointF(x, axis.top() + 6));
}

void paintRace(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    RaceClock kind, double clock) {
    for (int lane = 0; lane < picture.lanes.size(); ++lane) {
        paintLaneWords(painter, picture, geometry, lane, kind, clock);
        const Lane& of = picture.lanes[lane];
        if (!of.runs())
            continue;
        const QRectF course = courseOf(picture, geometry, lane, kind);
        paintLane(painter, of, course, false);
        painter.save();
        painter.setClipRect(QRectF(0, 0, geometry.toX(clock), geometry.size.height()));
        paintLane(painter, of, course, true);
        painter.restore();
        paintRunning(painter, of, course, laneTime(picture, of, kind, clock));
    }
    paintRaceAxis(painter, picture, geometry, kind, clock);
}

Legend raceLegend() {
    Legend legend;
    for (const ir::OpClass of : {ir::OpClass::Contraction, ir::OpClass::Normalisation,
             ir::OpClass::Pointwise, ir::OpClass::Movement})
        legend << classEntry(of);
    legend << LegendEntry{tr("getting it to run"), [](QPainter& painter, const QRectF& rect) {
                              painter.fillRect(
                                  rect, Palette::current().bound(lowering::Bound::Scheduling));
                          }};
    legend << LegendEntry{tr("not fired yet"), [](QPainter& painter, const QRectF& rect) {
                              painter.save();
                              painter.setOpacity(kUnfired);
                              painter.fillRect(
                                  rect, Palette::current().operatorClass(ir::OpClass::Contraction));
                              painter.restore();
                          }};
    return legend;
}

} // namespace fivefold::views::five
