// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/drawing.h"
#include "core/drawing/layered_flat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace fivefold::drawing {

namespace {

using layered::FlatDrawing;
using layered::FlatEdge;
using layered::FlatGraph;
using layered::FlatNode;
using layered::Knot;
using layered::Pin;

std::size_t index(int v) {
    return static_cast<std::size_t>(v);
}

/// The children of one group (or of the drawing, level 0) as a flat graph. Edges that cross the
/// group's frame end at ports: one for each box outside and direction.
struct Level {
    std::vector<int> items; ///< box number, or −1 − group number
    FlatGraph graph;
    std::vector<std::pair<int, int>>
        ports; ///< of each flat edge: port inside its from and to group, or −1
    std::unordered_map<std::uint64_t, int> edgeOf; ///< (source box, to node) → flat edge
    std::unordered_map<std::uint64_t, int> portOf; ///< (source box, direction) → node
    FlatDrawing drawing;
    double originAcross = 0, originAlong = 0; ///< of the content, in the whole drawing
    double breadth = 0, length = 0; ///< of the frame
};

struct Segment {
    int level = 0, edge = 0;
};

std::uint64_t key(int a, int b) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32)
        | static_cast<std::uint32_t>(b);
}

/// Places a nested drawing bottom-up: the inside of a group first, then the group as one node of
/// its parent.
class Hierarchy {
public:
    explicit Hierarchy(const Input& input)
        : m_input(input)
        , m_levels(input.groups.size() + 1)
        , m_boxNode(input.boxes.size())
        , m_groupNode(input.groups.size())
        , m_segments(input.edges.size()) {
        findDepths();
        fillItems();
        for (std::size_t e = 0; e < input.edges.size(); ++e)
            addEdge(e);
    }

    Output place(const base::Progress& progress) {
        for (const int level : m_deepestFirst)
            placeLevel(level, progress);
        return assemble();
    }

private:
    int levelOfBox(int box) const { return m_input.boxes[index(box)].group + 1; }
    int parentLevel(int level) const { return m_input.groups[index(level - 1)].parent + 1; }

    void findDepths() {
        const std::size_t count = m_levels.size();
        m_depth.assign(count, -1);
        m_depth[0] = 0;
        std::vector<int> path;
        for (std::size_t i = 1; i < count; ++i) {
            int at = static_cast<int>(i);
            for (; m_depth[index(at)] < 0; at = parentLevel(at))
                path.push_back(at);
            int depth = m_depth[index(at)];
            for (; !path.empty(); path.pop_back())
                m_depth[index(path.back())] = ++depth;
        }
        for (std::size_t i = 0; i < count; ++i)
            m_deepestFirst.push_back(static_cast<int>(i));
        std::stable_sort(m_deepestFirst.begin(), m_deepestFirst.end(),
            [&](int a, int b) { return m_depth[index(a)] > m_depth[index(b)]; });
    }

    /// Children in the order of their first box, so that the drawing follows the input.
    void fillItems() {
        constexpr int kNone = std::numeric_limits<int>::max();
        std::vector<int> first(m_levels.size(), kNone);
        for (std::size_t b = 0; b < m_input.boxes.size(); ++b) {
            int& least = first[index(levelOfBox(static_cast<int>(b)))];
            least = std::min(least, static_cast<int>(b));
        }
        for (const int level : m_deepestFirst)
            if (level > 0) {
                int& least = first[index(parentLevel(level))];
                least = std::min(least, first[index(level)]);
            }
        for (std::size_t b = 0; b < m_input.boxes.size(); ++b)
            m_levels[index(levelOfBox(static_cast<int>(b)))].items.push_back(static_cast<int>(b));
        for (std::size_t g = 0; g < m_input.groups.size(); ++g)
            m_levels[index(m_input.groups[g].parent + 1)].items.push_back(-1 - static_cast<int>(g));
        const auto order = [&](int item) { return item >= 0 ? item : first[index(-item)]; };
        for (Level& level : m_levels) {
            std::stable_sort(level.items.begin(), level.items.end(),
                [&](int a, int b) { return order(a) < order(b); });
            level.graph.nodes.resize(level.items.size());
            for (std::size_t i = 0; i < level.items.size(); ++i) {
                const int item = level.items[i];
                (item >= 0 ? m_boxNode[index(item)] : m_groupNode[index(-1 - item)]) =
                    static_cast<int>(i);
            }
        }
    }

