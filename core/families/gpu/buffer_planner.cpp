// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/buffer_planner.h"

#include "core/families/gpu/channels_last.h"
#include "core/families/gpu/operators.h"
#include "core/families/gpu/strides.h"
#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;
using Rule = gpu::Lowering;

constexpr std::size_t kReuseReads = 4; ///< config.realize_reads_threshold
constexpr std::size_t kMostReads = 8; ///< config.realize_acc_reads_threshold
constexpr int kMostOperations = 30; ///< config.realize_opcount_threshold
constexpr int kAlwaysOperations = 100; ///< GraphLowering.run_node: too much to be inlined at all
constexpr int kBoundLimit = 1 << 20;
/// Longer chains of operators that cost nothing (copies) are stored once on the way; ours, so that
/// walks do not recurse without end.
constexpr int kMostDepth = 512;

bool hasKnownElements(const Value& value) {
    const auto count = elements(value.shape);
    return count && *count > 0 && value.shape->size() <= kMostAxes;
}

} // namespace

BufferPlanner::BufferPlanner(
    const Context& context, const StageGraph& graph, std::int64_t sms, bool allowsChannelsLast)
    : m_context(context)
    , m_graph(graph)
    , m_captured(*context.typed.graph)
    , m_sms(sms)
    , m_isFx(context.typed.graph->info.format == "fx")
    , m_walk(graph, m_plan)
    , m_callOrigins(graph.nodes.size()) {
    m_plan.values.resize(graph.values.size());
    m_plan.rules.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes)
        m_plan.rules.add(ruleOf(graph, node, m_captured));
    m_plan.isOutput.assign(graph.values.size(), 0);
    for (const ValueId output : graph.outputs)
        if (graph.values.contains(output))
            m_plan.isOutput[output.index()] = 1;
    m_plan.isChannelsLast = allowsChannelsLast && prefersChannelsLast(graph);
    if (!m_isFx)
        joinBiases();
    if (m_plan.isChannelsLast)
        findPreferences();
}

/// mm + bias is addmm: the library call takes a bias vector along (post-grad pass of fp16 graphs;
/// fx graphs have it already).
void BufferPlanner::joinBiases() {
    const auto isBias = [&](ValueId id) {
        const Value& value = m_graph.values[id];
        return !value.producer.isValid() && value.shape && value.shape->size() == 1
            && (value.role == ValueRole::Weight || value.role == ValueRole::Constant);
    };
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const Node& add = m_graph.nodes[NodeId(i)];
        if (add.canonical != Op::Add || add.inputs.size() != 2 || add.outputs.size() != 1)
            continue;
        for (const std::size_t k : {0, 1}) {
            const ValueId product = add.inputs[k], bias = add.inputs[1 - k];
            if (!m_graph.values.contains(product) || !m_graph.values.contains(bias)
                || !isBias(bias))
                continue;
            const NodeId producer = m_graph.values[product].producer;
            if (!producer.isValid() || m_graph.nodes[producer].op != "aten.mm"
                || userCount(product) != 1 || m_plan.rules[producer].kind != Rule::Library
                || m_graph.values[product].shape != m_graph.values[add.outputs.front()].shape)
                continue;
            m_plan.rules[producer].kind = Rule::Riding;
            m_plan.rules[NodeId(i)].kind = Rule::Library;
            break;
        }
    }
}

/// Nodes that feed or follow convolutions: what of theirs is realised early is written
/// channels-last [GraphLowering.find_nodes_prefer_channels_last].
void BufferPlanner::findPreferences() {
    m_prefersLast.assign(m_graph.nodes.size(), 0);
    const auto isCall = [&](NodeId id) {
        return isConvolution(m_graph.nodes[id].canonical) && m_plan.rules[id].kind == Rule::Library;
    };
    const auto isBlocked = [&](NodeId id) { // bmm
        return m_plan.rules[id].needsRealised && !m_plan.rules[id].isMatrixProduct
            && isMatrixProduct(m_graph.nodes[id].canonical);
    };
    NodeId last;
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
        const NodeId id(i);
        if (isCall(id)) {
            m_prefersLast[i] = 1;
            last = last.isValid() ? last : id;
            continue;
        }
        if (isBlocked(id))
            continue;
        for (const ValueId output : m_graph.nodes[id].outputs)
            if (m_graph.values.contains(output))
                for (const NodeId user : m_graph.values[output].users)
                    m_prefersLast[i] = m_prefersLast[i] != 0 || m_prefersLast[user.index()] != 0;
    }
    for (std::size_t i = 0; i < m_graph.nodes.size() && NodeId(i) != last; ++i)
        if (m_prefersLast[i] != 0)
            for (const ValueId output : m_graph.nodes[NodeId(i)].outputs)
                if (m_graph.values.contains(output))
                    for (const NodeId user : m_graph.values[output].users)
                        if (!isBlocked(user))
                            m_prefersLast[user.index()] = 1;
}

