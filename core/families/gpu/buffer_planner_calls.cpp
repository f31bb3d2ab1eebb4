// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/buffer_planner.h"
#include "core/families/gpu/channels_last.h"
#include "core/families/gpu/operators.h"
#include "core/families/gpu/reduction_split.h"
#include "core/families/gpu/strides.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;
using Rule = gpu::Lowering;

constexpr std::size_t kMostConcatInputs = 8; ///< config.max_pointwise_cat_inputs
constexpr int kMostViewDepth = 64;

/// Results that are computed from a raw sum where they are used.
bool isScaled(Op op, std::size_t output) {
    switch (op) {
    case Op::ReduceMean:
    case Op::GlobalAveragePool:
    case Op::Variance:
    case Op::StandardDeviation:
    case Op::ReduceL2:
    case Op::ReduceLogSum:
    case Op::ReduceLogSumExp:
        return true;
    case Op::VarianceMean:
        return output == 0;
    default:
        return false;
    }
}

bool isPlannedIntoSlices(const OperatorRule& rule, const Node& node) {
    return rule.isMatrixProduct || isMatrixProduct(node.canonical);
}

/// One index at a time: never split in two kernels [Reduction.num_splits].
bool isArgument(Op op) {
    return op == Op::ArgMax || op == Op::ArgMin || op == Op::MaxWithIndex || op == Op::MinWithIndex;
}

} // namespace

void BufferPlanner::addResults(NodeId id, std::vector<int> reads) {
    const Node& node = m_graph.nodes[id];
    const int time = static_cast<int>(id.index());
    for (const ValueId output : node.outputs) {
        if (!m_graph.values.contains(output))
            continue;
        PlannedBuffer buffer = bufferFor(output, BufferKind::Library, Body::None, time);
        buffer.reads = reads;
        buffer.origins = {id};
        buffer.strides = eagerStrides(output);
        buffer.isFixed = true;
        m_plan.values[output].buffer = add(std::move(buffer));
        m_plan.values[output].realisedAt = time;
    }
}

void BufferPlanner::visitLibrary(NodeId id) {
    const Node& node = m_graph.nodes[id];
    if (isImageConvolution(m_graph, node) || node.canonical == Op::Conv
        || node.canonical == Op::ConvTranspose)
        return visitConvolution(id);
    std::vector<int> reads;
    if (isAttention(node.canonical))
        m_callOrigins[id] = gather(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!m_graph.values.contains(node.inputs[i]))
            continue;
        const NodeId producer = m_graph.values[node.inputs[i]].producer;
        if (producer.isValid() && m_plan.rules[producer].kind == Rule::Riding) {
            for (std::size_t k = 0; k < m_graph.nodes[producer].inputs.size(); ++k)
                if (m_graph.values.contains(m_graph.nodes[producer].inputs[k]))
                    reads.push_back(realiseInput(producer, k));
            continue;
        }
        reads.push_back(realiseInput(id, i));
    }
    std::erase(reads, kNoBuffer);
    addResults(id, std::move(reads));
}

/// Channels-last for 2-D convolutions where the graph runs so, the eager order otherwise
/// (kernel/conv.py): each weight is copied once a call, computed data is written in that order.
void BufferPlanner::visitConvolution(NodeId id) {
    const Node& node = m_graph.nodes[id];
    m_callOrigins[id] = gather(id);
    const bool isLast = m_plan.isChannelsLast && isImageConvolution(m_graph, node);
    std::vector<int> reads;
    const bool wasExpression = isExpression(plain(node.inputs.front()));
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (m_graph.values.contains(node.inputs[i]))
            realise(baseOf(node.inputs[i]), static_cast<int>(id.index()));
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!m_graph.values.contains(node.inputs[i]) || !m_graph.values[node.inputs[i]].shape)
            continue;
        const Extents& shape = *m_graph.values[node.inputs[i]].shape;
        if (i > 1) {
            reads.push_back(realiseInput(id, i));
            continue;
        }
        const Extents like = isLast ? channelsLastStrides(shape) : contiguousStrides(shape);
        const std::string reason = i == 1
            ? "Channels-last convolutions read their weight channels-last; parameters are inputs "
              "of the "
              "graph, so the copy recurs on each call."
            : "The convolution runs " + std::string(isLast ? "channels-last" : "in NCHW order")
                + " and " + m_graph.values[node.inputs[i]].name + " lies in another order.";
        const int buffer = requireLike(id, i, like, i == 1 ? "weight_nhwc" : "input_nhwc", reason);
        reads.push_back(buffer);
        if (!m_plan.isChannelsLast && i == 0 && wasExpression && buffer != kNoBuffer) {
            // The operand is written for the call, in the layout of eager mode
            // [constrain_conv_to_fx_strides]: its memory bears the name of the convolution.
            PlannedBuffer& data = m_plan.buffers[static_cast<std::size_t>(buffer)];
            data.origins.push_back(id);
            data.owner = NodeId();
        }
    }
    std::erase(reads, kNoBuffer);
    addResults(id, std::move(reads));
    // An fx graph states how its results lie; elsewhere cuDNN answers channels-last in kind.
    if (isLast && !m_isFx)
        for (const ValueId output : node.outputs)
            if (m_graph.values.contains(output) && m_plan.values[output].buffer != kNoBuffer)
                m_plan.buffers[static_cast<std::size_t>(m_plan.values[output].buffer)].strides =
                    channelsLastStrides(*m_graph.values[output].shape);
}

