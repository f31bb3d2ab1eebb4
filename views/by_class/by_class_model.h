// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace fivefold::views::by_class {

/// "0.82 mJ", "≥ 0.82–1.31 mJ"; "unknown" where no part has a figure.
QString energyText(const roofline::StepEnergy& energy);

/// Result::classes as rows, each with its shares of the program.
class ByClassModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Class,
        Steps,
        Time,
        TimeShare,
        FlopsShare,
        BytesShare,
        EnergyShare,
        Energy,
        Utilisation
    };
    static constexpr int kColumns = Utilisation + 1;

    explicit ByClassModel(const common::ViewState& state, QObject* parent = nullptr);

    void reset();
    void refreshMarks();
    const analysis::ClassRow& row(int at) const { return m_rows[static_cast<std::size_t>(at)]; }
    /// Captured operators whose steps are of the row's class.
    std::vector<ir::NodeId> nodesOf(int row) const;
    int selectedRow() const; ///< −1 without one
    /// 0..1 of the program; nullopt where it has none or it is not known.
    std::optional<double> share(const analysis::ClassRow& row, int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const analysis::ClassRow& row, int column) const;
    QString toolTip(const analysis::ClassRow& row, int column) const;
    QVariant sortValue(const analysis::ClassRow& row, int column) const;
    QString plainValue(const analysis::ClassRow& row, int column) const;

    const common::ViewState& m_state;
    std::vector<analysis::ClassRow> m_rows;
    analysis::ClassRow m_sum; ///< of all rows
    std::vector<int> m_rowOfStep;
    std::vector<std::uint8_t> m_selected, m_hovered;
    QString m_farName; ///< memory that the bytes are of
};

} // namespace fivefold::views::by_class
