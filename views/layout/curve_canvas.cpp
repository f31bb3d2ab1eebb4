// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/curve_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;

namespace {
constexpr std::int64_t kSmallestRange = 32;
constexpr std::int64_t kPageStep = 16;

/// The smallest power of two that shows the size with room to its right, 256 at least.
std::int64_t rangeFor(std::int64_t size) {
    std::int64_t to = kFirstRange;
    while (to < size + size / 4 && to < kLargestSize)
        to *= 2;
    return std::max(to, size);
}
} // namespace

CurveCanvas::CurveCanvas(ViewState& state, QWidget* parent)
    : Canvas(parent)
    , m_state(state) { }

void CurveCanvas::setPicture(const CurvePicture& picture, std::int64_t bound) {
    const bool isOther = !picture.isSame(m_picture);
    m_picture = picture;
    if (isOther) {
        m_to = rangeFor(std::max(picture.size, picture.next ? picture.next->size : 0));
        m_tried = bound;
    } else if (m_bound != bound) {
        m_tried = bound;
    }
    m_bound = bound;
    m_hovered.reset();
    rearrange();
}

void CurveCanvas::rearrange() {
    m_geometry = arrangeCurves(m_picture, size(), m_to);
    update();
}

void CurveCanvas::setTried(std::int64_t size) {
    if (m_picture.isEmpty())
        return;
    size = std::clamp<std::int64_t>(size, 1, std::max(kLargestSize, m_picture.size));
    if (size > m_to)
        setRange(rangeFor(size));
    if (size == m_tried)
        return;
    m_tried = size;
    update();
    emit triedChanged(size);
}

void CurveCanvas::bind() {
    if (!m_picture.isEmpty() && m_tried != m_bound)
        emit bound(m_tried);
}

void CurveCanvas::goToNext() {
    std::vector<fivefold::layout::PaddingCurve> known;
    for (const CurveRow& row : m_picture.rows)
        if (!row.curve.isEmpty())
            known.push_back(row.curve);
    if (const auto next = fivefold::layout::nextCommonSize(known, m_tried + 1))
        setTried(next->size);
}

void CurveCanvas::setRange(std::int64_t to) {
    m_to = std::clamp(to, kSmallestRange, std::max(kLargestSize, m_picture.size));
    rearrange();
}

void CurveCanvas::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    paintCurves(painter, m_picture, arrangeCurves(m_picture, size, m_to), m_tried, std::nullopt);
}

void CurveCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paintCurves(painter, m_picture, m_geometry, m_tried, m_hovered);
}

bool CurveCanvas::isOverPlots(const QPointF& point) const {
    if (m_geometry.isEmpty())
        return false;
    const QRectF plots = m_geometry.rows.front().plot.united(m_geometry.rows.back().plot);
    return plots.adjusted(-4, -14, 4, 20).contains(point);
}

void CurveCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    Canvas::mousePressEvent(event);
}

void CurveCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    if (!isOverPlots(position))
        return;
    setTried(m_geometry.sizeAt(position.x()));
    bind();
}

void CurveCanvas::dragged(const QPoint&, const QPoint& position) {
    if (!m_geometry.isEmpty())
        setTried(m_geometry.sizeAt(position.x()));
}

void CurveCanvas::dragEnded(const QPoint&) {
    bind();
}

void CurveCanvas::zoomed(const QPoint&, double factor, Qt::KeyboardModifiers) {
    setRange(static_cast<std::int64_t>(std::llround(static_cast<double>(m_to) / factor)));
}

void CurveCanvas::hovered(const QPoint* position) {
    const bool isOver = position && isOverPlots(*position);
    setCursor(isOver ? Qt::SizeHorCursor : Qt::ArrowCursor);
    const auto size =
        isOver ? std::optional(m_geometry.sizeAt(position->x())) : std::optional<std::int64_t>();
    if (size != m_hovered) {
        m_hovered = size;
        update();
    }
}

CardContent CurveCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (!isOverPlots(position))
        return {};
    const std::int64_t size = m_geometry.sizeAt(position.x());
    mark = QRect(position - QPoint(6, 6), QSize(12, 12));
    CardContent card;
    card.title = tr("d%1 = %2").arg(m_picture.dimension).arg(formatCount(size));
    for (const CurveRow& row : m_picture.rows)
        if (const auto* point = row.curve.at(size))
            card.lines << tr("%1: %2 padding, %3 in all")
                              .arg(row.name, wasteText(point->waste),
                                  formatBytes(base::Bytes(point->bytes)));
    return card;
}

void CurveCanvas::fillContextMenu(QMenu& menu, const QPoint&) {
    if (m_picture.isEmpty())
        return;
    menu.addAction(tr("Copy as text"), this,
        [this] { QApplication::clipboard()->setText(curveSentence(m_picture, m_tried)); });
    menu.addAction(tr("Next size without padding on all"), this, [this] { goToNext(); });
    menu.addAction(tr("Back to %1").arg(m_picture.size), this, [this] {
        setTried(m_picture.size);
        bind();
    });
    menu.addSeparator();
    menu.addActions(actions());
}

void CurveCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        setTried(m_tried - 1);
        return;
    case Qt::Key_Right:
        setTried(m_tried + 1);
        return;
    case Qt::Key_PageUp:
        setTried(m_tried - kPageStep);
        return;
    case Qt::Key_PageDown:
        setTried(m_tried + kPageStep);
        return;
    case Qt::Key_Home:
        setTried(1);
        return;
    case Qt::Key_End:
        setTried(m_to);
        return;
    case Qt::Key_N:
        goToNext();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        bind();
        return;
    case Qt::Key_Escape:
        setTried(m_picture.size);
        bind();
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void CurveCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    rearrange();
}

} // namespace fivefold::views::layout
