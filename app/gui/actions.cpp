// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/actions.h"

#include "app/gui/compare_docks.h"
#include "app/gui/comparing.h"
#include "app/gui/debugging.h"
#include "app/gui/export_dialog.h"
#include "app/gui/list_dock.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/search_field.h"
#include "app/gui/shortcuts_page.h"
#include "app/gui/stage_bar.h"
#include "app/gui/target_picker.h"
#include "core/base/version.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/lens.h"
#include "views/common/motion.h"
#include "views/divergence/focus.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>

namespace fivefold::app {

using lowering::Stage;
using views::common::Theme;

Actions::Actions(MainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_comparing(new Comparing(window)) {
    createFileMenu();
    createEditMenu();
    createViewMenu();
    createGraphMenu();
    createAnalyseMenu();
    createCompareMenu();
    createWindowMenu();
    createHelpMenu();
}

QAction* Actions::add(QMenu* menu, const char* id, const QString& text, const QKeySequence& key,
    std::function<void()> run, const char* iconName) {
    auto* action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(id));
    action->setShortcut(key);
    if (iconName)
        action->setIcon(views::common::icon(QString::fromLatin1(iconName)));
    QString tip = text;
    tip.remove(QLatin1Char('&'));
    if (!key.isEmpty())
        tip += QStringLiteral(" (%1)").arg(key.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    menu->addAction(action);
    m_window.addAction(action);
    m_byId.insert(action->objectName(), action);
    m_all.append({menu->title(), action});
    return action;
}

void Actions::createFileMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&File"));
    add(
        menu, "file.open", tr("&Open…"), QKeySequence(Qt::CTRL | Qt::Key_O), [this] { openFile(); },
        "open");
    m_recent = menu->addMenu(tr("Open &recent"));
    connect(&m_window.session(), &Session::recentFilesChanged, this, &Actions::refreshRecent);
    refreshRecent();
    add(
        menu, "file.reload", tr("Re&load"), QKeySequence(Qt::Key_F5),
        [this] { m_window.session().reload(); }, "reload");
    add(menu, "file.openMachine", tr("Open a &machine description…"), {},
        [this] { openMachineFile(); });
    menu->addSeparator();
    createExportActions(menu);
    menu->addSeparator();
    add(menu, "file.quit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q),
        [this] { m_window.close(); });
}

void Actions::createExportActions(QMenu* menu) {
    add(
        menu, "file.exportPanel", tr("&Export this panel…"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [this] { exportPanel(m_window, m_window.currentPanel()); }, "export");
    add(menu, "file.exportTable", tr("Export this &table as CSV…"), {},
        [this] { exportTable(m_window, m_window.currentPanel()); });
    add(menu, "file.exportDot", tr("Export the graph as &DOT…"), {},
        [this] { exportDot(m_window); });
    add(menu, "file.exportJson", tr("Export the result as &JSON…"), {},
        [this] { exportJson(m_window); });
}

void Actions::createEditMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Edit"));
    QUndoStack& undo = m_window.session().undoStack();
    QAction* undoAction = add(
        menu, "edit.undo", tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z),
        [&undo] { undo.undo(); }, "undo");
    QAction* redoAction = add(
        menu, "edit.redo", tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [&undo] { undo.redo(); }, "redo");
    undoAction->setEnabled(false);
    redoAction->setEnabled(false);
    connect(&undo, &QUndoStack::canUndoChanged, undoAction, &QAction::setEnabled);
    connect(&undo, &QUndoStack::canRedoChanged, redoAction, &QAction::setEnabled);
    menu->addSeparator();
    add(menu, "edit.copyName", tr("&Copy name"), QKeySequence(Qt::CTRL | Qt::Key_C),
        [this] { copySelectedName(); });
    menu->addSeparator();
    add(menu, "edit.find", tr("&Find…"), QKeySequence(Qt::CTRL | Qt::Key_F), [this] {
        m_window.searchField().setFocus(Qt::ShortcutFocusReason);
        m_window.searchField().selectAll();
    });
    add(menu, "edit.findNext", tr("Find &next"), QKeySequence(Qt::Key_F3),
        [this] { m_window.searchField().findNext(); });
    add(menu, "edit.findPrevious", tr("Find &previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [this] { m_window.searchField().findPrevious(); });
}

void Actions::createStageActions(QMenu* menu) {
    // The second of two graphs takes the keys while it has the focus.
    const auto current = [this]() -> views::common::ViewState& {
        return m_window.currentPanel()->state();
    };
    QMenu* stages = menu->addMenu(tr("&Stage"));
    for (Stage stage : lowering::kStages) {
        const int number = static_cast<int>(stage) + 1;
        const QByteArray id = QByteArrayLiteral("view.stage") + QByteArray::number(number);
        add(stages, id.constData(), StageBar::title(stage), QKeySequence(Qt::Key_0 + number),
            [current, stage] { current().setStage(stage); });
    }
    const auto step = [this, current](int direction) {
        if (const auto next = m_window.stageBar().neighbour(current().stage(), direction))
            current().setStage(*next);
    };
    add(
        stages, "view.previousStage", tr("&Previous stage"), QKeySequence(Qt::CTRL | Qt::Key_Up),
        [step] { step(-1); }, "back");
    add(
        stages, "view.nextStage", tr("&Next stage"), QKeySequence(Qt::CTRL | Qt::Key_Down),
        [step] { step(+1); }, "forward");
}

void Actions::createTargetActions(QMenu* menu) {
    QMenu* targets = menu->addMenu(tr("&Accelerator target"));
    int number = 0;
    for (std::string_view family : machines::kFamilies) {
        ++number;
        const QByteArray id = QByteArrayLiteral("view.machine") + QByteArray::number(number);
        add(targets, id.constData(), familyTitle(family),
            QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number)), [this, family] {
                // The family's machine that was used last, else the first that the command line's
                // examples name.
                const auto machine = m_window.session().preferredMachine(family);
                if (m_window.currentPanel()->state().isLinked())
                    m_window.compare().side().setMachine(machine);
                else
                    m_window.session().setMachine(machine);
            });
    }
}

