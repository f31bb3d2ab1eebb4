// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/buffer_plan.h"

#include <unordered_set>

namespace fivefold::families::gpu {

/// A load of an expression: a buffer at the elements (row-major numbers in the buffer's own
/// extents) that a set of points needs.
struct Load {
    int buffer = kNoBuffer;
    int points = 0; ///< number in the walk's table
    bool isIndirect = false;
};

/// Walks unrealised values down to buffers and collects what is read, each (buffer, index) once,
/// and how many operations the expression has after common ones are counted once.
class ExpressionWalk {
public:
    ExpressionWalk(const lowering::StageGraph& graph, const BufferPlan& plan)
        : m_graph(graph)
        , m_plan(plan) { }

    /// Elements of a buffer's iteration: result number i and reduced number j a point.
    struct Place {
        std::int64_t result = 0, reduced = 0;
    };
    /// Reads of the buffer's body there. Forgets the walk before.
    void run(const PlannedBuffer& buffer, const std::vector<Place>& places);
    /// Reads of a value as a consumer lowered at `time` sees it.
    void run(lowering::ValueId value, const Points& points, int time);
    /// The expression of a node alone: what its value would read if it became a buffer.
    void runNode(lowering::NodeId node, std::size_t output, const Points& points);

    const std::vector<Load>& loads() const { return m_loads; }
    const PointTable& table() const { return m_table; }
    int operations() const { return m_operations; }
    /// Indirect elements count as element 0: strides ignore them.
    void setIndirectIsZero(bool isZero) { m_isIndirectZero = isZero; }
    /// Stops early, as soon as more loads than this are found.
    void setLoadLimit(std::size_t limit) { m_limit = limit; }

private:
    void reset();
    void walkValue(lowering::ValueId value, int points, int time, bool isIndirect);
    void walkNode(lowering::NodeId node, std::size_t output, int points, bool isIndirect);
    void walkWindow(const lowering::Node& node, const Points& points, int time);
    void walkUnrolled(const lowering::Node& node, const Points& points, int time);
    void addLoad(int buffer, int points, bool isIndirect);
    std::int64_t indirectAt(
        const lowering::Node& node, std::size_t input, std::int64_t at, std::int64_t size) const;
    bool mapped(
        const lowering::Node& node, std::size_t output, std::size_t input, int points, int& result);

    const lowering::StageGraph& m_graph;
    const BufferPlan& m_plan;
    PointTable m_table;
    std::vector<Load> m_loads;
    std::unordered_set<std::uint64_t> m_seen;
    int m_operations = 0;
    std::size_t m_limit = std::numeric_limits<std::size_t>::max();
    bool m_isIndirectZero = false;
};

/// Strides that each load of a buffer's body has along its result and reduced dimensions, one row a
/// load: those of the results first. Empty for more dimensions than kMostPoints.
struct Accesses {
    std::vector<int> buffers;
    std::vector<Extents> strides;
    std::vector<std::uint8_t> isIndirect;
};
Accesses accessesOf(ExpressionWalk& walk, const BufferPlan& plan, const PlannedBuffer& buffer);

/// Extents that a buffer's results are numbered by: for scans those beside the axis.
Extents iterationOf(const PlannedBuffer& buffer);

/// Row-major number in a reduction's input of result number `result` (kept axes) and reduced number
/// `reduced` (reduced axes).
std::int64_t inputNumber(const Extents& shape, const std::vector<std::int64_t>& axes,
    std::int64_t result, std::int64_t reduced);

/// Row-major number of the element under tap `tap` of the window that result number `result` is
/// computed from.
std::int64_t windowNumber(const lowering::Node& node, const Extents& from, const Extents& to,
    std::int64_t result, std::int64_t tap);

/// Offset in memory of element number `at` of a tensor.
std::int64_t offsetOf(const PlannedBuffer& buffer, std::int64_t at);

} // namespace fivefold::families::gpu
