// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/problems/problems_panel.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/problems/problems_model.h"

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
    : TablePanel(state, parent)
    , m_model(new ProblemsModel(state, this)) {
    createTable(m_model, tr("Filter by place, words, code"));
    table()->sortByColumn(ProblemsModel::Severity, Qt::DescendingOrder);
    table()->setColumnHidden(ProblemsModel::Code, true);
    addCsvButton(QStringLiteral("problems.csv"));
    connect(table(), &Table::rowActivated, this,
        [this] { emit showRequested(QStringLiteral("graph")); });
    updateResult();
}

/// A problem of an operator selects it, one of a tensor the tensor and its producer.
Selection ProblemsPanel::selectionAt(int row) const {
    const Problem& problem = m_model->problem(row);
    Selection selection;
    if (problem.node.isValid()) {
        selection.nodes = {problem.node};
    } else if (const auto result = state().result(); problem.value.isValid() && result) {
        selection.value = problem.value;
        if (const auto producer = result->graph().values[problem.value].producer;
            producer.isValid())
            selection.nodes = {producer};
    }
    return selection;
}

int ProblemsPanel::selectedRow() const {
    return m_model->selectedRow();
}

void ProblemsPanel::refreshMarks() {
    m_model->refreshMarks();
}

void ProblemsPanel::resetRows() {
    m_model->reset();
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

void ProblemsPanel::fitColumns() {
    const int rest = std::max(240, width() - kSeverityWidth - 2 * kNumberWidth - 16);
    table()->setColumnWidth(ProblemsModel::Severity, kSeverityWidth);
    table()->setColumnWidth(ProblemsModel::Message, rest * kMessageShare / 100);
    table()->setColumnWidth(ProblemsModel::Remedy, rest * kRemedyShare / 100);
    table()->setColumnWidth(
        ProblemsModel::Place, rest * (100 - kMessageShare - kRemedyShare) / 100);
    table()->setColumnWidth(ProblemsModel::Cost, kNumberWidth);
    table()->setColumnWidth(ProblemsModel::Count, kNumberWidth);
}

} // namespace fivefold::views::problems
