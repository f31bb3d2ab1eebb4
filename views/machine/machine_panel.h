// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QComboBox;
class QLabel;
class QSlider;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::machine {

class MachineCanvas;

/// What is the machine made of, and where on it does the selection live? Units, memory levels and
/// links in one notation for all, and its systolic array cycle by cycle.
class MachinePanel final : public common::Panel {
    Q_OBJECT

public:
    MachinePanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("machine"); }
    QString title() const override { return tr("Machine"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;

    MachineCanvas* canvas() const { return m_canvas; }
    QComboBox* generations() const { return m_generations; }
    QComboBox* details() const { return m_details; }
    QSlider* scrubber() const { return m_scrubber; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createControls();
    void createActions();
    void updateAll();
    void updateCycle();
    void fillGenerations();

    MachineCanvas* m_canvas = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QComboBox* m_generations = nullptr;
    QComboBox* m_details = nullptr;
    QSlider* m_scrubber = nullptr;
    QLabel* m_cycle = nullptr;
    QAction* m_play = nullptr;
    QList<QWidget*> m_optional; ///< controls that a narrow panel leaves out, from the end
    QList<QAction*> m_actions;
    QList<QAction*> m_stepActions; ///< that need an array
};

} // namespace fivefold::views::machine
