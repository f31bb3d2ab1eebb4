// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/race_canvas.h"

#include "views/common/format.h"
#include "views/common/motion.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

namespace {

constexpr int kFrameMs = 16;
constexpr int kReducedMs = 500; ///< from step to step where motion is reduced
constexpr double kReducedStep = 0.02; ///< of the course, at least

/// Keys that the race takes for itself while it has the focus.
bool isOwnKey(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_F9:
    case Qt::Key_Space:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
        return !event.modifiers().testFlag(Qt::ControlModifier)
            && !event.modifiers().testFlag(Qt::AltModifier);
    default:
        return false;
    }
}

} // namespace

RaceCanvas::RaceCanvas(QWidget* parent)
    : Canvas(parent) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RaceCanvas::tick);
}

void RaceCanvas::setPicture(RacePicture picture) {
    m_picture = std::move(picture);
    m_geometry = arrangeRace(m_picture, size());
    forgetLayers();
    if (!m_picture.canRun())
        setPlaying(false);
    update();
}

void RaceCanvas::setKind(RaceClock kind) {
    if (kind == m_kind)
        return;
    m_kind = kind;
    forgetLayers();
    update();
    emit clockChanged();
}

void RaceCanvas::setClock(double clock) {
    clock = std::clamp(clock, 0.0, 1.0);
    if (clock == m_clock)
        return;
    m_clock = clock;
    update();
    emit clockChanged();
}

void RaceCanvas::setPlaying(bool isPlaying) {
    if (isPlaying == m_timer.isActive() || (isPlaying && !m_picture.canRun()))
        return;
    if (isPlaying) {
        if (m_clock >= 1)
            setClock(0);
        m_sinceTick.start();
        m_timer.start(isMotionReduced() ? kReducedMs : kFrameMs);
    } else {
        m_timer.stop();
    }
    emit playingChanged(isPlaying);
}

void RaceCanvas::tick() {
    const double elapsed = static_cast<double>(m_sinceTick.restart()) / 1000;
    if (isMotionReduced()) {
        double next = m_clock;
        while (next < 1 && next < m_clock + kReducedStep)
            next = nextMoment(m_picture, m_kind, std::max(next, m_clock + kReducedStep), +1);
        setClock(next);
    } else {
        setClock(m_clock + elapsed * m_speed / kCourseSeconds);
    }
    if (m_clock >= 1)
        setPlaying(false);
}

void RaceCanvas::step(int direction) {
    setPlaying(false);
    setClock(nextMoment(m_picture, m_kind, m_clock, direction));
}

void RaceCanvas::forgetLayers() {
    m_layers.clear();
    m_layers.resize(m_picture.lanes.size());
}

const RaceCanvas::Layers& RaceCanvas::layers(int index) {
    Layers& layers = m_layers[index];
    const QSizeF size = m_geometry.tracks[index].size();
    if (!layers.fired.isNull() || size.isEmpty())
        return layers;
    const QRectF course = courseOf(m_picture, m_geometry, index, m_kind)
                              .translated(-m_geometry.tracks[index].topLeft());
    for (const bool isFired : {false, true}) {
        QPixmap pixmap((size * devicePixelRatioF()).toSize().expandedTo({1, 1}));
        pixmap.setDevicePixelRatio(devicePixelRatioF());
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paintLane(painter, m_picture.lanes[index], course, isFired);
        painter.end();
        (isFired ? layers.fired : layers.unfired) = pixmap;
    }
    return layers;
}

void RaceCanvas::paintCanvas(QPainter& painter, const QRect&) {
    for (int lane = 0; lane < m_picture.lanes.size(); ++lane) {
        paintLaneWords(painter, m_picture, m_geometry, lane, m_kind, m_clock);
        const Lane& of = m_picture.lanes[lane];
        if (!of.runs())
            continue;
        const QPointF at = m_geometry.tracks[lane].topLeft();
        const Layers& both = layers(lane);
        painter.drawPixmap(at, both.unfired);
        painter.save();
        painter.setClipRect(QRectF(0, 0, m_geometry.toX(m_clock), height()));
        painter.drawPixmap(at, both.fired);
        painter.restore();
        paintRunning(painter, of, courseOf(m_picture, m_geometry, lane, m_kind),
            laneTime(m_picture, of, m_kind, m_clock));
    }
    paintRaceAxis(painter, m_picture, m_geometry, m_kind, m_clock);
}

