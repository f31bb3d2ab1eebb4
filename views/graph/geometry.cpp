// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/geometry.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace fivefold::views::graph {

namespace {

constexpr double kBodyPixels = 12; // tokens.json type.px.body
constexpr double kStubGap = 16; // line and arrow between a stub and its box
constexpr double kTagGap = 8;
constexpr double kLongestStub = 96;

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

double pillWidth(const QString& title, const QFontMetricsF& font, const Metrics& metrics) {
    return std::clamp(
        font.horizontalAdvance(title) + 28 * metrics.unit, 48 * metrics.unit, metrics.boxWidth());
}

double widthOf(const DisplayBox& box, const QFontMetricsF& font, const Metrics& metrics) {
    if (box.kind == BoxKind::Input || box.kind == BoxKind::Output || box.kind == BoxKind::Constant)
        return pillWidth(box.title, font, metrics);
    const QString time = timeText(box);
    double width =
        metrics.band() + metrics.glyph() + 24 * metrics.unit + font.horizontalAdvance(box.title);
    if (!time.isEmpty())
        width += font.horizontalAdvance(time) + 12 * metrics.unit;
    return std::clamp(std::ceil(width), metrics.leastBoxWidth(), metrics.boxWidth());
}

/// Names of the stubs of a box, joined.
QString stubText(const DisplayGraph& graph, const std::vector<int>& edges) {
    QStringList names;
    for (const int e : edges)
        if (!names.contains(graph.edges[index(e)].stubName))
            names << graph.edges[index(e)].stubName;
    return names.size() > 2 ? tr("%1 values").arg(names.size()) : names.join(QStringLiteral(", "));
}

std::vector<std::vector<int>> stubEdges(const DisplayGraph& graph) {
    std::vector<std::vector<int>> edges(graph.boxes.size());
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (graph.edges[e].isStub)
            edges[index(graph.edges[e].to)].push_back(static_cast<int>(e));
    return edges;
}

double stubWidth(const QString& text, const QFontMetricsF& font) {
    return std::min(kLongestStub, font.horizontalAdvance(text) + 16);
}

QPointF point(const drawing::Point& p) {
    return {p.x, p.y};
}

/// Points on a route, a few per curve: what labels keep clear of.
std::vector<QPointF> sampled(const QVector<QPointF>& route) {
    std::vector<QPointF> points;
    for (qsizetype i = 0; i + 3 < route.size(); i += 3) {
        const double length =
            std::hypot(route[i + 3].x() - route[i].x(), route[i + 3].y() - route[i].y());
        const int steps = std::clamp(static_cast<int>(length / 6), 2, 60);
        for (int s = 0; s <= steps; ++s) {
            const double t = static_cast<double>(s) / steps, u = 1 - t;
            points.push_back(u * u * u * route[i] + 3 * u * u * t * route[i + 1]
                + 3 * u * t * t * route[i + 2] + t * t * t * route[i + 3]);
        }
    }
    return points;
}

/// Puts labels to the right of their edges (or left) where they meet no box, title or other label
/// and the fewest edges. A value that runs to several boxes is labelled once.
class LabelPlacer {
public:
    LabelPlacer(const DisplayGraph& graph, Geometry& geometry, const Metrics& metrics)
        : m_graph(graph)
        , m_geometry(geometry)
        , m_font(common::smallFont()) {
        for (const QRectF& box : geometry.boxes)
            take(box);
        for (const QRectF& tag : geometry.tags)
            take(tag);
        for (const StubShape& stub : geometry.stubs)
            take(stub.pill);
        for (const QRectF& group : geometry.groups)
            take(QRectF(group.topLeft(), QSizeF(group.width(), titleHeight(metrics) + 4)));
        for (const EdgeShape& edge : geometry.edges) {
            const int number = static_cast<int>(m_samples.size());
            m_samples.push_back(sampled(edge.points));
            for (const QPointF& p : m_samples.back())
                m_pointRows[row(p.y())].emplace_back(p, number);
        }
    }

