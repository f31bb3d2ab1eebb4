// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fivefold::drawing {

/// A graph to place: boxes with sizes, edges between them, and nested groups (expanded scopes,
/// kernels). Indices are positions in the vectors.
struct Box {
    double width = 204, height = 28;
    int group = -1; ///< innermost group, or −1
};
struct Edge {
    int from = 0, to = 0;
    double labelWidth = 0; ///< room for a label beside the edge
    bool isRanking = true; ///< false: drawn, but does not influence ranks (constants, long fan-out)
};
struct Group {
    int parent = -1;
    double padding = 12;
    double titleHeight = 16; ///< free strip at the top, inside the padding
    double minWidth = 0; ///< room for the title; the content is centred in it
};
struct Input {
    std::vector<Box> boxes;
    std::vector<Edge> edges;
    std::vector<Group> groups;
    bool isLeftToRight = false;
    double rankGap = 20; ///< free room between ranks (row pitch 48 with boxes of 28)
    double nodeGap = 16;
};

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};
struct Rect {
    double x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Rect&) const = default;
};
/// Positions, with the origin at the top left of the drawing.
struct Output {
    std::vector<Rect> boxes;
    /// Cubic Bézier control points (1 + 3k) from source to target. Empty: not routed (too long,
    /// against the flow, or from a box to itself); draw a named stub at both ends.
    std::vector<std::vector<Point>> edges;
    std::vector<Rect> groups;
    double width = 0, height = 0;
    std::string engine; ///< "dot" or "layered"
};

/// A way to place a graph. Pure: the same input gives the same output.
class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;
    virtual base::Result<Output> place(
        const Input& input, const base::Progress& progress) const = 0;
};

/// Our own layered drawing: longest-path ranks, barycentre order, straight long edges. O(edges ·
/// sweeps); 20,000 boxes in well under a second. Cycles are broken by ignoring back edges.
const Engine& layeredEngine();

/// Graphviz dot in this very process: not thread-safe and not interruptible, so only the child
/// process that serves `--draw` calls it (see child.h).
const Engine& graphvizEngine();

/// Longest-path rank of every box, from 0, over the ranking edges without those that close a cycle.
/// Groups do not matter. O(boxes + edges).
std::vector<int> ranks(const Input& input);

/// What is wrong with an input, or ok: sizes that are not finite or not positive, indices out of
/// range, groups that contain themselves or nest deeper than kMaxGroupDepth. Every engine checks
/// first.
base::Result<base::Done> check(const Input& input);
constexpr int kMaxGroupDepth = 512;

/// Above this many boxes dot is not asked: it takes seconds at 5,000 nodes and never ends at
/// 20,000.
constexpr std::size_t kGraphvizLimit = 500;

} // namespace fivefold::drawing
