// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_canvas.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace fivefold::views::timeline {

using namespace common;

namespace {
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15;
} // namespace

const Mark* TimelineCanvas::markUnder(const QPointF& point) const {
    const RowPlace* place = m_geometry.rowAt(point);
    if (!place)
        return nullptr;
    const Row& row = m_picture.rows[place->row];
    const auto mark = markAt(row, m_geometry, point.x());
    return mark ? &row.marks[*mark] : nullptr;
}

void TimelineCanvas::selectBuffer(lowering::BufferId buffer) {
    const ir::ValueId value = bufferValue(*m_picture.result, buffer);
    if (value.isValid())
        m_state.selectValue(value);
    else
        m_state.selectStep(m_picture.result->program.buffers[buffer].firstStep);
    m_buffer = m_picture.result->program.buffers[buffer].value;
    m_chosen = buffer;
    relayer();
}

std::optional<lowering::BufferId> TimelineCanvas::bufferUnder(const QPoint& point) const {
    if (m_picture.isEmpty())
        return std::nullopt;
    if (m_geometry.list.contains(point)) {
        for (const ListLine& line : listLines(m_picture, m_geometry, overlay().list()))
            if (line.type == LineType::Buffer && line.rect.contains(point))
                return line.buffer;
        return std::nullopt;
    }
    const BandPlace* band = m_geometry.bandAt(point);
    return band && !m_picture.bands[band->band].isCache()
        ? bufferAt(m_picture, m_geometry, *band, point)
        : std::nullopt;
}

void TimelineCanvas::clickedList(const QPoint& position) {
    for (const ListLine& line : listLines(m_picture, m_geometry, overlay().list())) {
        if (!line.rect.contains(position))
            continue;
        if (line.type == LineType::Buffer)
            selectBuffer(line.buffer);
        else if (line.type == LineType::Link)
            emit ruleRequested();
        return;
    }
}

void TimelineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    setFocus(Qt::MouseFocusReason);
    if (m_picture.isEmpty())
        return;
    if (m_geometry.list.contains(position)) {
        clickedList(position);
        return;
    }
    if (const QString track = m_geometry.bandLabelAt(position) || m_geometry.rowLabelAt(position)
            ? trackAt(m_picture, m_geometry, position)
            : QString();
        !track.isEmpty()) {
        m_focus = track;
        relayer();
        return;
    }
    if (m_geometry.overview.contains(position)) {
        const double at = (position.x() - m_geometry.overview.left()) / m_geometry.overview.width()
            * m_picture.length;
        setView(panInterval(m_view, at - (m_view.low + m_view.high) / 2, bounds()));
        return;
    }
    if (!QRectF(m_geometry.plot.left(), m_geometry.plot.top(), m_geometry.plot.width(),
            m_geometry.size.height())
             .contains(position))
        return;
    const Mark* mark = markUnder(position);
    const BandPlace* band = m_geometry.bandAt(position);
    m_state.setCursor(m_picture.fromAxis(m_geometry.fromX(position.x())));
    if (mark) {
        const Selection selection = m_state.selectionOf(mark->step);
        m_isWalking = true;
        m_current = mark->event;
        if (modifiers.testFlag(Qt::ControlModifier) && !selection.nodes.empty())
            m_state.toggleNode(selection.nodes.front());
        else
            m_state.selectStep(mark->step);
        m_isWalking = false;
    } else if (band) {
        if (const auto buffer = bufferUnder(position))
            selectBuffer(*buffer);
    } else if (m_geometry.rowAt(position)) {
        m_state.clearSelection();
    }
    if (m_range)
        setRange(std::nullopt);
    relayer();
}

void TimelineCanvas::doubleClicked(const QPoint& position) {
    if (markUnder(position))
        zoomToSelection();
}

void TimelineCanvas::dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    m_dragFrom = m_geometry.fromX(position.x());
    const bool isPan = modifiers.testFlag(Qt::ShiftModifier)
        || QGuiApplication::mouseButtons().testFlag(Qt::MiddleButton);
    m_drag = isPan ? Drag::Pan : Drag::Range;
    if (!m_geometry.overview.adjusted(-kHandleReach, 0, kHandleReach, 0).contains(position))
        return;
    const QRectF window = m_geometry.window(m_picture.length);
    const double low = std::abs(position.x() - window.left());
    const double high = std::abs(position.x() - window.right());
    m_drag = std::min(low, high) > kHandleReach ? Drag::Overview
        : high <= low                           ? Drag::OverviewHigh
                                                : Drag::OverviewLow;
}

