// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/table_panel.h"

namespace fivefold::views::by_class {

class ByClassModel;

/// Where do FLOPs, bytes, time and energy go, by class of operator? A click selects the class.
class ByClassPanel final : public common::TablePanel {
    Q_OBJECT

public:
    ByClassPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("by-class"); }
    QString title() const override { return tr("By class"); }
    QString sentence() const override;

    ByClassModel* model() const { return m_model; }

private:
    void resetRows() override;
    int selectedRow() const override;
    void refreshMarks() override;
    void fitColumns() override;
    common::Selection selectionAt(int row) const override;

    ByClassModel* m_model = nullptr;
    std::vector<int> m_widths; ///< by column, as its texts want them
};

} // namespace fivefold::views::by_class