void Actions::createMotionAction(QMenu* menu) {
    const QString key = QStringLiteral("reducedMotion");
    views::common::setMotionReduced(QSettings().value(key, false).toBool());
    QAction* action = add(menu, "view.reducedMotion", tr("Reduce &motion"), {}, [] {});
    action->setCheckable(true);
    action->setChecked(views::common::isMotionReduced());
    connect(action, &QAction::toggled, this, [key](bool isOn) {
        views::common::setMotionReduced(isOn);
        QSettings().setValue(key, isOn);
    });
}

void Actions::createViewMenu() {
    m_view = m_window.menuBar()->addMenu(tr("&View"));
    auto& state = m_window.state();
    QAction* back = add(
        m_view, "view.back", tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left),
        [&state] { state.goBack(); }, "back");
    QAction* forward = add(
        m_view, "view.forward", tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
        [&state] { state.goForward(); }, "forward");
    const auto refreshHistory = [&state, back, forward] {
        back->setEnabled(state.canGoBack());
        forward->setEnabled(state.canGoForward());
    };
    connect(&state, &views::common::ViewState::historyChanged, this, refreshHistory);
    refreshHistory();
    m_view->addSeparator();
    createStageActions(m_view);
    createTargetActions(m_view);
    const auto turnLens = [&state](int by) {
        const int count = views::common::kLenses - (state.divergence() ? 0 : 1); // verdict is last
        state.setLens(static_cast<views::common::Lens>(
            (static_cast<int>(state.lens()) + by + count) % count));
    };
    add(m_view, "view.lens", tr("Next &lens"), QKeySequence(Qt::Key_L),
        [turnLens] { turnLens(1); });
    add(m_view, "view.previousLens", tr("Previous lens"), QKeySequence(Qt::SHIFT | Qt::Key_L),
        [turnLens] { turnLens(-1); });
    m_view->addSeparator();
    add(m_view, "view.theme", tr("Light or dark &theme"), QKeySequence(Qt::CTRL | Qt::Key_T),
        [this] {
            m_window.setTheme(
                views::common::Palette::theme() == Theme::Light ? Theme::Dark : Theme::Light);
        });
    createMotionAction(m_view);
    QMenu* units = m_view->addMenu(tr("&Units of size"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, views::common::SizeUnit> kUnits[] = {
        {tr("KiB, MiB, GiB"), views::common::SizeUnit::Binary},
        {tr("kB, MB, GB"), views::common::SizeUnit::Decimal},
        {tr("bytes"), views::common::SizeUnit::Bytes}};
    int number = 0;
    for (const auto& [text, unit] : kUnits) {
        const QByteArray id = QByteArrayLiteral("view.unit") + QByteArray::number(++number);
        QAction* action = add(units, id.constData(), text, {}, [this, unit = unit] {
            views::common::setSizeUnit(unit);
            m_window.state().setResult(m_window.state().result(), false);
        });
        action->setCheckable(true);
        action->setChecked(unit == views::common::sizeUnit());
        group->addAction(action);
    }
    QMenu* panels = m_view->addMenu(tr("&Panels"));
    for (views::common::Panel* panel : m_window.panels())
        panels->addAction(m_window.dock(panel->id())->toggleViewAction());
}

void Actions::setWhatIfToolBar(QToolBar* bar) {
    QAction* action = add(m_view, "view.whatIf", tr("&What-if bar"),
        QKeySequence(Qt::CTRL | Qt::Key_B), [bar] { bar->setVisible(!bar->isVisible()); });
    action->setCheckable(true);
    action->setChecked(true);
}

void Actions::createGraphMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Graph"));
    add(
        menu, "graph.fit", tr("Fit &all"), {}, [this] { m_window.currentPanel()->zoomToFit(); },
        "fit");
    add(
        menu, "graph.fitSelection", tr("Fit &selection"), {},
        [this] { m_window.currentPanel()->zoomToSelection(); }, "fit-selection");
    menu->addSeparator();
    for (views::common::Panel* panel : m_window.panels())
        for (QAction* action : panel->panelActions()) {
            if (panel->id() != QLatin1String("graph"))
                continue;
            menu->addAction(action);
            m_all.append({menu->title(), action});
        }
}