/// A use that inlines: pointwise, or views all of whose uses are [utils.is_pointwise_use].
bool BufferPlanner::isPointwiseUse(NodeId user, int depth) const {
    const Node& node = m_graph.nodes[user];
    switch (m_plan.rules[user].kind) {
    case Rule::View:
        if (depth > kMostViewDepth)
            return false;
        for (const ValueId output : node.outputs) {
            if (!m_graph.values.contains(output))
                continue;
            if (m_plan.isOutput[output.index()] != 0)
                return false;
            for (const NodeId next : m_graph.values[output].users)
                if (!isPointwiseUse(next, depth + 1))
                    return false;
        }
        return true;
    case Rule::Concat:
        return true;
    case Rule::Pointwise:
        return node.canonical == Op::Pad
            || (kindOf(node) == OpKind::Pointwise && node.canonical != Op::Expand)
            || node.canonical == Op::Identity;
    default:
        return false;
    }
}

/// Unrealised expressions and what would be copied anyway.
bool BufferPlanner::wantsConcatInput(ValueId value) const {
    const ValueId base = baseOf(value);
    if (!isRealised(base))
        return isExpression(base);
    const PlannedBuffer& buffer =
        m_plan.buffers[static_cast<std::size_t>(m_plan.values[base].buffer)];
    const bool isFlexible = !buffer.isFixed
        || (buffer.kind == BufferKind::Library
            && isPlannedIntoSlices(m_plan.rules[buffer.node], m_graph.nodes[buffer.node]));
    return !(isFlexible && base == plain(value));
}

/// A reduction that the input is, or reads, would be fused into each element of the concatenation.
bool BufferPlanner::fusesReduction(ValueId base, int depth) const {
    if (!m_graph.values.contains(base) || depth > 8)
        return false;
    const ValueState& state = m_plan.values[base];
    if (state.hidden != kNoBuffer)
        return true;
    if (state.buffer != kNoBuffer)
        return m_plan.buffers[static_cast<std::size_t>(state.buffer)].isReduction();
    if (!isExpression(base))
        return false;
    for (const ValueId input : m_graph.nodes[m_graph.values[base].producer].inputs)
        if (m_graph.values.contains(input) && fusesReduction(baseOf(input), depth + 1))
            return true;
    return false;
}

bool BufferPlanner::concatIsExpression(NodeId id) const {
    const Node& node = m_graph.nodes[id];
    std::size_t wanted = 0, present = 0;
    bool hasReduction = false;
    for (const ValueId input : node.inputs) {
        if (!m_graph.values.contains(input))
            continue;
        ++present;
        wanted += wantsConcatInput(input);
        hasReduction |= fusesReduction(baseOf(input), 0);
        if (userCount(input) <= 1)
            continue;
        for (const NodeId user : m_graph.values[input].users)
            if (user != id && isPointwiseUse(user, 0))
                return false; // it is computed elsewhere too
        if (isExpression(baseOf(input)))
            return false;
    }
    if (present > kMostConcatInputs)
        return false;
    bool isPointwiseUsed = true;
    for (const ValueId output : node.outputs)
        if (m_graph.values.contains(output)) {
            isPointwiseUsed &= m_plan.isOutput[output.index()] == 0;
            for (const NodeId user : m_graph.values[output].users)
                isPointwiseUsed = isPointwiseUsed && isPointwiseUse(user, 0);
        }
    return (wanted > 0 && isPointwiseUsed) || (wanted == present && !hasReduction);
}

