// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;
using base::Picoseconds;

namespace {
constexpr std::size_t kMostMarks = 9;
} // namespace

TimelineCanvas::TimelineCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) {
    updateResult(true);
}

void TimelineCanvas::updateResult(bool isOtherModel) {
    const double before = m_picture.length;
    m_picture = present(m_state.result(), m_order);
    m_borders.reset();
    m_current = {};
    if (isOtherModel || !m_isLocked || before <= 0) {
        m_view = bounds();
        m_arrangement.lockedLength = 0;
        m_arrangement.lockedTops.clear();
    }
    if (m_range && (isOtherModel || m_range->high > m_picture.length))
        m_range.reset();
    if (isOtherModel)
        m_marks.clear();
    updateTotals();
    updateSelection();
    updateHover();
    rearrange();
    emit viewChanged();
    emit tracksChanged();
}

void TimelineCanvas::setOrder(Order order) {
    if (order == m_order)
        return;
    const auto kept = range();
    m_order = order;
    m_arrangement.lockedLength = 0; // the axis counts something else
    m_picture = present(m_state.result(), m_order);
    m_view = bounds();
    m_range.reset();
    if (kept)
        m_range = Interval{m_picture.toAxis(kept->first), m_picture.toAxis(kept->second)};
    updateTotals();
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
    m_buffer = placedValue(m_state.selection().value);
    m_chosen = {};
    if (m_buffer.isValid()) {
        // The farthest of its places: why it is not nearer is what one asks.
        const auto& buffers = m_state.result()->program.buffers;
        for (std::size_t b = 0; b < buffers.size(); ++b) {
            const lowering::BufferId id(b);
            if (buffers[id].value == m_buffer
                && (!m_chosen.isValid() || buffers[id].level < buffers[m_chosen].level))
                m_chosen = id;
        }
    }
    relayer();
}

void TimelineCanvas::updateHover() {
    m_hovered.assign(m_state.result() ? m_state.result()->program.steps.size() : 0, 0);
    m_hoveredBuffer = placedValue(m_state.hover().value);
    // A tensor's outline says it all; its operator's events need none.
    if (!m_hoveredBuffer.isValid())
        for (const auto step : m_state.stepsOf(m_state.hover()))
            if (step.index() < m_hovered.size())
                m_hovered[step.index()] = 1;
    relayer();
}

lowering::ValueId TimelineCanvas::placedValue(ir::ValueId value) const {
    if (!value.isValid() || !m_state.result())
        return {};
    const auto& graph = m_state.result()->program.stage(lowering::Stage::Placed);
    for (std::size_t v = 0; v < graph.values.size(); ++v)
        if (graph.values[lowering::ValueId(v)].source == value)
            return lowering::ValueId(v);
    return {};
}

void TimelineCanvas::setScaleLocked(bool isLocked) {
    m_isLocked = isLocked;
    m_arrangement.lockedTops.clear();
    m_arrangement.lockedLength = 0;
    if (isLocked) {
        for (const BandPlace& place : m_geometry.bands)
            m_arrangement.lockedTops[m_picture.bands[place.band].key] = place.top;
        if (m_view == bounds())
            m_arrangement.lockedLength = m_picture.length;
    }
    rearrange();
}

void TimelineCanvas::setHiddenLevels(const QStringList& levels) {
    m_arrangement.hiddenLevels = levels;
    rearrange();
    emit tracksChanged();
}

void TimelineCanvas::togglePin(const QString& track) {
    if (track.isEmpty())
        return;
    if (!m_arrangement.pins.removeOne(track))
        m_arrangement.pins << track;
    rearrange();
    emit tracksChanged();
}

void TimelineCanvas::pinTrack() {
    QString track = m_pointer ? trackAt(m_picture, m_geometry, *m_pointer) : QString();
    if (track.isEmpty())
        track = m_focus;
    togglePin(track);
}

void TimelineCanvas::focusTrack(int by) {
    const QStringList tracks = shownTracks(m_picture, m_geometry);
    if (tracks.isEmpty())
        return;
    const qsizetype now = tracks.indexOf(m_focus);
    m_focus = tracks[now < 0 ? (by > 0 ? 0 : tracks.size() - 1)
                             : std::clamp<qsizetype>(now + by, 0, tracks.size() - 1)];
    relayer();
}

void TimelineCanvas::toggleMark() {
    if (m_picture.isEmpty())
        return;
    const Picoseconds at = m_state.cursor();
    const auto found = std::ranges::find(m_marks, at);
    if (found != m_marks.end())
        m_marks.erase(found);
    else if (m_marks.size() < kMostMarks)
        m_marks.insert(std::ranges::upper_bound(m_marks, at), at);
    relayer();
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
    m_arrangement.hasRange = m_range.has_value();
    m_geometry = arrange(m_picture, m_view, size(), m_arrangement);
    m_base = {};
    relayer();
}

void TimelineCanvas::relayer() {
    m_layer = {};
    update();
}

void TimelineCanvas::updateTotals() {
    m_totals.reset();
    const auto chosen = range();
    if (!chosen)
        return;
    const auto& result = *m_picture.result;
    if (!m_borders)
        m_borders = std::make_shared<const memory::StepBorders>(result.program);
    m_totals = schedule::rangeTotals(result.program, result.machine(), *m_borders, m_picture.spans,
        chosen->first, chosen->second);
}

std::optional<std::pair<Picoseconds, Picoseconds>> TimelineCanvas::range() const {
    if (!m_range || m_picture.isEmpty())
        return std::nullopt;
    return std::pair(m_picture.fromAxis(m_range->low), m_picture.fromAxis(m_range->high));
}

void TimelineCanvas::setRange(std::optional<Interval> range) {
    const bool isOther = m_range.has_value() != range.has_value();
    m_range = range;
    updateTotals();
    if (isOther)
        rearrange(); // the row below the axis comes or goes
    else
        relayer();
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
    relayer();
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
    return {m_state.cursor(), m_selected, m_hovered, m_current, m_range, totals(), m_buffer,
        m_hoveredBuffer, m_chosen, m_marks, hasFocus() ? m_focus : QString()};
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
    const Overlay over = overlay();
    if (m_layer.isNull() || m_layer.devicePixelRatio() != ratio) {
        m_layer = m_base.copy();
        m_layer.setDevicePixelRatio(ratio);
        QPainter layer(&m_layer);
        layer.setRenderHint(QPainter::Antialiasing);
        paintLayer(layer, m_picture, m_geometry, over);
    }
    painter.drawPixmap(0, 0, m_layer);
    paintMoment(painter, m_picture, m_geometry, over);
}

void TimelineCanvas::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const Geometry geometry = arrange(m_picture, m_view, size, m_arrangement);
    paintBase(painter, m_picture, geometry, m_options);
    paintLayer(painter, m_picture, geometry, overlay());
    paintMoment(painter, m_picture, geometry, overlay());
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
