// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/status_line.h"

#include "app/gui/session.h"
#include "views/common/format.h"

#include <QFileInfo>
#include <QLabel>
#include <QStatusBar>

namespace fivefold::app {

using views::common::formatCount;
using views::common::ViewState;

namespace {

constexpr int kLongestName = 48; // characters of a selected name

} // namespace

StatusLine::StatusLine(Session& session, QStatusBar& bar)
    : QObject(&bar)
    , m_session(session) {
    for (QLabel** label : {&m_file, &m_counts, &m_selection, &m_problems}) {
        *label = new QLabel(&bar);
        (*label)->setContentsMargins(8, 0, 8, 0);
    }
    bar.addWidget(m_file);
    bar.addWidget(m_counts);
    bar.addWidget(m_selection, 1);
    bar.addPermanentWidget(m_problems);
    bar.setSizeGripEnabled(false);
    connect(&session.state(), &ViewState::resultChanged, this, &StatusLine::refresh);
    connect(&session.state(), &ViewState::selectionChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::refresh() {
    const auto result = m_session.state().result();
    if (!result)
        return m_file->setText(tr("No model is open: Ctrl+O opens one, or drop a file here."));
    const ir::Graph& graph = result->graph();
    m_file->setText(QFileInfo(m_session.path()).fileName());
    m_counts->setText(
        tr("%1 nodes · %2 parameters · %3 MAC")
            .arg(formatCount(graph.fileNodeCount()), formatCount(graph.parameterCount()),
                formatCount(result->cost->macs)));
    const views::common::Selection& selection = m_session.state().selection();
    QString selected;
    if (!selection.nodes.empty()) {
        selected = tr("selected: %1")
                       .arg(views::common::elideMiddle(
                           QString::fromStdString(graph.nodes[selection.nodes.front()].name),
                           kLongestName));
        if (selection.nodes.size() > 1)
            selected += tr(" and %1 more").arg(selection.nodes.size() - 1);
    } else if (!selection.added.empty()) {
        selected = tr("selected: %1").arg(QString::fromStdString(selection.added));
    }
    m_selection->setText(selected);
    const std::size_t problems = result->problems.size();
    m_problems->setText(problems == 1 ? tr("1 problem") : tr("%1 problems").arg(problems));
}

} // namespace fivefold::app
