// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/layered_flat.h"

#include <algorithm>
#include <cmath>

namespace fivefold::drawing::layered {

namespace {

std::size_t index(int v) {
    return static_cast<std::size_t>(v);
}

void addLink(Ranked& ranked, Ranked::Link link) {
    const int number = static_cast<int>(ranked.links.size());
    ranked.outgoing[index(link.from)].push_back(number);
    ranked.incoming[index(link.to)].push_back(number);
    ranked.links.push_back(link);
}

/// A gap grows where links run far sideways, so that their curves do not lie flat on the boxes: 6 %
/// of the widest run, at most 28. Beside a row of ports, which the group's own padding already sets
/// apart, it starts at 40 %.
std::vector<double> gaps(
    const FlatGraph& graph, const Ranked& ranked, const std::vector<double>& across) {
    std::vector<double> widest(ranked.rows.size(), 0);
    std::vector<char> isPorts(ranked.rows.size(), 0);
    for (std::size_t v = 0; v < graph.nodes.size(); ++v)
        if (graph.nodes[v].pin != Pin::None)
            isPorts[index(ranked.vertices[v].rank)] = 1;
    for (const Ranked::Link& link : ranked.links) {
        const double run = std::abs(
            across[index(link.from)] + link.fromOffset - across[index(link.to)] - link.toOffset);
        double& row = widest[index(ranked.vertices[index(link.from)].rank)];
        row = std::max(row, run);
    }
    for (std::size_t r = 0; r < widest.size(); ++r) {
        const bool isPortRow = isPorts[r] || (r + 1 < widest.size() && isPorts[r + 1]);
        widest[r] = graph.rankGap * (isPortRow ? 0.4 : 1.0) + std::min(28.0, 0.06 * widest[r]);
    }
    return widest;
}

struct Rows {
    std::vector<double> start, length;
    double end = 0;
};

Rows stackRows(const FlatGraph& graph, const Ranked& ranked, const std::vector<double>& across) {
    Rows rows;
    rows.length.assign(ranked.rows.size(), 0);
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
        double& length = rows.length[index(ranked.vertices[v].rank)];
        length = std::max(length, graph.nodes[v].length);
    }
    const std::vector<double> gap = gaps(graph, ranked, across);
    double at = 0;
    for (std::size_t r = 0; r < ranked.rows.size(); ++r) {
        rows.start.push_back(at);
        rows.end = at + rows.length[r];
        at = rows.end + gap[r];
    }
    return rows;
}

std::vector<Knot> route(const FlatGraph& graph, const Ranked& ranked, const Rows& rows,
    const std::vector<double>& across, std::size_t e) {
    const std::vector<int>& chain = ranked.chains[e];
    const FlatEdge& edge = graph.edges[e];
    std::vector<Knot> knots;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const int v = chain[i];
        const std::size_t r = index(ranked.vertices[index(v)].rank);
        if (i == 0) {
            const double x = across[index(v)] + edge.fromOffset;
            knots.push_back({x, rows.start[r] + graph.nodes[index(v)].length});
            knots.push_back({x, rows.start[r] + rows.length[r]});
        } else if (i + 1 == chain.size()) {
            knots.push_back({across[index(v)] + edge.toOffset, rows.start[r]});
        } else {
            knots.push_back({across[index(v)], rows.start[r]});
            knots.push_back({across[index(v)], rows.start[r] + rows.length[r]});
        }
    }
    return knots;
}

} // namespace

Ranked insertLanes(
    const FlatGraph& graph, const std::vector<int>& ranks, const std::vector<char>& isBack) {
    Ranked ranked;
    const std::size_t n = graph.nodes.size();
    int last = -1;
    for (std::size_t v = 0; v < n; ++v) {
        ranked.vertices.push_back({graph.nodes[v].breadth, false, ranks[v]});
        last = std::max(last, ranks[v]);
    }
    std::size_t budget = 2 * (n + graph.edges.size()) + 1000;
    ranked.outgoing.resize(n);
    ranked.incoming.resize(n);
    ranked.chains.resize(graph.edges.size());
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const FlatEdge& edge = graph.edges[e];
        const int span = ranks[index(edge.to)] - ranks[index(edge.from)];
        if (isBack[e] || span < 1 || span > kMaxLane || index(span - 1) > budget)
            continue;
        budget -= index(span - 1);
        int at = edge.from;
        double offset = edge.fromOffset;
        ranked.chains[e].push_back(at);
        for (int rank = ranks[index(edge.from)] + 1; rank < ranks[index(edge.to)]; ++rank) {
            const int lane = static_cast<int>(ranked.vertices.size());
            ranked.vertices.push_back({0, true, rank});
            ranked.outgoing.emplace_back();
            ranked.incoming.emplace_back();
            addLink(ranked, {at, lane, offset, 0});
            ranked.chains[e].push_back(lane);
            at = lane;
            offset = 0;
        }
        addLink(ranked, {at, edge.to, offset, edge.toOffset});
        ranked.chains[e].push_back(edge.to);
    }
    ranked.rows.resize(index(last + 1));
    for (std::size_t v = 0; v < ranked.vertices.size(); ++v)
        ranked.rows[index(ranked.vertices[v].rank)].push_back(static_cast<int>(v));
    return ranked;
}

FlatDrawing placeFlat(const FlatGraph& graph, const base::Progress& progress) {
    const std::vector<char> isBack = findBackEdges(graph.nodes.size(), graph.edges);
    Ranked ranked = insertLanes(graph, assignRanks(graph, isBack), isBack);
    orderRows(ranked, progress);
    const std::vector<double> across = assignAcross(ranked, graph.nodeGap, progress);
    const Rows rows = stackRows(graph, ranked, across);

    FlatDrawing drawing;
    drawing.length = rows.end;
    for (std::size_t v = 0; v < ranked.vertices.size(); ++v) {
        drawing.breadth = std::max(drawing.breadth, across[v] + ranked.vertices[v].breadth / 2);
        if (v < graph.nodes.size()) {
            drawing.across.push_back(across[v]);
            drawing.along.push_back(rows.start[index(ranked.vertices[v].rank)]);
        }
    }
    drawing.routes.resize(graph.edges.size());
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!ranked.chains[e].empty())
            drawing.routes[e] = route(graph, ranked, rows, across, e);
    return drawing;
}

} // namespace fivefold::drawing::layered
