// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"
#include "views/five/five_presenter.h"

#include <optional>

class QAbstractButton;
class QCheckBox;
class QComboBox;
class QStackedWidget;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::five {

class FiveCanvas;
class RacePage;

/// Which machine suits the model, and why? One row a machine for the whole graph or the selection,
/// and the race of their schedules. It asks for the results of the other machines while it is seen.
class FivePanel final : public common::Panel {
    Q_OBJECT

public:
    FivePanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("five"); }
    QString title() const override { return tr("Five panel"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;
    /// Waits until whoever computes the results has told of all five.
    bool settle(int timeoutMs) override;

    FiveCanvas* canvas() const { return m_canvas; }
    RacePage* race() const { return m_race; }
    QComboBox* precisions() const { return m_precisions; }
    QAbstractButton* selectionButton() const { return m_ofSelection; }
    bool isRacing() const;
    void setRacing(bool isRacing);
    void setSelectionScope(bool isSelection);
    void setLog(bool isLog);
    void setLocked(bool isLocked);

    /// How far the five results are; the results themselves come with the view state.
    void setSlots(Slots machineSlots);
    bool isWanting() const { return m_isWanting; }

signals:
    /// The results are needed, or no longer.
    void resultsWanted(bool isWanted);
    /// A precision for all machines that have a rate for it; nullopt: each machine's own.
    void precisionRequested(std::optional<fivefold::machines::Precision> precision);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createHeader();
    void createActions();
    void connectState();
    void updateAll();
    void updateRace();
    void updatePrecisions();
    void updateLegend();
    void setWanting(bool isWanting);
    std::vector<ir::NodeId> scope() const;

    common::PanelFrame* m_frame = nullptr;
    QStackedWidget* m_pages = nullptr;
    FiveCanvas* m_canvas = nullptr;
    RacePage* m_race = nullptr;
    QAbstractButton* m_ofWhole = nullptr;
    QAbstractButton* m_ofSelection = nullptr;
    QComboBox* m_precisions = nullptr;
    QComboBox* m_axis = nullptr;
    QCheckBox* m_lock = nullptr;
    QAbstractButton* m_raceButton = nullptr;
    QList<QWidget*> m_optional; ///< controls that a narrow header leaves out, the last first
    QList<QAction*> m_actions;
    Slots m_slots;
    bool m_isWanting = false;
};

} // namespace fivefold::views::five
