// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/expression_walk.h"

#include "core/families/gpu/strides.h"

#include <algorithm>
#include <bit>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

std::uint64_t keyOf(std::uint64_t a, std::uint64_t b) {
    return mixed(a * 0x9e3779b97f4a7c15ULL ^ b);
}

/// True for operands that a look-up reads through another operand.
bool readsThroughTable(const Node& node, std::size_t input) {
    switch (node.canonical) {
    case Op::Gather:
    case Op::GatherElements:
    case Op::Index:
    case Op::GatherND:
        return input == 0;
    default:
        return false;
    }
}

void addUnits(const Extents& extents, bool isReduced, std::vector<ExpressionWalk::Place>& places) {
    const Extents strides = contiguousStrides(extents);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t step = extents[i] > 1 ? strides[i] : 0;
        places.push_back(
            isReduced ? ExpressionWalk::Place{0, step} : ExpressionWalk::Place{step, 0});
    }
}

} // namespace

std::int64_t PlannedBuffer::numel() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : size)
        count *= extent;
    return count;
}

std::int64_t PlannedBuffer::reduced() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : reduce)
        count *= extent;
    return count;
}

std::int64_t inputNumber(const Extents& shape, const std::vector<std::int64_t>& axes,
    std::int64_t result, std::int64_t reduced) {
    std::int64_t number = 0, stride = 1;
    auto axis = axes.rbegin();
    for (std::size_t i = shape.size(); i-- > 0;) {
        const std::int64_t extent = std::max<std::int64_t>(1, shape[i]);
        const bool isReduced = axis != axes.rend() && static_cast<std::size_t>(*axis) == i;
        std::int64_t& from = isReduced ? reduced : result;
        if (isReduced)
            ++axis;
        number += from % extent * stride;
        from /= extent;
        stride *= extent;
    }
    return number;
}

std::int64_t windowNumber(const Node& node, const Extents& from, const Extents& to,
    std::int64_t result, std::int64_t tap) {
    const Extents kernel = node.attributes.integers("kernel_shape").value_or(Extents{});
    if (from.size() != to.size() || kernel.size() + 2 != from.size() || from.size() > kMostAxes)
        return result;
    const Extents strides = node.attributes.integers("strides").value_or(Extents(kernel.size(), 1));
    const Extents pads = node.attributes.integers("pads").value_or(Extents(kernel.size() * 2, 0));
    const Extents dilations =
        node.attributes.integers("dilations").value_or(Extents(kernel.size(), 1));
    Coordinates offset{}, place{};
    unravel(tap, kernel, offset);
    unravel(result, to, place);
    for (std::size_t i = 0; i < kernel.size(); ++i)
        place[i + 2] = place[i + 2] * (i < strides.size() ? strides[i] : 1)
            - (i < pads.size() ? pads[i] : 0)
            + offset[i] * (i < dilations.size() ? dilations[i] : 1);
    return ravel(place, from);
}

std::int64_t offsetOf(const PlannedBuffer& buffer, std::int64_t at) {
    if (buffer.strides.size() != buffer.size.size())
        return at;
    std::int64_t offset = 0;
    for (std::size_t i = buffer.size.size(); i-- > 0;) {
        const std::int64_t extent = std::max<std::int64_t>(1, buffer.size[i]);
        offset += at % extent * buffer.strides[i];
        at /= extent;
    }
    return offset;
}

Extents iterationOf(const PlannedBuffer& buffer) {
    if (buffer.kind != BufferKind::Scan && buffer.kind != BufferKind::Sort)
        return buffer.size;
    Extents kept;
    for (std::size_t i = 0; i < buffer.size.size(); ++i)
        if (std::find(buffer.axes.begin(), buffer.axes.end(), static_cast<std::int64_t>(i))
            == buffer.axes.end())
            kept.push_back(buffer.size[i]);
    return kept;
}

