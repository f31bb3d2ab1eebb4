// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <vector>

class QLineEdit;

namespace fivefold::views::common {
class PanelFrame;
class Table;
} // namespace fivefold::views::common

namespace fivefold::views::operators {

class OperatorsModel;

/// Which operators take the time? Every step as a row, longest first.
class OperatorsPanel final : public common::Panel {
    Q_OBJECT

public:
    OperatorsPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("operators"); }
    QString title() const override { return tr("Operators"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    void zoomToSelection() override; ///< scrolls to it

    common::Table* table() const { return m_table; }
    OperatorsModel* model() const { return m_model; }
    void setFilter(const QString& text);

private:
    void createHeader();
    void updateResult();
    void updateSelection();
    void measureColumns();
    void fitColumns(); ///< to the width of the panel
    void resizeEvent(QResizeEvent* event) override;

    OperatorsModel* m_model = nullptr;
    common::Table* m_table = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QLineEdit* m_filter = nullptr;
    QList<QAction*> m_actions;
    std::vector<int> m_widths; ///< wanted, by column
};

} // namespace fivefold::views::operators
