// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/compare_docks.h"

#include "app/gui/dock_title.h"
#include "app/gui/panel_wiring.h"
#include "app/gui/panels.h"
#include "app/gui/session.h"
#include "app/gui/target_picker.h"
#include "views/common/panel.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QVBoxLayout>

namespace fivefold::app {

using views::common::Panel;
using views::common::ViewState;

CompareDocks::CompareDocks(QMainWindow& window, Session& session)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_side(session) {
    connect(&m_side, &SideBySide::failed, this, &CompareDocks::noticeRequested);
}

void CompareDocks::create() {
    m_panels = createSidePanels(m_side.state(), &m_window);
    connectRequests(m_panels, m_session);
    for (Panel* panel : m_panels) {
        panel->setMinimumSize(280, 130);
        connect(panel, &Panel::showRequested, this, &CompareDocks::panelRequested);
        connect(panel, &Panel::noticeRequested, this, &CompareDocks::noticeRequested);
    }
    auto* content = new QWidget(&m_window);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createPickers(content));
    column->addWidget(m_panels.front(), 1);
    content->setFocusProxy(m_panels.front());
    m_graph = addDock(m_panels.front(), QStringLiteral("graph2"), content);
    m_layout = addDock(m_panels.back(), QStringLiteral("layout2"), m_panels.back());
    connect(&m_side.state(), &ViewState::stageChanged, this, &CompareDocks::refresh);
    connect(&m_side.state(), &ViewState::resultChanged, this, &CompareDocks::refresh);
    connect(&m_side, &SideBySide::machineChanged, this, &CompareDocks::refresh);
    refresh();
}

QDockWidget* CompareDocks::addDock(Panel* panel, const QString& name, QWidget* content) {
    auto* dock = new QDockWidget(panel->title(), &m_window);
    dock->setObjectName(name);
    dock->setWidget(content);
    auto* title = new DockTitle(*dock);
    dock->setTitleBarWidget(title);
    connect(&m_side.state(), &ViewState::staleChanged, title, &DockTitle::setBusy);
    connect(dock, &QDockWidget::windowTitleChanged, title, qOverload<>(&QWidget::update));
    m_window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    return dock;
}

QWidget* CompareDocks::createPickers(QWidget* parent) {
    auto* bar = new QWidget(parent);
    bar->setFixedHeight(views::common::kHeaderHeight);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(views::common::kPanelPadding, 4, views::common::kPanelPadding, 4);
    m_machine = new TargetPicker(bar);
    m_machine->setAccessibleName(tr("Second machine"));
    m_machine->setMinimumWidth(120);
    m_stage = new QComboBox(bar);
    m_stage->setAccessibleName(tr("Second stage"));
    m_stage->setToolTip(
        tr("Stage of the second graph and layout (keys 1 to 6 while it has the focus)"));
    for (const lowering::Stage stage : lowering::kStages)
        m_stage->addItem(QStringLiteral("%1 %2")
                             .arg(static_cast<int>(stage) + 1)
                             .arg(views::common::stageName(stage)));
    row->addWidget(new QLabel(tr("beside it:"), bar));
    row->addWidget(m_machine, 1);
    row->addWidget(m_stage);
    connect(m_machine, &TargetPicker::machineChosen, &m_side, &SideBySide::setMachine);
    connect(m_stage, &QComboBox::activated, this, [this](int index) {
        m_side.state().setStage(lowering::kStages[static_cast<std::size_t>(index)]);
    });
    return bar;
}

void CompareDocks::refresh() {
    if (!m_graph)
        return;
    m_machine->setMachine(m_side.machine());
    m_stage->setCurrentIndex(static_cast<int>(m_side.state().stage()));
    const auto result = m_side.state().result();
    const QString what =
        QStringLiteral(" · %1 · %2 %3")
            .arg(QString::fromStdString(result ? result->machine().name : m_side.machine()->name))
            .arg(static_cast<int>(m_side.state().stage()) + 1)
            .arg(views::common::stageName(m_side.state().stage()));
    m_graph->setWindowTitle(m_panels.front()->title() + what);
    m_layout->setWindowTitle(m_panels.back()->title() + what);
}

void CompareDocks::show() {
    if (!m_graph)
        create();
    m_side.setActive(true);
    m_graph->show();
    m_layout->show();
    emit shownChanged(true);
}

void CompareDocks::hide() {
    if (!m_graph || !m_side.isActive())
        return;
    m_side.setActive(false);
    m_graph->hide();
    m_layout->hide();
    emit shownChanged(false);
}

} // namespace fivefold::app