void Actions::createAnalyseMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Analyse"));
    add(menu, "analyse.fusion", tr("&Fusion on or off"), {}, [this] {
        Choices choices = m_window.session().choices();
        choices.isFusionOn = !choices.isFusionOn;
        m_window.session().change(tr("Fusion"), std::move(choices));
    });
    add(menu, "analyse.reset", tr("&Reset what if"), {},
        [this] { m_window.session().resetWhatIf(); });
    add(menu, "analyse.cancel", tr("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period),
        [this] { m_window.session().jobs().cancel(); });
    menu->addSeparator();
    createDebugMenu(menu);
    for (views::common::Panel* panel : m_window.panels())
        for (QAction* action : panel->panelActions()) {
            if (panel->id() == QLatin1String("graph"))
                continue;
            menu->addAction(action);
            m_all.append({panel->title(), action});
        }
}

void Actions::createDebugMenu(QMenu* parent) {
    QMenu* menu = parent->addMenu(tr("&Debug"));
    Debugging& debugging = m_window.debugging();
    add(menu, "debug.compare", tr("&Compare runs…"), QKeySequence(Qt::CTRL | Qt::Key_D),
        [&debugging] { debugging.openRuns(); });
    add(menu, "debug.computed", tr("Compare with what is computed &here"), {},
        [&debugging] { debugging.compareComputed(); });
    add(menu, "debug.lab", tr("&Fault lab…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
        [&debugging] { debugging.openFaultLab(); });
    menu->addSeparator();
    const auto origin = [this] {
        return views::divergence::Focus::of(m_window.state()).origin().value_or(0);
    };
    const QList<QAction*> needComparison{
        add(menu, "debug.matches", tr("&Matches of dump and model…"), {},
            [&debugging] { debugging.showMatches(); }),
        add(menu, "debug.capture", tr("What to capture &next…"), {},
            [&debugging] { debugging.showCaptureScript(); }),
        add(menu, "debug.evidence", tr("&Evidence card…"), {},
            [&debugging, origin] { debugging.saveEvidence(origin()); }),
        add(menu, "debug.reduce", tr("&Reduce…"), {},
            [&debugging, origin] { debugging.saveReproducer(origin()); }),
        add(menu, "debug.close", tr("&End the comparison"), {},
            [&debugging] { debugging.session().close(); })};
    const auto refresh = [&debugging, needComparison] {
        for (QAction* action : needComparison)
            action->setEnabled(debugging.session().current() != nullptr);
    };
    connect(&debugging.session(), &DebugSession::changed, this, refresh);
    refresh();
}

void Actions::createCompareMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Compare"));
    QAction* five = add(
        menu, "compare.five", tr("&Five panel"), QKeySequence(Qt::Key_F7),
        [this] { m_comparing->toggleFivePanel(); }, "five");
    five->setCheckable(true);
    QAction* kept =
        add(menu, "compare.keepFive", tr("&Keep all five machines analysed"), {}, [] {});
    kept->setCheckable(true);
    connect(kept, &QAction::toggled, m_comparing, &Comparing::setKept);
    const auto refresh = [this, five] {
        five->setChecked(m_comparing->fullWidth().panelId() == QLatin1String("five"));
    };
    connect(&m_comparing->fullWidth(), &FullWidth::changed, five, refresh);
    connect(five, &QAction::triggered, five, refresh);
}

