// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_graph.h"

#include "core/families/gpu/kernel_label.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;
using Rule = gpu::Lowering;

class Builder {
public:
    Builder(StageGraph graph, const BufferPlan& plan, const std::vector<KernelGroup>& groups)
        : m_old(std::move(graph))
        , m_plan(plan)
        , m_groups(groups)
        , m_kernelOf(m_old.nodes.size(), -1) {
        m_values = m_old.values;
        for (Value& value : m_values) {
            value.users.clear();
            if (value.producer.isValid())
                value.producer = NodeId();
        }
        for (const Node& node : m_old.nodes)
            m_names.insert(node.name);
        for (const PlannedCopy& copy : plan.copies)
            m_copies.emplace(copy.buffer, &copy);
        for (std::size_t i = 0; i < plan.copies.size(); ++i)
            if (plan.copies[i].user.isValid())
                m_copiedInputs[plan.copies[i].user.value].push_back(i);
    }

    StageGraph build(const std::vector<std::vector<ir::NodeId>>& origins, bool keepsOrigins) {
        for (const KernelGroup& group : m_groups) {
            m_local.clear();
            m_kernels.emplace_back();
            for (const int buffer : group.buffers)
                emitBuffer(buffer);
        }
        m_local.clear();
        placeRest();
        return finish(origins, keepsOrigins);
    }

private:
    const PlannedBuffer& buffer(int id) const {
        return m_plan.buffers[static_cast<std::size_t>(id)];
    }
    std::vector<Node>& kernel() { return m_kernels.back(); }

    // ---- what a kernel computes ----

    void emitBuffer(int id) {
        const PlannedBuffer& own = buffer(id);
        switch (own.body) {
        case Body::None:
            emitCall(own.node);
            return;
        case Body::Copy:
            emitCopy(id);
            return;
        case Body::Scaled:
            return; // the node stands where the sum is
        case Body::Partial:
            emitPart(own, true);
            return;
        case Body::Combine:
            emitPart(own, false);
            return;
        case Body::Node:
        case Body::Reduce: // once for all results of the node
            if (m_kernelOf[own.node.index()] != static_cast<int>(currentKernel()))
                emitNode(own.node, true);
            return;
        }
    }

    /// A library call or joined concatenation, with the views in front of it.
    void emitCall(NodeId id) {
        if (m_kernelOf[id.index()] >= 0)
            return;
        emitNode(id, true);
    }

    /// The value under which this kernel reads `value`, its expression emitted where it is inlined.
    ValueId read(ValueId value, int time) {
        if (!m_old.values.contains(value) || !m_old.values[value].producer.isValid())
            return value;
        if (const auto known = m_local.find(value.value); known != m_local.end())
            return known->second;
        const ValueState& state = m_plan.values[value];
        if ((state.buffer != kNoBuffer && state.realisedAt <= time) || state.hidden != kNoBuffer)
            return value;
        const NodeId producer = m_old.values[value].producer;
        const bool isView = m_plan.rules[producer].kind == Rule::View;
        emitNode(producer, false, isView ? time : static_cast<int>(producer.index()));
        const auto made = m_local.find(value.value);
        return made != m_local.end() ? made->second : value;
    }

    void emitNode(NodeId id, bool isOwn, int time = -1) {
        const Node& from = m_old.nodes[id];
        const bool isCopy = m_kernelOf[id.index()] >= 0
            || (!isOwn
                && std::any_of(from.outputs.begin(), from.outputs.end(), [&](ValueId output) {
                       return m_old.values.contains(output)
                           && (m_plan.values[output].buffer != kNoBuffer
                               || m_plan.values[output].hidden != kNoBuffer);
                   }));
        Node node = from;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            node.inputs[i] = inputOf(id, i, time < 0 ? static_cast<int>(id.index()) : time);
        if (isCopy)
            rename(node);
        else
            m_kernelOf[id.index()] = static_cast<int>(currentKernel());
        for (std::size_t i = 0; i < from.outputs.size(); ++i)
            if (from.outputs[i].isValid())
                m_local[from.outputs[i].value] = node.outputs[i];
        kernel().push_back(std::move(node));
    }

    std::size_t currentKernel() const { return m_kernels.size() - 1; }

    ValueId inputOf(NodeId id, std::size_t input, int time) {
        const auto copies = m_copiedInputs.find(id.value);
        if (copies != m_copiedInputs.end())
            for (const std::size_t i : copies->second)
                if (m_plan.copies[i].input == input) {
                    const auto made = m_copyValues.find(m_plan.copies[i].buffer);
                    if (made != m_copyValues.end())
                        return made->second;
                }
        return read(m_old.nodes[id].inputs[input], time);
    }

    std::string unique(std::string name) {
        std::string wanted = name;
        for (int i = 2; !m_names.insert(wanted).second; ++i)
            wanted = name + "_" + std::to_string(i);
        return wanted;
    }

