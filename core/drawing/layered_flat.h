// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <cstddef>
#include <vector>

/// The parts of the layered engine. They know one level at a time (the children of one group), in
/// flow coordinates: `along` grows with the flow, `across` runs beside it. Nothing here recurses.
namespace fivefold::drawing::layered {

/// Where a node must stand: ports of the surrounding group are pinned to the first or last rank.
enum class Pin { None, First, Last };

struct FlatNode {
    double breadth = 0; ///< across the flow
    double length = 0; ///< along the flow
    Pin pin = Pin::None;
};

struct FlatEdge {
    int from = 0, to = 0;
    double fromOffset = 0, toOffset = 0; ///< across, from the node's middle
    bool isRanking = true;
};

struct FlatGraph {
    std::vector<FlatNode> nodes;
    std::vector<FlatEdge> edges;
    double rankGap = 20, nodeGap = 16;
};

/// A corner of a route.
struct Knot {
    double across = 0, along = 0;
};

struct FlatDrawing {
    std::vector<double> across; ///< middle of each node
    std::vector<double> along; ///< start of each node
    std::vector<std::vector<Knot>> routes; ///< one an edge; empty: not routed
    double breadth = 0, length = 0;
};

/// Edges that close a cycle in a depth-first walk in index order, and edges from a node to itself.
/// O(n + e).
std::vector<char> findBackEdges(std::size_t nodeCount, const std::vector<FlatEdge>& edges);

/// Longest-path ranks over ranking edges that are no back edges; pinned nodes first and last;
/// sources moved down to their users; nodes without edges spread over rows of about √n. O(n + e).
std::vector<int> assignRanks(const FlatGraph& graph, const std::vector<char>& isBack);

/// Nodes and the stand-ins of long edges ("lanes"), rank by rank.
struct Ranked {
    struct Vertex {
        double breadth = 0;
        bool isLane = false;
        int rank = 0;
    };
    struct Link {
        int from = 0, to = 0; ///< vertices of neighbouring ranks
        double fromOffset = 0, toOffset = 0;
    };
    std::vector<Vertex> vertices; ///< nodes first, then lanes
    std::vector<Link> links;
    std::vector<std::vector<int>> incoming, outgoing; ///< links of each vertex
    std::vector<std::vector<int>> rows; ///< vertices of each rank, left to right
    std::vector<std::vector<int>> chains; ///< vertices along each edge; empty: not routed
};

/// Inserts lanes. An edge over more than kMaxLane ranks, or one that would exceed 4 × (nodes +
/// edges) + 1000 lanes in all, is not routed: a lane that long cannot be followed by eye.
Ranked insertLanes(
    const FlatGraph& graph, const std::vector<int>& ranks, const std::vector<char>& isBack);
constexpr int kMaxLane = 32;

/// Orders the rows by barycentre sweeps and keeps the order with the fewest crossings.
void orderRows(Ranked& ranked, const base::Progress& progress);
std::size_t countCrossings(const Ranked& ranked);

/// Middles of all vertices: least squares towards their neighbours under the order and the gap
/// (pool adjacent violators a row), then lanes made straight where the row leaves room. The
/// smallest left side is 0.
std::vector<double> assignAcross(
    const Ranked& ranked, double nodeGap, const base::Progress& progress);

/// All of it.
FlatDrawing placeFlat(const FlatGraph& graph, const base::Progress& progress);

} // namespace fivefold::drawing::layered