/// Realises what is used too often or reads too much.
void BufferPlanner::realiseEarly(ValueId value, ValueId base, int time) {
    const int buffer = realise(base, time);
    const auto& shape = m_graph.values[value].shape;
    const NodeId producer = m_graph.values[value].producer;
    if (buffer != kNoBuffer && !m_prefersLast.empty() && m_prefersLast[producer.index()] != 0
        && base == plain(value) && shape && shape->size() == 4)
        freezeOrder(buffer, channelsLastStrides(*shape));
}

BufferPlan BufferPlanner::run() {
    addInputs();
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        if ((i & 255) == 0 && m_context.progress.isCancelled())
            return std::move(m_plan);
        visit(NodeId(i));
    }
    for (std::size_t i = 0; i < m_plan.buffers.size(); ++i)
        decideLayout(static_cast<int>(i));
    return std::move(m_plan);
}

/// Inputs, weights and constants of more than one element are memory from the start.
void BufferPlanner::addInputs() {
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        const Value& value = m_graph.values[ValueId(i)];
        if (value.producer.isValid() || (value.fill && (!value.shape || value.shape->empty())))
            continue;
        PlannedBuffer buffer = bufferFor(ValueId(i), BufferKind::Input, Body::None, -1);
        buffer.strides = eagerStrides(ValueId(i));
        buffer.isFixed = true;
        m_plan.values[ValueId(i)].buffer = add(std::move(buffer));
        m_plan.values[ValueId(i)].realisedAt = -1;
    }
}

bool BufferPlanner::isKnown(NodeId id) const {
    const Node& node = m_graph.nodes[id];
    for (const auto* list : {&node.inputs, &node.outputs})
        for (const ValueId value : *list)
            if (m_graph.values.contains(value) && !hasKnownElements(m_graph.values[value]))
                return false;
    return !node.outputs.empty();
}

void BufferPlanner::visit(NodeId id) {
    OperatorRule& rule = m_plan.rules[id];
    const Node& node = m_graph.nodes[id];
    if (rule.kind != Rule::Nothing && !isKnown(id))
        rule.kind = rule.kind == Rule::View ? Rule::View : Rule::Library;
    switch (rule.kind) {
    case Rule::View:
        visitView(id);
        break;
    case Rule::Constant:
    case Rule::Pointwise:
    case Rule::Window:
        visitExpression(id);
        break;
    case Rule::Reduction:
        visitReduction(id);
        break;
    case Rule::Scan:
        visitScan(id, BufferKind::Scan);
        break;
    case Rule::Sort:
        visitScan(id, BufferKind::Sort);
        break;
    case Rule::Concat:
        visitConcat(id);
        break;
    case Rule::Scatter:
        visitScatter(id);
        break;
    case Rule::Library:
        visitLibrary(id);
        break;
    case Rule::Riding:
        return;
    case Rule::Nothing:
        visitNothing(id);
        break;
    }
    for (const ValueId output : node.outputs)
        if (m_graph.values.contains(output))
            after(id, output);
}

/// A view of stored memory fixes its layout: strides are taken from it.
void BufferPlanner::visitView(NodeId id) {
    const Node& node = m_graph.nodes[id];
    if (node.inputs.empty() || !m_graph.values.contains(node.inputs.front()))
        return visitNothing(id);
    const ValueId input = node.inputs.front();
    const ValueId base = baseOf(input);
    if (isRealised(base) && node.canonical != Op::Identity)
        freezeContiguous(m_plan.values[base].buffer);
    if (isRealised(base))
        return;
    const Origins& origins = m_plan.values[input].origins;
    for (const ValueId output : node.outputs)
        if (m_graph.values.contains(output))
            m_plan.values[output].origins = origins;
}

void BufferPlanner::visitExpression(NodeId id) {
    const Node& node = m_graph.nodes[id];
    const OperatorRule& rule = m_plan.rules[id];
    const int time = static_cast<int>(id.index());
    Origins origins = gather(id);
    if (rule.kind == Rule::Window || node.canonical == Op::Resize)
        hint(baseOf(node.inputs.front()), time);
    for (const ValueId output : node.outputs)
        if (m_graph.values.contains(output)) {
            ValueState& state = m_plan.values[output];
            state.origins = origins;
            boundExpression(id, state);
        }
    if (!rule.isInPlace || node.inputs.empty() || !m_graph.values.contains(node.inputs.front()))
        return;
    // The result becomes memory at once; what it was computed from is read in front of the change
    // [lowering.mutate_to]. An input of the program keeps its memory.
    const ValueId target = plain(node.inputs.front()), result = node.outputs.front();
    const int written = realise(result, time);
    if (written == kNoBuffer || !isRealised(target))
        return;
    const int memory = m_plan.values[target].buffer;
    const PlannedBuffer& input = m_plan.buffers[static_cast<std::size_t>(memory)];
    if (input.kind != BufferKind::Input)
        return;
    const Extents strides = input.strides;
    fix(written, strides);
    m_plan.buffers[static_cast<std::size_t>(written)].base = memory;
}

