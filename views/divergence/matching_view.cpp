// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/matching_view.h"

#include "core/ir/graph.h"
#include "views/common/table.h"
#include "views/divergence/words.h"

#include <QCompleter>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::divergence {

namespace {

/// Paints as the tables do and completes names of values.
class NameDelegate final : public QStyledItemDelegate {
public:
    NameDelegate(const MatchingModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model) { }
    QWidget* createEditor(
        QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
        auto* edit = new QLineEdit(parent);
        edit->setPlaceholderText(MatchingView::tr("no match"));
        auto* completer = new QCompleter(m_model.valueNames(), edit);
        completer->setFilterMode(Qt::MatchContains);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        edit->setCompleter(completer);
        return edit;
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override {
        m_look.paint(painter, option, index);
    }

private:
    const MatchingModel& m_model;
    common::TableDelegate m_look;
};

} // namespace

MatchingModel::MatchingModel(QObject* parent)
    : QAbstractTableModel(parent) { }

void MatchingModel::setRows(const compare::Divergence& divergence, const ir::Graph* graph) {
    beginResetModel();
    m_rows.clear();
    m_edits.clear();
    m_valueNames.clear();
    if (graph)
        for (const ir::Value& value : graph->values)
            if (!value.name.empty())
                m_valueNames << QString::fromStdString(value.name);
    m_valueNames.sort();
    m_valueNames.removeDuplicates();
    for (const compare::Layer& layer : divergence.layers) {
        Row row;
        row.key = QString::fromStdString(layer.key);
        row.rule = layer.rule;
        if (graph && layer.value.isValid() && graph->values.contains(layer.value))
            row.value = QString::fromStdString(graph->values[layer.value].name);
        m_rows << row;
    }
    endResetModel();
}

void MatchingModel::clearEdits() {
    beginResetModel();
    m_edits.clear();
    endResetModel();
    emit edited();
}

int MatchingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatchingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(Columns);
}

QString MatchingModel::valueOf(const Row& row) const {
    const auto edit = m_edits.find(row.key.toStdString());
    return edit == m_edits.end() ? row.value : QString::fromStdString(edit->second);
}

QVariant MatchingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row& row = m_rows[index.row()];
    const bool isEdited = m_edits.count(row.key.toStdString()) > 0;
    const QString value = valueOf(row);
    if (role == Qt::EditRole && index.column() == Value)
        return value;
    if (role == Qt::ToolTipRole || role == Qt::DisplayRole) {
        switch (index.column()) {
        case Key:
            return row.key.isEmpty() ? tr("not in the dump") : row.key;
        case Value:
            return value.isEmpty() ? tr("no match")
                                   : value + (isEdited ? QStringLiteral(" ✎") : QString());
        default:
            return ruleName(isEdited
                    ? (value.isEmpty() ? compare::MatchRule::None : compare::MatchRule::UserMap)
                    : row.rule);
        }
    }
    return {};
}

/// Takes a name of the model, or an empty one; what equals the old match ends its edit.
bool MatchingModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != Value || index.row() >= m_rows.size())
        return false;
    const Row& row = m_rows[index.row()];
    const QString name = value.toString().trimmed();
    if (!name.isEmpty() && !m_valueNames.isEmpty()
        && !std::binary_search(m_valueNames.begin(), m_valueNames.end(), name)) {
        emit refused(tr("The model has no value “%1”; choose a name from the list.").arg(name));
        return false;
    }
    if (name == row.value)
        m_edits.erase(row.key.toStdString());
    else
        m_edits[row.key.toStdString()] = name.toStdString();
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), Columns - 1));
    emit edited();
    return true;
}

Qt::ItemFlags MatchingModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Value && !m_rows[index.row()].key.isEmpty())
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant MatchingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Key  ? tr("Key of the dump")
        : section == Value ? tr("Value of the model")
                           : tr("Rule");
}

MatchingView::MatchingView(QWidget* parent)
    : QWidget(parent)
    , m_model(new MatchingModel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_sentence = new QLabel(this);
    m_sentence->setWordWrap(true);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter keys, values, rules"));
    filter->setClearButtonEnabled(true);
    m_table = new common::Table(m_model, this);
    m_table->setItemDelegateForColumn(MatchingModel::Value, new NameDelegate(*m_model, this));
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); // order of the layers
    m_apply = new QPushButton(tr("Compare again"), this);
    m_undo = new QPushButton(tr("Undo all edits"), this);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_undo);
    row->addWidget(m_apply);
    layout->addWidget(m_sentence);
    layout->addWidget(filter);
    layout->addWidget(m_table, 1);
    layout->addLayout(row);
    connect(filter, &QLineEdit::textChanged, m_table, &common::Table::setFilterText);
    connect(m_model, &MatchingModel::edited, this, &MatchingView::refresh);
    connect(m_model, &MatchingModel::refused, m_sentence, &QLabel::setText);
    connect(m_undo, &QPushButton::clicked, m_model, &MatchingModel::clearEdits);
    connect(m_apply, &QPushButton::clicked, this, [this] { emit editsChanged(edits()); });
    refresh();
}

void MatchingView::setDivergence(
    std::shared_ptr<const compare::Divergence> divergence, std::shared_ptr<const ir::Graph> graph) {
    m_divergence = std::move(divergence);
    m_model->setRows(m_divergence ? *m_divergence : compare::Divergence(), graph.get());
    refresh();
}

QString MatchingView::sentence() const {
    if (!m_divergence)
        return tr("No device dump yet, so there are no names to match.");
    int unmatched = 0, byPosition = 0;
    for (const compare::Layer& layer : m_divergence->layers) {
        unmatched += layer.verdict == compare::Verdict::Unmatched;
        byPosition += layer.rule == compare::MatchRule::Position;
    }
    QString text = tr("%1 keys and values, %2 unmatched, %3 matched by position alone.")
                       .arg(m_divergence->layers.size())
                       .arg(unmatched)
                       .arg(byPosition);
    if (!edits().empty())
        text += u' ' + tr("%1 edited: compare again to see them.").arg(edits().size());
    return text;
}

void MatchingView::refresh() {
    m_sentence->setText(sentence());
    m_table->setAccessibleName(sentence());
    m_apply->setEnabled(!edits().empty());
    m_undo->setEnabled(!edits().empty());
}

} // namespace fivefold::views::divergence
