// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QComboBox;
class QToolButton;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::layout {

class AddressBar;
class LayoutCanvas;

/// Where does each element of a tensor lie? Units, blocks and lanes of the machine's memory,
/// padding included.
class LayoutPanel final : public common::Panel {
    Q_OBJECT

public:
    LayoutPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("layout"); }
    QString title() const override { return tr("Layout"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    void zoomToFit() override;

    LayoutCanvas* canvas() const { return m_canvas; }
    AddressBar* addressBar() const { return m_bar; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createControls();
    void createActions();
    void updateAll();
    void updatePlace();
    void updateBarVisibility();

    LayoutCanvas* m_canvas = nullptr;
    AddressBar* m_bar = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QComboBox* m_tensors = nullptr;
    QToolButton* m_logical = nullptr;
    QToolButton* m_device = nullptr;
    QList<QWidget*> m_optional; ///< controls that a narrow panel leaves out, from the end
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::layout
