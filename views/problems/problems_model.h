// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace fivefold::views::problems {

/// One finding: a diagnostic, or an operator that the machine does not run itself.
struct Problem {
    base::Severity severity = base::Severity::Warning;
    QString code;
    QString place; ///< node or value as the model names it; empty for the whole model
    QString message;
    QString remedy;
    std::int64_t count = 1;
    std::optional<base::Seconds> cost; ///< time of the node on the machine, where known
    ir::NodeId node; ///< what a click selects
    ir::ValueId value;
};

/// Diagnostics, then refused operators that no diagnostic names, by severity and, within it, by
/// cost.
std::vector<Problem> problems(const analysis::Result& result);

class ProblemsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Severity, Place, Message, Remedy, Cost, Count, Code };
    static constexpr int kColumns = Code + 1;

    explicit ProblemsModel(const common::ViewState& state, QObject* parent = nullptr);

    void reset();
    void refreshMarks();
    const Problem& problem(int row) const { return m_problems[static_cast<std::size_t>(row)]; }
    int selectedRow() const; ///< −1 without one
    std::int64_t count(base::Severity severity) const; ///< repeats included

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const Problem& problem, int column) const;
    bool isOf(const Problem& problem, const common::Selection& selection) const;

    const common::ViewState& m_state;
    std::vector<Problem> m_problems;
};

} // namespace fivefold::views::problems
