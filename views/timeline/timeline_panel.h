// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QToolButton;

namespace fivefold::views::common {
class PanelFrame;
}

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
    void zoomToFit() override;
    void zoomToSelection() override;

    TimelineCanvas* canvas() const { return m_canvas; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void updateAll(bool isOtherModel);
    void updateLegend();
    void updateLens();

    TimelineCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QList<QAction*> m_actions;
    QList<QWidget*> m_optional; ///< controls that a narrow panel leaves out, from the end
};

} // namespace fivefold::views::timeline