    int port(int level, int sourceBox, Pin pin) {
        Level& at = m_levels[index(level)];
        const auto [it, isNew] = at.portOf.try_emplace(
            key(sourceBox, static_cast<int>(pin)), static_cast<int>(at.graph.nodes.size()));
        if (isNew)
            at.graph.nodes.push_back({0, 0, pin});
        return it->second;
    }

    void addSegment(std::size_t e, int level, FlatEdge edge, std::pair<int, int> ports) {
        Level& at = m_levels[index(level)];
        const auto [it, isNew] = at.edgeOf.try_emplace(
            key(m_input.edges[e].from, edge.to), static_cast<int>(at.graph.edges.size()));
        if (isNew) {
            at.graph.edges.push_back(edge);
            at.ports.push_back(ports);
        } else {
            at.graph.edges[index(it->second)].isRanking |= edge.isRanking;
        }
        m_segments[e].push_back({level, it->second});
    }

    void addEdge(std::size_t e) {
        const Edge& edge = m_input.edges[e];
        if (edge.from == edge.to)
            return;
        int a = levelOfBox(edge.from), b = levelOfBox(edge.to);
        int fromNode = m_boxNode[index(edge.from)], toNode = m_boxNode[index(edge.to)];
        int fromPort = -1, toPort = -1;
        std::vector<Segment> inward; // built from the target outwards
        while (a != b) {
            if (m_depth[index(a)] >= m_depth[index(b)]) {
                const int out = port(a, edge.from, Pin::Last);
                addSegment(e, a, {fromNode, out, 0, 0, true}, {fromPort, -1});
                fromPort = out;
                fromNode = m_groupNode[index(a - 1)];
                a = parentLevel(a);
            } else {
                const int in = port(b, edge.from, Pin::First);
                addSegment(e, b, {in, toNode, 0, 0, true}, {-1, toPort});
                inward.push_back(m_segments[e].back());
                m_segments[e].pop_back();
                toPort = in;
                toNode = m_groupNode[index(b - 1)];
                b = parentLevel(b);
            }
        }
        addSegment(e, a, {fromNode, toNode, 0, 0, edge.isRanking}, {fromPort, toPort});
        m_segments[e].insert(m_segments[e].end(), inward.rbegin(), inward.rend());
    }

    struct Insets {
        double acrossStart = 0, acrossEnd = 0, alongStart = 0, alongEnd = 0;
    };

    Insets insets(int level) const {
        if (level == 0)
            return {};
        const Group& group = m_input.groups[index(level - 1)];
        const double p = group.padding, top = group.padding + group.titleHeight;
        return m_input.isLeftToRight ? Insets{top, p, p, p} : Insets{p, p, top, p};
    }

    /// Offset of a port from the middle of its group, across the flow.
    double portOffset(int level, int node, int portNode) const {
        if (portNode < 0)
            return 0; // a box, or a port of this very level, which stands behind its items
        const int item = m_levels[index(level)].items[index(node)];
        if (item >= 0)
            return 0;
        const Level& inner = m_levels[index(-item)];
        return inner.originAcross + inner.drawing.across[index(portNode)] - inner.breadth / 2;
    }

    void placeLevel(int number, const base::Progress& progress) {
        Level& level = m_levels[index(number)];
        level.graph.rankGap = m_input.rankGap;
        level.graph.nodeGap = m_input.nodeGap;
        for (std::size_t i = 0; i < level.items.size(); ++i) {
            FlatNode& node = level.graph.nodes[i];
            const int item = level.items[i];
            if (item < 0) {
                node.breadth = m_levels[index(-item)].breadth;
                node.length = m_levels[index(-item)].length;
                continue;
            }
            const Box& box = m_input.boxes[index(item)];
            node.breadth = m_input.isLeftToRight ? box.height : box.width;
            node.length = m_input.isLeftToRight ? box.width : box.height;
        }
        for (std::size_t e = 0; e < level.graph.edges.size(); ++e) {
            FlatEdge& edge = level.graph.edges[e];
            edge.fromOffset = portOffset(number, edge.from, level.ports[e].first);
            edge.toOffset = portOffset(number, edge.to, level.ports[e].second);
        }
        level.drawing = layered::placeFlat(level.graph, progress);
        const Insets in = insets(number);
        level.breadth = level.drawing.breadth + in.acrossStart + in.acrossEnd;
        level.length = level.drawing.length + in.alongStart + in.alongEnd;
        level.originAcross = in.acrossStart;
        level.originAlong = in.alongStart;
        const double wanted = number == 0 ? 0 : m_input.groups[index(number - 1)].minWidth;
        double& width = m_input.isLeftToRight ? level.length : level.breadth;
        if (width < wanted) {
            (m_input.isLeftToRight ? level.originAlong : level.originAcross) +=
                (wanted - width) / 2;
            width = wanted;
        }
    }

