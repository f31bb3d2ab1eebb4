// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/list_twin.h"

#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/common/type.h"

#include <QAbstractListModel>
#include <QKeyEvent>

#include <algorithm>

namespace fivefold::views::common {

namespace {

/// A row belongs to a selection when they share an operator, an added node or a tensor.
bool belongs(const Selection& row, const Selection& selection) {
    if (!row.added.empty() && row.added == selection.added)
        return true;
    if (row.nodes.empty() && row.value.isValid())
        return row.value == selection.value;
    return std::any_of(row.nodes.begin(), row.nodes.end(),
        [&](ir::NodeId node) { return selection.contains(node); });
}

bool isPrimary(const Selection& row, const Selection& selection) {
    if (selection.nodes.empty())
        return true;
    return std::find(row.nodes.begin(), row.nodes.end(), selection.nodes.front())
        != row.nodes.end();
}

} // namespace

class ListTwin::Model final : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        const TwinRow& row = m_rows[static_cast<std::size_t>(index.row())];
        switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return row.text;
        case Qt::BackgroundRole:
            return belongs(row.selection, m_selection)
                ? QVariant(Palette::current().selection("row"))
                : QVariant();
        case Qt::FontRole:
            return belongs(row.selection, m_selection) && isPrimary(row.selection, m_selection)
                ? QVariant(boldFont())
                : QVariant(bodyFont());
        case Qt::SizeHintRole:
            return QSize(0, std::max(kTableRow, lineHeight(bodyFont()) + 4));
        default:
            return {};
        }
    }

    void setRows(std::vector<TwinRow> rows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void setSelection(const Selection& selection) {
        m_selection = selection;
        if (!m_rows.empty())
            emit dataChanged(index(0), index(rowCount() - 1), {Qt::BackgroundRole, Qt::FontRole});
    }
    const std::vector<TwinRow>& rows() const { return m_rows; }
    const Selection& selection() const { return m_selection; }

private:
    std::vector<TwinRow> m_rows;
    Selection m_selection;
};

ListTwin::ListTwin(QWidget* parent)
    : QListView(parent)
    , m_model(new Model(this)) {
    setModel(m_model);
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTextElideMode(Qt::ElideRight);
    setAccessibleName(tr("List of what the panel shows"));
}

void ListTwin::setPanel(common::Panel* panel) {
    if (m_panel == panel)
        return;
    if (m_panel) {
        m_panel->disconnect(this);
        m_panel->state().disconnect(this);
    }
    m_panel = panel;
    if (panel) {
        connect(panel, &common::Panel::twinChanged, this, &ListTwin::refill);
        connect(panel, &common::Panel::sentenceChanged, this, &QWidget::setAccessibleDescription);
        connect(&panel->state(), &ViewState::selectionChanged, this, &ListTwin::followSelection);
    }
    refill();
    emit panelChanged();
}

std::vector<int> ListTwin::selectedRows() const {
    std::vector<int> rows;
    const auto& all = m_model->rows();
    for (const bool wantsPrimary : {true, false})
        for (std::size_t r = 0; r < all.size(); ++r)
            if (belongs(all[r].selection, m_model->selection())
                && isPrimary(all[r].selection, m_model->selection()) == wantsPrimary)
                rows.push_back(static_cast<int>(r));
    return rows;
}

void ListTwin::refill() {
    m_isFollowing = true;
    m_model->setRows(m_panel ? m_panel->twinRows() : std::vector<TwinRow>());
    if (m_panel)
        setAccessibleDescription(m_panel->sentence());
    m_isFollowing = false;
    followSelection();
}

void ListTwin::followSelection() {
    if (!m_panel)
        return;
    m_model->setSelection(m_panel->state().selection());
    const std::vector<int> rows = selectedRows();
    m_isFollowing = true;
    // The row the user stands on stays where it is one of several.
    if (rows.empty())
        setCurrentIndex({});
    else if (std::find(rows.begin(), rows.end(), currentIndex().row()) == rows.end())
        setCurrentIndex(m_model->index(rows.front()));
    m_isFollowing = false;
}

void ListTwin::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (m_isFollowing || !m_panel || !current.isValid()
        || current.row() >= static_cast<int>(m_model->rows().size()))
        return;
    m_panel->state().setSelection(
        m_model->rows()[static_cast<std::size_t>(current.row())].selection);
}

void ListTwin::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_panel) {
        m_panel->state().clearSelection();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_panel) {
        emit m_panel->showRequested(QStringLiteral("inspector"));
        return;
    }
    QListView::keyPressEvent(event);
}

} // namespace fivefold::views::common
