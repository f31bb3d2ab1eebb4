// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;
using base::Picoseconds;

namespace {
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15;
constexpr double kSmallestSpan = 1e-7; ///< of the program: far below a pixel of the whole
} // namespace

TimelineCanvas::TimelineCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    updateResult(true);
}

void TimelineCanvas::updateResult(bool isOtherModel) {
    const double before = m_picture.length;
    m_picture = present(m_state.result(), m_order);
    m_current = {};
    if (isOtherModel || !m_isLocked || before <= 0)
        m_view = bounds();
    if (m_range && (isOtherModel || m_range->high > m_picture.length))
        m_range.reset();
    updateSelection();
    updateHover();
    rearrange();
    emit viewChanged();
}

void TimelineCanvas::setOrder(Order order) {
    if (order == m_order)
        return;
    const auto kept = range();
    m_order = order;
    m_picture = present(m_state.result(), m_order);
    m_view = bounds();
    m_range.reset();
    if (kept)
        m_range = Interval{m_picture.toAxis(kept->first), m_picture.toAxis(kept->second)};
    rearrange();
    emit viewChanged();
}

void TimelineCanvas::updateSelection() {
    m_selected.assign(m_state.result() ? m_state.result()->program.steps.size() : 0, 0);
    for (const auto step : m_state.selectedSteps())
        if (step.index() < m_selected.size())
            m_selected[step.index()] = 1;
    if (!m_isWalking)
        m_current = {};
    m_buffer = {};
    const ir::ValueId value = m_state.selection().value;
    if (value.isValid() && m_state.result()) {
        const auto& graph = m_state.result()->program.stage(lowering::Stage::Placed);
        for (std::size_t v = 0; v < graph.values.size() && !m_buffer.isValid(); ++v)
            if (graph.values[lowering::ValueId(v)].source == value)
                m_buffer = lowering::ValueId(v);
    }
    update();
}

void TimelineCanvas::updateHover() {
    m_hovered.assign(m_state.result() ? m_state.result()->program.steps.size() : 0, 0);
    for (const auto step : m_state.stepsOf(m_state.hover()))
        if (step.index() < m_hovered.size())
            m_hovered[step.index()] = 1;
    update();
}

void TimelineCanvas::setView(const Interval& view) {
    m_view = view;
    rearrange();
    emit viewChanged();
}

void TimelineCanvas::setOptions(const Options& options) {
    m_options = options;
    rearrange();
    emit viewChanged();
}

void TimelineCanvas::rearrange() {
    m_geometry = arrange(m_picture, m_view, size());
    m_base = {};
    update();
}

std::optional<std::pair<Picoseconds, Picoseconds>> TimelineCanvas::range() const {
    if (!m_range || m_picture.isEmpty())
        return std::nullopt;
    return std::pair(m_picture.fromAxis(m_range->low), m_picture.fromAxis(m_range->high));
}

void TimelineCanvas::setRange(std::optional<Interval> range) {
    m_range = range;
    update();
    emit rangeChanged();
}

void TimelineCanvas::zoomToFit() {
    setView(bounds());
}

void TimelineCanvas::zoomToSelection() {
    double from = m_picture.length;
    double to = 0;
    for (const Row& row : m_picture.rows)
        for (const Mark& mark : row.marks)
            if (mark.step.index() < m_selected.size() && m_selected[mark.step.index()]) {
                from = std::min(from, mark.start);
                to = std::max(to, mark.end);
            }
    if (to <= from)
        return;
    const double margin = (to - from) * 0.25;
    setView({std::max(0.0, from - margin), std::min(m_picture.length, to + margin)});
}

void TimelineCanvas::zoomBy(double factor) {
    if (m_picture.isEmpty())
        return;
    const double cursor = m_picture.toAxis(m_state.cursor());
    const double anchor = m_view.contains(cursor) ? cursor : (m_view.low + m_view.high) / 2;
    setView(zoomInterval(m_view, anchor, factor, bounds(), m_picture.length * kSmallestSpan));
}

void TimelineCanvas::panBy(double share) {
    if (!m_picture.isEmpty())
        setView(panInterval(m_view, share * m_view.span(), bounds()));
}

void TimelineCanvas::ensureVisible(double from, double to) {
    if (from >= m_view.low && to <= m_view.high)
        return;
    if (to - from > m_view.span())
        to = from;
    const double delta = from < m_view.low ? from - m_view.low - m_view.span() * 0.1
                                           : to - m_view.high + m_view.span() * 0.1;
    setView(panInterval(m_view, delta, bounds()));
}

void TimelineCanvas::goTo(const Mark& mark) {
    m_isWalking = true;
    m_current = mark.event;
    m_state.selectStep(mark.step);
    m_isWalking = false;
    m_state.setCursor(m_state.result()->program.events[mark.event].start);
    ensureVisible(mark.start, mark.end);
    update();
}

void TimelineCanvas::walk(int by) {
    if (m_picture.isEmpty())
        return;
    // Events in the order of their starts, rows as the second key.
    const Mark* best = nullptr;
    const Mark* now = nullptr;
    const auto isBefore = [](const Mark& a, const Mark& b) {
        return a.start < b.start || (a.start == b.start && a.event < b.event);
    };
    for (const Row& row : m_picture.rows)
        for (const Mark& mark : row.marks)
            if (mark.event == m_current
                || (!m_current.isValid() && mark.step.index() < m_selected.size()
                    && m_selected[mark.step.index()] && (!now || isBefore(mark, *now))))
                now = &mark;
    for (const Row& row : m_picture.rows)
        for (const Mark& mark : row.marks) {
            const bool isCandidate = !now || (by > 0 ? isBefore(*now, mark) : isBefore(mark, *now));
            if (isCandidate && (!best || (by > 0 ? isBefore(mark, *best) : isBefore(*best, mark))))
                best = &mark;
        }
    if (best)
        goTo(*best);
}

