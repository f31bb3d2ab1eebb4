// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/layout/scene.h"

namespace fivefold::views::layout {

/// Shows one scene of the selection. Click selects what a mark stands for, arrows walk the marks,
/// the wheel zooms where the scene can, a drag pans.
class SceneCanvas final : public common::Canvas {
    Q_OBJECT

public:
    SceneCanvas(common::ViewState& state, SceneBuilder builder, QWidget* parent);

    const Scene& scene() const { return m_scene; }
    const SceneView& view() const { return m_view; }
    void setView(const SceneView& view);
    /// Rebuilds the picture; while the canvas is hidden it only remembers to.
    void refresh();
    void updateHover() { update(); }
    void zoomToFit();
    void zoomBy(double factor) { zoomAbout({}, factor); }
    void paintContent(QPainter& painter, const QSize& size);
    std::vector<common::TwinRow> twinRows() const;
    /// Selection of what a mark stands for.
    common::Selection selectionOf(const SceneTarget& target) const;

signals:
    void sceneChanged();
    void viewChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void zoomAbout(std::optional<QPointF> at, double factor);
    void select(const SceneTarget& target);
    void walk(int key);
    bool isIn(const common::Selection& selection, const std::vector<lowering::StepId>& steps,
        const SceneTarget& target) const;
    std::vector<bool> marksOf(const common::Selection& selection, const Scene& scene) const;

    common::ViewState& m_state;
    SceneBuilder m_builder;
    SceneView m_view;
    Scene m_scene;
    common::LensColours m_lens;
    std::shared_ptr<const analysis::Result> m_lensResult;
    bool m_isOld = true;
};

} // namespace fivefold::views::layout
