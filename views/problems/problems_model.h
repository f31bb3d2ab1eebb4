// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QAbstractTableModel>

namespace fivefold::views::problems {

/// Result::problems as rows, in their order.
class ProblemsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Severity, Place, Message, Advice, Cost, Without, Try, Count, Code };
    static constexpr int kColumns = Code + 1;

    explicit ProblemsModel(const common::ViewState& state, QObject* parent = nullptr);

    void reset();
    void refreshMarks();
    const analysis::Problem& problem(int row) const {
        return m_problems[static_cast<std::size_t>(row)];
    }
    int selectedRow() const; ///< −1 without one
    std::int64_t count(base::Severity severity) const; ///< findings, not repeats

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const analysis::Problem& problem, int column) const;
    QVariant sortValue(int row, int column) const;
    QVariant plainValue(const analysis::Problem& problem, int column) const;
    bool isOf(const analysis::Problem& problem, const common::Selection& selection) const;

    const common::ViewState& m_state;
    std::vector<analysis::Problem> m_problems;
};

} // namespace fivefold::views::problems