    void run() {
        std::map<std::pair<std::uint32_t, QString>, bool> isDone;
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            const DisplayEdge& edge = m_graph.edges[e];
            if (edge.label.isEmpty() || m_samples[e].empty())
                continue;
            const std::uint32_t value = edge.values.size() == 1
                ? edge.values.front().value
                : ~0u - static_cast<std::uint32_t>(e);
            bool& done = isDone[{value, edge.label}];
            if (!done)
                done = place(e);
        }
    }

private:
    bool place(std::size_t e) {
        const QSizeF size(m_font.horizontalAdvance(m_graph.edges[e].label) + 2, m_font.height());
        const std::vector<QPointF>& points = m_samples[e];
        QRectF best;
        int fewest = 6; // more crossings than this and the text is unreadable
        const std::size_t last = points.size() - 1;
        for (const std::size_t at : {std::min<std::size_t>(2, last), last / 2,
                 last - std::min<std::size_t>(2, last), last / 4, last * 3 / 4}) {
            const QPointF p = points[at];
            const double w = size.width(), h = size.height();
            // Beside lines that run down, above or below lines that run across.
            const QPointF beside[] = {{p.x() + 6, p.y() - h / 2}, {p.x() - 6 - w, p.y() - h / 2}};
            const QPointF above[] = {{p.x() - w / 2, p.y() - h - 2}, {p.x() - w / 2, p.y() + 2}};
            for (const QPointF& corner : m_geometry.isLeftToRight ? above : beside) {
                const QRectF rect(corner, size);
                const int crossings = cost(rect, e);
                if (crossings < fewest) {
                    fewest = crossings;
                    best = rect;
                }
                if (crossings == 0) {
                    m_geometry.edges[e].label = best;
                    take(best);
                    return true;
                }
            }
        }
        if (best.isNull())
            return false;
        m_geometry.edges[e].label = best;
        take(best);
        return true;
    }

    static int row(double y) { return static_cast<int>(std::floor(y / kRow)); }
    void take(const QRectF& rect) {
        if (rect.isNull())
            return;
        for (int r = row(rect.top()); r <= row(rect.bottom()); ++r)
            m_takenRows[r].push_back(rect);
    }

    /// Edge points under the rectangle; a lot when it covers something else.
    int cost(const QRectF& rect, std::size_t own) const {
        const QRectF grown = rect.adjusted(-2, 0, 2, 0);
        int crossings = 0;
        for (int r = row(rect.top()); r <= row(rect.bottom()); ++r) {
            if (const auto taken = m_takenRows.find(r); taken != m_takenRows.end())
                for (const QRectF& other : taken->second)
                    if (other.intersects(grown))
                        return 1000;
            if (const auto points = m_pointRows.find(r); points != m_pointRows.end())
                for (const auto& [point, edge] : points->second)
                    if (rect.contains(point))
                        crossings += edge == static_cast<int>(own) ? 2 : 1;
        }
        return crossings;
    }

    static constexpr double kRow = 48; ///< the row pitch: a bucket holds about one row of boxes

    const DisplayGraph& m_graph;
    Geometry& m_geometry;
    QFontMetricsF m_font;
    std::vector<std::vector<QPointF>> m_samples;
    std::unordered_map<int, std::vector<QRectF>> m_takenRows;
    std::unordered_map<int, std::vector<std::pair<QPointF, int>>> m_pointRows;
};

/// Engines aim at the middle of a box with its tag and stubs; the ends move onto the box itself.
void aimAtBoxes(const DisplayEdge& edge, const Geometry& geometry, QVector<QPointF>& points) {
    if (geometry.isLeftToRight || points.size() < 4)
        return;
    constexpr double kInset = 10; // clear of rounded corners
    const auto shift = [&](int box, double x) {
        const QRectF& rect = geometry.boxes[index(box)];
        const double inset = std::min(kInset, rect.width() / 2);
        return std::clamp(x, rect.left() + inset, rect.right() - inset) - x;
    };
    const double start = shift(edge.from, points.front().x());
    const double end = shift(edge.to, points.back().x());
    points[0].rx() += start;
    points[1].rx() += start;
    points[points.size() - 1].rx() += end;
    points[points.size() - 2].rx() += end;
}

void placeEdges(const DisplayGraph& graph, const DrawingRequest& request,
    const drawing::Output& output, Geometry& geometry) {
    geometry.edges.resize(graph.edges.size());
    for (std::size_t e = 0; e < request.edges.size(); ++e) {
        EdgeShape& shape = geometry.edges[index(request.edges[e])];
        for (const drawing::Point& p : output.edges[e])
            shape.points.push_back(point(p));
        if (shape.points.isEmpty())
            continue;
        aimAtBoxes(graph.edges[index(request.edges[e])], geometry, shape.points);
        double left = shape.points[0].x(), right = left;
        double top = shape.points[0].y(), bottom = top;
        for (const QPointF& p : shape.points) {
            left = std::min(left, p.x());
            right = std::max(right, p.x());
            top = std::min(top, p.y());
            bottom = std::max(bottom, p.y());
        }
        shape.bounds = QRectF(left - 1, top - 1, right - left + 2, bottom - top + 2);
    }
}