/// Writes one input into its slice of the result [ConcatKernel.realize_into].
void BufferPlanner::joinInto(NodeId id, std::size_t input, std::vector<int>& reads) {
    const Node& node = m_graph.nodes[id];
    const ValueId value = plain(node.inputs[input]);
    const ValueId base = baseOf(value);
    const ValueId result = node.outputs.front();
    const Extents& shape = *m_graph.values[value].shape;
    Extents strides = contiguousStrides(*m_graph.values[result].shape);
    if (strides.size() != shape.size())
        strides = contiguousStrides(shape);
    if (base == value) {
        const bool wasRealised = isRealised(base);
        const int buffer = realise(base, static_cast<int>(id.index()));
        if (buffer != kNoBuffer) {
            PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(buffer)];
            const bool isSlice = !memory.isFixed || !wasRealised
                || (memory.kind == BufferKind::Library
                    && isPlannedIntoSlices(m_plan.rules[memory.node], m_graph.nodes[memory.node]));
            if (isSlice) {
                if (memory.size.size() == strides.size())
                    memory.strides = strides;
                memory.isFixed = memory.strides.size() == memory.size.size();
                reads.push_back(buffer);
                return;
            }
        }
    }
    reads.push_back(makeCopy(value, id, input, strides, "slice",
        "The input of the concatenation lies elsewhere, so it is copied into its slice."));
}

void BufferPlanner::visitConcat(NodeId id) {
    const Node& node = m_graph.nodes[id];
    if (concatIsExpression(id)) {
        m_plan.rules[id].kind = Rule::Pointwise;
        return visitExpression(id);
    }
    m_callOrigins[id] = gather(id);
    // One input that lies channels-last makes the result so.
    bool isLast = false;
    for (const ValueId input : node.inputs) {
        if (!m_graph.values.contains(input) || !isRealised(plain(input)))
            continue;
        const PlannedBuffer& buffer =
            m_plan.buffers[static_cast<std::size_t>(m_plan.values[plain(input)].buffer)];
        isLast |= buffer.isFixed && buffer.size.size() == 4
            && buffer.strides == channelsLastStrides(buffer.size)
            && buffer.strides != contiguousStrides(buffer.size);
    }
    std::vector<int> reads;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (m_graph.values.contains(node.inputs[i]))
            joinInto(id, i, reads);
    PlannedBuffer joined = bufferFor(
        node.outputs.front(), BufferKind::Joined, Body::None, static_cast<int>(id.index()));
    joined.reads = std::move(reads);
    joined.strides = isLast ? channelsLastStrides(joined.size) : contiguousStrides(joined.size);
    joined.isFixed = true;
    m_plan.values[node.outputs.front()].buffer = add(std::move(joined));
    m_plan.values[node.outputs.front()].realisedAt = static_cast<int>(id.index());
}

/// True when most full-size reads have stride 1 along a reduced axis; a tie is outer. Layouts of
/// what is read are decided by the question [Reduction.num_splits, get_read_indices].
bool BufferPlanner::readsInner(PlannedBuffer& buffer) {
    const auto count = [&](bool decide, bool& hasChanged) {
        const Accesses accesses = accessesOf(m_walk, m_plan, buffer);
        int inner = 0, outer = 0, partialInner = 0, partialOuter = 0;
        for (std::size_t i = 0; i < accesses.buffers.size(); ++i) {
            const Extents& row = accesses.strides[i];
            bool isFull = true, hasReduced = false, isInner = false;
            for (std::size_t d = 0; d < row.size(); ++d) {
                const bool isReduced = d >= buffer.size.size();
                const std::int64_t extent =
                    isReduced ? buffer.reduce[d - buffer.size.size()] : buffer.size[d];
                isFull &= extent == 1 || row[d] != 0;
                hasReduced |= isReduced && row[d] != 0;
                isInner |= isReduced && row[d] != 0 && row[d] <= 1;
            }
            if (!isFull && !hasReduced)
                continue;
            (isFull ? (isInner ? inner : outer) : (isInner ? partialInner : partialOuter)) += 1;
            const auto& read = m_plan.buffers[static_cast<std::size_t>(accesses.buffers[i])];
            if (decide && !read.isFixed) {
                decideLayout(accesses.buffers[i]);
                hasChanged = true;
            }
        }
        return inner + outer > 0 ? inner > outer : partialInner > partialOuter;
    };
    bool hasChanged = false;
    const bool isInner = count(true, hasChanged);
    return hasChanged ? count(false, hasChanged) : isInner;
}

