// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/hover_card.h"

#include <QTimer>
#include <QWidget>

class QMenu;

namespace fivefold::views::common {

/// Base of every painted view: turns raw events into clicks, pans, zooms and hovers, shows a card
/// after the pointer has rested, draws the focus ring. Subclasses paint and answer the hooks.
class Canvas : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHoverDelayMs = 300;
    static constexpr double kStaleOpacity = 0.6;

    explicit Canvas(QWidget* parent = nullptr);

    /// Text for a screen reader: the panel's sentence.
    void setSentence(const QString& sentence) { setAccessibleName(sentence); }
    /// The picture of an older result is painted at 60 %.
    void setStale(bool stale);
    /// The card, or null before the first one.
    HoverCard* card() const { return m_card; }
    void hideCard();

protected:
    /// Paints the content; the background is already filled. `dirty` is the part that needs
    /// painting.
    virtual void paintCanvas(QPainter& painter, const QRect& dirty) = 0;
    /// A press and release without a drag between them.
    virtual void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers);
    virtual void doubleClicked(const QPoint& position);
    /// Drag with the left or the middle button; `delta` since the last call.
    virtual void dragged(const QPoint& delta, const QPoint& position);
    /// Asked when a drag begins: false leaves `dragged` out and lets the subclass use mouse events
    /// (brush).
    virtual void dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers);
    virtual void dragEnded(const QPoint& position);
    /// The wheel: factor > 1 zooms in.
    virtual void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers);
    /// The pointer is over `position` (at once, to outline counterparts); called with nullptr when
    /// it left.
    virtual void hovered(const QPoint* position);
    /// What the card says for this place, and the mark's rectangle, which the card keeps free.
    virtual CardContent cardAt(const QPoint& position, QRect& mark) const;
    virtual void fillContextMenu(QMenu& menu, const QPoint& position);
    /// Cursor of a drag; ClosedHandCursor unless overridden.
    bool isDragging() const { return m_isDragging; }

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showCard();

    HoverCard* m_card = nullptr;
    QTimer m_hoverTimer;
    QPoint m_hoverAt;
    QPoint m_pressedAt;
    QPoint m_lastAt;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_isDragging = false;
    bool m_isStale = false;
};

} // namespace fivefold::views::common
