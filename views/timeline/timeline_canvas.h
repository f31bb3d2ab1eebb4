// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/timeline/timeline_painter.h"

#include <QPixmap>

namespace fivefold::views::timeline {

/// Bytes in use and events over time. Wheel and W, S zoom; A, D and Shift+drag pan; a drag selects
/// a range; `.` and `,` walk the events; a click selects an event, a buffer or a moment.
class TimelineCanvas final : public common::Canvas {
    Q_OBJECT

public:
    TimelineCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Geometry& geometry() const { return m_geometry; }
    const common::Interval& view() const { return m_view; }
    void setView(const common::Interval& view);
    const Options& options() const { return m_options; }
    void setOptions(const Options& options);
    void setOrder(Order order);
    void setScaleLocked(bool isLocked) { m_isLocked = isLocked; }

    /// The selected range of time; nullopt without one.
    std::optional<std::pair<base::Picoseconds, base::Picoseconds>> range() const;
    void setRange(std::optional<common::Interval> range);

    void updateResult(bool isOtherModel);
    void updateSelection();
    void updateHover();
    void updateCursor() { update(); }

    void zoomToFit();
    void zoomToSelection();
    void zoomBy(double factor); ///< about the cursor where it is in view, else about the middle
    void panBy(double share); ///< of the visible span
    void walk(int by); ///< to the next or previous event by start
    void selectSpan(); ///< the range becomes the span of the selected step
    void paintContent(QPainter& painter, const QSize& size);

signals:
    void rangeChanged();
    void viewChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void doubleClicked(const QPoint& position) override;
    void dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Drag { Range, Pan, Overview };
    common::Interval bounds() const { return {0, m_picture.length}; }
    void rearrange();
    Overlay overlay() const;
    const Mark* markUnder(const QPointF& point) const;
    void selectBuffer(lowering::BufferId buffer);
    void goTo(const Mark& mark);
    void ensureVisible(double from, double to);

    common::ViewState& m_state;
    Picture m_picture;
    Geometry m_geometry;
    common::Interval m_view;
    Options m_options;
    Order m_order = Order::Time;
    std::optional<common::Interval> m_range;
    std::vector<char> m_selected, m_hovered;
    lowering::EventId m_current;
    lowering::ValueId m_buffer;
    QPixmap m_base; ///< null: to be painted anew
    double m_dragFrom = 0;
    Drag m_drag = Drag::Range;
    bool m_isLocked = false;
    bool m_isWalking = false;
};

} // namespace fivefold::views::timeline
