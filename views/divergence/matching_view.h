// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <memory>

namespace fivefold::ir {
struct Graph;
}

namespace fivefold::views::common {
class Table;
}
class QLabel;
class QPushButton;

namespace fivefold::views::divergence {

/// Rows of the matches: key of the dump → value of the model, and the rule that says so.
class MatchingModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, Rule, Columns };
    explicit MatchingModel(QObject* parent);

    void setRows(const compare::Divergence& divergence, const ir::Graph* graph);
    const compare::MatchEdits& edits() const { return m_edits; }
    void clearEdits();
    const QStringList& valueNames() const { return m_valueNames; } ///< of the model, sorted

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited();
    void refused(const QString& sentence); ///< the model has no such value

private:
    struct Row {
        QString key, value;
        compare::MatchRule rule = compare::MatchRule::None;
    };
    QString valueOf(const Row& row) const; ///< with the edit in force

    QVector<Row> m_rows;
    QStringList m_valueNames;
    compare::MatchEdits m_edits;
};

/// The table of matches with a filter; a value is edited in place (empty: no match) and takes
/// effect with Compare again.
class MatchingView final : public QWidget {
    Q_OBJECT

public:
    explicit MatchingView(QWidget* parent = nullptr);

    /// `graph`: names of the model's values; null for dumps without a model. Drops all edits.
    void setDivergence(std::shared_ptr<const compare::Divergence> divergence,
        std::shared_ptr<const ir::Graph> graph);
    const compare::MatchEdits& edits() const { return m_model->edits(); }
    MatchingModel& model() const { return *m_model; }
    common::Table& table() const { return *m_table; }
    QPushButton& applyButton() const { return *m_apply; }
    QString sentence() const;

signals:
    /// Compare again under these corrections (key → value name; empty: unmatched).
    void editsChanged(const fivefold::compare::MatchEdits& edits);

private:
    void refresh();

    std::shared_ptr<const compare::Divergence> m_divergence;
    MatchingModel* m_model = nullptr;
    common::Table* m_table = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton *m_apply = nullptr, *m_undo = nullptr;
};

} // namespace fivefold::views::divergence

Q_DECLARE_METATYPE(fivefold::compare::MatchEdits)
