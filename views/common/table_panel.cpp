// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/table_panel.h"

#include "views/common/export.h"
#include "views/common/icons.h"
#include "views/common/panel_frame.h"
#include "views/common/table.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QToolButton>

namespace fivefold::views::common {

namespace {

constexpr int kWidestFilter = 320;

} // namespace

TablePanel::TablePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
}

void TablePanel::createTable(QAbstractItemModel* model, const QString& filterHint) {
    m_model = model;
    m_table = new Table(model, this);
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(filterHint);
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(kWidestFilter);
    connect(m_filter, &QLineEdit::textChanged, this, &TablePanel::setFilter);
    m_frame->header()->addWidget(m_filter, 1);
    m_frame->header()->addStretch(1);
    m_frame->setCanvas(m_table);
    connect(&state(), &ViewState::resultChanged, this, &TablePanel::updateResult);
    connect(&state(), &ViewState::selectionChanged, this, &TablePanel::updateSelection);
    connect(&state(), &ViewState::hoverChanged, this, [this] { refreshMarks(); });
    connect(m_table, &Table::rowChosen, this, [this](int row, Qt::KeyboardModifiers modifiers) {
        const Selection selection = selectionAt(row);
        if (modifiers.testFlag(Qt::ControlModifier) && !selection.nodes.empty())
            state().toggleNode(selection.nodes.front());
        else
            state().setSelection(selection);
    });
    connect(m_table, &Table::rowHovered, this,
        [this](int row) { state().setHover(row >= 0 ? selectionAt(row) : Selection{}); });
    connect(m_table, &Table::emptyClicked, &state(), &ViewState::clearSelection);
}

void TablePanel::addCsvButton(const QString& fileName) {
    auto* csv = new QAction(icon(QStringLiteral("export")), tr("Export table as CSV…"), this);
    connect(csv, &QAction::triggered, this, [this, fileName] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Export table"), fileName, tr("CSV tables (*.csv)"));
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

void TablePanel::setFilter(const QString& text) {
    if (m_filter->text() != text) {
        m_filter->setText(text); // comes back here
        return;
    }
    m_table->setFilterText(text);
    refreshSentence();
}

void TablePanel::updateResult() {
    resetRows();
    if (m_model->rowCount() == 0)
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    fitColumns();
    updateSelection();
}

void TablePanel::updateSelection() {
    refreshMarks();
    const int row = selectedRow();
    m_table->setCurrentSourceRow(row);
    if (row >= 0)
        m_table->showSourceRow(row);
    refreshSentence();
}

void TablePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    if (m_table)
        fitColumns();
}

void TablePanel::paintContent(QPainter& painter, const QSize& size) {
    m_table->paintRows(painter, size);
}

QString TablePanel::toCsv() const {
    return m_model->rowCount() == 0 ? QString() : m_table->toCsv();
}

void TablePanel::zoomToSelection() {
    if (const int row = selectedRow(); row >= 0)
        m_table->showSourceRow(row);
}

} // namespace fivefold::views::common
