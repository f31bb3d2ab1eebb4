// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/inspector/inspector_geometry.h"

namespace fivefold::views::inspector {

/// Paints lines into a rectangle of that width; `current` gets the focus mark.
void paintLines(QPainter& painter, const Lines& lines, const Placement& placement,
    const QRectF& dirty, std::optional<std::size_t> current = {});

/// The lines as a tall widget inside a scroll area. Arrow keys walk over the links, Enter follows
/// one.
class InspectorCanvas final : public common::Canvas {
    Q_OBJECT

public:
    InspectorCanvas(common::ViewState& state, QWidget* parent);

    void refresh();
    const Lines& lines() const { return m_lines; }
    const Placement& placement() const { return m_placement; }
    std::optional<std::size_t> currentLine() const { return m_current; }

signals:
    void lineReached(const QRect& row); ///< the keyboard moved there: scroll to it

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const Link& link);
    void layOut();

    common::ViewState& m_state;
    Lines m_lines;
    Placement m_placement;
    std::optional<std::size_t> m_current;
};

} // namespace fivefold::views::inspector