void placeStubs(const DisplayGraph& graph, Geometry& geometry) {
    const QFontMetricsF font(common::smallFont());
    std::vector<std::vector<int>> edges = stubEdges(graph);
    // What the engine did not route is a stub as well.
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!graph.edges[e].isStub && geometry.edges[e].points.isEmpty())
            edges[index(graph.edges[e].to)].push_back(static_cast<int>(e));
    for (std::size_t b = 0; b < edges.size(); ++b) {
        if (edges[b].empty())
            continue;
        StubShape stub;
        stub.box = static_cast<int>(b);
        stub.edges = edges[b];
        stub.text = stubText(graph, edges[b]);
        const double width = stubWidth(stub.text, font), height = font.height() + 4;
        const QRectF& box = geometry.boxes[b];
        stub.pill =
            QRectF(box.left() - kStubGap - width, box.center().y() - height / 2, width, height);
        geometry.bounds = geometry.bounds.united(stub.pill);
        geometry.stubs.push_back(std::move(stub));
    }
}

double distanceToCurve(const QVector<QPointF>& route, const QPointF& at) {
    double best = 1e9;
    for (const QPointF& p : sampled(route))
        best = std::min(best, std::hypot(p.x() - at.x(), p.y() - at.y()));
    return best;
}

} // namespace

Metrics Metrics::current() {
    return {std::max(1.0, QFontInfo(common::bodyFont()).pixelSize() / kBodyPixels)};
}

double titleHeight(const Metrics& metrics) {
    return 16 * metrics.unit;
}

QString tagText(const DisplayBox& box) {
    if (box.isAdded)
        return tr("+ added by stage %1").arg(static_cast<int>(box.addedAt) + 1);
    return box.from.isEmpty() ? QString() : tr("from %1").arg(box.from);
}

QString timeText(const DisplayBox& box) {
    if (box.isTimeUnknown)
        return box.time ? QStringLiteral("≥ ") + common::formatTime(box.time) : tr("unknown");
    return box.time ? common::formatTime(box.time) : QString();
}

DrawingRequest toRequest(const DisplayGraph& graph, const Metrics& metrics, bool isLeftToRight) {
    const QFontMetricsF body(common::bodyFont()), small(common::smallFont());
    DrawingRequest request;
    request.input.isLeftToRight = isLeftToRight;
    request.input.rankGap = 20 * metrics.unit;
    if (isLeftToRight) { // the labels stand between the boxes
        double widest = 0;
        for (const DisplayEdge& edge : graph.edges)
            widest = std::max(widest, edge.isStub ? 0 : small.horizontalAdvance(edge.label));
        request.input.rankGap = std::clamp(widest + 20, 48.0, 200.0 * metrics.unit);
    }
    request.input.nodeGap = 16 * metrics.unit;
    const auto stubs = stubEdges(graph);
    for (std::size_t b = 0; b < graph.boxes.size(); ++b) {
        const DisplayBox& box = graph.boxes[b];
        const bool isPill = box.kind == BoxKind::Input || box.kind == BoxKind::Output
            || box.kind == BoxKind::Constant;
        double left = 0, right = 0;
        if (!stubs[b].empty())
            left = stubWidth(stubText(graph, stubs[b]), small) + kStubGap;
        if (!tagText(box).isEmpty())
            right = small.horizontalAdvance(tagText(box)) + 12 + kTagGap;
        else if (box.kind == BoxKind::Folded)
            right = metrics.foldOffset();
        // Beside a stub alone the box stays in the middle, so that chains stay straight.
        if (left > 0 && right <= metrics.foldOffset())
            right = left;
        request.leftRoom.push_back(left);
        request.rightRoom.push_back(right);
        request.input.boxes.push_back({left + widthOf(box, body, metrics) + right,
            (isPill ? metrics.pillHeight() : metrics.boxHeight()), box.group});
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const DisplayEdge& edge = graph.edges[e];
        if (edge.isStub)
            continue;
        request.input.edges.push_back(
            {edge.from, edge.to, edge.label.isEmpty() ? 0 : small.horizontalAdvance(edge.label),
                graph.boxes[index(edge.from)].kind != BoxKind::Constant && !edge.isRemoved});
        request.edges.push_back(static_cast<int>(e));
    }
    for (const DisplayGroup& group : graph.groups) {
        drawing::Group placed;
        placed.parent = group.parent;
        placed.padding = 10 * metrics.unit;
        placed.titleHeight = titleHeight(metrics);
        placed.minWidth = std::min(320 * metrics.unit,
            small.horizontalAdvance(group.name + group.details) + 40 * metrics.unit);
        request.input.groups.push_back(placed);
    }
    return request;
}

