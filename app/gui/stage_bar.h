// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/compiler_pipeline.h"
#include "views/common/view_state.h"

#include <QWidget>

#include <array>

class QPainter;

namespace fivefold::app {

/// Six chevrons, one a stage: number, name and what the step added; a red corner where the stage's
/// verifier failed. Keys 1 to 6 and Ctrl+Up/Down
/// change the stage through the window's actions; a click does it here.
class StageBar final : public QWidget {
    Q_OBJECT

public:
    /// Our teaching order, or the order in which the machine's own compiler takes the stages up,
    /// in its words.
    enum class Order { Teaching, Compiler };

    explicit StageBar(views::common::ViewState& state, QWidget* parent = nullptr);

    void setOrder(Order order);
    Order order() const { return m_order; }
    /// The stages from left to right.
    std::vector<lowering::Stage> stages() const;
    /// The stage beside another in the order that is shown; nullopt at an end.
    std::optional<lowering::Stage> neighbour(lowering::Stage stage, int direction) const;
    /// What the chevron calls the stage: "Laid out", "propagate layouts".
    QString word(lowering::Stage stage) const;
    /// The verifier found something at the stage: its chevron has a red corner.
    bool hasFailed(lowering::Stage stage) const;

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
    void refresh();
    QString noteOf(lowering::Stage stage) const;
    QString tip(lowering::Stage stage) const;
    const lowering::CompilerPipeline* pipeline() const;
    void paintChevron(QPainter& painter, lowering::Stage stage) const;

    views::common::ViewState& m_state;
    std::optional<lowering::Stage> m_hovered;
    Order m_order = Order::Teaching;
    std::array<QString, lowering::kStageCount> m_notes;
    std::array<bool, lowering::kStageCount> m_hasFailed{};
};

} // namespace fivefold::app
