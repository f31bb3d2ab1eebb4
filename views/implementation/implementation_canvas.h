// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/implementation/implementation_painter.h"

namespace fivefold::views::implementation {

/// Two columns of choices and what they cost. Up and down walk the choices, left and right change
/// side B, with Shift side A, Enter lists the values; a click on a value lists them, on a bar of
/// the sweep takes it on side B (Shift: A).
class ImplementationCanvas final : public common::Canvas {
    Q_OBJECT

public:
    ImplementationCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Geometry& geometry() const { return m_geometry; }
    const Chosen& chosen() const { return m_chosen; }
    void updatePicture();
    void swapSides();
    void resetSides(); ///< A as the model runs, B the fastest other
    void choose(Side side, std::size_t choice, int value);
    /// The values of a choice as a menu that is open; null without such a choice.
    QMenu* listValues(std::size_t choice, Side side);
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    void pictureChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show();
    std::size_t focusedChoice() const;
    void focusChoice(std::size_t choice);
    void step(Side side, int by);

    common::ViewState& m_state;
    ir::NodeId m_node;
    std::string m_machine; ///< whose choices m_chosen are
    Chosen m_chosen;
    Picture m_picture;
    Geometry m_geometry;
    Hit m_hovered;
};

} // namespace fivefold::views::implementation
