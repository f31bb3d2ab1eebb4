// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/problems/problems_panel.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/problems/problems_model.h"

#include <QMenu>

#include <algorithm>

namespace fivefold::views::problems {

using namespace common;
using analysis::Problem;

namespace {

constexpr int kSeverityWidth = 84; // "warning" in bold with its mark
constexpr int kTimeWidth = 80;
constexpr int kTryWidth = 64;
constexpr int kCountWidth = 52;
constexpr int kLeastRest = 192;
constexpr int kMessageShare = 50; // percent of the rest
constexpr int kAdviceShare = 30;
/// Below, the advice is left to the tool tip and the sentence.
constexpr int kAdviceFromWidth = 640;
/// Below, the times left over and the repeats go, so that cost and remedy stay.
constexpr int kAllTimesFromWidth = 560;

} // namespace

ProblemsPanel::ProblemsPanel(ViewState& state, QWidget* parent)
    : TablePanel(state, parent)
    , m_model(new ProblemsModel(state, this))
    , m_try(new QAction(tr("Try the remedy"), this)) {
    createTable(m_model, tr("Filter by place, words, code"));
    table()->sortByColumn(ProblemsModel::Cost, Qt::DescendingOrder);
    table()->setColumnHidden(ProblemsModel::Code, true);
    addCsvButton(QStringLiteral("problems.csv"));
    connect(table(), &Table::rowActivated, this, &ProblemsPanel::activate);
    connect(table(), &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == ProblemsModel::Try)
            offerRemedies(table()->sourceRow(index.row()));
    });
    connect(table(), &Table::menuRequested, this,
        [this](QMenu* menu, int row) { addRemedies(*menu, row); });
    connect(m_try, &QAction::triggered, this, [this] { offerRemedies(currentRow()); });
    updateResult();
}

QList<QAction*> ProblemsPanel::panelActions() const {
    return TablePanel::panelActions() << m_try;
}

/// A problem of an operator selects it, one of a tensor the tensor and its producer.
Selection ProblemsPanel::selectionAt(int row) const {
    const Problem& problem = m_model->problem(row);
    Selection selection;
    if (problem.node.isValid())
        selection.nodes = {problem.node};
    if (const auto result = state().result(); problem.value.isValid() && result) {
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
    if (m_try)
        m_try->setEnabled(currentRow() >= 0);
}

void ProblemsPanel::resetRows() {
    m_model->reset();
}

int ProblemsPanel::currentRow() const {
    const int current = table() && table()->currentIndex().isValid()
        ? table()->sourceRow(table()->currentIndex().row())
        : m_model->selectedRow();
    const bool hasRemedy = current >= 0 && current < m_model->rowCount()
        && !m_model->problem(current).remedies.empty();
    return hasRemedy ? current : -1;
}

/// Enter tries the one remedy, or offers several; without any it shows the place.
void ProblemsPanel::activate(int row) {
    if (m_model->problem(row).remedies.empty())
        emit showRequested(QStringLiteral("graph"));
    else
        offerRemedies(row);
}

void ProblemsPanel::addRemedies(QMenu& menu, int row) {
    if (row < 0 || row >= m_model->rowCount())
        return;
    const Problem& problem = m_model->problem(row);
    QAction* before = menu.actions().isEmpty() ? nullptr : menu.actions().front();
    for (std::size_t i = 0; i < problem.remedies.size(); ++i) {
        auto* action =
            new QAction(tr("Try: %1").arg(QString::fromStdString(problem.remedies[i].text)), &menu);
        connect(action, &QAction::triggered, this, [this, row, i] { tryRemedy(row, i); });
        menu.insertAction(before, action);
    }
    if (before && !problem.remedies.empty())
        menu.insertSeparator(before);
}

void ProblemsPanel::offerRemedies(int row) {
    if (row < 0 || row >= m_model->rowCount() || m_model->problem(row).remedies.empty())
        return;
    if (m_model->problem(row).remedies.size() == 1) {
        tryRemedy(row);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addRemedies(*menu, row);
    const QModelIndex cell = table()->model()->index(table()->viewRow(row), ProblemsModel::Try);
    menu->popup(table()->viewport()->mapToGlobal(table()->visualRect(cell).bottomLeft()));
}

void ProblemsPanel::tryRemedy(int row, std::size_t remedy) {
    if (row < 0 || row >= m_model->rowCount())
        return;
    const auto& remedies = m_model->problem(row).remedies;
    if (remedy >= remedies.size())
        return;
    const analysis::Remedy chosen = remedies[remedy]; // the list is replaced while it is tried
    emit remedyRequested(QString::fromStdString(chosen.text), chosen);
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
        return QString::fromStdString(problem.place + (problem.place.empty() ? "" : ": ")
            + problem.message + ' ' + problem.advice)
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
    const Problem& first = m_model->problem(0);
    const QString clause = firstClause(QString::fromStdString(first.message));
    const QString list = counts.join(QStringLiteral(", "));
    return first.cost ? tr("%1 for this model on %2; the dearest costs %3: %4.")
                            .arg(list, machine, formatTime(first.cost), clause)
                      : tr("%1 for this model on %2; first: %3.").arg(list, machine, clause);
}

void ProblemsPanel::fitColumns() {
    const bool hasAdvice = width() >= kAdviceFromWidth, hasAll = width() >= kAllTimesFromWidth;
    if (!table()->areColumnsChosen()) {
        table()->setColumnHidden(ProblemsModel::Advice, !hasAdvice);
        table()->setColumnHidden(ProblemsModel::Without, !hasAll);
        table()->setColumnHidden(ProblemsModel::Count, !hasAll);
    }
    const int numbers = kTimeWidth + (hasAll ? kTimeWidth + kCountWidth : 0);
    const int rest = std::max(kLeastRest, width() - kSeverityWidth - numbers - kTryWidth - 16);
    const int advice = hasAdvice ? rest * kAdviceShare / 100 : 0;
    const int message = (rest * kMessageShare / 100) + (hasAdvice ? 0 : rest * kAdviceShare / 200);
    table()->setColumnWidth(ProblemsModel::Severity, kSeverityWidth);
    table()->setColumnWidth(ProblemsModel::Message, message);
    table()->setColumnWidth(ProblemsModel::Advice, advice);
    table()->setColumnWidth(ProblemsModel::Place, rest - message - advice);
    table()->setColumnWidth(ProblemsModel::Cost, kTimeWidth);
    table()->setColumnWidth(ProblemsModel::Without, kTimeWidth);
    table()->setColumnWidth(ProblemsModel::Try, kTryWidth);
    table()->setColumnWidth(ProblemsModel::Count, kCountWidth);
}

} // namespace fivefold::views::problems
