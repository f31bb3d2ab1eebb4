// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

class QScrollArea;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::inspector {

class InspectorCanvas;

/// What is known of the selected thing, and why is it so? Without a selection: model and machine.
class InspectorPanel final : public common::Panel {
    Q_OBJECT

public:
    InspectorPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("inspector"); }
    QString title() const override { return tr("Inspector"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override; ///< label, value, note

    InspectorCanvas* canvas() const { return m_canvas; }

private:
    void refresh();

    common::PanelFrame* m_frame = nullptr;
    QScrollArea* m_scroll = nullptr;
    InspectorCanvas* m_canvas = nullptr;
};

} // namespace fivefold::views::inspector