Accesses accessesOf(ExpressionWalk& walk, const BufferPlan& plan, const PlannedBuffer& buffer) {
    std::vector<ExpressionWalk::Place> places{{0, 0}};
    addUnits(iterationOf(buffer), false, places);
    addUnits(buffer.reduce, true, places);
    Accesses accesses;
    if (places.size() > kMostPoints)
        return accesses;
    walk.setIndirectIsZero(true);
    walk.run(buffer, places);
    walk.setIndirectIsZero(false);
    for (const Load& load : walk.loads()) {
        const Points& points = walk.table()[load.points];
        const PlannedBuffer& from = plan.buffers[static_cast<std::size_t>(load.buffer)];
        const std::int64_t origin = offsetOf(from, points.at[0]);
        Extents strides;
        for (std::size_t i = 1; i < points.count; ++i)
            strides.push_back(offsetOf(from, points.at[i]) - origin);
        accesses.buffers.push_back(load.buffer);
        accesses.isIndirect.push_back(load.isIndirect ? 1 : 0);
        accesses.strides.push_back(std::move(strides));
    }
    return accesses;
}

void ExpressionWalk::reset() {
    m_table.clear();
    m_loads.clear();
    m_seen.clear();
    m_operations = 0;
}

void ExpressionWalk::run(ValueId value, const Points& points, int time) {
    reset();
    walkValue(value, m_table.add(points), time, false);
}

void ExpressionWalk::runNode(NodeId node, std::size_t output, const Points& points) {
    reset();
    walkNode(node, output, m_table.add(points), false);
}

void ExpressionWalk::run(const PlannedBuffer& buffer, const std::vector<Place>& places) {
    reset();
    Points points;
    const auto inputOf = [&]() -> const Extents* {
        const Node& node = m_graph.nodes[buffer.node];
        return m_graph.values.contains(node.inputs.front())
                && m_graph.values[node.inputs.front()].shape
            ? &*m_graph.values[node.inputs.front()].shape
            : nullptr;
    };
    switch (buffer.body) {
    case Body::None:
        return;
    case Body::Node:
    case Body::Copy:
        for (const Place& place : places)
            points.add(place.result);
        if (buffer.body == Body::Node)
            walkNode(buffer.node, buffer.output, m_table.add(points), false);
        else
            walkValue(buffer.copied, m_table.add(points), buffer.time, false);
        return;
    case Body::Scaled:
        for (const Place& place : places)
            points.add(place.result);
        addLoad(buffer.base, m_table.add(points), false);
        return;
    case Body::Combine:
        for (const Place& place : places)
            points.add(place.result * buffer.parts + place.reduced);
        addLoad(buffer.base, m_table.add(points), false);
        return;
    case Body::Reduce:
    case Body::Partial: {
        const Extents* shape = inputOf();
        if (!shape)
            return;
        const Node& node = m_graph.nodes[buffer.node];
        const bool isWindow = node.canonical == Op::MaxPool || node.canonical == Op::AveragePool;
        const std::int64_t whole = std::max<std::int64_t>(1, extentAlong(*shape, buffer.axes));
        for (const Place& place : places) {
            std::int64_t result = place.result, reduced = place.reduced;
            if (buffer.body == Body::Partial) {
                reduced = std::min(whole - 1, result % buffer.parts * buffer.chunk + reduced);
                result /= buffer.parts;
            }
            points.add(isWindow ? windowNumber(node, *shape, buffer.size, result, reduced)
                                : inputNumber(*shape, buffer.axes, result, reduced));
        }
        walkValue(
            m_graph.nodes[buffer.node].inputs.front(), m_table.add(points), buffer.time, false);
        return;
    }
    }
}

void ExpressionWalk::addLoad(int buffer, int points, bool isIndirect) {
    if (m_seen
            .insert(keyOf(m_table.hash(points), static_cast<std::uint64_t>(buffer) + (1ULL << 40)))
            .second) {
        m_loads.push_back({buffer, points, isIndirect});
        ++m_operations;
    }
}

std::int64_t ExpressionWalk::indirectAt(
    const Node& node, std::size_t input, std::int64_t at, std::int64_t size) const {
    if (m_isIndirectZero || size <= 0)
        return 0;
    const std::uint64_t table = node.inputs[input].value;
    return static_cast<std::int64_t>(mixed(keyOf(static_cast<std::uint64_t>(at), table)) >> 1)
        % size;
}

bool ExpressionWalk::mapped(
    const Node& node, std::size_t output, std::size_t input, int points, int& result) {
    Points to;
    const IndirectIndex indirect = [&](std::size_t table, std::int64_t at, std::int64_t size) {
        return indirectAt(node, table, at, size);
    };
    if (!mapPoints(m_graph, node, output, input, m_table[points], indirect, to))
        return false;
    result = to == m_table[points] ? points : m_table.add(to);
    return true;
}

