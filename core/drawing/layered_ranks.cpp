// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/drawing.h"
#include "core/drawing/layered_flat.h"

#include <algorithm>
#include <cmath>

namespace fivefold::drawing::layered {

namespace {

/// Outgoing edges of every node in compressed rows: edge numbers of node v stand at [start[v],
/// start[v + 1]).
struct Adjacency {
    std::vector<int> start;
    std::vector<int> edges;
};

template <typename Keep>
Adjacency outgoing(std::size_t nodeCount, const std::vector<FlatEdge>& edges, Keep keep) {
    Adjacency result;
    result.start.assign(nodeCount + 1, 0);
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (keep(e))
            ++result.start[static_cast<std::size_t>(edges[e].from) + 1];
    for (std::size_t v = 0; v < nodeCount; ++v)
        result.start[v + 1] += result.start[v];
    result.edges.resize(static_cast<std::size_t>(result.start[nodeCount]));
    std::vector<int> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (keep(e))
            result
                .edges[static_cast<std::size_t>(next[static_cast<std::size_t>(edges[e].from)]++)] =
                static_cast<int>(e);
    return result;
}

/// Longest path from the sources over the kept edges, which must be acyclic. `order` receives a
/// topological order.
std::vector<int> longestPaths(std::size_t nodeCount, const std::vector<FlatEdge>& edges,
    const std::vector<char>& isKept, std::vector<int>& order) {
    const Adjacency next =
        outgoing(nodeCount, edges, [&](std::size_t e) { return isKept[e] != 0; });
    std::vector<int> open(nodeCount, 0), rank(nodeCount, 0);
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (isKept[e])
            ++open[static_cast<std::size_t>(edges[e].to)];
    order.clear();
    order.reserve(nodeCount);
    for (std::size_t v = 0; v < nodeCount; ++v)
        if (open[v] == 0)
            order.push_back(static_cast<int>(v));
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto v = static_cast<std::size_t>(order[i]);
        for (int k = next.start[v]; k < next.start[v + 1]; ++k) {
            const auto to = static_cast<std::size_t>(
                edges[static_cast<std::size_t>(next.edges[static_cast<std::size_t>(k)])].to);
            rank[to] = std::max(rank[to], rank[v] + 1);
            if (--open[to] == 0)
                order.push_back(static_cast<int>(to));
        }
    }
    return rank;
}

/// Moves nodes without a predecessor down to just above their nearest user, so that side inputs
/// stand where they are read.
void pullSourcesDown(
    const FlatGraph& graph, const std::vector<char>& isKept, std::vector<int>& rank) {
    const std::size_t n = graph.nodes.size();
    std::vector<char> hasPredecessor(n, 0);
    std::vector<int> nearest(n, -1);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        if (!isKept[e])
            continue;
        const auto from = static_cast<std::size_t>(graph.edges[e].from);
        const auto to = static_cast<std::size_t>(graph.edges[e].to);
        hasPredecessor[to] = 1;
        nearest[from] = nearest[from] < 0 ? rank[to] : std::min(nearest[from], rank[to]);
    }
    for (std::size_t v = 0; v < n; ++v)
        if (!hasPredecessor[v] && nearest[v] > 0)
            rank[v] = nearest[v] - 1;
}

/// Puts nodes without any edge into rows of about √n instead of one endless row.
void spreadIsolated(const FlatGraph& graph, std::vector<int>& rank) {
    std::vector<char> isTied(graph.nodes.size(), 0);
    for (const FlatEdge& edge : graph.edges)
        isTied[static_cast<std::size_t>(edge.from)] = isTied[static_cast<std::size_t>(edge.to)] = 1;
    std::vector<std::size_t> isolated;
    for (std::size_t v = 0; v < graph.nodes.size(); ++v)
        if (!isTied[v] && graph.nodes[v].pin == Pin::None)
            isolated.push_back(v);
    const auto columns =
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(isolated.size()))));
    for (std::size_t i = 0; i < isolated.size(); ++i)
        rank[isolated[i]] = static_cast<int>(i / columns);
}

} // namespace

std::vector<char> findBackEdges(std::size_t nodeCount, const std::vector<FlatEdge>& edges) {
    const Adjacency next = outgoing(nodeCount, edges, [](std::size_t) { return true; });
    std::vector<char> isBack(edges.size(), 0);
    enum : char { New, Open, Done };
    std::vector<char> mark(nodeCount, New);
    std::vector<std::pair<int, int>> stack; // node, next position in its row
    for (std::size_t root = 0; root < nodeCount; ++root) {
        if (mark[root] != New)
            continue;
        mark[root] = Open;
        stack.emplace_back(static_cast<int>(root), next.start[root]);
        while (!stack.empty()) {
            auto& [node, at] = stack.back();
            if (at == next.start[static_cast<std::size_t>(node) + 1]) {
                mark[static_cast<std::size_t>(node)] = Done;
                stack.pop_back();
                continue;
            }
            const auto e = static_cast<std::size_t>(next.edges[static_cast<std::size_t>(at++)]);
            const auto to = static_cast<std::size_t>(edges[e].to);
            if (mark[to] == Open) {
                isBack[e] = 1;
            } else if (mark[to] == New) {
                mark[to] = Open;
                stack.emplace_back(static_cast<int>(to), next.start[to]);
            }
        }
    }
    return isBack;
}

std::vector<int> assignRanks(const FlatGraph& graph, const std::vector<char>& isBack) {
    const std::size_t n = graph.nodes.size();
    std::vector<char> isKept(graph.edges.size(), 0);
    bool hasFirst = false, hasLast = false;
    for (const FlatNode& node : graph.nodes) {
        hasFirst |= node.pin == Pin::First;
        hasLast |= node.pin == Pin::Last;
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const FlatEdge& edge = graph.edges[e];
        const bool isPort = graph.nodes[static_cast<std::size_t>(edge.from)].pin != Pin::None
            || graph.nodes[static_cast<std::size_t>(edge.to)].pin != Pin::None;
        isKept[e] = edge.isRanking && !isBack[e] && !isPort;
    }
    std::vector<int> order;
    std::vector<int> rank = longestPaths(n, graph.edges, isKept, order);
    pullSourcesDown(graph, isKept, rank);
    spreadIsolated(graph, rank);
    int last = 0;
    for (std::size_t v = 0; v < n; ++v) {
        if (graph.nodes[v].pin != Pin::None)
            continue;
        rank[v] += hasFirst ? 1 : 0;
        last = std::max(last, rank[v]);
    }
    for (std::size_t v = 0; v < n; ++v) {
        if (graph.nodes[v].pin == Pin::First)
            rank[v] = 0;
        else if (graph.nodes[v].pin == Pin::Last)
            rank[v] = last + 1;
    }
    return rank;
}

} // namespace fivefold::drawing::layered

namespace fivefold::drawing {

std::vector<int> ranks(const Input& input) {
    layered::FlatGraph graph;
    graph.nodes.resize(input.boxes.size());
    for (const Edge& edge : input.edges)
        if (edge.isRanking)
            graph.edges.push_back({edge.from, edge.to, 0, 0, true});
    const std::vector<char> isBack = layered::findBackEdges(graph.nodes.size(), graph.edges);
    return layered::assignRanks(graph, isBack);
}

} // namespace fivefold::drawing
