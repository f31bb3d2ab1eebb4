// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/table_panel.h"

namespace fivefold::views::problems {

class ProblemsModel;

/// What is wrong, and what would mend it?
class ProblemsPanel final : public common::TablePanel {
    Q_OBJECT

public:
    ProblemsPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("problems"); }
    QString title() const override; ///< with the count: "Problems 2"
    QString sentence() const override;

    ProblemsModel* model() const { return m_model; }

private:
    void resetRows() override;
    int selectedRow() const override;
    void refreshMarks() override;
    void fitColumns() override;
    common::Selection selectionAt(int row) const override;

    ProblemsModel* m_model = nullptr;
};

} // namespace fivefold::views::problems
