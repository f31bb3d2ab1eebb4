// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <QThreadPool>

class QComboBox;
class QLineEdit;

namespace fivefold::views::common {
class PanelFrame;
class Table;
} // namespace fivefold::views::common

namespace fivefold::views::published {

class FactorPlot;
class PublishedModel;

/// How good is this model? Every published measurement beside what is predicted, and why it counts
/// or does not. The same whatever model is open.
class PublishedPanel final : public common::Panel {
    Q_OBJECT

public:
    PublishedPanel(common::ViewState& state, QWidget* parent);
    ~PublishedPanel() override;

    QString id() const override { return QStringLiteral("published"); }
    QString title() const override { return tr("About this model: published points"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override;
    QList<QAction*> panelActions() const override { return m_actions; }
    bool settle(int timeoutMs) override;

    PublishedModel* model() const { return m_model; }
    common::Table* table() const { return m_table; }
    FactorPlot* plot() const { return m_plot; }
    QLineEdit* filter() const { return m_filter; }
    /// Works the predictions out in the background, once.
    void load();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createHeader();
    void choose(int row);
    void loaded();
    void fitColumns();
    QString listedText() const;

    PublishedModel* m_model = nullptr;
    common::PanelFrame* m_frame = nullptr;
    common::Table* m_table = nullptr;
    FactorPlot* m_plot = nullptr;
    QWidget* m_body = nullptr;
    QLineEdit* m_filter = nullptr;
    QList<QAction*> m_actions;
    QThreadPool m_pool;
    bool m_isLoading = false, m_isLoaded = false;
};

} // namespace fivefold::views::published
