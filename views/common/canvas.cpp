// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/canvas.h"

#include "views/common/palette.h"
#include "views/common/zoom_pan.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

namespace fivefold::views::common {

Canvas::Canvas(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_hoverTimer.setSingleShot(true);
    m_hoverTimer.setInterval(kHoverDelayMs);
    connect(&m_hoverTimer, &QTimer::timeout, this, &Canvas::showCard);
}

void Canvas::setStale(bool stale) {
    if (m_isStale == stale)
        return;
    m_isStale = stale;
    update();
}

void Canvas::hideCard() {
    m_hoverTimer.stop();
    if (m_card && m_card->isVisible()) {
        m_card->setPinned(false);
        m_card->hide();
    }
}

void Canvas::clicked(const QPoint&, Qt::KeyboardModifiers) { }
void Canvas::doubleClicked(const QPoint&) { }
void Canvas::dragged(const QPoint&, const QPoint&) { }
void Canvas::dragStarted(const QPoint&, Qt::KeyboardModifiers) { }
void Canvas::dragEnded(const QPoint&) { }
void Canvas::zoomed(const QPoint&, double, Qt::KeyboardModifiers) { }
void Canvas::hovered(const QPoint*) { }
void Canvas::fillContextMenu(QMenu&, const QPoint&) { }

CardContent Canvas::cardAt(const QPoint&, QRect&) const {
    return {};
}

void Canvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), Palette::current().role("canvas"));
    painter.save();
    if (m_isStale)
        painter.setOpacity(kStaleOpacity);
    paintCanvas(painter, event->rect());
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(Palette::current().role("highlight"), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    hideCard();
    if (m_button != Qt::NoButton)
        return;
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_button = event->button();
        m_pressedAt = m_lastAt = event->position().toPoint();
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_button != Qt::NoButton && event->buttons().testFlag(m_button)) {
        if (!m_isDragging
            && (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            m_isDragging = true;
            dragStarted(m_pressedAt, event->modifiers());
        }
        if (m_isDragging) {
            dragged(at - m_lastAt, at);
            m_lastAt = at;
        }
        return;
    }
    if (m_card && m_card->isVisible() && !m_card->isPinned() && at != m_hoverAt)
        hideCard();
    m_hoverAt = at;
    m_hoverTimer.start();
    hovered(&at);
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != m_button)
        return;
    const QPoint at = event->position().toPoint();
    const bool isLeft = m_button == Qt::LeftButton;
    m_button = Qt::NoButton;
    if (m_isDragging) {
        m_isDragging = false;
        dragEnded(at);
    } else if (isLeft) {
        clicked(at, event->modifiers());
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        doubleClicked(event->position().toPoint());
}

void Canvas::wheelEvent(QWheelEvent* event) {
    hideCard();
    // Alt turns the wheel sideways on some platforms; what moved counts.
    const QPoint delta = event->angleDelta();
    const int turn = delta.y() != 0 ? delta.y() : delta.x();
    if (turn != 0)
        zoomed(event->position().toPoint(), wheelFactor(turn), event->modifiers());
    event->accept();
}

void Canvas::leaveEvent(QEvent*) {
    m_hoverTimer.stop();
    if (m_card && !m_card->isPinned())
        m_card->hide();
    hovered(nullptr);
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    hideCard();
    QMenu menu(this);
    fillContextMenu(menu, event->pos());
    if (!menu.isEmpty())
        menu.exec(event->globalPos());
}

void Canvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void Canvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void Canvas::hideEvent(QHideEvent* event) {
    hideCard();
    QWidget::hideEvent(event);
}

void Canvas::showCard() {
    QRect mark;
    const CardContent content = cardAt(m_hoverAt, mark);
    if (content.isEmpty() || !isVisible())
        return;
    if (!m_card)
        m_card = new HoverCard(this);
    if (mark.isNull())
        mark = QRect(m_hoverAt, QSize(1, 1));
    m_card->present(content, QRect(mapToGlobal(mark.topLeft()), mark.size()));
}

} // namespace fivefold::views::common
