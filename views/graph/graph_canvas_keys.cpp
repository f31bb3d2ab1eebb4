// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_canvas.h"

#include <QKeyEvent>
#include <QMenu>
#include <QResizeEvent>

/// What events do to the canvas.
namespace fivefold::views::graph {

void GraphCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) {
    if (minimapRect().contains(position)) {
        m_view.centreOn(minimapToContent(minimapRect(), m_placed->geometry, position));
        viewMoved();
        return;
    }
    for (const Chip& chip : chips())
        if (chip.rect.contains(position)) {
            const Outside count = outside();
            if (count.isSelection) {
                std::vector<int> selected;
                for (std::size_t b = 0; b < m_marks.selected.size(); ++b)
                    if (m_marks.selected[b])
                        selected.push_back(static_cast<int>(b));
                fitBoxes(selected);
            } else {
                m_view.panBy({chip.step.x() * width(), chip.step.y() * height()});
                viewMoved();
            }
            return;
        }
    emit hitClicked(hitAt(position), modifiers);
}

void GraphCanvas::doubleClicked(const QPoint& position) {
    if (!minimapRect().contains(position))
        emit hitDoubleClicked(hitAt(position));
}

void GraphCanvas::dragStarted(const QPoint& position, Qt::KeyboardModifiers) {
    m_isMinimapDrag = minimapRect().contains(position);
}

void GraphCanvas::dragged(const QPoint& delta, const QPoint& position) {
    if (m_isMinimapDrag)
        m_view.centreOn(minimapToContent(minimapRect(), m_placed->geometry, position));
    else
        m_view.panBy(delta);
    viewMoved();
}

void GraphCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) {
    if (modifiers & Qt::ShiftModifier) // sideways, as everywhere
        m_view.panBy({factor > 1 ? 48.0 : -48.0, 0});
    else
        m_view.zoomAt(position, factor);
    viewMoved();
}

void GraphCanvas::hovered(const QPoint* position) {
    const int box = position ? hitAt(*position).box : -1;
    if (box == m_hoveredBox)
        return;
    m_hoveredBox = box;
    setCursor(box >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit boxHovered(box);
}

common::CardContent GraphCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (!cardSource || !m_placed || minimapRect().contains(position))
        return {};
    const Hit hit = hitAt(position);
    if (hit.box >= 0)
        mark = boxRect(hit.box);
    else if (hit.stub >= 0)
        mark = m_view.toPixel(m_placed->geometry.stubs[static_cast<std::size_t>(hit.stub)].pill)
                   .toRect();
    return hit.isEmpty() ? common::CardContent() : cardSource(hit);
}

void GraphCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (menuSource && m_placed)
        menuSource(menu, hitAt(position));
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = !(event->modifiers() & ~(Qt::KeypadModifier));
    const bool isShift = event->modifiers() == Qt::ShiftModifier
        || event->modifiers() == (Qt::ShiftModifier | Qt::KeypadModifier);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (isPlain) {
            emit neighbourWanted(static_cast<Qt::Key>(event->key()));
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (isPlain || isShift) {
            if (isShift)
                emit collapseWanted();
            else
                emit expandWanted();
            return;
        }
        break;
    case Qt::Key_Escape:
        emit escapePressed();
        return;
    default:
        break;
    }
    Canvas::keyPressEvent(event);
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    const QPointF middle = m_view.visibleContent().center();
    const bool wasShown = event->oldSize().width() > 1 && event->oldSize().height() > 1;
    m_view.setViewport(size());
    if (m_isFirstViewWanted || !wasShown) {
        m_isFirstViewWanted = false;
        showFirstView();
    } else if (m_placed) {
        const QRectF content = m_placed->geometry.bounds;
        // What was wholly in view stays so; otherwise the middle stays.
        const QRectF before(m_view.origin(), QSizeF(event->oldSize()) / m_view.scale());
        if (before.contains(content))
            showFirstView();
        else
            m_view.centreOn(middle);
    }
    viewMoved();
}

} // namespace fivefold::views::graph
