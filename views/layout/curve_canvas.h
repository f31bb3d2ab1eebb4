// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/layout/curve_picture.h"

namespace fivefold::views::layout {

/// Five padding curves on one axis of sizes. A drag moves the size that is tried; letting go, a
/// click or Return binds it; the wheel changes how far the axis reaches. Arrows move it by one,
/// Page by sixteen, N to the next size without padding, Escape back to the model's.
class CurveCanvas final : public common::Canvas {
    Q_OBJECT

public:
    CurveCanvas(common::ViewState& state, QWidget* parent);

    const CurvePicture& picture() const { return m_picture; }
    const CurveGeometry& geometry() const { return m_geometry; }
    /// Takes over the tensor; the tried size stays while the tensor does.
    void setPicture(const CurvePicture& picture, std::int64_t bound);
    /// The size that is tried; bound or not.
    std::int64_t tried() const { return m_tried; }
    void setTried(std::int64_t size);
    void bind(); ///< the tried size
    void goToNext();
    std::int64_t range() const { return m_to; }
    void setRange(std::int64_t to);
    void paintContent(QPainter& painter, const QSize& size);
    QSize minimumSizeHint() const override { return {0, 0}; }

signals:
    void triedChanged(qlonglong size);
    void bound(qlonglong size);

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void mousePressEvent(QMouseEvent* event) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void dragged(const QPoint& delta, const QPoint& position) override;
    void dragEnded(const QPoint& position) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rearrange();
    bool isOverPlots(const QPointF& point) const;

    common::ViewState& m_state;
    CurvePicture m_picture;
    CurveGeometry m_geometry;
    std::int64_t m_tried = 0;
    std::int64_t m_bound = 0; ///< the size in force: the model's, or the what-if
    std::int64_t m_to = kFirstRange;
    std::optional<std::int64_t> m_hovered;
};

/// Curves, free sizes, the tried and the hovered size.
void paintCurves(QPainter& painter, const CurvePicture& picture, const CurveGeometry& geometry,
    std::int64_t tried, std::optional<std::int64_t> hovered);
common::Legend curveLegend(const CurvePicture& picture);

} // namespace fivefold::views::layout