void BufferPlanner::boundExpression(NodeId id, ValueState& state) const {
    const Node& node = m_graph.nodes[id];
    const OperatorRule& rule = m_plan.rules[id];
    std::int64_t factor = 1;
    if (rule.kind == Rule::Window)
        factor = kLargestWindow;
    if (rule.kind == Rule::Reduction)
        factor = kUnrolled;
    std::int64_t reads = 0, operations = rule.operations + 2;
    for (const ValueId input : node.inputs) {
        if (!m_graph.values.contains(input))
            continue;
        const ValueId base = baseOf(input);
        const ValueState& from = m_plan.values[base];
        const bool isLoad = isRealised(base) || from.hidden != kNoBuffer;
        if (!isLoad)
            state.depth = std::max(state.depth, from.depth + 1);
        reads += isLoad || !m_graph.values[base].producer.isValid() ? 1 : from.readsBound;
        operations += isLoad ? 3 : from.operationsBound;
    }
    if (rule.kind == Rule::Constant)
        reads = 0;
    state.readsBound = static_cast<int>(std::min<std::int64_t>(kBoundLimit, reads * factor));
    state.operationsBound =
        static_cast<int>(std::min<std::int64_t>(kBoundLimit, operations * factor));
}

/// The destination is copied, then written through the index by a kernel that no reader joins.
void BufferPlanner::visitScatter(NodeId id) {
    const Node& node = m_graph.nodes[id];
    const int time = static_cast<int>(id.index());
    Origins origins = gather(id);
    origins.push_back(id);
    PlannedBuffer copy = bufferFor(node.outputs.front(), BufferKind::Pointwise, Body::Copy, time);
    copy.copied = node.inputs.front();
    copy.origins = origins;
    copy.node = id;
    copy.strides = contiguousStrides(copy.size);
    copy.isFixed = true;
    const int destination = add(std::move(copy));
    PlannedBuffer scatter = bufferFor(node.outputs.front(), BufferKind::Scatter, Body::Node, time);
    scatter.origins = origins;
    scatter.owner = NodeId(); // the memory is the destination's
    const std::size_t source = node.canonical == Op::IndexPut ? 1 : 2;
    if (source < node.inputs.size() && m_graph.values.contains(node.inputs[source]))
        scatter.size = *m_graph.values[node.inputs[source]].shape;
    scatter.base = destination;
    scatter.strides = contiguousStrides(scatter.size);
    scatter.isFixed = true;
    m_plan.values[node.outputs.front()].buffer = add(std::move(scatter));
    m_plan.values[node.outputs.front()].realisedAt = time;
}

/// Values of the host program, and what has no shape: there from the start, made by no kernel.
void BufferPlanner::visitNothing(NodeId id) {
    for (const ValueId output : m_graph.nodes[id].outputs) {
        if (!m_graph.values.contains(output))
            continue;
        std::vector<int> reads;
        for (std::size_t i = 0; i < m_graph.nodes[id].inputs.size(); ++i)
            if (m_graph.values.contains(m_graph.nodes[id].inputs[i]))
                if (const int buffer =
                        realise(baseOf(m_graph.nodes[id].inputs[i]), static_cast<int>(id.index()));
                    buffer != kNoBuffer)
                    reads.push_back(buffer);
        PlannedBuffer buffer =
            bufferFor(output, BufferKind::Joined, Body::None, static_cast<int>(id.index()));
        buffer.reads = std::move(reads);
        buffer.strides = eagerStrides(output);
        buffer.isFixed = true;
        m_plan.values[output].buffer = add(std::move(buffer));
        m_plan.values[output].realisedAt = static_cast<int>(id.index());
    }
}

