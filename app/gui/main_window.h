// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/dock_arrangement.h"
#include "app/gui/session.h"
#include "views/common/palette.h"
#include "views/common/panel.h"

#include <QMainWindow>
#include <QMap>
#include <QTimer>

#include <vector>

class QToolBar;

namespace fivefold::app {

class Actions;
class CompareDocks;
class Debugging;
class ListDock;
class MessageBar;
class SearchField;
class StageBar;
class TargetPicker;
class WhatIfBar;

/// The window: bars above and below, one dock a panel. It wires parts together and computes
/// nothing.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return m_session; }
    views::common::ViewState& state() { return m_state; }
    const std::vector<views::common::Panel*>& panels() const { return m_panels; }
    views::common::Panel* panel(const QString& id) const; ///< null when there is none of that id
    QDockWidget* dock(const QString& panelId) const { return m_docks.value(panelId); }
    const QMap<QString, QDockWidget*>& docks() const { return m_docks; }
    SearchField& searchField() { return *m_search; }
    MessageBar& messageBar() { return *m_messages; }
    WhatIfBar& whatIfBar() { return *m_whatIf; }
    StageBar& stageBar() { return *m_stages; }
    CompareDocks& compare() { return *m_compare; }
    Debugging& debugging() { return *m_debugging; }
    ListDock& list() { return *m_list; }

    void setTheme(views::common::Theme theme);
    /// Shows a panel's dock, raises its tab and gives it the focus.
    void showPanel(const QString& panelId);
    void resetArrangement();
    /// Arrangements of the Window menu beside Explore, which is the one that is kept.
    void arrangeForComparing(bool isOn);
    void arrangeForLecture();
    /// Arranges the docks for a window size: the stored arrangement, or the default one.
    void arrange(const QSize& size, bool useStored);
    /// The panel that holds the focus, else the graph.
    views::common::Panel* currentPanel() const;
    void focusNextPanel(int direction);
    void showMessage(const QString& text);
    /// Whether the docks lie as the user arranged them, in the arrangement that is kept.
    bool isExploring() const { return m_isExploring; }
    void setExploring(bool isExploring) { m_isExploring = isExploring; }
    void storeExploring() const { storeArrangement(*this, m_sizeClass); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void createDocks();
    void createBars();
    void connectSession();
    void refreshTitle();
    /// Takes the arrangement of another class of sizes once the window has been resized to it.
    void followSize();
    void setSizeClass(SizeClass size);

    views::common::ViewState m_state;
    Session m_session;
    std::vector<views::common::Panel*> m_panels;
    QMap<QString, QDockWidget*> m_docks;
    Actions* m_actions = nullptr;
    MessageBar* m_messages = nullptr;
    SearchField* m_search = nullptr;
    StageBar* m_stages = nullptr;
    TargetPicker* m_target = nullptr;
    WhatIfBar* m_whatIf = nullptr;
    CompareDocks* m_compare = nullptr;
    Debugging* m_debugging = nullptr;
    ListDock* m_list = nullptr;
    QAction* m_targetLabelAction = nullptr;
    SizeClass m_sizeClass = SizeClass::Wide;
    bool m_isExploring = true; ///< Explore is on the screen: what is stored
    QTimer m_resizeTimer; ///< an arrangement changes when the resizing rests
};

} // namespace fivefold::app