/// A pool over a large window: one reduction of the window a result.
void BufferPlanner::visitWindowReduction(NodeId id) {
    const Node& node = m_graph.nodes[id];
    const int time = static_cast<int>(id.index());
    const Origins origins = gather(id);
    hint(baseOf(node.inputs.front()), time);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!m_graph.values.contains(node.outputs[i]))
            continue;
        PlannedBuffer buffer =
            bufferFor(node.outputs[i], BufferKind::Reduction, Body::Reduce, time);
        buffer.reduce = node.attributes.integers("kernel_shape").value_or(Extents{});
        buffer.origins = origins;
        m_plan.values[node.outputs[i]].buffer = add(std::move(buffer));
        m_plan.values[node.outputs[i]].realisedAt = time;
    }
}

void BufferPlanner::visitReduction(NodeId id) {
    const Node& node = m_graph.nodes[id];
    if (node.canonical == Op::MaxPool || node.canonical == Op::AveragePool)
        return visitWindowReduction(id);
    const Extents& shape = *m_graph.values[node.inputs.front()].shape;
    const std::vector<std::int64_t> axes = axesOf(node, shape.size());
    const std::int64_t reduced = extentAlong(shape, axes);
    if (reduced < kUnrolled || axes.empty())
        return visitExpression(id);
    const int time = static_cast<int>(id.index());
    const Origins origins = gather(id);
    PlannedBuffer whole =
        bufferFor(node.outputs.front(), BufferKind::Reduction, Body::Reduce, time);
    whole.size.clear();
    whole.axes = axes;
    whole.origins = origins;
    for (std::size_t i = 0, a = 0; i < shape.size(); ++i)
        if (a < axes.size() && static_cast<std::size_t>(axes[a]) == i) {
            whole.reduce.push_back(shape[i]);
            ++a;
        } else {
            whole.size.push_back(shape[i]);
        }
    const std::int64_t results = whole.numel();
    std::int64_t parts = 1;
    if (!isArgument(node.canonical)) {
        const bool mayInner = results == 1
            || (reduced > 32 && results < m_sms * 2 * 32); // otherwise the question is not asked
        whole.isInner = results == 1 || (mayInner && readsInner(whole));
        parts = reductionParts(results, reduced, whole.isInner, m_sms);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        if (!m_graph.values.contains(output))
            continue;
        PlannedBuffer buffer = whole;
        buffer.value = output;
        buffer.output = i;
        buffer.elementBytes =
            bufferFor(output, BufferKind::Reduction, Body::Reduce, time).elementBytes;
        if (isScaled(node.canonical, i) || parts > 1)
            buffer.elementBytes = std::max<std::int64_t>(4, buffer.elementBytes); // sums are fp32
        if (parts > 1) {
            PlannedBuffer partial = buffer;
            partial.body = Body::Partial;
            partial.value = ValueId();
            partial.owner = NodeId();
            partial.parts = parts;
            partial.chunk = ceilDiv(reduced, parts);
            partial.size.push_back(parts);
            partial.reduce = {partial.chunk};
            buffer.base = add(std::move(partial));
            buffer.body = Body::Combine;
            buffer.parts = parts;
            buffer.reduce = {parts};
        }
        ValueState& state = m_plan.values[output];
        if (isScaled(node.canonical, i)) {
            buffer.value = ValueId();
            buffer.owner = NodeId();
            state.origins = origins;
            state.hidden = add(std::move(buffer));
            m_plan.values[output].readsBound = 1;
            m_plan.values[output].operationsBound = 4;
        } else {
            const int made = add(std::move(buffer));
            m_plan.values[output].buffer = made;
            m_plan.values[output].realisedAt = time;
        }
    }
}

/// A scan or sort: a reduction with a result of full size.
void BufferPlanner::visitScan(NodeId id, BufferKind kind) {
    const Node& node = m_graph.nodes[id];
    const Extents& shape = *m_graph.values[node.inputs.front()].shape;
    const std::vector<std::int64_t> axes = axesOf(node, shape.size());
    if (axes.empty())
        return visitLibrary(id);
    const int time = static_cast<int>(id.index());
    const Origins origins = gather(id);
    for (const ValueId output : node.outputs) {
        if (!m_graph.values.contains(output))
            continue;
        PlannedBuffer buffer = bufferFor(output, kind, Body::Reduce, time);
        buffer.axes = axes;
        buffer.reduce = {extentAlong(shape, axes)};
        buffer.origins = origins;
        if (kind == BufferKind::Scan) {
            const std::int64_t others = std::max<std::int64_t>(
                1, buffer.numel() / std::max<std::int64_t>(1, buffer.reduce[0]));
            buffer.parts =
                reductionParts(others, buffer.reduce[0], true, m_sms); // > 1: a split scan
        }
        m_plan.values[output].buffer = add(std::move(buffer));
        m_plan.values[output].realisedAt = time;
    }
}

} // namespace fivefold::families::gpu