Geometry toGeometry(const DisplayGraph& graph, const DrawingRequest& request,
    const drawing::Output& output, const Metrics& metrics) {
    Geometry geometry;
    geometry.isLeftToRight = request.input.isLeftToRight;
    geometry.engine = QString::fromStdString(output.engine);
    geometry.bounds = QRectF(0, 0, output.width, output.height);
    const QFontMetricsF small(common::smallFont());
    geometry.tags.resize(graph.boxes.size());
    for (std::size_t b = 0; b < output.boxes.size(); ++b) {
        const drawing::Rect& at = output.boxes[b];
        const QRectF rect(at.x + request.leftRoom[b], at.y,
            at.width - request.leftRoom[b] - request.rightRoom[b], at.height);
        geometry.boxes.push_back(rect);
        if (!tagText(graph.boxes[b]).isEmpty()) {
            const double height = small.height() + 2;
            geometry.tags[b] = QRectF(rect.right() + kTagGap, rect.center().y() - height / 2,
                small.horizontalAdvance(tagText(graph.boxes[b])) + 12, height);
        }
    }
    for (const drawing::Rect& at : output.groups)
        geometry.groups.emplace_back(at.x, at.y, at.width, at.height);
    placeEdges(graph, request, output, geometry);
    placeStubs(graph, geometry);
    LabelPlacer(graph, geometry, metrics).run();
    for (const EdgeShape& edge : geometry.edges)
        geometry.bounds = geometry.bounds.united(edge.bounds).united(edge.label);
    return geometry;
}

Survivors survivors(const DisplayGraph& from, const DisplayGraph& to) {
    std::unordered_map<std::string_view, int> byKey, byOrigin, heirs;
    for (std::size_t b = 0; b < from.boxes.size(); ++b) {
        byKey.emplace(from.boxes[b].key, static_cast<int>(b));
        if (!from.boxes[b].origin.empty())
            byOrigin.emplace(from.boxes[b].origin, static_cast<int>(b));
    }
    for (const DisplayBox& box : to.boxes)
        if (!box.origin.empty())
            ++heirs[box.origin];
    Survivors result;
    for (const DisplayBox& box : to.boxes) {
        const auto same = byKey.find(box.key);
        const auto origin = box.origin.empty() ? byOrigin.end() : byOrigin.find(box.origin);
        const bool isThere = same != byKey.end();
        result.before.push_back(isThere    ? same->second
                : origin != byOrigin.end() ? origin->second
                                           : -1);
        result.isFresh.push_back(
            !isThere && (origin == byOrigin.end() || heirs[box.origin] > 1) ? 1 : 0);
    }
    return result;
}

Geometry between(
    const Geometry& from, const Geometry& to, const Survivors& survivors, double progress) {
    Geometry result = to;
    for (std::size_t b = 0; b < result.boxes.size() && b < survivors.before.size(); ++b) {
        const int old = survivors.before[b];
        if (old < 0 || index(old) >= from.boxes.size())
            continue;
        const QPointF shift =
            (from.boxes[index(old)].topLeft() - to.boxes[b].topLeft()) * (1 - progress);
        result.boxes[b].translate(shift);
        if (!result.tags[b].isNull())
            result.tags[b].translate(shift);
    }
    return result;
}

Hit hitTest(const Geometry& geometry, const QPointF& at, double reach) {
    Hit hit;
    for (std::size_t b = 0; b < geometry.boxes.size(); ++b)
        if (geometry.boxes[b].contains(at)) {
            hit.box = static_cast<int>(b);
            return hit;
        }
    for (std::size_t s = 0; s < geometry.stubs.size(); ++s)
        if (geometry.stubs[s].pill.contains(at)) {
            hit.stub = static_cast<int>(s);
            return hit;
        }
    double nearest = reach;
    for (std::size_t e = 0; e < geometry.edges.size(); ++e) {
        const EdgeShape& edge = geometry.edges[e];
        if (edge.label.contains(at)) {
            hit.edge = static_cast<int>(e);
            return hit;
        }
        if (edge.points.isEmpty()
            || !edge.bounds.adjusted(-reach, -reach, reach, reach).contains(at))
            continue;
        const double distance = distanceToCurve(edge.points, at);
        if (distance <= nearest) {
            nearest = distance;
            hit.edge = static_cast<int>(e);
        }
    }
    if (hit.edge >= 0)
        return hit;
    for (std::size_t g = geometry.groups.size(); g-- > 0;) {
        const QRectF& group = geometry.groups[g];
        if (group.contains(at) && at.y() < group.top() + titleHeight(Metrics::current()) + 6) {
            hit.group = static_cast<int>(g);
            return hit;
        }
    }
    return hit;
}

} // namespace fivefold::views::graph
