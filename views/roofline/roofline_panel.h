// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QComboBox;
class QGridLayout;

namespace fivefold::views::common {
class CanvasControls;
class PanelFrame;
} // namespace fivefold::views::common

namespace fivefold::views::roofline {

class GapBlock;
struct GapContent;
class RooflineCanvas;
class SideCard;

/// Which roof holds the program back, and where does the rest of the time go? Each step as a dot
/// under the machine's ceilings; from 600 px height the gap bar, from 900 px width a column with
/// the selected operator's figures.
class RooflinePanel final : public common::Panel {
    Q_OBJECT

public:
    RooflinePanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("roofline"); }
    QString title() const override { return tr("Roofline"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override; ///< one record a dot
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override; ///< one a dot, by falling time
    void zoomToFit() override;
    void zoomToSelection() override;

    RooflineCanvas* canvas() const { return m_canvas; }
    GapBlock* gapBlock() const { return m_gap; }
    SideCard* sideCard() const { return m_side; }
    QComboBox* overlayBox() const { return m_overlay; }
    QComboBox* colourBox() const { return m_colour; }
    QComboBox* precisionBox() const { return m_precision; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createHeader();
    void createViewActions(common::CanvasControls& controls);
    void createGapActions(common::CanvasControls& controls);
    QComboBox* addBox(const QString& label, const QStringList& items);
    void connectState();
    void updateAll(bool isOtherModel);
    void updateLegend();
    void updatePrecisions();
    void updateOverlays();
    void chooseOverlay(int index);
    GapContent gap(const analysis::Result& result) const; ///< that the block shows
    void updateGap();
    void updateSide();
    void updateDetails(); ///< gap bar and side column
    void fit();

    RooflineCanvas* m_canvas = nullptr;
    GapBlock* m_gap = nullptr;
    SideCard* m_side = nullptr;
    QComboBox* m_precision = nullptr;
    QComboBox* m_colour = nullptr;
    QComboBox* m_overlay = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QList<QAction*> m_actions;
    QList<QWidget*> m_optional; ///< of the header, the last hidden first
    QAction* m_ofSelection = nullptr;
    QAction* m_ofWhole = nullptr;
    QAction* m_toCause = nullptr;
    bool m_isWhole = false; ///< the gap bar is of the whole graph whatever is selected
};

} // namespace fivefold::views::roofline
