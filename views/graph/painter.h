// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/zoom_pan.h"
#include "views/graph/geometry.h"
#include "views/graph/lens.h"

class QFontMetricsF;
class QPainter;

namespace fivefold::views::graph {

/// What is lit in a picture, by box; vectors may be empty (nothing).
struct Marks {
    std::vector<char> selected; ///< 1 ring, 2 the clicked one
    std::vector<char> hovered;
    std::vector<char> traced; ///< set: everything else fades
    int selectedValueBox = -1;
};

/// Everything a painter needs; it draws and decides nothing.
struct Scene {
    const DisplayGraph* graph = nullptr;
    const Geometry* geometry = nullptr;
    const Bands* bands = nullptr;
    const Marks* marks = nullptr;
    common::Lens lens = common::Lens::OperatorClass;
    double edgeOpacity = 1; ///< of edges and new boxes; below 1 while boxes glide
    const std::vector<char>* isFresh = nullptr; ///< by box: outlined as new
};

/// Below the first, boxes lose their words and edges their arrows; below the second, boxes are
/// plain marks.
constexpr double kDetailScale = 0.4;
constexpr double kMarkScale = 0.05;

/// The title in `room` pixels: whole, else without the module in front of its operator, else without
/// a name that repeats the operator, else elided in the middle.
QString fittedTitle(const QString& title, const QFontMetricsF& metrics, double room);

/// Paints what meets `dirty` (pixels). O(boxes + edges) tests, painting only what is seen.
void paintScene(
    QPainter& painter, const Scene& scene, const common::PlaneView& view, const QRectF& dirty);

/// The whole picture in a corner with the visible part framed.
constexpr QSize kMinimapSize(56, 132);
void paintMinimap(
    QPainter& painter, const QRectF& area, const Scene& scene, const common::PlaneView& view);
/// The content point under a point of the minimap.
QPointF minimapToContent(const QRectF& area, const Geometry& geometry, const QPointF& at);

} // namespace fivefold::views::graph