void RaceCanvas::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paintRace(painter, m_picture, arrangeRace(m_picture, size), m_kind, m_clock);
}

void RaceCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    if (m_geometry.tracks.isEmpty())
        return;
    const QRectF& track = m_geometry.tracks.front();
    if (position.x() >= track.left() && position.x() <= track.right()) {
        setPlaying(false);
        setClock(m_geometry.fromX(position.x()));
        return;
    }
    const int lane = m_geometry.laneAt(position);
    if (lane >= 0 && position.x() < track.left() && !m_picture.lanes[lane].isCurrent)
        emit machineRequested(QString::fromStdString(m_picture.lanes[lane].family));
}

void RaceCanvas::dragged(const QPoint&, const QPoint& position) {
    setPlaying(false);
    setClock(m_geometry.fromX(position.x()));
}

void RaceCanvas::hovered(const QPoint* position) {
    const bool isOnTrack = position && !m_geometry.tracks.isEmpty()
        && position->x() >= m_geometry.tracks.front().left()
        && position->x() <= m_geometry.tracks.front().right();
    setCursor(isOnTrack ? Qt::SplitHCursor : Qt::ArrowCursor);
}

CardContent RaceCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const int index = m_geometry.laneAt(position);
    if (index < 0)
        return {};
    const Lane& lane = m_picture.lanes[index];
    if (!lane.runs())
        return {lane.title + u' ' + lane.subtitle, {lane.stateText}};
    const QRectF course = courseOf(m_picture, m_geometry, index, m_kind);
    if (!course.contains(position))
        return {lane.title + u' ' + lane.subtitle,
            {lane.time,
                tr("%1 events on %2 resources")
                    .arg(formatCount(static_cast<std::int64_t>(lane.events.events.size())),
                        formatCount(static_cast<std::int64_t>(lane.events.resources.size())))}};
    const double share = (position.x() - course.left()) / course.width();
    const base::Picoseconds at(
        static_cast<std::int64_t>(share * static_cast<double>(lane.events.length.value)));
    const auto running = runningEvent(lane, at);
    if (running < 0)
        return {formatTime(at), {tr("Nothing runs.")}};
    const analysis::RaceEvent& event = lane.events.events[static_cast<std::size_t>(running)];
    const auto& whole = lane.result->program.events[event.event];
    mark = QRect(position - QPoint(4, 4), QSize(8, 8));
    const auto kind = lowering::toString(whole.kind);
    return {eventName(lane, running),
        {tr("%1 on %2")
                .arg(QString::fromUtf8(kind.data(), static_cast<int>(kind.size())),
                    QString::fromStdString(lane.result->program.resources[whole.resource].name)),
            tr("%1 to %2: %3")
                .arg(formatTime(event.start), formatTime(event.end),
                    formatTime(event.end - event.start))}};
}

bool RaceCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return Canvas::event(event);
}

void RaceCanvas::keyPressEvent(QKeyEvent* event) {
    if (!isOwnKey(*event)) {
        Canvas::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_F9:
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            step(+1);
        else
            togglePlaying();
        return;
    case Qt::Key_Space:
        togglePlaying();
        return;
    case Qt::Key_Left:
        step(-1);
        return;
    case Qt::Key_Right:
        step(+1);
        return;
    case Qt::Key_Home:
        setPlaying(false);
        setClock(0);
        return;
    default:
        setPlaying(false);
        setClock(1);
    }
}

void RaceCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_geometry = arrangeRace(m_picture, size());
    forgetLayers();
}

void RaceCanvas::hideEvent(QHideEvent* event) {
    setPlaying(false);
    Canvas::hideEvent(event);
}

void RaceCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        forgetLayers();
        update();
    }
}

} // namespace fivefold::views::five
