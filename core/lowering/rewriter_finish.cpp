// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/node_names.h"
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <queue>

namespace fivefold::lowering {

namespace {

/// Gives every name that occurs again a number.
void makeNamesUnique(base::IdVector<NodeId, Node>& nodes) {
    if (hasUniqueNames(nodes))
        return;
    std::unordered_map<std::string, std::int64_t> seen;
    seen.reserve(nodes.size() * 2);
    for (Node& node : nodes) {
        auto [at, isNew] = seen.try_emplace(node.name, 1);
        while (!isNew) {
            const std::string candidate = node.name + "#" + std::to_string(++at->second);
            if (seen.try_emplace(candidate, 1).second) {
                node.name = candidate;
                break;
            }
            at = seen.find(node.name); // inserting may have moved it
        }
    }
}

} // namespace

std::vector<NodeId> Rewriter::sortedOrder() const {
    std::vector<NodeId> nodes = order();
    std::vector<std::uint32_t> place(m_graph.nodes.size(), kNone);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        place[nodes[i].index()] = static_cast<std::uint32_t>(i);
    const auto producerPlace = [&](ValueId value) {
        const ValueId id = resolve(value);
        const NodeId producer = id.isValid() ? m_graph.values[id].producer : NodeId();
        return producer.isValid() && isAlive(producer) ? place[producer.index()] : kNone;
    };
    bool isSorted = true;
    for (std::size_t i = 0; i < nodes.size() && isSorted; ++i)
        for (const ValueId input : m_graph.nodes[nodes[i]].inputs) {
            const std::uint32_t p = producerPlace(input);
            isSorted = isSorted && (p == kNone || p < i);
        }
    if (isSorted)
        return nodes;
    // Kahn's algorithm; of the nodes that are ready the earliest goes first, so that order is kept.
    std::vector<std::uint32_t> waiting(nodes.size(), 0);
    std::vector<std::vector<std::uint32_t>> users(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const ValueId input : m_graph.nodes[nodes[i]].inputs)
            if (const std::uint32_t p = producerPlace(input); p != kNone) {
                users[p].push_back(static_cast<std::uint32_t>(i));
                ++waiting[i];
            }
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (waiting[i] == 0)
            ready.push(static_cast<std::uint32_t>(i));
    std::vector<NodeId> sorted;
    sorted.reserve(nodes.size());
    std::vector<std::uint8_t> isDone(nodes.size(), 0);
    while (!ready.empty()) {
        const std::uint32_t i = ready.top();
        ready.pop();
        sorted.push_back(nodes[i]);
        isDone[i] = 1;
        for (const std::uint32_t user : users[i])
            if (--waiting[user] == 0)
                ready.push(user);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) // on a cycle: the verifier says so
        if (!isDone[i])
            sorted.push_back(nodes[i]);
    return sorted;
}

void Rewriter::compactNodes(StageGraph& out, const std::vector<NodeId>& order) {
    out.nodes.reserve(order.size());
    for (const NodeId id : order) {
        Node& node = m_graph.nodes[id];
        for (ValueId& input : node.inputs)
            input = resolve(input);
        while (!node.inputs.empty() && !node.inputs.back().isValid())
            node.inputs.pop_back();
        out.nodes.add(std::move(node));
    }
    makeNamesUnique(out.nodes);
}

void Rewriter::compactValues(StageGraph& out) {
    std::vector<std::uint8_t> isUsed(m_graph.values.size(), 0);
    const auto mark = [&](ValueId id) {
        if (id.isValid())
            isUsed[id.index()] = 1;
    };
    for (ValueId& output : m_graph.outputs)
        output = resolve(output);
    std::for_each(m_graph.inputs.begin(), m_graph.inputs.end(), mark);
    std::for_each(m_graph.outputs.begin(), m_graph.outputs.end(), mark);
    for (const Node& node : out.nodes) {
        std::for_each(node.inputs.begin(), node.inputs.end(), mark);
        std::for_each(node.outputs.begin(), node.outputs.end(), mark);
    }
    std::vector<ValueId> renamed(m_graph.values.size());
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        if (!isUsed[i])
            continue;
        Value& value = m_graph.values[ValueId(i)];
        value.users.clear();
        value.producer = NodeId();
        renamed[i] = out.values.add(std::move(value));
    }
    const auto rename = [&](std::vector<ValueId>& ids) {
        for (ValueId& id : ids)
            if (id.isValid())
                id = renamed[id.index()];
    };
    out.inputs = std::move(m_graph.inputs);
    out.outputs = std::move(m_graph.outputs);
    rename(out.inputs);
    rename(out.outputs);
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        Node& node = out.nodes[NodeId(i)];
        rename(node.inputs);
        rename(node.outputs);
        for (const ValueId input : node.inputs)
            if (input.isValid()) {
                auto& users = out.values[input].users;
                if (users.empty() || users.back() != NodeId(i))
                    users.push_back(NodeId(i));
            }
        for (const ValueId output : node.outputs)
            if (output.isValid())
                out.values[output].producer = NodeId(i);
    }
}

void Rewriter::rebuildKernels(StageGraph& out) {
    if (m_stage < Stage::Fused || (m_stage == Stage::Fused && m_graph.kernels.empty()))
        return;
    std::vector<KernelId> renamed(m_graph.kernels.size());
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
        Node& node = out.nodes[NodeId(i)];
        KernelId kernel;
        if (m_graph.kernels.contains(node.kernel)) {
            KernelId& known = renamed[node.kernel.index()];
            if (!known.isValid()) {
                Kernel& old = m_graph.kernels[node.kernel];
                old.nodes.clear();
                known = out.kernels.add(std::move(old));
            }
            kernel = known;
        } else { // a node that this stage added runs on its own
            kernel = out.kernels.add(Kernel{node.name, "copy", {}, node.rule});
        }
        node.kernel = kernel;
        out.kernels[kernel].nodes.push_back(NodeId(i));
    }
}

void Rewriter::recordRemoved(StageGraph& out) const {
    if (m_removedSources.empty())
        return;
    std::uint32_t largest = 0;
    for (const auto& [source, rule] : m_removedSources)
        largest = std::max(largest, source.value);
    std::vector<std::uint8_t> isThere(std::size_t(largest) + 1, 0);
    const auto mark = [&](ir::NodeId source) {
        if (source.value <= largest)
            isThere[source.index()] = 1;
    };
    for (const Node& node : out.nodes)
        std::for_each(node.sources.begin(), node.sources.end(), mark);
    for (const Removed& removed : out.removed)
        mark(removed.node);
    for (const auto& [source, rule] : m_removedSources)
        if (!isThere[source.index()]) {
            out.removed.push_back({source, m_stage, rule});
            isThere[source.index()] = 1;
        }
}

StageGraph Rewriter::finish() && {
    StageGraph out;
    out.stage = m_stage;
    out.removed = std::move(m_graph.removed);
    const std::vector<NodeId> sorted = sortedOrder();
    compactNodes(out, sorted);
    compactValues(out);
    rebuildKernels(out);
    recordRemoved(out);
    return out;
}

} // namespace fivefold::lowering
