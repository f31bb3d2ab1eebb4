// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace fivefold::views::operators {

/// One line of the table: a step, or a captured operator that the machine does not run.
struct Row {
    lowering::StepId step; ///< invalid: no step runs it
    ir::NodeId node; ///< set where there is no step
    int number = 0; ///< place in the program, from 1
    QString name;
    ir::OpClass opClass = ir::OpClass::Other;
    QString shape;
    QString workDivision;
    std::optional<std::int64_t> macs; ///< of all executions; nullopt: unknown
    std::optional<base::Bytes> farBytes; ///< of all executions
    std::optional<base::Bytes> padding; ///< bytes of padding in the results' layouts
    std::optional<base::Seconds> time; ///< of all executions
    double share = 0;
    lowering::Bound bound = lowering::Bound::Unknown;
    lowering::Support support = lowering::Support::Native;
};

/// Index of the memory whose bytes the table shows: the device's own, else the first.
std::size_t farLevel(const machines::Machine& machine);
/// All rows of a result in program order.
std::vector<Row> rows(const analysis::Result& result);

/// The table of steps. Rows are never sorted here: the proxy does that.
class OperatorsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Number,
        Name,
        Class,
        Shape,
        WorkDivision,
        Mac,
        FarBytes,
        Padding,
        Time,
        Share,
        Bound,
        Support
    };
    static constexpr int kColumns = Support + 1;

    explicit OperatorsModel(const common::ViewState& state, QObject* parent = nullptr);

    /// Reads the state's result anew.
    void reset();
    /// Selection or hover changed: repaints the rows' marks.
    void refreshMarks();
    const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    /// Row of a step; −1 when there is none.
    int rowOf(lowering::StepId step) const;
    /// The first selected row in the order of the selection, −1 without one.
    int selectedRow() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const Row& row, int column) const;
    QVariant sortValue(const Row& row, int column) const;
    QString plainValue(const Row& row, int column) const;
    QString toolTip(const Row& row, int column) const;

    const common::ViewState& m_state;
    std::vector<Row> m_rows;
    std::vector<std::uint8_t> m_selected; ///< 0, 1 or 2 a row
    std::vector<std::uint8_t> m_hovered;
    QString m_farName;
};

} // namespace fivefold::views::operators
