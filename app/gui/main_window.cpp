// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/main_window.h"

#include "app/gui/actions.h"
#include "app/gui/compare_docks.h"
#include "app/gui/debugging.h"
#include "app/gui/dock_title.h"
#include "app/gui/list_dock.h"
#include "app/gui/message_bar.h"
#include "app/gui/panel_wiring.h"
#include "app/gui/panels.h"
#include "app/gui/search_field.h"
#include "app/gui/stage_bar.h"
#include "app/gui/status_line.h"
#include "app/gui/target_picker.h"
#include "app/gui/tool_boxes.h"
#include "app/gui/what_if_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

namespace fivefold::app {

using views::common::Panel;

namespace {

constexpr int kBarHeight = 36;
constexpr int kResizeRestMs = 200;

QToolBar* addBar(MainWindow& window, const QString& name, Qt::ToolBarArea area) {
    auto* bar = new QToolBar(name, &window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFixedHeight(kBarHeight);
    bar->setIconSize({16, 16});
    bar->toggleViewAction()->setVisible(false);
    window.addToolBar(area, bar);
    return bar;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_session(m_state) {
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::South);
    createDocks();
    m_search = new SearchField(m_state, this);
    m_debugging = new Debugging(*this);
    m_actions = new Actions(*this);
    createBars();
    new StatusLine(m_session, *statusBar());
    connectSession();
    m_target->setMachine(m_session.choices().machine);
    refreshTitle();
    m_resizeTimer.setSingleShot(true);
    m_resizeTimer.callOnTimeout(this, &MainWindow::followSize);
}

MainWindow::~MainWindow() {
    m_session.jobs().cancel();
    qDeleteAll(m_docks); // panels read the state, which is a member
}

void MainWindow::createDocks() {
    m_panels = createPanels(m_state, this);
    for (Panel* panel : m_panels) {
        auto* dock = new QDockWidget(panel->title(), this);
        dock->setObjectName(panel->id());
        panel->setMinimumSize(280, 130);
        dock->setWidget(panel);
        auto* title = new DockTitle(*dock);
        dock->setTitleBarWidget(title);
        connect(&m_state, &views::common::ViewState::staleChanged, title, &DockTitle::setBusy);
        connect(panel, &Panel::showRequested, this, &MainWindow::showPanel);
        connect(panel, &Panel::machineRequested, &m_session, &Session::setMachineNamed);
        // After the panel's own connection: a title may count what the result has.
        connect(&m_state, &views::common::ViewState::resultChanged, dock, [panel, dock, title] {
            dock->setWindowTitle(panel->title());
            title->update();
        });
        m_docks.insert(panel->id(), dock);
        addDockWidget(Qt::LeftDockWidgetArea, dock);
    }
    connectRequests(m_panels, m_session);
    m_compare = new CompareDocks(*this, m_session);
    connect(m_compare, &CompareDocks::panelRequested, this, &MainWindow::showPanel);
    m_list = new ListDock(m_panels.front(), this);
    addDockWidget(Qt::RightDockWidgetArea, m_list);
    m_list->hide();
}

void MainWindow::createBars() {
    QToolBar* main = addBar(*this, tr("Tool bar"), Qt::TopToolBarArea);
    m_actions->fillToolBarStart(*main);
    // Hiding needs the action: a tool bar shows its widgets by it.
    m_targetLabelAction = main->addWidget(new QLabel(tr("Accelerator target "), this));
    m_target = new TargetPicker(this);
    main->addWidget(m_target);
    main->addWidget(createPrecisionBox(m_session, this));
    main->addWidget(new QLabel(tr(" Lens "), this));
    main->addWidget(createLensBox(m_state, this));
    m_actions->fillToolBarEnd(*main);
    auto* spacer = new QWidget(this);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    main->addWidget(spacer);
    m_search->setMinimumWidth(180);
    m_search->setMaximumWidth(300);
    main->addWidget(m_search);

    addToolBarBreak(Qt::TopToolBarArea);
    QToolBar* stages = addBar(*this, tr("Stage bar"), Qt::TopToolBarArea);
    m_stages = new StageBar(m_state, this);
    stages->addAction(m_actions->previousStage());
    stages->addWidget(m_stages);
    stages->addAction(m_actions->nextStage());
    stages->addWidget(createOrderBox(*m_stages, this));

    addToolBarBreak(Qt::TopToolBarArea);
    auto* messages = new QToolBar(tr("Messages"), this);
    messages->setObjectName(QStringLiteral("messages"));
    messages->setMovable(false);
    messages->toggleViewAction()->setVisible(false);
    m_messages = new MessageBar(m_session.jobs(), this);
    messages->addWidget(m_messages);
    addToolBar(Qt::TopToolBarArea, messages);
    messages->hide();
    connect(m_messages, &MessageBar::shownChanged, messages, &QToolBar::setVisible);
    m_debugging->showIn(*m_messages);

    QToolBar* whatIf = addBar(*this, tr("What if"), Qt::BottomToolBarArea);
    m_whatIf = new WhatIfBar(m_session, this);
    whatIf->addWidget(m_whatIf);
    m_actions->setWhatIfToolBar(whatIf);
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::failed, m_messages, &MessageBar::showError);
    connect(&m_session, &Session::opened, this, &MainWindow::refreshTitle);
    connect(&m_session, &Session::choicesChanged, this,
        [this] { m_target->setMachine(m_session.choices().machine); });
    connect(m_target, &TargetPicker::machineChosen, &m_session, &Session::setMachine);
    for (Panel* panel : m_panels)
        connect(panel, &Panel::noticeRequested, m_messages, &MessageBar::showNotice);
    connect(m_compare, &CompareDocks::noticeRequested, m_messages, &MessageBar::showNotice);
    connect(m_search, &SearchField::statusChanged, this, &MainWindow::showMessage);
}

void MainWindow::refreshTitle() {
    const QString file = QFileInfo(m_session.path()).fileName();
    setWindowTitle(
        file.isEmpty() ? QStringLiteral("Fivefold") : file + QStringLiteral(" – Fivefold"));
}

Panel* MainWindow::panel(const QString& id) const {
    for (Panel* panel : m_panels)
        if (panel->id() == id)
            return panel;
    return nullptr;
}

Panel* MainWindow::currentPanel() const {
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (auto* panel = qobject_cast<Panel*>(widget))
            return panel;
    return m_panels.front();
}

void MainWindow::showPanel(const QString& panelId) {
    QDockWidget* dock = m_docks.value(panelId);
    if (!dock)
        return;
    dock->show();
    dock->raise();
    dock->widget()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::focusNextPanel(int direction) {
    std::vector<Panel*> shown = m_panels;
    shown.insert(shown.end(), m_compare->panels().begin(), m_compare->panels().end());
    std::erase_if(shown, [](const Panel* p) { return p->visibleRegion().isEmpty(); });
    const auto at = std::find(shown.begin(), shown.end(), currentPanel());
    const auto count = static_cast<std::ptrdiff_t>(shown.size());
    const std::ptrdiff_t index = at == shown.end() ? 0 : at - shown.begin();
    for (std::ptrdiff_t i = 1; i < count; ++i) {
        Panel* next = shown[static_cast<std::size_t>((index + (direction + count) * i) % count)];
        next->setFocus(Qt::TabFocusReason);
        if (currentPanel() == next)
            return;
    }
}

void MainWindow::arrange(const QSize& size, bool useStored) {
    setSizeClass(sizeClass(size));
    resize(size);
    if (!useStored || !restoreArrangement(*this, m_sizeClass))
        arrangeDefault(*this, m_docks, m_sizeClass);
}

void MainWindow::setSizeClass(SizeClass size) {
    m_sizeClass = size;
    m_targetLabelAction->setVisible(size == SizeClass::Wide);
    m_target->setFixedWidth(size == SizeClass::Wide ? 200 : 160);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (isVisible())
        m_resizeTimer.start(kResizeRestMs);
}

void MainWindow::followSize() {
    const SizeClass now = sizeClass(size());
    if (now == m_sizeClass || !m_isExploring)
        return;
    storeArrangement(*this, m_sizeClass);
    setSizeClass(now);
    // What was stored while the window shrank keeps its places, not its squeezed sizes.
    if (restoreArrangement(*this, now))
        resizeDefault(*this, m_docks, now);
    else
        arrangeDefault(*this, m_docks, now);
}

void MainWindow::resetArrangement() {
    forgetArrangement(m_sizeClass);
    m_compare->hide();
    m_isExploring = true;
    setSizeClass(sizeClass(size()));
    arrangeDefault(*this, m_docks, m_sizeClass);
}

void MainWindow::arrangeForComparing(bool isOn) {
    if (m_isExploring)
        storeArrangement(*this, m_sizeClass);
    m_isExploring = !isOn;
    if (isOn) {
        m_compare->show();
        arrangeCompare(*this, m_docks, m_compare->graph(), m_compare->layout());
        return;
    }
    m_compare->hide();
    arrange(size(), true);
}

void MainWindow::arrangeForLecture() {
    if (m_isExploring)
        storeArrangement(*this, m_sizeClass);
    m_isExploring = false;
    m_compare->hide();
    const QString id = currentPanel()->id();
    arrangeLecture(*this, m_docks, id == QLatin1String("graph") ? QStringLiteral("layout") : id);
}

void MainWindow::setTheme(views::common::Theme theme) {
    views::common::Palette::apply(*qobject_cast<QApplication*>(QApplication::instance()), theme);
    QSettings().setValue(
        QStringLiteral("theme"), theme == views::common::Theme::Dark ? "dark" : "light");
    for (QWidget* widget : QApplication::allWidgets())
        widget->update();
}

void MainWindow::showMessage(const QString& text) {
    statusBar()->showMessage(text, 5000);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_isExploring)
        storeArrangement(*this, m_sizeClass);
    QSettings().setValue(QStringLiteral("size"), size());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            m_session.open(url.toLocalFile());
            return;
        }
}

} // namespace fivefold::app