void TimelineCanvas::selectSpan() {
    const auto steps = m_state.selectedSteps();
    if (steps.empty() || m_picture.isEmpty())
        return;
    if (const auto span = spanOf(*m_picture.result, steps.front()))
        setRange(Interval{m_picture.toAxis(span->first), m_picture.toAxis(span->second)});
}

Overlay TimelineCanvas::overlay() const {
    return {m_state.cursor(), m_selected, m_hovered, m_current, m_range, m_buffer};
}

void TimelineCanvas::paintCanvas(QPainter& painter, const QRect&) {
    const qreal ratio = devicePixelRatioF();
    if (m_base.isNull() || m_base.devicePixelRatio() != ratio) {
        m_base = QPixmap(size() * ratio);
        m_base.setDevicePixelRatio(ratio);
        m_base.fill(Palette::current().role("canvas"));
        QPainter base(&m_base);
        base.setRenderHint(QPainter::Antialiasing);
        paintBase(base, m_picture, m_geometry, m_options);
    }
    painter.drawPixmap(0, 0, m_base);
    paintOverlay(painter, m_picture, m_geometry, m_options, overlay());
}

void TimelineCanvas::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const Geometry geometry = arrange(m_picture, m_view, size);
    paintBase(painter, m_picture, geometry, m_options);
    paintOverlay(painter, m_picture, geometry, m_options, overlay());
}

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
}

void TimelineCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    setFocus(Qt::MouseFocusReason);
    if (m_picture.isEmpty())
        return;
    if (m_geometry.list.contains(position)) {
        for (const ListLine& line : listLines(m_picture, m_geometry, m_state.cursor()))
            if (line.rect.contains(position) && line.buffer.isValid())
                selectBuffer(line.buffer);
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
        if (const auto buffer = bufferAt(m_picture, m_geometry, *band, position))
            selectBuffer(*buffer);
    } else if (m_geometry.rowAt(position)) {
        m_state.clearSelection();
    }
    if (m_range)
        setRange(std::nullopt);
    update();
}

void TimelineCanvas::doubleClicked(const QPoint& position) {
    if (markUnder(position))
        zoomToSelection();
}

void TimelineCanvas::dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    m_dragFrom = m_geometry.fromX(position.x());
    const bool isPan = modifiers.testFlag(Qt::ShiftModifier)
        || QGuiApplication::mouseButtons().testFlag(Qt::MiddleButton);
    m_drag = m_geometry.overview.contains(position) ? Drag::Overview
        : isPan                                     ? Drag::Pan
                                                    : Drag::Range;
}

void TimelineCanvas::dragged(const QPoint& delta, const QPoint& position) {
    if (m_picture.isEmpty() || m_geometry.plot.width() <= 0)
        return;
    switch (m_drag) {
    case Drag::Overview:
        setView(panInterval(
            m_view, delta.x() / m_geometry.overview.width() * m_picture.length, bounds()));
        return;
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
    const Mark* mark = position ? markUnder(*position) : nullptr;
    setCursor(mark ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_state.setHover(mark ? m_state.selectionOf(mark->step) : Selection{});
}

CardContent TimelineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (m_picture.isEmpty())
        return {};
    mark = QRect(position - QPoint(4, 8), QSize(8, 16));
    CardContent card;
    if (const Mark* under = markUnder(position)) {
        const auto& program = m_picture.result->program;
        const auto& event = program.events[under->event];
        const auto& step = program.steps[under->step];
        card.title = QString::fromStdString(step.name);
        QString line = tr("%1 from %2 on %3")
                           .arg(formatTime(event.end - event.start), formatTime(event.start),
                               QString::fromStdString(program.resources[event.resource].name));
        if (event.repeat > 1)
            line += tr(", %1 times").arg(formatCount(event.repeat));
        card.lines << line << tr("step: %1").arg(timeWithBand(step.estimate, *m_picture.result));
        card.lines << tr("decided by: %1").arg(decidedByName(event.decidedBy));
        if (const Lens lens = m_options.lens.lens(); lens != Lens::DecidedBy)
            card.lines << tr("%1: %2").arg(lensName(lens), m_options.lens.event(under->event).word);
        if (!step.estimate.because.empty())
            card.lines << asSentence(step.estimate.because);
        return card;
    }
    if (const BandPlace* band = m_geometry.bandAt(position)) {
        if (const auto id = bufferAt(m_picture, m_geometry, *band, position)) {
            const auto& buffer = m_picture.result->program.buffers[*id];
            card.title = bufferName(*m_picture.result, *id);
            card.lines << formatBytes(buffer.bytes) + tr(" at ") + formatAddress(buffer.address)
                       << bufferStory(*m_picture.result, *id);
            if (!buffer.reason.empty())
                card.lines << asSentence(buffer.reason);
        }
    }
    return card;
}

void TimelineCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (const Mark* mark = markUnder(position)) {
        const QString name =
            QString::fromStdString(m_picture.result->program.steps[mark->step].name);
        m_state.selectStep(mark->step);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addAction(tr("Select its range"), this, &TimelineCanvas::selectSpan);
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

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    rearrange();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rearrange();
}

} // namespace fivefold::views::timeline
