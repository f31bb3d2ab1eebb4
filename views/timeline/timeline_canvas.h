// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/timeline/timeline_painter.h"

#include <QPixmap>

namespace fivefold::views::timeline {

/// Bytes in use and events over time. Wheel and W, S zoom; A, D and Shift+drag pan; a drag selects
/// a range; `.` and `,` walk the events; ↑ and ↓ walk the tracks, P pins one; M marks a moment; a
/// click selects an event, a buffer or a moment.
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
    /// A locked scale keeps time and bytes as they are drawn now, whatever the next result is.
    void setScaleLocked(bool isLocked);
    const Arrangement& arrangement() const { return m_arrangement; }
    /// Memories whose bands are left out, by name; they stay so under other results.
    void setHiddenLevels(const QStringList& levels);
    /// Puts a track on top, or back into its place.
    void togglePin(const QString& track);
    void pinTrack(); ///< the one under the pointer, else the focused one
    const QString& focusedTrack() const { return m_focus; }
    void focusTrack(int by); ///< the next or previous one
    const std::vector<base::Picoseconds>& marks() const { return m_marks; }
    void toggleMark(); ///< at the cursor

    /// The selected range of time; nullopt without one.
    std::optional<std::pair<base::Picoseconds, base::Picoseconds>> range() const;
    void setRange(std::optional<common::Interval> range);
    const schedule::RangeTotals* totals() const { return m_totals ? &*m_totals : nullptr; }

    void updateResult(bool isOtherModel);
    void updateSelection();
    void updateHover();
    /// O(buffers) where the list is shown, else O(1): the rest of the picture is kept.
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
    void tracksChanged(); ///< other pins, other memories shown, or another result
    void ruleRequested(); ///< the placement's rule for the selected tensor

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
    static constexpr double kSmallestSpan = 1e-7; ///< of the program: far below a pixel of it

    enum class Drag { Range, Pan, Overview, OverviewLow, OverviewHigh };
    common::Interval bounds() const { return {0, m_picture.length}; }
    void rearrange();
    void relayer(); ///< what lies over the base picture changed
    void updateTotals();
    Overlay overlay() const;
    lowering::ValueId placedValue(ir::ValueId value) const;
    std::optional<lowering::BufferId> bufferUnder(const QPoint& point) const;
    void clickedList(const QPoint& position);
    common::CardContent eventCard(const Mark& mark) const;
    common::CardContent bufferCard(lowering::BufferId buffer) const;
    common::CardContent labelCard(const QPoint& position) const;
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
    Arrangement m_arrangement;
    std::optional<common::Interval> m_range;
    std::optional<schedule::RangeTotals> m_totals;
    std::shared_ptr<const memory::StepBorders> m_borders; ///< of the result; made on demand
    std::vector<char> m_selected, m_hovered;
    lowering::EventId m_current;
    lowering::ValueId m_buffer, m_hoveredBuffer;
    lowering::BufferId m_chosen; ///< of m_buffer
    std::vector<base::Picoseconds> m_marks;
    QString m_focus; ///< key of a track
    std::optional<QPoint> m_pointer;
    QPixmap m_base, m_layer; ///< null: to be painted anew; the layer has the base beneath it
    double m_dragFrom = 0;
    Drag m_drag = Drag::Range;
    bool m_isLocked = false;
    bool m_isWalking = false;
};

} // namespace fivefold::views::timeline
