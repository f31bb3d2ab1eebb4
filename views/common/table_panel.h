// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QAbstractItemModel;
class QLineEdit;

namespace fivefold::views::common {

class PanelFrame;
class Table;

/// Base of panels that are one table under the linked selection: a filter, columns that fit the
/// width, the selected row kept in view, CSV, and the empty state. A subclass makes its model,
/// calls createTable(), adds its own controls, and calls updateResult() at the end of its
/// constructor.
class TablePanel : public Panel {
    Q_OBJECT

public:
    TablePanel(ViewState& state, QWidget* parent);

    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    void zoomToSelection() override; ///< scrolls to it

    Table* table() const { return m_table; }
    void setFilter(const QString& text);

protected:
    PanelFrame& frame() const { return *m_frame; }
    void createTable(QAbstractItemModel* model, const QString& filterHint);
    /// A button and an action that write what the table shows.
    void addCsvButton(const QString& fileName);
    void updateResult();
    void updateSelection();

    virtual void resetRows() = 0; ///< of the model, for the result in force
    virtual int selectedRow() const = 0; ///< of the model; −1: none
    virtual void refreshMarks() = 0; ///< selection or hover changed
    virtual void fitColumns() = 0; ///< to the width of the panel
    /// What choosing a row selects; empty: nothing.
    virtual Selection selectionAt(int row) const = 0;

    void resizeEvent(QResizeEvent* event) override;

private:
    PanelFrame* m_frame = nullptr;
    QAbstractItemModel* m_model = nullptr;
    Table* m_table = nullptr;
    QLineEdit* m_filter = nullptr;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::common