void ExpressionWalk::walkValue(ValueId value, int points, int time, bool isIndirect) {
    while (m_graph.values.contains(value) && m_loads.size() <= m_limit) {
        const ValueState& state = m_plan.values[value];
        if (state.buffer != kNoBuffer && state.realisedAt <= time)
            return addLoad(state.buffer, points, isIndirect);
        const NodeId producer = m_graph.values[value].producer;
        if (!producer.isValid()) { // a constant of one element
            const Value& constant = m_graph.values[value];
            const auto content = std::bit_cast<std::uint64_t>(constant.fill.value_or(0));
            if (m_seen
                    .insert(
                        keyOf(content, (1ULL << 41) + static_cast<std::uint64_t>(constant.dtype)))
                    .second)
                ++m_operations;
            return;
        }
        if (state.hidden != kNoBuffer) {
            m_operations += 2;
            return addLoad(state.hidden, points, isIndirect);
        }
        const Node& node = m_graph.nodes[producer];
        const auto at = std::find(node.outputs.begin(), node.outputs.end(), value);
        const auto output = static_cast<std::size_t>(at - node.outputs.begin());
        if (m_plan.rules[producer].kind != gpu::Lowering::View || node.inputs.empty())
            return walkNode(producer, output, points, isIndirect);
        int next = points;
        if (!mapped(node, output, 0, points, next))
            return;
        points = next;
        value = node.inputs.front();
    }
}

void ExpressionWalk::walkNode(NodeId id, std::size_t output, int points, bool isIndirect) {
    const Node& node = m_graph.nodes[id];
    if (!m_seen.insert(keyOf(m_table.hash(points), id.value * 16ULL + output)).second)
        return;
    const OperatorRule& rule = m_plan.rules[id];
    const int time = static_cast<int>(id.index());
    m_operations += rule.operations;
    switch (rule.kind) {
    case gpu::Lowering::Window:
        return walkWindow(node, m_table[points], time);
    case gpu::Lowering::Reduction:
        return walkUnrolled(node, m_table[points], time);
    case gpu::Lowering::Constant:
        return;
    case gpu::Lowering::Scatter: // iterates over the source: its third operand, values second for
                                 // index_put
    default:
        break;
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!m_graph.values.contains(node.inputs[i]))
            continue;
        int next = points;
        if (rule.kind == gpu::Lowering::Scatter) {
            if (i == 0)
                continue;
        } else if (!mapped(node, output, i, points, next)) {
            continue;
        }
        walkValue(node.inputs[i], next, time, isIndirect || readsThroughTable(node, i));
    }
}

/// Each tap of the window is a load at its own index.
void ExpressionWalk::walkWindow(const Node& node, const Points& points, int time) {
    const Value& from = m_graph.values[node.inputs.front()];
    const Value& to = m_graph.values[node.outputs.front()];
    if (!from.shape || !to.shape)
        return;
    std::int64_t taps = 1;
    for (const std::int64_t extent : node.attributes.integers("kernel_shape").value_or(Extents{}))
        taps *= extent;
    const Points results = points; // the table grows below
    for (std::int64_t tap = 0; tap < std::min(taps, kLargestWindow); ++tap) {
        Points at;
        for (std::size_t p = 0; p < results.count; ++p)
            at.add(windowNumber(node, *from.shape, *to.shape, results.at[p], tap));
        m_operations += 3;
        walkValue(node.inputs.front(), m_table.add(at), time, false);
    }
}

/// A reduction of a few elements: each is a load.
void ExpressionWalk::walkUnrolled(const Node& node, const Points& points0, int time) {
    const Points points = points0; // the table grows below
    const Value& from = m_graph.values[node.inputs.front()];
    if (!from.shape)
        return;
    const std::vector<std::int64_t> axes = axesOf(node, from.shape->size());
    const std::int64_t count = std::min(kUnrolled, extentAlong(*from.shape, axes));
    for (std::int64_t j = 0; j < count; ++j) {
        Points at;
        for (std::size_t p = 0; p < points.count; ++p)
            at.add(inputNumber(*from.shape, axes, points.at[p], j));
        m_operations += j > 0 ? 1 : 0;
        walkValue(node.inputs.front(), m_table.add(at), time, false);
    }
}

} // namespace fivefold::families::gpu
