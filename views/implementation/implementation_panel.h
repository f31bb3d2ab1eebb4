// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::implementation {

class ImplementationCanvas;

/// What would another implementation of this operator cost? Two choices side by side, with equal
/// work and differing bytes, synchronisations and time.
class ImplementationPanel final : public common::Panel {
    Q_OBJECT

public:
    ImplementationPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("implementation"); }
    QString title() const override { return tr("Implementation"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }

    ImplementationCanvas* canvas() const { return m_canvas; }

private:
    void createActions();
    void updateAll();
    /// Asks for side B in the whole model, as one undoable step.
    void useInModel();

    ImplementationCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QList<QAction*> m_actions;
    QAction* m_use = nullptr;
};

} // namespace fivefold::views::implementation
