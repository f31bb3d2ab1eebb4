// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

namespace fivefold::views::common {
class PanelFrame;
class Table;
} // namespace fivefold::views::common

namespace fivefold::views::problems {

class ProblemsModel;

/// What is wrong, and what would mend it?
class ProblemsPanel final : public common::Panel {
    Q_OBJECT

public:
    ProblemsPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("problems"); }
    QString title() const override; ///< with the count: "Problems 2"
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    void zoomToSelection() override; ///< scrolls to it

    common::Table* table() const { return m_table; }
    ProblemsModel* model() const { return m_model; }

private:
    void updateResult();
    void updateSelection();
    void fitColumns();
    void resizeEvent(QResizeEvent* event) override;

    ProblemsModel* m_model = nullptr;
    common::Table* m_table = nullptr;
    common::PanelFrame* m_frame = nullptr;
};

} // namespace fivefold::views::problems
