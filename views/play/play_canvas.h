// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/common/view_state.h"
#include "views/play/play_geometry.h"

#include <QPixmap>

namespace fivefold::views::play {

/// Two execution models on one clock. Dragging moves the clock, a click on a bar selects.
class PlayCanvas final : public common::Canvas {
    Q_OBJECT

public:
    PlayCanvas(common::ViewState& state, QWidget* parent);

    void setPicture(Picture picture);
    const Picture& picture() const { return m_picture; }
    const Places& places() const { return m_places; }
    /// The clock has moved: repaints what changes with it.
    void updateClock();
    void updateSelection();
    void paintInto(QPainter& painter, const QSize& size) const;

signals:
    void clockWanted(fivefold::base::Picoseconds at);
    void stepWanted(int direction);
    /// Only this transfer is late; invalid: all, by the seed.
    void lateWanted(fivefold::lowering::EventId transfer);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const Bar* barAt(const QPoint& position, std::size_t& side) const;
    void seek(const QPoint& position, std::size_t side);
    void refreshPixmaps();
    base::Picoseconds firedUntil() const;
    std::vector<lowering::StepId> selected() const;

    common::ViewState& m_state;
    Picture m_picture;
    Places m_places;
    QPixmap m_pale, m_fired; ///< bars before and after they fire
    int m_pixmapTheme = -1;
    int m_dragSide = -1;
};

} // namespace fivefold::views::play
