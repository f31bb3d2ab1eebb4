// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/operators/operators_panel.h"

#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/common/type.h"
#include "views/operators/operators_model.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
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
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_model = new OperatorsModel(state, this);
    m_table = new Table(m_model, this);
    m_table->sortByColumn(OperatorsModel::Time, Qt::DescendingOrder);
    m_table->setColumnHidden(OperatorsModel::Support, true);
    createHeader();
    m_frame->setCanvas(m_table);
    connect(&state, &ViewState::resultChanged, this, &OperatorsPanel::updateResult);
    connect(&state, &ViewState::selectionChanged, this, &OperatorsPanel::updateSelection);
    connect(&state, &ViewState::hoverChanged, m_model, &OperatorsModel::refreshMarks);
    const auto selectionAt = [this](int row) {
        const Row& at = m_model->row(row);
        if (at.step.isValid())
            return this->state().selectionOf(at.step);
        Selection selection;
        selection.nodes = {at.node};
        return selection;
    };
    connect(m_table, &Table::rowChosen, this,
        [this, selectionAt](int row, Qt::KeyboardModifiers modifiers) {
            const Selection selection = selectionAt(row);
            if (modifiers.testFlag(Qt::ControlModifier) && !selection.nodes.empty())
                this->state().toggleNode(selection.nodes.front());
            else
                this->state().setSelection(selection);
        });
    connect(m_table, &Table::rowHovered, this, [this, selectionAt](int row) {
        this->state().setHover(row >= 0 ? selectionAt(row) : Selection{});
    });
    connect(m_table, &Table::emptyClicked, &state, &ViewState::clearSelection);
    connect(m_table, &Table::rowActivated, this,
        [this] { emit showRequested(QStringLiteral("inspector")); });
    updateResult();
}

void OperatorsPanel::createHeader() {
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Filter by name, class, shape, bound"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(320);
    connect(m_filter, &QLineEdit::textChanged, this, &OperatorsPanel::setFilter);
    m_frame->header()->addWidget(m_filter, 1);
    m_frame->header()->addStretch(1);
    auto* columns = new QToolButton(this);
    columns->setIcon(icon(QStringLiteral("columns")));
    columns->setToolTip(tr("Columns"));
    columns->setAutoRaise(true);
    connect(columns, &QToolButton::clicked, this, [this, columns] {
        QMenu* menu = m_table->createColumnMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(columns->mapToGlobal(QPoint(0, columns->height())));
    });
    m_frame->header()->addWidget(columns);
    auto* csv = new QAction(icon(QStringLiteral("export")), tr("Export table as CSV…"), this);
    connect(csv, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Export table"), QStringLiteral("operators.csv"), tr("CSV tables (*.csv)"));
        if (path.isEmpty())
            return;
        if (const auto done = exportCsv(*this, path); !done)
            QMessageBox::warning(
                this, tr("Export table"), QString::fromStdString(done.error().text()));
    });
    auto* button = new QToolButton(this);
    button->setDefaultAction(csv);
    button->setAutoRaise(true);
    m_frame->header()->addWidget(button);
    m_actions << csv;
}

void OperatorsPanel::setFilter(const QString& text) {
    if (m_filter->text() != text)
        m_filter->setText(text);
    m_table->setFilterText(text);
    refreshSentence();
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
    const QString shown = m_table->visibleRows() < count
        ? tr("%1 of %2 steps").arg(formatCount(m_table->visibleRows()), formatCount(count))
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

void OperatorsPanel::updateResult() {
    m_model->reset();
    if (m_model->rowCount() == 0)
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    measureColumns();
    fitColumns();
    updateSelection();
}

void OperatorsPanel::updateSelection() {
    m_model->refreshMarks();
    const int row = m_model->selectedRow();
    m_table->setCurrentSourceRow(row);
    if (row >= 0)
        m_table->showSourceRow(row);
    refreshSentence();
}

void OperatorsPanel::measureColumns() {
    const auto* proxy = m_table->model();
    const int measured = std::min(proxy->rowCount(), kMeasuredRows);
    m_widths.assign(OperatorsModel::kColumns, 0);
    for (int column = 0; column < OperatorsModel::kColumns; ++column) {
        const QString title =
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        // The arrow of the sorted column takes room, too.
        int width = textWidth(bodyFont(), title) + (column == OperatorsModel::Time ? 24 : 12);
        for (int row = 0; row < measured; ++row)
            width = std::max(
                width, m_table->itemDelegate()->sizeHint({}, proxy->index(row, column)).width());
        m_widths[static_cast<std::size_t>(column)] = width;
    }
    auto& name = m_widths[OperatorsModel::Name];
    name = std::min(name, kNameWidth);
}

void OperatorsPanel::fitColumns() {
    if (m_widths.empty())
        return;
    const int room = width() - m_table->verticalScrollBar()->sizeHint().width();
    const auto wanted = [this] {
        int sum = 0;
        for (int column = 0; column < OperatorsModel::kColumns; ++column)
            if (!m_table->isColumnHidden(column))
                sum += m_widths[static_cast<std::size_t>(column)];
        return sum;
    };
    // The work division can be short; then columns go, the least asked for first.
    const int division = m_widths[OperatorsModel::WorkDivision];
    if (!m_table->areColumnsChosen()) {
        for (const int column : kDroppable)
            m_table->setColumnHidden(column, false);
        for (const int column : kDroppable) {
            const bool isShort = !m_table->isColumnHidden(OperatorsModel::WorkDivision);
            const int spare = isShort ? std::max(0, division - kDivisionWidth) : 0;
            if (wanted() - spare <= room)
                break;
            m_table->setColumnHidden(column, true);
        }
    }
    // What is still missing comes off the work division, then off the names.
    int excess = std::max(0, wanted() - room);
    const auto shrink = [&](int column, int least) {
        const int wantedWidth = m_widths[static_cast<std::size_t>(column)];
        const int width = std::max(std::min(wantedWidth, least), wantedWidth - excess);
        if (!m_table->isColumnHidden(column))
            excess -= wantedWidth - width;
        m_table->setColumnWidth(column, width);
    };
    shrink(OperatorsModel::WorkDivision, kDivisionWidth);
    shrink(OperatorsModel::Name, kLeastName);
    for (int column = 0; column < OperatorsModel::kColumns; ++column)
        if (column != OperatorsModel::WorkDivision && column != OperatorsModel::Name)
            m_table->setColumnWidth(column, m_widths[static_cast<std::size_t>(column)]);
}

void OperatorsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitColumns();
}

void OperatorsPanel::paintContent(QPainter& painter, const QSize& size) {
    m_table->paintRows(painter, size);
}

QString OperatorsPanel::toCsv() const {
    return m_model->rowCount() == 0 ? QString() : m_table->toCsv();
}

void OperatorsPanel::zoomToSelection() {
    if (const int row = m_model->selectedRow(); row >= 0)
        m_table->showSourceRow(row);
}

} // namespace fivefold::views::operators
