// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/execution_order.h"
#include "core/lowering/from_captured.h"
#include "core/lowering/inlining.h"
#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::lowering {

Value valueFrom(const ir::Typed& typed, ir::ValueId id) {
    Value value;
    value.name = typed.graph->values[id].name;
    value.source = id;
    if (id.index() < typed.types.size()) {
        const ir::ValueType& type = typed.types[id];
        value.dtype = type.dtype;
        if (type.shape && type.kind == ir::ValueKind::Tensor)
            value.shape = ir::knownShape(*type.shape);
    }
    return value;
}

Node nodeFrom(const ir::Typed& typed, ir::NodeId id) {
    const ir::Node& from = typed.graph->nodes[id];
    Node node;
    node.op = from.sourceOp.empty() ? std::string(ir::name(from.op)) : from.sourceOp;
    node.canonical = from.op;
    node.name = from.name;
    node.sources = {id};
    node.attributes = from.attributes;
    node.block = from.block;
    node.decidedBy = DecidedBy::Programmer;
    if (id.index() < typed.executions.size())
        node.executions = typed.executions[id];
    return node;
}

Work workFrom(const Context& context, const Values& values, const Node& node, ir::NodeId id) {
    Work work = workOf(values, node);
    if (id.index() >= context.cost.nodes.size())
        return work;
    const ir::NodeCost& cost = context.cost.nodes[id];
    if (!cost.isKnown()) {
        work.isKnown = false;
        return work;
    }
    if (!work.isKnown) { // a contraction that has a count and no product form
        std::int64_t sum = 0;
        for (const ValueId output : node.outputs)
            if (output.isValid()) {
                const auto count = elements(values[output].shape);
                if (!count || __builtin_add_overflow(sum, *count, &sum))
                    return work;
            }
        work = Work();
        work.outElements = sum;
    }
    work.macs = *cost.macs;
    work.flops = *cost.flops;
    return work;
}

ValueRole boundaryRole(const ir::Typed& typed, ir::ValueId id, ValueRole otherwise) {
    std::string name = typed.graph->values[id].name;
    std::transform(name.begin(), name.end(), name.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto& type = typed.types[id];
    if (!type.shape || type.shape->size() < 3)
        return otherwise;
    for (const std::string_view word : {"past", "present", "cache_k", "cache_v", "k_cache",
             "v_cache", "key_cache", "value_cache", "kv_cache"})
        if (name.find(word) != std::string::npos)
            return ValueRole::KvCache;
    return otherwise;
}

namespace {

/// Walks all blocks, bodies right behind their owners, without recursion.
class CapturedBuilder {
public:
    explicit CapturedBuilder(const Context& context)
        : m_context(context)
        , m_typed(context.typed)
        , m_captured(*context.typed.graph)
        , m_values(m_captured.values.size())
        , m_orders(ir::inference::orderBlocks(m_captured)) {
        m_graph.stage = Stage::Captured;
    }

    StageGraph build() {
        m_graph.nodes.reserve(m_captured.nodes.size());
        m_graph.values.reserve(m_captured.values.size());
        if (m_captured.blocks.empty())
            return std::move(m_graph);
        enter(ir::Graph::mainBlock());
        for (const ir::ValueId input : m_captured.main().inputs)
            if (m_values[input].isValid())
                m_graph.inputs.push_back(m_values[input]);
        while (!m_frames.empty()) {
            Frame& frame = m_frames.back();
            if (frame.at == frame.order.size())
                m_frames.pop_back();
            else
                visit(frame.order[frame.at++]);
        }
        for (const ir::ValueId output : m_captured.main().outputs)
            if (const ValueId id = read(output); id.isValid())
                addOutput(id, output);
        return std::move(m_graph);
    }

private:
    struct Frame {
        std::vector<ir::NodeId> order;
        std::size_t at = 0;
    };

    void enter(ir::BlockId block) {
        for (const ir::ValueId input : m_captured.blocks[block].inputs)
            if (input.isValid() && !m_values[input].isValid())
                define(input, boundaryRole(m_typed, input, ValueRole::Input));
        m_frames.push_back({std::move(m_orders[block].nodes), 0});
    }

    ValueId define(ir::ValueId id, ValueRole role) {
        Value value = valueFrom(m_typed, id);
        value.role = role;
        return m_values[id] = m_graph.values.add(std::move(value));
    }

    /// The lowered value, made on first use for stored constants; invalid for one that nothing has
    /// produced yet.
    ValueId read(ir::ValueId id) {
        if (!id.isValid() || m_values[id].isValid())
            return id.isValid() ? m_values[id] : ValueId();
        const ir::Value& value = m_captured.values[id];
        if (value.origin == ir::ValueOrigin::NodeOutput)
            return {};
        return define(id,
            value.origin == ir::ValueOrigin::Initializer ? ValueRole::Weight : ValueRole::Input);
    }

    void visit(ir::NodeId id) {
        const ir::Node& from = m_captured.nodes[id];
        Node node = nodeFrom(m_typed, id);
        const NodeId lowered(m_graph.nodes.size());
        for (const ir::ValueId input : from.inputs) {
            const ValueId value = read(input);
            if (input.isValid() && !value.isValid())
                m_context.diagnostics.error("lowering.cycle", from.name,
                    "The node reads a value before anything produces it; the edge is left out.",
                    "Remove the cycle from the model.");
            node.inputs.push_back(value);
            if (value.isValid()) {
                auto& users = m_graph.values[value].users;
                if (users.empty() || users.back() != lowered)
                    users.push_back(lowered);
            }
        }
        for (const ir::ValueId output : from.outputs) {
            if (!output.isValid() || m_values[output].isValid()) {
                node.outputs.emplace_back();
                continue;
            }
            node.outputs.push_back(define(output, ValueRole::Activation));
            m_graph.values[node.outputs.back()].producer = lowered;
        }
        node.work = workFrom(m_context, m_graph.values, node, id);
        m_graph.nodes.add(std::move(node));
        for (auto block = from.blocks.rbegin(); block != from.blocks.rend(); ++block)
            enter(*block);
    }

    void addOutput(ValueId id, ir::ValueId source) {
        m_graph.outputs.push_back(id);
        Value& value = m_graph.values[id];
        if (value.role == ValueRole::Activation)
            value.role = boundaryRole(m_typed, source, ValueRole::Output);
    }

    const Context& m_context;
    const ir::Typed& m_typed;
    const ir::Graph& m_captured;
    base::IdVector<ir::ValueId, ValueId> m_values;
    base::IdVector<ir::BlockId, ir::inference::BlockOrder> m_orders; ///< each block is entered once
    std::vector<Frame> m_frames;
    StageGraph m_graph;
};

} // namespace

StageGraph captured(const Context& context) {
    return CapturedBuilder(context).build();
}

} // namespace fivefold::lowering
