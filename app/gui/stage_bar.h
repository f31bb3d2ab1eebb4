// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QWidget>

#include <array>

namespace fivefold::app {

/// Six chevrons, one a stage: number, name and what the step added. Keys 1 to 6 and Ctrl+Up/Down
/// change the stage through the window's actions; a click does it here.
class StageBar final : public QWidget {
    Q_OBJECT

public:
    explicit StageBar(views::common::ViewState& state, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Outline of a stage's chevron; for tests and painting.
    QPolygonF chevron(lowering::Stage stage) const;
    /// Name of a stage in the user's language: "Laid out".
    static QString title(lowering::Stage stage);
    /// What a stage added, short: "+1 restickify", "2 bundles", "88.8 µs".
    QString note(lowering::Stage stage) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::optional<lowering::Stage> stageAt(const QPointF& position) const;

    views::common::ViewState& m_state;
    std::optional<lowering::Stage> m_hovered;
};

} // namespace fivefold::app
