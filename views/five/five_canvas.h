// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/five/five_painter.h"

class QScrollBar;

namespace fivefold::views::five {

/// Five rows on one time axis. A click, or Enter on the row that the arrows chose, turns every
/// panel to its machine.
class FiveCanvas final : public common::Canvas {
    Q_OBJECT

public:
    FiveCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Geometry& geometry() const { return m_geometry; }
    const Options& options() const { return m_options; }
    void setOptions(const Options& options);
    void setSlots(Slots machineSlots);
    /// Works out what changed. While the canvas is hidden it only remembers to.
    void updatePicture();
    void catchUp(); ///< the panel is seen again
    int focusedRow() const { return m_focused; }
    bool isFrozen() const;
    void paintContent(QPainter& painter, const QSize& size) const;

signals:
    /// The id of a family whose machine should become the target.
    void machineRequested(const QString& family);
    void pictureChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void activate(int row);
    void focusRow(int row);
    void arrangeAll();
    void updateRange();
    Marks marks(bool isPrinted) const;

    common::ViewState& m_state;
    Slots m_slots;
    Options m_options;
    Picture m_picture;
    Geometry m_geometry;
    common::Interval m_range{-6, -3};
    bool m_hasRange = false; ///< m_range came from rows
    bool m_isWhole = false; ///< it came from all five of them
    std::shared_ptr<const analysis::Model> m_model;
    QString m_rangeOf; ///< what the rows were about when the range was taken
    QScrollBar* m_scroll = nullptr;
    int m_focused = -1;
    int m_hovered = -1;
    bool m_isDirty = false;
};

} // namespace fivefold::views::five
