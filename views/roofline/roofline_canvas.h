// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/roofline/roofline_painter.h"

#include <QPixmap>

namespace fivefold::views::roofline {

/// The chart as a widget: zoom by wheel about the pointer, pan by drag, Shift+drag or the brush
/// mode selects a range, click selects, arrows walk by time.
class RooflineCanvas final : public common::Canvas {
    Q_OBJECT

public:
    RooflineCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const Options& options() const { return m_options; }
    void setOptions(const Options& options);
    Charge charge() const { return m_charge; }
    void setCharge(Charge charge);
    /// Locking also takes the shown result as the one before.
    void setAxesLocked(bool isLocked);
    bool areAxesLocked() const { return m_isLocked; }
    bool isFrozen() const { return m_isFrozen; }

    /// What lies under the dots: nothing, the state before, or another machine by its id.
    enum class OverlayKind { None, Before, Machine };
    void setOverlay(OverlayKind kind, const std::string& machine = {});
    OverlayKind overlayKind() const { return m_overlayKind; }
    const std::string& overlayMachine() const { return m_overlayMachine; }
    /// Null without one.
    const Overlay* overlay() const { return m_overlay ? &*m_overlay : nullptr; }
    /// The shown result becomes the one before. At first that is the first result of a model on a
    /// machine, before any what-if.
    void takeAsBefore();

    /// Drags brush instead of moving the axes.
    void setBrushing(bool isOn);
    bool isBrushing() const { return m_isBrushMode; }
    /// Range of the axes that is brushed, and the dots in it.
    const std::optional<AxisRanges>& brush() const { return m_brush; }
    const std::vector<std::size_t>& brushed() const { return m_brushed; }
    void clearBrush();

    void updateResult(bool isOtherModel);
    void updateOthers();
    void updateSelection();
    void updateHover();

    AxisRanges ranges() const;
    void setRanges(const AxisRanges& ranges);
    void zoomToFit();
    void zoomToSelection();
    void zoomBy(double factor); ///< about the middle
    /// Selects the dot `by` places further in the order of time; wraps.
    void walk(int by);
    /// Index of the selected dot that takes most time.
    std::optional<std::size_t> selected() const { return m_selected; }

    const std::vector<PlacedDot>& placedDots() const { return m_dots; }
    const std::vector<PlacedLevel>& placedLevels() const { return m_levels; }
    const common::LogLogChart& chart() const { return m_chart; }
    /// Paints the whole content into a rectangle of that size.
    void paintContent(QPainter& painter, const QSize& size);
    common::Legend legendEntries() const;
    /// The shown result's steps taken apart; built when first asked for. Only with a result.
    const fivefold::roofline::GapAnalysis& gaps() const;
    /// What the card says of a dot.
    common::CardContent dotCard(const Dot& dot) const;

signals:
    void optionsChanged();
    void rangesChanged();
    void overlayChanged();
    void brushChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void dragStarted(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragEnded(const QPoint& position) override;
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
    /// The roof whose line or name is under the position.
    std::optional<std::size_t> roofUnder(const QPointF& position) const;
    std::optional<std::size_t> dotUnder(const QPointF& position) const;
    Frame frame(const analysis::Result& result);
    void place(const QSizeF& size);
    void dirty();
    void refreshOverlay(bool mayFit);
    void brushTo(const QPoint& position);
    void selectBrushed();
    QString statusLine(const Dot& dot) const;

    common::ViewState& m_state;
    Picture m_picture;
    Charge m_charge = Charge::ToCause;
    common::LogLogChart m_chart;
    std::vector<PlacedDot> m_dots;
    std::vector<PlacedLevel> m_levels; ///< of all dots, while all levels are shown
    Options m_options;
    std::optional<std::size_t> m_selected;
    std::vector<std::size_t> m_alsoSelected;
    std::vector<std::size_t> m_hovered;
    OverlayKind m_overlayKind = OverlayKind::None;
    std::string m_overlayMachine;
    std::optional<Overlay> m_overlay;
    std::vector<PlacedDot> m_overlayDots;
    std::shared_ptr<const analysis::Result> m_before;
    mutable std::unique_ptr<fivefold::roofline::GapAnalysis> m_gaps;
    std::shared_ptr<const analysis::Result> m_taken; ///< what m_gaps refers to
    std::optional<AxisRanges> m_brush;
    std::vector<std::size_t> m_brushed;
    QPoint m_brushFrom;
    bool m_isBrushMode = false;
    bool m_isDraggingBrush = false;
    bool m_isSelectingBrushed = false;
    QPixmap m_base; ///< axes and dots; null: to be painted anew
    std::string m_machine;
    bool m_isLocked = false;
    bool m_isFrozen = false;
};

} // namespace fivefold::views::roofline
