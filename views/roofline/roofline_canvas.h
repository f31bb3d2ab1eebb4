// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/roofline/roofline_painter.h"

#include <QPixmap>

namespace fivefold::views::roofline {

/// The chart as a widget: zoom by wheel about the pointer, pan by drag, click selects, arrows walk
/// by time.
class RooflineCanvas final : public common::Canvas {
    Q_OBJECT

public:
    RooflineCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Options& options() const { return m_options; }
    void setOptions(const Options& options);
    void setAxesLocked(bool isLocked) { m_isLocked = isLocked; }
    bool areAxesLocked() const { return m_isLocked; }
    bool isFrozen() const { return m_isFrozen; }

    void updateResult(bool isOtherModel);
    void updateSelection();
    void updateHover();

    AxisRanges ranges() const;
    void setRanges(const AxisRanges& ranges);
    void zoomToFit();
    void zoomToSelection();
    void zoomBy(double factor); ///< about the middle
    /// Selects the dot `by` places further in the order of time; wraps.
    void walk(int by);

    /// Height of the gap block; 0 while it is hidden.
    double gapHeight() const;
    std::vector<PlacedDot> placedDots() const { return m_dots; }
    const common::LogLogChart& chart() const { return m_chart; }
    /// Paints the whole content into a rectangle of that size.
    void paintContent(QPainter& painter, const QSize& size);

signals:
    void optionsChanged();
    void rangesChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Selects the operator that names the step, as a click on its box in the graph does.
    void pick(lowering::StepId step);
    Frame frame();
    void place(const QSizeF& size);
    void dirty();
    common::CardContent dotCard(const Dot& dot) const;

    common::ViewState& m_state;
    Picture m_picture;
    common::LogLogChart m_chart;
    std::vector<PlacedDot> m_dots;
    Options m_options;
    std::optional<std::size_t> m_selected;
    std::vector<std::size_t> m_alsoSelected;
    std::vector<std::size_t> m_hovered;
    QPixmap m_base; ///< axes and dots; null: to be painted anew
    std::string m_machine;
    bool m_isLocked = false;
    bool m_isFrozen = false;
};

} // namespace fivefold::views::roofline
