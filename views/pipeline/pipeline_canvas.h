// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/pipeline/pipeline_painter.h"

namespace fivefold::views::pipeline {

/// Five rows of passes. A click on a pass shows its stage, on another machine's row makes that
/// machine the target. Arrows walk passes and rows, Enter does what a click does.
class PipelineCanvas final : public common::Canvas {
    Q_OBJECT

public:
    PipelineCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Geometry& geometry() const { return m_geometry; }
    const Place& focused() const { return m_focused; }
    void updatePicture();
    /// Mode whose changes are shown; empty: the one in force.
    void setMode(const QString& mode);
    const QString& mode() const { return m_mode; }
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    /// The id of a family whose machine should become the target.
    void machineRequested(const QString& family);
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
    void activate(const Place& place);
    void focusStep(const Place& place);
    Marks marks(bool isPrinted) const;

    common::ViewState& m_state;
    Picture m_picture;
    Geometry m_geometry;
    QString m_mode;
    Place m_focused;
    Place m_hovered;
    int m_hoveredRow = -1;
};

} // namespace fivefold::views::pipeline
