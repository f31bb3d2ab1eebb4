// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/play/play_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/play/play_painter.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::play {

using base::Picoseconds;

namespace {

TextSizes textSizes() {
    return {static_cast<double>(common::lineHeight(common::smallFont())),
        static_cast<double>(common::lineHeight(common::boldFont()))};
}

QPixmap pixmapOf(
    const Picture& picture, const Places& places, const QSize& size, qreal ratio, bool isFired) {
    QPixmap pixmap(size * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintBars(painter, picture, places, isFired);
    return pixmap;
}

/// What has fired is painted in full up to the clock, what has not is pale.
void paintPixmaps(QPainter& painter, const QPixmap& pale, const QPixmap& fired,
    const Places& places, Picoseconds at) {
    painter.drawPixmap(0, 0, pale);
    for (std::size_t side = 0; side < places.sides.size(); ++side) {
        const QRectF& chart = places.sides[side].chart;
        const double right = places.x(side, at);
        const QRectF target(
            chart.left(), chart.top() - 4, right - chart.left(), chart.height() + 8);
        if (target.width() <= 0)
            continue;
        const qreal ratio = fired.devicePixelRatio();
        painter.drawPixmap(target, fired, QRectF(target.topLeft() * ratio, target.size() * ratio));
    }
}

} // namespace

PlayCanvas::PlayCanvas(common::ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void PlayCanvas::setPicture(Picture picture) {
    m_picture = std::move(picture);
    m_places = place(m_picture, size(), textSizes());
    m_pale = m_fired = {};
    update();
}

void PlayCanvas::updateClock() {
    update();
}

void PlayCanvas::updateSelection() {
    update();
}

/// At rest at the start the whole play is shown, as on paper.
Picoseconds PlayCanvas::firedUntil() const {
    return m_state.isPlaying() || m_state.playTime().value > 0 ? m_state.playTime()
                                                               : m_picture.span;
}

std::vector<lowering::StepId> PlayCanvas::selected() const {
    if (!m_picture.result || m_picture.result != m_state.result())
        return {};
    std::vector<lowering::StepId> steps = m_state.selectedSteps();
    // The block that is played is the selection: rings around all of it would say nothing.
    if (m_picture.play && steps.size() >= m_picture.play->steps.size())
        return {};
    std::sort(steps.begin(), steps.end());
    return steps;
}

void PlayCanvas::refreshPixmaps() {
    const int theme = static_cast<int>(common::Palette::theme());
    if (!m_pale.isNull() && m_pixmapTheme == theme && m_pale.size() == size() * devicePixelRatioF())
        return;
    m_pixmapTheme = theme;
    m_pale = pixmapOf(m_picture, m_places, size(), devicePixelRatioF(), false);
    m_fired = pixmapOf(m_picture, m_places, size(), devicePixelRatioF(), true);
}

void PlayCanvas::paintCanvas(QPainter& painter, const QRect&) {
    if (m_picture.isEmpty() || m_places.sides.empty())
        return;
    refreshPixmaps();
    paintPixmaps(painter, m_pale, m_fired, m_places, firedUntil());
    paintMoment(painter, m_picture, m_places, m_state.playTime(), selected());
}

void PlayCanvas::paintInto(QPainter& painter, const QSize& size) const {
    if (m_picture.isEmpty())
        return;
    const Places places = place(m_picture, size, textSizes());
    constexpr qreal kRatio = 2;
    paintPixmaps(painter, pixmapOf(m_picture, places, size, kRatio, false),
        pixmapOf(m_picture, places, size, kRatio, true), places, firedUntil());
    paintMoment(painter, m_picture, places, m_state.playTime(), selected());
}

const Bar* PlayCanvas::barAt(const QPoint& position, std::size_t& side) const {
    const int at = m_places.sideAt(position);
    const bool isOld = m_picture.result != m_state.result();
    if (at < 0 || isOld || m_places.laneHeight <= 0)
        return nullptr;
    side = static_cast<std::size_t>(at);
    const QRectF& chart = m_places.sides[side].chart;
    if (!chart.adjusted(-3, 0, 3, 0).contains(position))
        return nullptr;
    const int lane = static_cast<int>((position.y() - chart.top()) / m_places.laneHeight);
    const Bar* best = nullptr;
    double bestDistance = 3; // px that still touch a bar
    for (const Bar& bar : m_picture.sides[side].bars) {
        if (bar.lane != lane)
            continue;
        const double left = m_places.x(side, bar.start), right = m_places.x(side, bar.end);
        const double distance = std::max({0.0, left - position.x(), position.x() - right});
        if (distance < bestDistance) {
            best = &bar;
            bestDistance = distance;
        }
    }
    return best;
}

void PlayCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    std::size_t side = 0;
    if (const Bar* bar = barAt(position, side)) {
        const auto& firing = m_picture.play->traces[side].firings[bar->firing];
        m_state.selectStep(m_picture.result->program.events[firing.event].step);
        return;
    }
    if (const int at = m_places.sideAt(position); at >= 0)
        seek(position, static_cast<std::size_t>(at));
}

void PlayCanvas::dragStarted(const QPoint& position, Qt::KeyboardModifiers) {
    m_dragSide = m_places.sideAt(position);
}

void PlayCanvas::dragged(const QPoint&, const QPoint& position) {
    if (m_dragSide >= 0)
        seek(position, static_cast<std::size_t>(m_dragSide));
}

void PlayCanvas::seek(const QPoint& position, std::size_t side) {
    if (side < m_places.sides.size())
        emit clockWanted(m_places.timeAt(side, position.x()));
}

void PlayCanvas::hovered(const QPoint* position) {
    std::size_t side = 0;
    const Bar* bar = position && !m_picture.isEmpty() ? barAt(*position, side) : nullptr;
    if (!bar) {
        m_state.setHover({});
        return;
    }
    const auto& firing = m_picture.play->traces[side].firings[bar->firing];
    m_state.setHover(m_state.selectionOf(m_picture.result->program.events[firing.event].step));
}

common::CardContent PlayCanvas::cardAt(const QPoint& position, QRect& mark) const {
    std::size_t side = 0;
    const Bar* bar = m_picture.isEmpty() ? nullptr : barAt(position, side);
    if (!bar)
        return {};
    mark = QRect(position - QPoint(8, 8), QSize(16, 16));
    const auto& trace = m_picture.play->traces[side];
    const auto& firing = trace.firings[bar->firing];
    common::CardContent card;
    card.title = eventName(*m_picture.result, firing.event);
    card.lines << tr("%1, from %2 to %3")
                      .arg(common::formatTime(firing.end - firing.start),
                          common::formatTime(firing.start), common::formatTime(firing.end));
    card.lines << QString::fromStdString(
        schedule::ruleOf(m_picture.result->program, trace, bar->firing));
    if (firing.start > firing.since)
        card.lines << tr("waited %1: %2")
                          .arg(common::formatTime(firing.start - firing.since),
                              QString::fromStdString(
                                  schedule::waitOf(m_picture.result->program, trace, bar->firing,
                                      firing.ready < firing.start ? firing.ready : firing.since)));
    if (firing.isDelayed)
        card.lines << tr("made longer by jitter");
    if (firing.isLate)
        card.lines << tr("reads a stale value: %1 of %2 operands came late")
                          .arg(firing.lateOperands)
                          .arg(firing.operands);
    else if (firing.isWrong)
        card.lines << tr("computes on a stale value from before");
    return card;
}

void PlayCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    std::size_t side = 0;
    const Bar* bar = m_picture.isEmpty() ? nullptr : barAt(position, side);
    if (bar) {
        const auto event = m_picture.play->traces[side].firings[bar->firing].event;
        const auto kind = m_picture.result->program.events[event].kind;
        if (kind == lowering::EventKind::Read || kind == lowering::EventKind::Write)
            menu.addAction(
                tr("Only this transfer is late"), this, [this, event] { emit lateWanted(event); });
    }
    if (m_picture.play && !m_picture.play->request.models.empty()
        && m_picture.play->request.models.front().late.isValid())
        menu.addAction(
            tr("Any transfer may be late, by the seed"), this, [this] { emit lateWanted({}); });
}

void PlayCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Right:
        emit stepWanted(1);
        return;
    case Qt::Key_Left:
        emit stepWanted(-1);
        return;
    case Qt::Key_Home:
        emit clockWanted({});
        return;
    case Qt::Key_End:
        emit clockWanted(m_picture.span);
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void PlayCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_places = place(m_picture, size(), textSizes());
    m_pale = m_fired = {};
}

void PlayCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        m_places = place(m_picture, size(), textSizes());
        m_pale = m_fired = {};
    }
}

} // namespace fivefold::views::play
