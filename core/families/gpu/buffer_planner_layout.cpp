// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/buffer_planner.h"
#include "core/families/gpu/reduction_split.h"
#include "core/families/gpu/strides.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <numeric>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;
using Rule = gpu::Lowering;

std::int64_t elementBytesOf(const Value& value) {
    return std::max<std::int64_t>(1, ir::bitWidth(value.dtype) / 8);
}

/// Dimensions from the fastest to the slowest; equal strides in order of the dimensions
/// [ir.get_stride_order].
std::vector<std::size_t> fastestFirst(const Extents& strides) {
    std::vector<std::size_t> order(strides.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
    return order;
}

Extents filled(const Extents& shape, const std::vector<std::size_t>& fastest) {
    Extents strides(shape.size(), 1);
    std::int64_t next = 1;
    for (const std::size_t dimension : fastest) {
        strides[dimension] = next;
        next *= std::max<std::int64_t>(1, shape[dimension]);
    }
    return strides;
}

} // namespace

Extents denseLike(const Extents& shape, const Extents& like) {
    return like.size() == shape.size() ? filled(shape, fastestFirst(like))
                                       : contiguousStrides(shape);
}

bool isOrderedLike(const Extents& shape, const Extents& strides, const Extents& like) {
    if (strides.size() != shape.size() || like.size() != shape.size())
        return false;
    std::int64_t last = -1;
    for (const std::size_t dimension : fastestFirst(like)) {
        if (shape[dimension] == 1)
            continue;
        if (strides[dimension] < last)
            return false;
        last = strides[dimension];
    }
    return true;
}

