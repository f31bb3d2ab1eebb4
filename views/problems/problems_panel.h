// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/table_panel.h"

class QMenu;

namespace fivefold::views::problems {

class ProblemsModel;

/// What is wrong, what it costs the whole model, what would mend it, by falling cost. A click
/// selects the node or tensor; *Try* asks for the remedy as an undoable what-if.
class ProblemsPanel final : public common::TablePanel {
    Q_OBJECT

public:
    ProblemsPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("problems"); }
    QString title() const override;
    QString sentence() const override;
    QList<QAction*> panelActions() const override;

    ProblemsModel* model() const { return m_model; }
    /// Asks for the row's remedy; with several, `remedy` is its index. Nothing without one.
    void tryRemedy(int row, std::size_t remedy = 0);

private:
    void resetRows() override;
    int selectedRow() const override;
    void refreshMarks() override;
    void fitColumns() override;
    common::Selection selectionAt(int row) const override;

    void activate(int row);
    void addRemedies(QMenu& menu, int row);
    void offerRemedies(int row);
    int currentRow() const;

    ProblemsModel* m_model = nullptr;
    QAction* m_try = nullptr;
};

} // namespace fivefold::views::problems
