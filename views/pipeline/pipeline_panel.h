// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QComboBox;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::pipeline {

class PipelineCanvas;

/// Which path does the model take to each machine? The passes of five compilers in their own order
/// and words, what each emits, and what the mode changes.
class PipelinePanel final : public common::Panel {
    Q_OBJECT

public:
    PipelinePanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("pipeline"); }
    QString title() const override { return tr("Pipeline"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;

    PipelineCanvas* canvas() const { return m_canvas; }
    QComboBox* modes() const { return m_modes; }
    /// Shows the changes of the next mode of the current machine; after the last, those of the mode
    /// in force.
    void showNextMode();

private:
    void updateAll();
    void fillModes();

    PipelineCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QComboBox* m_modes = nullptr;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::pipeline