void Actions::createWindowMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Window"));
    add(menu, "window.nextPanel", tr("&Next panel"), QKeySequence(Qt::Key_F6),
        [this] { m_window.focusNextPanel(+1); });
    add(menu, "window.previousPanel", tr("&Previous panel"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
        [this] { m_window.focusNextPanel(-1); });
    add(menu, "window.inspector", tr("&Inspector"), QKeySequence(Qt::Key_F4),
        [this] { m_window.showPanel(QStringLiteral("inspector")); });
    QMenu* panels = menu->addMenu(tr("&Panels"));
    for (const views::common::Panel* panel : m_window.panels()) {
        const QByteArray id = QByteArrayLiteral("window.panel.") + panel->id().toLatin1();
        add(panels, id.constData(), panel->title(), {},
            [this, name = panel->id()] { m_window.showPanel(name); });
    }
    add(menu, "window.list", tr("&List of what the panel shows"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), [this] { m_window.list().toggle(); });
    menu->addSeparator();
    add(menu, "window.explore", tr("&Explore"), {},
        [this] { m_window.arrangeForComparing(false); });
    add(menu, "window.compare", tr("&Compare side by side"), QKeySequence(Qt::Key_F8),
        [this] { m_window.arrangeForComparing(!m_window.compare().isShown()); });
    add(
        menu, "window.debug", tr("&Debug"), QKeySequence(Qt::SHIFT | Qt::Key_F8),
        [this] { m_window.debugging().arrange(!m_window.debugging().isArranged()); }, "debug");
    add(menu, "window.lecture", tr("L&ecture"), {}, [this] { m_window.arrangeForLecture(); });
    add(menu, "window.reset", tr("&Reset arrangement"), {},
        [this] { m_window.resetArrangement(); });
    add(menu, "window.fullScreen", tr("&Full screen"), QKeySequence(Qt::Key_F11),
        [this] { m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen); });
}

void Actions::createHelpMenu() {
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Help"));
    add(menu, "help.shortcuts", tr("&Shortcuts"), QKeySequence(Qt::Key_Question),
        [this] { showShortcuts(m_window, *this); });
    add(menu, "help.published", tr("How good is this &model? (published points)"), {},
        [this] { m_comparing->togglePublishedPoints(); });
    add(menu, "help.about", tr("&About Fivefold"), {}, [this] {
        QMessageBox::about(&m_window, tr("About Fivefold"),
            tr("Fivefold %1\nOne PyTorch model, five machines.\n\nWhat it lowers is a model of "
               "each compiler, not the "
               "compiler itself: every figure says how it is known.")
                .arg(QString::fromUtf8(
                    base::kVersion.data(), static_cast<int>(base::kVersion.size()))));
    });
}

void Actions::fillToolBarStart(QToolBar& bar) {
    for (const char* id : {"file.open", "file.reload"})
        bar.addAction(find(id));
    bar.addSeparator();
    for (const char* id : {"view.back", "view.forward"})
        bar.addAction(find(id));
    bar.addSeparator();
    for (const char* id : {"edit.undo", "edit.redo"})
        bar.addAction(find(id));
    bar.addSeparator();
}

void Actions::fillToolBarEnd(QToolBar& bar) {
    bar.addSeparator();
    bar.addAction(find("compare.five"));
    // Play or pause, from the panel that plays.
    if (const auto* play = m_window.panel(QStringLiteral("play")))
        for (QAction* action : play->panelActions())
            if (action->shortcut() == QKeySequence(Qt::Key_F9))
                bar.addAction(action);
    bar.addAction(find("window.debug"));
    bar.addAction(find("file.exportPanel"));
}

void Actions::openFile() {
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Open a model"), {}, tr("Models (*.onnx);;All files (*)"));
    if (!path.isEmpty())
        m_window.session().open(path);
}

void Actions::openMachineFile() {
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Open a machine description"), {}, tr("Machines (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    auto machine = machines::readMachineFile(path.toStdString());
    if (!machine)
        m_window.messageBar().showError(QString::fromStdString(machine.error().text()));
    else
        m_window.session().setMachine(
            std::make_shared<const machines::Machine>(*std::move(machine)));
}

void Actions::refreshRecent() {
    m_recent->clear();
    int number = 0;
    for (const QString& path : m_window.session().recentFiles()) {
        QAction* action = m_recent->addAction(path);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + ++number)));
        connect(action, &QAction::triggered, this, [this, path] { m_window.session().open(path); });
    }
    m_recent->setEnabled(number > 0);
}

void Actions::copySelectedName() {
    const auto result = m_window.state().result();
    if (!result)
        return;
    QStringList names;
    for (ir::NodeId node : m_window.state().selection().nodes)
        names << QString::fromStdString(result->graph().nodes[node].name);
    if (names.isEmpty())
        names << QString::fromStdString(m_window.state().selection().added);
    QApplication::clipboard()->setText(names.join(QLatin1Char('\n')));
}

} // namespace fivefold::app
