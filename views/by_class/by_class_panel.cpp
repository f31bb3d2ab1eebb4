// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/by_class/by_class_panel.h"

#include "views/by_class/by_class_model.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/common/type.h"

#include <QScrollBar>

#include <algorithm>
#include <numeric>

namespace fivefold::views::by_class {

using namespace common;

namespace {

constexpr int kHeaderRoom = 24; ///< the sort arrow and the paddings
constexpr int kWidestGrowth = 48; ///< that a column gets beyond what its texts want
/// Columns that a narrow panel leaves out, in this order.
constexpr int kDroppable[] = {
    ByClassModel::Steps, ByClassModel::Energy, ByClassModel::EnergyShare, ByClassModel::FlopsShare};

QString capitalised(QString word) {
    if (!word.isEmpty())
        word[0] = word[0].toUpper();
    return word;
}

} // namespace

ByClassPanel::ByClassPanel(ViewState& state, QWidget* parent)
    : TablePanel(state, parent)
    , m_model(new ByClassModel(state, this)) {
    createTable(m_model, tr("Filter by class"));
    table()->sortByColumn(ByClassModel::Time, Qt::DescendingOrder);
    addCsvButton(QStringLiteral("by-class.csv"));
    connect(table(), &Table::rowActivated, this,
        [this] { emit showRequested(QStringLiteral("graph")); });
    updateResult();
}

Selection ByClassPanel::selectionAt(int row) const {
    Selection selection;
    selection.nodes = m_model->nodesOf(row);
    return selection;
}

int ByClassPanel::selectedRow() const {
    return m_model->selectedRow();
}

void ByClassPanel::refreshMarks() {
    m_model->refreshMarks();
}

void ByClassPanel::resetRows() {
    m_model->reset();
    m_widths.assign(ByClassModel::kColumns, 0);
    const auto* proxy = table()->model();
    for (int column = 0; column < ByClassModel::kColumns; ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = textWidth(bodyFont(), title) + kHeaderRoom;
        for (int row = 0; row < proxy->rowCount(); ++row)
            width = std::max(
                width, table()->itemDelegate()->sizeHint({}, proxy->index(row, column)).width());
        m_widths[static_cast<std::size_t>(column)] = width;
    }
}

QString ByClassPanel::sentence() const {
    const auto result = state().result();
    if (!result)
        return tr("No model is open, so there are no classes.");
    const QString machine = QString::fromStdString(result->machine().name);
    if (m_model->rowCount() == 0)
        return tr("The model has no operators that run on %1.").arg(machine);
    const auto shareOf = [this](int row, int column) {
        return formatShare(m_model->share(m_model->row(row), column));
    };
    if (const int row = m_model->selectedRow(); row >= 0) {
        const analysis::ClassRow& at = m_model->row(row);
        if (at.unknownSteps == at.steps)
            return tr("The time of all %1 %2 steps on %3 is unknown.")
                .arg(formatCount(at.steps), className(at.opClass), machine);
        return tr("%1 takes %2, %3 of the time on %4, in %5 steps with %6 of the FLOP.")
            .arg(capitalised(className(at.opClass)), formatTime(std::optional(at.time)),
                shareOf(row, ByClassModel::TimeShare), machine, formatCount(at.steps),
                shareOf(row, ByClassModel::FlopsShare));
    }
    int dearest = 0;
    for (int row = 1; row < m_model->rowCount(); ++row)
        if (m_model->row(row).time > m_model->row(dearest).time)
            dearest = row;
    QString text = tr("%1 takes %2 of %3%4 on %5")
                       .arg(capitalised(className(m_model->row(dearest).opClass)),
                           shareOf(dearest, ByClassModel::TimeShare),
                           result->totals.unknownSteps > 0 ? tr("at least ") : QString(),
                           formatTime(std::optional(result->totals.time)), machine);
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const auto used = m_model->row(row).matrixUtilisation)
            text += tr("; the matrix units reach %1 of their peak in contractions")
                        .arg(formatShare(used));
    return text + u'.';
}

void ByClassPanel::fitColumns() {
    if (m_widths.empty())
        return;
    const int room = width() - table()->verticalScrollBar()->sizeHint().width();
    const auto wanted = [this] {
        int sum = 0;
        for (int column = 0; column < ByClassModel::kColumns; ++column)
            if (!table()->isColumnHidden(column))
                sum += m_widths[static_cast<std::size_t>(column)];
        return sum;
    };
    if (!table()->areColumnsChosen()) {
        for (const int column : kDroppable)
            table()->setColumnHidden(column, false);
        for (const int column : kDroppable)
            if (wanted() > room)
                table()->setColumnHidden(column, true);
    }
    int shown = 0;
    for (int column = 0; column < ByClassModel::kColumns; ++column)
        shown += table()->isColumnHidden(column) ? 0 : 1;
    const int more = std::clamp((room - wanted()) / std::max(1, shown), 0, kWidestGrowth);
    for (int column = 0; column < ByClassModel::kColumns; ++column)
        table()->setColumnWidth(column, m_widths[static_cast<std::size_t>(column)] + more);
}

} // namespace fivefold::views::by_class
