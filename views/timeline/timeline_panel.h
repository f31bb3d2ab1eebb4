// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QComboBox;
class QMenu;
class QToolButton;

namespace fivefold::views::common {
class CanvasControls;
class PanelFrame;
} // namespace fivefold::views::common

namespace fivefold::views::timeline {

class TimelineCanvas;

/// When does each memory fill, and what keeps each part of the machine busy?
class TimelinePanel final : public common::Panel {
    Q_OBJECT

public:
    TimelinePanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("timeline"); }
    QString title() const override { return tr("Memory timeline"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override; ///< one record an event
    QList<QAction*> panelActions() const override { return m_actions; }
    /// Memories with their peaks, then the steps by start.
    std::vector<common::TwinRow> twinRows() const override;
    void zoomToFit() override;
    void zoomToSelection() override;

    TimelineCanvas* canvas() const { return m_canvas; }
    QToolButton* levelsButton() const { return m_levels; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void createOrders();
    void createLens();
    void createLevels();
    void createZooms(common::CanvasControls& controls);
    void fillLevels();
    void updateAll(bool isOtherModel);
    void updateLegend();
    void updateLens();

    TimelineCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QToolButton* m_levels = nullptr;
    QMenu* m_levelMenu = nullptr;
    QComboBox* m_lens = nullptr;
    QList<QAction*> m_actions;
    QList<QWidget*> m_optional; ///< controls that a narrow panel leaves out, from the end
};

} // namespace fivefold::views::timeline