    ValueId newValue(const Value& like, std::string name) {
        Value value = like;
        value.name = std::move(name);
        value.source = ir::ValueId();
        value.role = ValueRole::Activation;
        value.producer = NodeId();
        value.users.clear();
        return m_values.add(std::move(value));
    }

    /// Another copy of an inlined node: its own results, the same sources.
    void rename(Node& node) {
        node.name = unique(node.name + "/again");
        for (ValueId& output : node.outputs)
            if (output.isValid())
                output = newValue(m_old.values[output], node.name);
        node.rule =
            "Inlined in several kernels: each computes it again instead of reading it from memory";
    }

    void emitCopy(int id) {
        const PlannedBuffer& own = buffer(id);
        const auto found = m_copies.find(id);
        const ValueId source = read(own.copied, own.time);
        Node node;
        node.op = "aten.clone";
        node.canonical = Op::Identity;
        const std::string base = found != m_copies.end() && found->second->user.isValid()
            ? m_old.nodes[found->second->user].name
            : m_old.nodes[own.node].name;
        node.name = unique(base + "/"
            + (found != m_copies.end() ? found->second->suffix : std::string("destination")));
        node.inputs = {source};
        node.block = m_old.nodes[own.node].block;
        node.executions = m_old.nodes[own.node].executions;
        node.addedBy =
            own.reason.empty() ? "A scatter writes into a copy of its destination." : own.reason;
        node.addedAt = Stage::Fused;
        const ValueId made = newValue(m_old.values[own.copied], node.name);
        if (own.strides.size() == own.size.size())
            m_values[made].strides = own.strides;
        node.outputs = {made};
        node.work = workOf(m_values, node);
        m_copyValues[id] = made;
        if (found != m_copies.end() && !found->second->user.isValid())
            m_outputCopies.emplace_back(found->second->input, made);
        kernel().push_back(std::move(node));
    }

    /// One half of a split reduction.
    void emitPart(const PlannedBuffer& own, bool isFirst) {
        const Node& from = m_old.nodes[own.node];
        auto& halves = m_halves[own.node.value];
        if (isFirst ? !halves.empty() : m_kernelOf[own.node.index()] >= 0)
            return; // the other results of the same node
        Node node = from;
        node.rule = "Split over " + std::to_string(own.parts)
            + " parts: few results alone would leave most multiprocessors idle "
              "(reduction_split_factor)";
        if (isFirst) {
            for (ValueId& input : node.inputs)
                input = read(input, own.time);
            node.name = unique(from.name + "/parts");
            node.attributes.set("parts", own.parts);
            for (ValueId& output : node.outputs)
                if (output.isValid()) {
                    output = newValue(m_old.values[output], node.name);
                    m_values[output].shape = own.size;
                    m_values[output].role = ValueRole::Scratch;
                    halves.push_back(output);
                }
        } else {
            node.inputs.assign(halves.begin(), halves.end());
            node.attributes.set("combines", own.parts);
            node.work = Work();
            node.work.outElements = own.numel();
            node.work.reduced = own.parts;
            m_kernelOf[own.node.index()] = static_cast<int>(currentKernel());
            for (const ValueId output : from.outputs)
                if (output.isValid())
                    m_local[output.value] = output;
        }
        kernel().push_back(std::move(node));
    }

    // ---- what no kernel needed: views that leave, results that nobody reads ----

    void placeRest() {
        std::vector<int> kernelOfValue(m_values.size(), -1);
        for (std::size_t k = 0; k < m_kernels.size(); ++k)
            for (const Node& node : m_kernels[k])
                for (const ValueId output : node.outputs)
                    if (output.isValid())
                        kernelOfValue[output.index()] = static_cast<int>(k);
        for (std::size_t i = 0; i < m_old.nodes.size(); ++i) {
            if (m_kernelOf[i] >= 0)
                continue;
            const Node& from = m_old.nodes[NodeId(i)];
            int last = -1;
            for (const ValueId input : from.inputs)
                if (input.isValid())
                    last = std::max(last, kernelOfValue[input.index()]);
            Node node = from;
            if (last < 0) {
                m_front.push_back({std::move(node)}); // of the inputs only: a kernel of its own
            } else {
                m_kernels[static_cast<std::size_t>(last)].push_back(std::move(node));
            }
            m_kernelOf[i] = std::max(0, last);
            for (const ValueId output : from.outputs)
                if (output.isValid())
                    kernelOfValue[output.index()] = last;
        }
    }