Extents channelsLastStrides(const Extents& shape) {
    if (shape.size() != 4)
        return contiguousStrides(shape);
    return {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
}

ValueId BufferPlanner::baseOf(ValueId value) const {
    while (m_graph.values.contains(value)) {
        const NodeId producer = m_graph.values[value].producer;
        if (m_plan.values[value].buffer != kNoBuffer || !producer.isValid()
            || m_plan.rules[producer].kind != Rule::View || m_graph.nodes[producer].inputs.empty()
            || !m_graph.values.contains(m_graph.nodes[producer].inputs.front()))
            return value;
        value = m_graph.nodes[producer].inputs.front();
    }
    return value;
}

ValueId BufferPlanner::plain(ValueId value) const {
    while (m_graph.values.contains(value)) {
        const NodeId producer = m_graph.values[value].producer;
        if (m_plan.values[value].buffer != kNoBuffer || !producer.isValid()
            || m_plan.rules[producer].kind != Rule::View
            || m_graph.nodes[producer].canonical != Op::Identity
            || m_graph.nodes[producer].inputs.empty()
            || !m_graph.values.contains(m_graph.nodes[producer].inputs.front()))
            return value;
        value = m_graph.nodes[producer].inputs.front();
    }
    return value;
}

bool BufferPlanner::isExpression(ValueId base) const {
    if (!m_graph.values.contains(base) || isRealised(base)
        || !m_graph.values[base].producer.isValid())
        return false;
    const Rule kind = m_plan.rules[m_graph.values[base].producer].kind;
    return kind != Rule::View && kind != Rule::Riding;
}

std::size_t BufferPlanner::userCount(ValueId value) const {
    return m_graph.values[value].users.size() + (m_plan.isOutput[value.index()] != 0 ? 1 : 0);
}

/// The node and everything that is inlined in its inputs at this moment.
BufferPlanner::Origins BufferPlanner::gather(NodeId id) const {
    Origins origins;
    const Node& node = m_graph.nodes[id];
    for (const ValueId input : node.inputs) {
        if (!m_graph.values.contains(input) || isRealised(input))
            continue;
        const Origins& from = m_plan.values[input].origins;
        origins.insert(origins.end(), from.begin(), from.end());
        // A bias that was peeled off a call is lowered with it, before its inputs became memory.
        const NodeId producer = m_graph.values[input].producer;
        if (producer.isValid() && !m_callOrigins[producer].empty()
            && m_graph.nodes[producer].sources == node.sources)
            origins.insert(
                origins.end(), m_callOrigins[producer].begin(), m_callOrigins[producer].end());
    }
    for (const ValueId input : node.inputs) {
        if (!m_graph.values.contains(input) || !isRealised(input))
            continue;
        const NodeId producer = m_graph.values[input].producer;
        if (producer.isValid() && !m_callOrigins[producer].empty()
            && m_graph.nodes[producer].sources == node.sources)
            origins.insert(
                origins.end(), m_callOrigins[producer].begin(), m_callOrigins[producer].end());
    }
    origins.push_back(id);
    std::sort(origins.begin(), origins.end());
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
    return origins;
}

Extents BufferPlanner::eagerStrides(ValueId value) const {
    const Value& from = m_graph.values[value];
    if (!from.shape)
        return {};
    const auto stated = [&](ir::ValueId source) -> const Extents* {
        if (!source.isValid() || !m_captured.values.contains(source))
            return nullptr;
        const auto& strides = m_captured.values[source].strides;
        return strides && strides->size() == from.shape->size() ? &*strides : nullptr;
    };
    if (const Extents* strides = stated(from.source))
        return *strides;
    for (const NodeId user :
        from.users) { // results of calls with several are stated where they are taken
        const Node& node = m_graph.nodes[user];
        if (node.canonical == Op::Identity && !node.outputs.empty()
            && m_graph.values.contains(node.outputs.front()))
            if (const Extents* strides = stated(m_graph.values[node.outputs.front()].source))
                return *strides;
    }
    return contiguousStrides(*from.shape);
}

int BufferPlanner::add(PlannedBuffer buffer) {
    m_plan.buffers.push_back(std::move(buffer));
    return static_cast<int>(m_plan.buffers.size()) - 1;
}

PlannedBuffer BufferPlanner::bufferFor(ValueId value, BufferKind kind, Body body, int time) const {
    PlannedBuffer buffer;
    const Value& from = m_graph.values[value];
    buffer.kind = kind;
    buffer.body = body;
    buffer.value = value;
    buffer.node = from.producer;
    buffer.owner = from.producer;
    if (from.producer.isValid()) {
        const auto& outputs = m_graph.nodes[from.producer].outputs;
        buffer.output = static_cast<std::size_t>(
            std::find(outputs.begin(), outputs.end(), value) - outputs.begin());
    }
    buffer.time = time;
    if (from.shape)
        buffer.size = *from.shape;
    buffer.elementBytes = elementBytesOf(from);
    return buffer;
}

/// Makes an expression a buffer; kNoBuffer for what is none.
int BufferPlanner::realise(ValueId base, int time) {
    if (!m_graph.values.contains(base))
        return kNoBuffer;
    ValueState& state = m_plan.values[base];
    if (state.buffer != kNoBuffer)
        return state.buffer;
    if (!isExpression(base))
        return kNoBuffer;
    const bool isScaled = state.hidden != kNoBuffer;
    PlannedBuffer buffer =
        bufferFor(base, BufferKind::Pointwise, isScaled ? Body::Scaled : Body::Node, time);
    buffer.base = state.hidden;
    buffer.origins = state.origins;
    buffer.time = static_cast<int>(buffer.node.index());
    const int id = add(std::move(buffer));
    m_plan.values[base].buffer = id;
    m_plan.values[base].realisedAt = time;
    return id;
}

void BufferPlanner::fix(int buffer, const Extents& strides) {
    PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(buffer)];
    memory.strides = strides;
    memory.isFixed = true;
}

void BufferPlanner::freezeContiguous(int buffer) {
    const PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(buffer)];
    if (!memory.isFixed)
        fix(buffer, contiguousStrides(memory.size));
}

/// The order of `like`; what is contiguous already and agrees stays as it is.
void BufferPlanner::freezeOrder(int buffer, const Extents& like) {
    const PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(buffer)];
    if (memory.isFixed)
        return;
    const Extents plain = contiguousStrides(memory.size);
    fix(buffer, isOrderedLike(memory.size, plain, like) ? plain : denseLike(memory.size, like));
}

/// A layout that nobody asked for follows the strides of what is read
/// [ComputedBuffer.get_fill_order].
void BufferPlanner::decideLayout(int id) {
    const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(id)];
    if (buffer.isFixed)
        return;
    fix(id, contiguousStrides(buffer.size));
    if (buffer.size.size() < 2 || buffer.kind == BufferKind::Scan || buffer.kind == BufferKind::Sort
        || buffer.kind == BufferKind::Library || buffer.kind == BufferKind::Joined)
        return;
    Accesses accesses = accessesOf(m_walk, m_plan, buffer);
    if (accesses.strides.empty())
        return;
    for (Extents& row : accesses.strides)
        row.resize(buffer.size.size());
    fix(id, filled(buffer.size, pickLoopOrder(accesses.strides, buffer.size)));
}

