// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/display_graph.h"

#include "core/drawing/drawing.h"

#include <QPainterPath>
#include <QRectF>
#include <QVector>

namespace fivefold::views::graph {

/// Sizes in content pixels; they grow with the application font (1 at a body of 12 px).
struct Metrics {
    static Metrics current();

    double unit = 1;
    double boxHeight() const { return 28 * unit; }
    double boxWidth() const { return 204 * unit; }
    double leastBoxWidth() const { return 120 * unit; }
    double pillHeight() const { return 24 * unit; }
    double band() const { return 6 * unit; }
    double glyph() const { return 12 * unit; }
    double foldOffset() const { return 4 * unit; }
};

/// What the engines place, and which display edge each placed edge is.
struct DrawingRequest {
    drawing::Input input;
    std::vector<int> edges; ///< placed edge → display edge
    std::vector<double> leftRoom, rightRoom; ///< of each box, for stubs and tags
};
DrawingRequest toRequest(const DisplayGraph& graph, const Metrics& metrics, bool isLeftToRight);

struct EdgeShape {
    QVector<QPointF> points; ///< cubic control points; empty for stubs
    QRectF bounds;
    QRectF label; ///< null where the label has no room
};

/// A named pill beside a box that reads a value from far away.
struct StubShape {
    int box = 0;
    std::vector<int> edges; ///< display edges it stands for
    QRectF pill;
    QString text;
};

/// Places of everything, in content pixels. Plain data.
struct Geometry {
    std::vector<QRectF> boxes;
    std::vector<QRectF> groups;
    std::vector<EdgeShape> edges; ///< one a display edge
    std::vector<StubShape> stubs;
    std::vector<QRectF> tags; ///< "+ added by stage 4" of each box; null for most
    QRectF bounds;
    bool isLeftToRight = false;
    QString engine;
};
Geometry toGeometry(const DisplayGraph& graph, const DrawingRequest& request,
    const drawing::Output& output, const Metrics& metrics);

/// "+ added by stage 4", "from Softmax"; empty: no tag.
QString tagText(const DisplayBox& box);
QString timeText(const DisplayBox& box);

/// Where each box of a picture was in the one before: the box of its key, else the one of its
/// origin (what a decomposition made glides out of what it replaced); −1: it is new. O(boxes).
struct Survivors {
    std::vector<int> before; ///< by box of the new picture
    std::vector<char> isFresh; ///< by box: set where neither it nor its one origin was there
};
Survivors survivors(const DisplayGraph& from, const DisplayGraph& to);

/// Between two pictures: survivors glide, the rest stands. `progress` 0..1.
Geometry between(
    const Geometry& from, const Geometry& to, const Survivors& survivors, double progress);

/// What lies at a content point, topmost first.
struct Hit {
    int box = -1;
    int edge = -1;
    int group = -1; ///< frame title or frame line
    int stub = -1;
    bool isEmpty() const { return box < 0 && edge < 0 && group < 0 && stub < 0; }
};
/// `reach`: distance in content pixels that still touches an edge. O(boxes + edges).
Hit hitTest(const Geometry& geometry, const QPointF& at, double reach);

/// Height of a frame's title strip.
double titleHeight(const Metrics& metrics);

} // namespace fivefold::views::graph
