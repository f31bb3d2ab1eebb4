// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::roofline {

class RooflineCanvas;

/// Which roof holds the program back? Each step as a dot under the machine's ceilings.
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
    void zoomToFit() override;
    void zoomToSelection() override;

    RooflineCanvas* canvas() const { return m_canvas; }

private:
    void createActions();
    void updateAll(bool isOtherModel);
    void updateLegend();

    RooflineCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QList<QAction*> m_actions;
    QAction* m_levels = nullptr;
    QAction* m_caps = nullptr;
    QAction* m_lock = nullptr;
};

} // namespace fivefold::views::roofline