    Rect rect(double across, double along, double breadth, double length) const {
        return m_input.isLeftToRight ? Rect{along, across, length, breadth}
                                     : Rect{across, along, breadth, length};
    }

    Output assemble() {
        Output output;
        output.engine = "layered";
        output.boxes.resize(m_input.boxes.size());
        output.groups.resize(m_input.groups.size());
        for (auto it = m_deepestFirst.rbegin(); it != m_deepestFirst.rend(); ++it) {
            const Level& level = m_levels[index(*it)];
            for (std::size_t i = 0; i < level.items.size(); ++i) {
                const FlatNode& node = level.graph.nodes[i];
                const double across =
                    level.originAcross + level.drawing.across[i] - node.breadth / 2;
                const double along = level.originAlong + level.drawing.along[i];
                const Rect at = rect(across, along, node.breadth, node.length);
                const int item = level.items[i];
                if (item >= 0) {
                    output.boxes[index(item)] = at;
                } else {
                    output.groups[index(-1 - item)] = at;
                    m_levels[index(-item)].originAcross += across;
                    m_levels[index(-item)].originAlong += along;
                }
            }
        }
        const Level& root = m_levels[0];
        const Rect whole = rect(0, 0, root.breadth, root.length);
        output.width = whole.width;
        output.height = whole.height;
        for (std::size_t e = 0; e < m_input.edges.size(); ++e)
            output.edges.push_back(curve(e));
        return output;
    }

    std::vector<Point> curve(std::size_t e) const {
        std::vector<Knot> knots;
        for (const Segment& segment : m_segments[e]) {
            const Level& level = m_levels[index(segment.level)];
            const std::vector<Knot>& route = level.drawing.routes[index(segment.edge)];
            if (route.empty())
                return {};
            for (const Knot& knot : route) {
                const Knot at{knot.across + level.originAcross, knot.along + level.originAlong};
                addKnot(knots, at);
            }
        }
        std::vector<Point> points;
        for (std::size_t i = 0; i < knots.size(); ++i) {
            if (i == 0) {
                points.push_back(point(knots[0].across, knots[0].along));
                continue;
            }
            const Knot& a = knots[i - 1];
            const Knot& b = knots[i];
            const double middle = (a.along + b.along) / 2;
            points.push_back(point(a.across, middle));
            points.push_back(point(b.across, middle));
            points.push_back(point(b.across, b.along));
        }
        return points.size() < 4 ? std::vector<Point>{} : points;
    }

    /// Drops knots that repeat the last one or lie on a straight run.
    static void addKnot(std::vector<Knot>& knots, Knot at) {
        constexpr double kSame = 0.01;
        const auto isSame = [](double a, double b) { return std::abs(a - b) < kSame; };
        if (!knots.empty() && isSame(knots.back().across, at.across)
            && isSame(knots.back().along, at.along))
            return;
        if (knots.size() >= 2 && isSame(knots.back().across, at.across)
            && isSame(knots[knots.size() - 2].across, at.across))
            knots.back() = at;
        else
            knots.push_back(at);
    }

    Point point(double across, double along) const {
        return m_input.isLeftToRight ? Point{along, across} : Point{across, along};
    }

    const Input& m_input;
    std::vector<Level> m_levels;
    std::vector<int> m_boxNode, m_groupNode; ///< node number in the level that holds it
    std::vector<int> m_depth, m_deepestFirst;
    std::vector<std::vector<Segment>> m_segments;
};

class LayeredEngine final : public Engine {
public:
    std::string name() const override { return "layered"; }

    base::Result<Output> place(const Input& input, const base::Progress& progress) const override {
        if (const auto ok = check(input); !ok)
            return ok.error();
        Hierarchy hierarchy(input);
        Output output = hierarchy.place(progress);
        if (progress.isCancelled())
            return base::Progress::cancelled();
        return output;
    }
};

} // namespace

const Engine& layeredEngine() {
    static const LayeredEngine engine;
    return engine;
}

} // namespace fivefold::drawing
