// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QObject>

#include <functional>

class QMenu;
class QToolBar;

namespace fivefold::app {

class Comparing;
class MainWindow;

/// Every command of the program: a stable id (objectName), a shortcut and a place in a menu.
class Actions final : public QObject {
    Q_OBJECT

public:
    explicit Actions(MainWindow& window);

    void fillToolBarStart(QToolBar& bar);
    void fillToolBarEnd(QToolBar& bar);
    QAction* previousStage() const { return find("view.previousStage"); }
    QAction* nextStage() const { return find("view.nextStage"); }
    void setWhatIfToolBar(QToolBar* bar);
    /// All actions with their menus, for the shortcuts page: (menu title, action).
    const QList<std::pair<QString, QAction*>>& all() const { return m_all; }

private:
    QAction* find(const char* id) const { return m_byId.value(QString::fromLatin1(id)); }
    QAction* add(QMenu* menu, const char* id, const QString& text, const QKeySequence& key,
        std::function<void()> run, const char* iconName = nullptr);
    void createFileMenu();
    void createExportActions(QMenu* menu);
    void createEditMenu();
    void createViewMenu();
    void createMotionAction(QMenu* menu);
    void createStageActions(QMenu* menu);
    void createTargetActions(QMenu* menu);
    void createGraphMenu();
    void createAnalyseMenu();
    void createDebugMenu(QMenu* parent);
    void createCompareMenu();
    void createWindowMenu();
    void createHelpMenu();
    void openFile();
    void openMachineFile();
    void refreshRecent();
    void copySelectedName();

    MainWindow& m_window;
    Comparing* m_comparing = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_view = nullptr;
    QHash<QString, QAction*> m_byId;
    QList<std::pair<QString, QAction*>> m_all;
};

} // namespace fivefold::app