void TimelineCanvas::dragged(const QPoint& delta, const QPoint& position) {
    if (m_picture.isEmpty() || m_geometry.plot.width() <= 0)
        return;
    switch (m_drag) {
    case Drag::Overview:
        setView(panInterval(
            m_view, delta.x() / m_geometry.overview.width() * m_picture.length, bounds()));
        return;
    case Drag::OverviewLow:
    case Drag::OverviewHigh: {
        const double at = std::clamp((position.x() - m_geometry.overview.left())
                / m_geometry.overview.width() * m_picture.length,
            0.0, m_picture.length);
        const double least = m_picture.length * kSmallestSpan;
        setView(m_drag == Drag::OverviewLow
                ? Interval{std::min(at, m_view.high - least), m_view.high}
                : Interval{m_view.low, std::max(at, m_view.low + least)});
        return;
    }
    case Drag::Pan:
        setView(
            panInterval(m_view, -delta.x() / m_geometry.plot.width() * m_view.span(), bounds()));
        return;
    case Drag::Range:
        break;
    }
    const double to = std::clamp(m_geometry.fromX(position.x()), 0.0, m_picture.length);
    const double from = std::clamp(m_dragFrom, 0.0, m_picture.length);
    setRange(Interval{std::min(from, to), std::max(from, to)});
}

void TimelineCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers) {
    if (!m_picture.isEmpty())
        setView(zoomInterval(m_view,
            std::clamp(m_geometry.fromX(position.x()), m_view.low, m_view.high), factor, bounds(),
            m_picture.length * kSmallestSpan));
}

void TimelineCanvas::hovered(const QPoint* position) {
    m_pointer = position ? std::optional(*position) : std::nullopt;
    const Mark* mark = position ? markUnder(*position) : nullptr;
    const auto buffer = position && !mark ? bufferUnder(*position) : std::nullopt;
    const QRectF window = m_geometry.window(m_picture.length);
    const bool isHandle = position && !window.isNull()
        && window.adjusted(-kHandleReach, 0, kHandleReach, 0).contains(*position)
        && std::min(
               std::abs(position->x() - window.left()), std::abs(position->x() - window.right()))
            <= kHandleReach;
    setCursor(isHandle       ? Qt::SizeHorCursor
            : mark || buffer ? Qt::PointingHandCursor
                             : Qt::ArrowCursor);
    Selection hover;
    if (mark)
        hover = m_state.selectionOf(mark->step);
    else if (buffer)
        hover.value = bufferValue(*m_picture.result, *buffer);
    m_state.setHover(hover);
    // A tensor that lowering made has no captured value to share.
    const auto own =
        buffer ? m_picture.result->program.buffers[*buffer].value : lowering::ValueId();
    if (own.isValid() && own != m_hoveredBuffer) {
        m_hoveredBuffer = own;
        relayer();
    } else if (!own.isValid() && m_hoveredBuffer.isValid() && !m_state.hover().value.isValid()) {
        m_hoveredBuffer = {};
        relayer();
    }
}

void TimelineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    m_pointer = position;
    if (const Mark* mark = markUnder(position)) {
        const QString name =
            QString::fromStdString(m_picture.result->program.steps[mark->step].name);
        m_state.selectStep(mark->step);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addAction(tr("Select its range"), this, &TimelineCanvas::selectSpan);
        menu.addSeparator();
    }
    if (const auto buffer = bufferUnder(position)) {
        menu.addAction(tr("Select %1").arg(bufferName(*m_picture.result, *buffer)), this,
            [this, id = *buffer] { selectBuffer(id); });
        if (const auto reason = placeReason(*m_picture.result, *buffer))
            menu.addAction(
                tr("%1: jump to the rule").arg(reason->heading), this, [this, id = *buffer] {
                    selectBuffer(id);
                    emit ruleRequested();
                });
        menu.addSeparator();
    }
    if (const QString track = trackAt(m_picture, m_geometry, position); !track.isEmpty()) {
        const QString name = track.section(u':', 1);
        menu.addAction(m_arrangement.pins.contains(track) ? tr("Unpin %1").arg(name)
                                                          : tr("Pin %1 on top").arg(name),
            this, [this, track] { togglePin(track); });
        menu.addSeparator();
    }
    menu.addActions(actions());
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        Canvas::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_W:
        zoomBy(kKeyZoom);
        return;
    case Qt::Key_S:
        zoomBy(1 / kKeyZoom);
        return;
    case Qt::Key_A:
    case Qt::Key_Left:
        panBy(-kKeyPan);
        return;
    case Qt::Key_D:
    case Qt::Key_Right:
        panBy(kKeyPan);
        return;
    case Qt::Key_Period:
        walk(1);
        return;
    case Qt::Key_Comma:
        walk(-1);
        return;
    case Qt::Key_R:
        selectSpan();
        return;
    case Qt::Key_M:
        toggleMark();
        return;
    case Qt::Key_P:
        pinTrack();
        return;
    case Qt::Key_Up:
        focusTrack(-1);
        return;
    case Qt::Key_Down:
        focusTrack(1);
        return;
    case Qt::Key_Escape:
        if (m_range) {
            setRange(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    Canvas::keyPressEvent(event);
}

} // namespace fivefold::views::timeline