BufferPlanner::Count BufferPlanner::count(ValueId base) {
    const Value& value = m_graph.values[base];
    const Node& node = m_graph.nodes[value.producer];
    const auto at = std::find(node.outputs.begin(), node.outputs.end(), base);
    if (m_plan.values[base].hidden != kNoBuffer)
        return {1, 1, 3};
    m_walk.runNode(value.producer, static_cast<std::size_t>(at - node.outputs.begin()),
        samplesOf(elements(value.shape).value_or(1)));
    Count result{m_walk.loads().size(), 0, m_walk.operations()};
    for (const Load& load : m_walk.loads()) {
        const Points& points = m_walk.table()[load.points];
        result.nontrivial += std::any_of(points.at.begin(),
            points.at.begin() + static_cast<std::ptrdiff_t>(points.count),
            [&](std::int64_t number) { return number != points.at[0]; });
    }
    return result;
}

/// Buffers expected to be realised later [StorageBox.realize_hint].
void BufferPlanner::hint(ValueId base, int time) {
    if (isExpression(base) && m_plan.values[base].readsBound > 1 && count(base).nontrivial > 1)
        realise(base, time);
}

/// An output leaves in its eager layout [GraphLowering.run_node].
void BufferPlanner::requireOutput(ValueId value, int time) {
    const ValueId base = baseOf(value);
    const bool isView = base != plain(value);
    const Extents wanted = eagerStrides(value);
    const int buffer = realise(base, time);
    if (buffer == kNoBuffer || !m_graph.values[value].shape)
        return;
    const PlannedBuffer& memory = m_plan.buffers[static_cast<std::size_t>(buffer)];
    const Extents& shape = *m_graph.values[value].shape;
    if (isView) {
        freezeContiguous(buffer);
        const auto strides = stridesThrough(value);
        if (strides && isOrderedLike(shape, *strides, wanted))
            return;
    } else if (!memory.isFixed) {
        fix(buffer, wanted.size() == memory.size.size() ? wanted : contiguousStrides(memory.size));
        return;
    } else if (memory.kind == BufferKind::Input || memory.strides.size() != wanted.size()
        || isOrderedLike(shape, memory.strides, wanted)) {
        return;
    }
    for (std::size_t i = 0; i < m_graph.outputs.size(); ++i)
        if (m_graph.outputs[i] == value)
            makeCopy(value, NodeId(), i, wanted, "output",
                "The model's output leaves in the order that eager mode gives it.");
}

void BufferPlanner::realiseShared(ValueId value, ValueId base, std::size_t users, int time) {
    for (const NodeId user : m_graph.values[value].users) {
        const OperatorRule& rule = m_plan.rules[user];
        if (!rule.needsRealised)
            continue;
        hint(base, time);
        const bool isFixed = rule.isMatrixProduct
            || (isConvolution(m_graph.nodes[user].canonical) && !m_plan.isChannelsLast);
        if (isFixed && isExpression(base)) {
            const int buffer = realise(base, time);
            if (base == plain(value))
                freezeOrder(buffer, eagerStrides(value));
            else
                freezeContiguous(buffer);
        }
    }
    if (!isExpression(base) || m_plan.rules[m_graph.values[base].producer].kind == Rule::Constant)
        return;
    const ValueState& state = m_plan.values[base];
    if (users <= 1
        || (state.readsBound <= static_cast<int>(kReuseReads)
            && state.operationsBound <= kMostOperations))
        return;
    const Count found = count(base);
    if (found.reads > kReuseReads || found.operations > kMostOperations)
        realiseEarly(value, base, time);
}

/// What happens at the end of lowering one node [GraphLowering.run_node].
void BufferPlanner::after(NodeId id, ValueId value) {
    const int time = static_cast<int>(id.index());
    const auto& readers = m_graph.values[value].users;
    const bool isStrided = std::any_of(readers.begin(), readers.end(),
        [&](NodeId user) { return m_graph.nodes[user].canonical == Op::AsStrided; });
    if (m_plan.isOutput[value.index()] != 0 || isStrided)
        requireOutput(value, time);
    const ValueId base = baseOf(value);
    const std::size_t users = userCount(value);
    if (!isExpression(base))
        return;
    if (users > 1)
        realiseShared(value, base, users, time);
    const ValueState& state = m_plan.values[base];
    if (isExpression(base) && state.depth > kMostDepth)
        realiseEarly(value, base, time);
    if (!isExpression(base)
        || (state.readsBound <= static_cast<int>(kMostReads)
            && state.operationsBound <= kMostOperations))
        return;
    const Count found = count(base);
    const bool isLarge = found.reads > kMostReads || found.operations > kMostOperations;
    if ((isLarge && found.nontrivial > 1) || found.operations > kAlwaysOperations)
        realiseEarly(value, base, time);
}

BufferPlan planBuffers(
    const Context& context, const StageGraph& graph, std::int64_t sms, bool allowsChannelsLast) {
    return BufferPlanner(context, graph, sms, allowsChannelsLast).run();
}

} // namespace fivefold::families::gpu
