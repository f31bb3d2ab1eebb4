// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/table_panel.h"

#include <vector>

namespace fivefold::views::operators {

class OperatorsModel;

/// Which operators take the time? Every step as a row, longest first.
class OperatorsPanel final : public common::TablePanel {
    Q_OBJECT

public:
    OperatorsPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("operators"); }
    QString title() const override { return tr("Operators"); }
    QString sentence() const override;

    OperatorsModel* model() const { return m_model; }

private:
    void addColumnsButton();
    void measureColumns();
    void resetRows() override;
    int selectedRow() const override;
    void refreshMarks() override;
    void fitColumns() override;
    common::Selection selectionAt(int row) const override;

    OperatorsModel* m_model = nullptr;
    std::vector<int> m_widths; ///< wanted, by column
};

} // namespace fivefold::views::operators