    StageGraph finish(const std::vector<std::vector<ir::NodeId>>& origins, bool keepsOrigins) {
        StageGraph graph;
        graph.stage = Stage::Fused;
        graph.inputs = m_old.inputs;
        graph.outputs = m_old.outputs;
        graph.removed = std::move(m_old.removed);
        setStrides();
        for (const auto& [output, value] : m_outputCopies) {
            Value& copy = m_values[value];
            const ValueId old = graph.outputs[output];
            copy.role = ValueRole::Output;
            if (m_values[old].role == ValueRole::Output)
                m_values[old].role = ValueRole::Activation;
            graph.outputs[output] = value;
        }
        graph.values = std::move(m_values);
        std::size_t number = 0;
        const auto addKernel = [&](std::vector<Node>& nodes, const std::string& reason,
                                   const std::vector<ir::NodeId>* named, bool isCall) {
            if (nodes.empty())
                return;
            Kernel kernel;
            const KernelId id(graph.kernels.size());
            for (Node& node : nodes) {
                const NodeId at(graph.nodes.size());
                node.kernel = id;
                for (const ValueId output : node.outputs)
                    if (output.isValid())
                        graph.values[output].producer = at;
                for (const ValueId input : node.inputs)
                    if (input.isValid()) {
                        auto& users = graph.values[input].users;
                        if (users.empty() || users.back() != at)
                            users.push_back(at);
                    }
                kernel.nodes.push_back(at);
                graph.nodes.add(std::move(node));
            }
            KernelLabel label = labelOf(graph, kernel.nodes, reason, number++, isCall);
            kernel.name = std::move(label.name);
            kernel.kind = std::move(label.kind);
            kernel.reason = std::move(label.reason);
            if (named)
                kernel.origins = *named;
            graph.kernels.add(std::move(kernel));
        };
        for (std::vector<Node>& nodes : m_front)
            addKernel(nodes, {}, nullptr, false);
        for (std::size_t k = 0; k < m_groups.size(); ++k) {
            const PlannedBuffer& first = buffer(m_groups[k].buffers.front());
            std::string reason = m_groups[k].reason;
            if (first.body == Body::Copy && m_groups[k].buffers.size() == 1
                && !first.reason.empty())
                reason = first.reason;
            addKernel(m_kernels[k], reason, keepsOrigins ? &origins[k] : nullptr,
                first.kind == BufferKind::Library);
        }
        return compact(std::move(graph));
    }

    void setStrides() {
        for (std::size_t i = 0; i < m_plan.values.size(); ++i) {
            const ValueId id(i);
            const int at = m_plan.values[id].buffer;
            if (at == kNoBuffer || !m_values[id].shape)
                continue;
            const Extents& strides = buffer(at).strides;
            if (strides.size() == m_values[id].shape->size()
                && buffer(at).kind != BufferKind::Scatter)
                m_values[id].strides = strides;
        }
    }

    /// Values whose every reader became a copy are gone.
    static StageGraph compact(StageGraph graph) {
        std::vector<ValueId> numbers(graph.values.size());
        std::vector<std::uint8_t> isKept(graph.values.size(), 0);
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const Value& value = graph.values[ValueId(i)];
            isKept[i] = value.producer.isValid() || !value.users.empty();
        }
        for (const auto* list : {&graph.inputs, &graph.outputs})
            for (const ValueId id : *list)
                if (graph.values.contains(id))
                    isKept[id.index()] = 1;
        base::IdVector<ValueId, Value> values;
        values.reserve(graph.values.size());
        for (std::size_t i = 0; i < graph.values.size(); ++i)
            if (isKept[i])
                numbers[i] = values.add(std::move(graph.values[ValueId(i)]));
        const auto renumber = [&](std::vector<ValueId>& list) {
            for (ValueId& id : list)
                if (id.isValid())
                    id = numbers[id.index()];
        };
        renumber(graph.inputs);
        renumber(graph.outputs);
        for (Node& node : graph.nodes) {
            renumber(node.inputs);
            renumber(node.outputs);
        }
        graph.values = std::move(values);
        return graph;
    }

    StageGraph m_old;
    const BufferPlan& m_plan;
    const std::vector<KernelGroup>& m_groups;
    base::IdVector<ValueId, Value> m_values;
    std::vector<std::vector<Node>> m_kernels, m_front;
    std::vector<int> m_kernelOf; ///< kernel of a node's first place, −1 before
    std::unordered_map<std::uint32_t, ValueId> m_local; ///< values of this kernel
    std::unordered_map<int, const PlannedCopy*> m_copies; ///< by buffer
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_copiedInputs; ///< by user
    std::unordered_map<int, ValueId> m_copyValues;
    std::unordered_map<std::uint32_t, std::vector<ValueId>> m_halves; ///< partial results of a node
    std::unordered_set<std::string> m_names;
    std::vector<std::pair<std::size_t, ValueId>> m_outputCopies;
};

} // namespace

StageGraph kernelGraph(const Context& context, StageGraph graph, const BufferPlan& plan,
    const std::vector<KernelGroup>& groups) {
    const bool keepsOrigins = context.typed.graph->info.format == "fx";
    const std::vector<std::vector<ir::NodeId>> origins = keepsOrigins
        ? kernelOrigins(context, graph, plan, groups)
        : std::vector<std::vector<ir::NodeId>>(groups.size());
    return Builder(std::move(graph), plan, groups).build(origins, keepsOrigins);
}

} // namespace fivefold::families::gpu