/// Strides of a view over the memory behind it; nullopt where no strides show it.
std::optional<Extents> BufferPlanner::stridesThrough(ValueId value) const {
    const ValueId base = baseOf(value);
    const int id = m_plan.values[base].buffer;
    if (id == kNoBuffer || !m_graph.values[value].shape)
        return std::nullopt;
    const PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(id)];
    const Extents& shape = *m_graph.values[value].shape;
    if (base == value)
        return memory.strides;
    Points points;
    points.add(0);
    const Extents plain = contiguousStrides(shape);
    for (std::size_t i = 0; i < shape.size(); ++i)
        points.add(shape[i] > 1 ? plain[i] : 0);
    const Points samples = samplesOf(elements(shape).value_or(1));
    for (std::size_t i = 0; i < samples.count; ++i)
        points.add(samples.at[i]);
    ExpressionWalk walk(m_graph, m_plan);
    walk.run(value, points, kNever - 1);
    if (walk.loads().size() != 1 || walk.loads().front().buffer != id)
        return std::nullopt;
    const Points& at = walk.table()[walk.loads().front().points];
    const std::int64_t origin = offsetOf(memory, at.at[0]);
    Extents strides;
    for (std::size_t i = 0; i < shape.size(); ++i)
        strides.push_back(shape[i] > 1 ? offsetOf(memory, at.at[i + 1]) - origin : 1);
    for (std::size_t i = 0; i < samples.count; ++i) {
        Coordinates c{};
        unravel(samples.at[i], shape, c);
        std::int64_t expected = origin;
        for (std::size_t d = 0; d < shape.size(); ++d)
            expected += c[d] * strides[d];
        if (expected != offsetOf(memory, at.at[shape.size() + 1 + i]))
            return std::nullopt;
    }
    return strides;
}

int BufferPlanner::makeCopy(ValueId value, NodeId user, std::size_t input, Extents strides,
    std::string suffix, std::string reason) {
    const NodeId at = user.isValid() ? user : m_graph.values[value].producer;
    PlannedBuffer copy =
        bufferFor(value, BufferKind::Pointwise, Body::Copy, static_cast<int>(at.index()));
    copy.copied = value;
    copy.node = at;
    copy.owner = NodeId();
    if (user.isValid() && !m_callOrigins[user].empty())
        copy.origins = m_callOrigins[user];
    else
        copy.origins = gather(at);
    copy.strides = std::move(strides);
    copy.isFixed = true;
    copy.reason = std::move(reason);
    const int id = add(std::move(copy));
    m_plan.copies.push_back({value, user, input, id, std::move(suffix)});
    return id;
}

/// A call takes its operand by strides [ExternKernel.realize_input]; what no strides show is
/// copied.
int BufferPlanner::realiseInput(NodeId user, std::size_t input) {
    const ValueId value = plain(m_graph.nodes[user].inputs[input]);
    const ValueId base = baseOf(value);
    const int buffer = realise(base, static_cast<int>(user.index()));
    if (buffer == kNoBuffer || base == value || !m_graph.values[value].shape)
        return buffer;
    freezeContiguous(buffer);
    if (stridesThrough(value))
        return buffer;
    return makeCopy(value, user, input, contiguousStrides(*m_graph.values[value].shape), "clone",
        m_graph.nodes[user].op + " takes its operand by strides, and no strides show "
            + m_graph.values[value].name + " in this order: it is written out once.");
}

/// As above, in the memory order of `like` [ExternKernel.require_stride_order].
int BufferPlanner::requireLike(NodeId user, std::size_t input, const Extents& like,
    const std::string& suffix, const std::string& reason) {
    const ValueId value = plain(m_graph.nodes[user].inputs[input]);
    const ValueId base = baseOf(value);
    const int buffer = realise(base, static_cast<int>(user.index()));
    if (buffer == kNoBuffer || !m_graph.values[value].shape)
        return buffer;
    const Extents& shape = *m_graph.values[value].shape;
    if (base == value && !m_plan.buffers[static_cast<std::size_t>(buffer)].isFixed) {
        freezeOrder(buffer, like);
        return buffer;
    }
    if (base != value)
        freezeContiguous(buffer);
    const auto strides = stridesThrough(value);
    if (elements(shape).value_or(0) <= 1 || (strides && isOrderedLike(shape, *strides, like)))
        return buffer;
    return makeCopy(value, user, input, denseLike(shape, like), suffix, reason);
}

} // namespace fivefold::families::gpu
