// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/side_by_side.h"

#include <vector>

class QComboBox;
class QDockWidget;
class QMainWindow;

namespace fivefold::views::common {
class Panel;
}

namespace fivefold::app {

class Session;
class TargetPicker;

/// The second Graph and the second Layout with the pickers of their machine and stage. Made when
/// they are first shown.
class CompareDocks final : public QObject {
    Q_OBJECT

public:
    CompareDocks(QMainWindow& window, Session& session);

    SideBySide& side() { return m_side; }
    bool isShown() const { return m_side.isActive(); }
    /// Empty before the first showing.
    const std::vector<views::common::Panel*>& panels() const { return m_panels; }
    QDockWidget* graph() const { return m_graph; }
    QDockWidget* layout() const { return m_layout; }
    void show();
    void hide();

signals:
    /// A dock was closed by its own button, or all of them by hide().
    void shownChanged(bool isShown);
    void panelRequested(const QString& panelId);
    void noticeRequested(const QString& sentence);

private:
    void create();
    QDockWidget* addDock(views::common::Panel* panel, const QString& name, QWidget* content);
    QWidget* createPickers(QWidget* panel);
    void refresh();

    QMainWindow& m_window;
    Session& m_session;
    SideBySide m_side;
    std::vector<views::common::Panel*> m_panels;
    QDockWidget* m_graph = nullptr;
    QDockWidget* m_layout = nullptr;
    TargetPicker* m_machine = nullptr;
    QComboBox* m_stage = nullptr;
};

} // namespace fivefold::app
