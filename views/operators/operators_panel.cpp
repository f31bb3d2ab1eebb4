// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/operators/operators_panel.h"

#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/common/type.h"
#include "views/operators/operators_model.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace fivefold::views::operators {

using namespace common;

namespace {

constexpr int kNameWidth = 210; ///< at most
constexpr int kLeastName = 140;
constexpr int kDivisionWidth = 96; ///< at least
/// Columns that a narrow panel leaves out, in this order.
constexpr int kDroppable[] = {OperatorsModel::WorkDivision, OperatorsModel::Padding,
    OperatorsModel::Mac, OperatorsModel::FarBytes, OperatorsModel::Shape, OperatorsModel::Class};
/// Rows that the width of a column is measured on.
constexpr int kMeasuredRows = 200;

} // namespace

OperatorsPanel::OperatorsPanel(ViewState& state, QWidget* parent)
    : TablePanel(state, parent)
    , m_model(new OperatorsModel(state, this)) {
    createTable(m_model, tr("Filter by name, class, shape, bound"));
    table()->sortByColumn(OperatorsModel::Time, Qt::DescendingOrder);
    table()->setColumnHidden(OperatorsModel::Support, true);
    addColumnsButton();
    addCsvButton(QStringLiteral("operators.csv"));
    connect(table(), &Table::rowActivated, this,
        [this] { emit showRequested(QStringLiteral("inspector")); });
    updateResult();
}

void OperatorsPanel::addColumnsButton() {
    auto* columns = new QToolButton(this);
    columns->setIcon(icon(QStringLiteral("columns")));
    columns->setToolTip(tr("Columns"));
    columns->setAutoRaise(true);
    connect(columns, &QToolButton::clicked, this, [this, columns] {
        QMenu* menu = table()->createColumnMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(columns->mapToGlobal(QPoint(0, columns->height())));
    });
    frame().header()->addWidget(columns);
}

Selection OperatorsPanel::selectionAt(int row) const {
    const Row& at = m_model->row(row);
    if (at.step.isValid())
        return state().selectionOf(at.step);
    Selection selection;
    selection.nodes = {at.node};
    return selection;
}

int OperatorsPanel::selectedRow() const {
    return m_model->selectedRow();
}

void OperatorsPanel::refreshMarks() {
    m_model->refreshMarks();
}

void OperatorsPanel::resetRows() {
    m_model->reset();
    measureColumns();
}

QString OperatorsPanel::sentence() const {
    const auto result = state().result();
    if (!result)
        return tr("No model is open, so there are no operators.");
    const int count = m_model->rowCount();
    if (count == 0)
        return tr("The model has no operators that run on %1.")
            .arg(QString::fromStdString(result->machine().name));
    const QString machine = QString::fromStdString(result->machine().name);
    const int selected = m_model->selectedRow();
    if (selected >= 0) {
        const Row& row = m_model->row(selected);
        if (!row.time)
            return tr("%1 is %2 on %3; its time is unknown.")
                .arg(row.name, supportName(row.support), machine);
        int rank = 1;
        for (int other = 0; other < count; ++other)
            if (m_model->row(other).time && *m_model->row(other).time > *row.time)
                ++rank;
        return tr("%1 takes %2, %3 of the time: place %4 of %5, bound by %6.")
            .arg(row.name, formatTime(row.time), formatShare(row.share), formatCount(rank),
                formatCount(count), boundName(row.bound));
    }
    const QString shown = table()->visibleRows() < count
        ? tr("%1 of %2 steps").arg(formatCount(table()->visibleRows()), formatCount(count))
        : tr("%1 steps").arg(formatCount(count));
    const bool isLowerBound = result->totals.unknownSteps > 0;
    QString text = tr("%1 on %2 take %3%4")
                       .arg(shown, machine, isLowerBound ? tr("at least ") : QString(),
                           formatTime(std::optional(result->totals.time)));
    int refused = 0;
    for (int row = 0; row < count; ++row)
        refused += m_model->row(row).support == lowering::Support::Unsupported
            || m_model->row(row).support == lowering::Support::Fallback;
    if (refused > 0)
        text += tr("; %1 do not run on the device").arg(formatCount(refused));
    return text + u'.';
}

void OperatorsPanel::measureColumns() {
    const auto* proxy = table()->model();
    const int measured = std::min(proxy->rowCount(), kMeasuredRows);
    m_widths.assign(OperatorsModel::kColumns, 0);
    for (int column = 0; column < OperatorsModel::kColumns; ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        // The arrow of the sorted column takes room, too.
        int width = textWidth(bodyFont(), title) + (column == OperatorsModel::Time ? 24 : 12);
        for (int row = 0; row < measured; ++row)
            width = std::max(
                width, table()->itemDelegate()->sizeHint({}, proxy->index(row, column)).width());
        m_widths[static_cast<std::size_t>(column)] = width;
    }
    auto& name = m_widths[OperatorsModel::Name];
    name = std::min(name, kNameWidth);
}

void OperatorsPanel::fitColumns() {
    if (m_widths.empty())
        return;
    const int room = width() - table()->verticalScrollBar()->sizeHint().width();
    const auto wanted = [this] {
        int sum = 0;
        for (int column = 0; column < OperatorsModel::kColumns; ++column)
            if (!table()->isColumnHidden(column))
                sum += m_widths[static_cast<std::size_t>(column)];
        return sum;
    };
    // The work division can be short; then columns go, the least asked for first.
    const int division = m_widths[OperatorsModel::WorkDivision];
    if (!table()->areColumnsChosen()) {
        for (const int column : kDroppable)
            table()->setColumnHidden(column, false);
        for (const int column : kDroppable) {
            const bool isShort = !table()->isColumnHidden(OperatorsModel::WorkDivision);
            const int spare = isShort ? std::max(0, division - kDivisionWidth) : 0;
            if (wanted() - spare <= room)
                break;
            table()->setColumnHidden(column, true);
        }
    }
    // What is still missing comes off the work division, then off the names.
    int excess = std::max(0, wanted() - room);
    const auto shrink = [&](int column, int least) {
        const int wantedWidth = m_widths[static_cast<std::size_t>(column)];
        const int width = std::max(std::min(wantedWidth, least), wantedWidth - excess);
        if (!table()->isColumnHidden(column))
            excess -= wantedWidth - width;
        table()->setColumnWidth(column, width);
    };
    shrink(OperatorsModel::WorkDivision, kDivisionWidth);
    shrink(OperatorsModel::Name, kLeastName);
    for (int column = 0; column < OperatorsModel::kColumns; ++column)
        if (column != OperatorsModel::WorkDivision && column != OperatorsModel::Name)
            table()->setColumnWidth(column, m_widths[static_cast<std::size_t>(column)]);
}

} // namespace fivefold::views::operators
