// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/painter.h"

#include "views/common/palette.h"

#include <QPainter>

#include <algorithm>

namespace fivefold::views::graph {

namespace {

constexpr double kMargin = 4;

/// Content to minimap: the whole content, centred, never enlarged.
struct Fit {
    double scale = 1;
    QPointF offset;

    Fit(const QRectF& area, const QRectF& content) {
        const QRectF inside = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
        if (content.width() <= 0 || content.height() <= 0)
            return;
        scale =
            std::min({inside.width() / content.width(), inside.height() / content.height(), 1.0});
        offset = inside.center() - content.center() * scale;
    }
    QRectF map(const QRectF& r) const { return {r.topLeft() * scale + offset, r.size() * scale}; }
};

} // namespace

void paintMinimap(
    QPainter& painter, const QRectF& area, const Scene& scene, const common::PlaneView& view) {
    if (!scene.graph || !scene.geometry || !scene.bands || !scene.marks)
        return;
    const common::Palette& palette = common::Palette::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, palette.role("alternate"));
    painter.setPen(palette.role("border"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    const Fit fit(area, scene.geometry->bounds);
    painter.setClipRect(area.adjusted(1, 1, -1, -1));
    for (std::size_t b = 0; b < scene.geometry->boxes.size(); ++b) {
        QRectF mark = fit.map(scene.geometry->boxes[b]);
        mark.setWidth(std::max(2.0, mark.width()));
        mark.setHeight(std::max(1.0, mark.height() - 1));
        const bool isSelected = b < scene.marks->selected.size() && scene.marks->selected[b];
        const QColor band = b < scene.bands->colours.size() ? scene.bands->colours[b] : QColor();
        painter.fillRect(mark,
            isSelected           ? palette.selection("halo")
                : band.isValid() ? band
                                 : palette.role("neutral"));
    }
    painter.setPen(QPen(palette.role("text"), 1));
    painter.drawRect(fit.map(view.visibleContent())
                         .intersected(area.adjusted(1, 1, -1, -1))
                         .adjusted(0, 0, -1, -1));
    painter.restore();
}

QPointF minimapToContent(const QRectF& area, const Geometry& geometry, const QPointF& at) {
    const Fit fit(area, geometry.bounds);
    return (at - fit.offset) / fit.scale;
}

} // namespace fivefold::views::graph
