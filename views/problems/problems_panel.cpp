// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/problems/problems_panel.h"

#include "views/common/format.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/problems/problems_model.h"

#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::problems {

using namespace common;

namespace {

constexpr int kSeverityWidth = 84;
constexpr int kNumberWidth = 72;
constexpr int kMessageShare = 45; // percent of the rest
constexpr int kRemedyShare = 30;

} // namespace

ProblemsPanel::ProblemsPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_model = new ProblemsModel(state, this);
    m_table = new Table(m_model, this);
    m_table->sortByColumn(ProblemsModel::Severity, Qt::DescendingOrder);
    m_table->setColumnHidden(ProblemsModel::Code, true);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter by place, words, code"));
    filter->setClearButtonEnabled(true);
    filter->setMaximumWidth(320);
    connect(filter, &QLineEdit::textChanged, m_table, &Table::setFilterText);
    m_frame->header()->addWidget(filter, 1);
    m_frame->header()->addStretch(1);
    m_frame->setCanvas(m_table);
    connect(&state, &ViewState::resultChanged, this, &ProblemsPanel::updateResult);
    connect(&state, &ViewState::selectionChanged, this, &ProblemsPanel::updateSelection);
    connect(&state, &ViewState::hoverChanged, m_model, &ProblemsModel::refreshMarks);
    connect(m_table, &Table::rowChosen, this, [this](int row) {
        const Problem& problem = m_model->problem(row);
        if (problem.node.isValid())
            this->state().selectNode(problem.node);
        else if (problem.value.isValid())
            this->state().selectValue(problem.value);
        else
            this->state().clearSelection();
    });
    connect(m_table, &Table::rowHovered, this, [this](int row) {
        Selection hover;
        if (row >= 0 && m_model->problem(row).node.isValid())
            hover.nodes = {m_model->problem(row).node};
        this->state().setHover(hover);
    });
    connect(m_table, &Table::rowActivated, this,
        [this] { emit showRequested(QStringLiteral("graph")); });
    connect(m_table, &Table::emptyClicked, &state, &ViewState::clearSelection);
    updateResult();
}

QString ProblemsPanel::title() const {
    const int count = m_model ? m_model->rowCount() : 0;
    return count == 0 ? tr("Problems") : tr("Problems %1").arg(count);
}

QString ProblemsPanel::sentence() const {
    const auto result = state().result();
    if (!result)
        return tr("No model is open, so there are no problems.");
    const QString machine = QString::fromStdString(result->machine().name);
    if (m_model->rowCount() == 0)
        return tr("No problems: all %1 operators were read and run on %2.")
            .arg(formatCount(static_cast<std::int64_t>(result->graph().nodes.size())), machine);
    if (const int row = m_model->selectedRow(); row >= 0) {
        const Problem& problem = m_model->problem(row);
        return QString(
            problem.place + QStringLiteral(": ") + problem.message + u' ' + problem.remedy)
            .trimmed();
    }
    QStringList counts;
    const auto add = [&](base::Severity severity, const QString& one, const QString& many) {
        if (const auto count = m_model->count(severity); count > 0)
            counts << (count == 1 ? one : many.arg(formatCount(count)));
    };
    add(base::Severity::Error, tr("1 error"), tr("%1 errors"));
    add(base::Severity::Warning, tr("1 warning"), tr("%1 warnings"));
    add(base::Severity::Info, tr("1 note"), tr("%1 notes"));
    return tr("%1 for this model on %2; first: %3")
        .arg(counts.join(QStringLiteral(", ")), machine, m_model->problem(0).message);
}

void ProblemsPanel::updateResult() {
    m_model->reset();
    if (m_model->rowCount() == 0)
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    fitColumns();
    updateSelection();
}

void ProblemsPanel::updateSelection() {
    m_model->refreshMarks();
    const int row = m_model->selectedRow();
    m_table->setCurrentSourceRow(row);
    if (row >= 0)
        m_table->showSourceRow(row);
    refreshSentence();
}

void ProblemsPanel::fitColumns() {
    const int rest = std::max(240, width() - kSeverityWidth - 2 * kNumberWidth - 16);
    m_table->setColumnWidth(ProblemsModel::Severity, kSeverityWidth);
    m_table->setColumnWidth(ProblemsModel::Message, rest * kMessageShare / 100);
    m_table->setColumnWidth(ProblemsModel::Remedy, rest * kRemedyShare / 100);
    m_table->setColumnWidth(
        ProblemsModel::Place, rest * (100 - kMessageShare - kRemedyShare) / 100);
    m_table->setColumnWidth(ProblemsModel::Cost, kNumberWidth);
    m_table->setColumnWidth(ProblemsModel::Count, kNumberWidth);
}

void ProblemsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitColumns();
}

void ProblemsPanel::paintContent(QPainter& painter, const QSize& size) {
    m_table->paintRows(painter, size);
}

QString ProblemsPanel::toCsv() const {
    return m_model->rowCount() == 0 ? QString() : m_table->toCsv();
}

void ProblemsPanel::zoomToSelection() {
    if (const int row = m_model->selectedRow(); row >= 0)
        m_table->showSourceRow(row);
}

} // namespace fivefold::views::problems
