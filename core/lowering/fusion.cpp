// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/fusion.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::lowering {

namespace {

constexpr std::uint32_t kGap = 0xffffffff;

} // namespace

Fusion::Fusion(const StageGraph& graph)
    : m_graph(graph) {
    const std::size_t n = graph.nodes.size();
    m_group.resize(n);
    m_members.resize(n);
    m_reason.resize(n);
    m_place.resize(n);
    m_order.resize(n);
    m_mark.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        m_members[i] = {NodeId(i)};
        m_group[i] = m_place[i] = m_order[i] = static_cast<std::uint32_t>(i);
    }
}

GroupId Fusion::groupOf(NodeId node) const {
    return GroupId(m_group[node.index()]);
}

std::vector<GroupId> Fusion::groups() const {
    std::vector<GroupId> result;
    for (const std::uint32_t group : m_order)
        if (group != kGap)
            result.push_back(GroupId(group));
    return result;
}

std::vector<GroupId> Fusion::producers(GroupId group) const {
    std::vector<GroupId> result;
    const std::uint32_t stamp = ++m_stamp;
    m_mark[group.index()] = stamp;
    for (const NodeId node : nodes(group))
        for (const ValueId input : m_graph.nodes[node].inputs) {
            const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
            if (!producer.isValid() || m_mark[m_group[producer.index()]] == stamp)
                continue;
            m_mark[m_group[producer.index()]] = stamp;
            result.push_back(groupOf(producer));
        }
    return result;
}

std::vector<GroupId> Fusion::consumers(GroupId group) const {
    std::vector<GroupId> result;
    const std::uint32_t stamp = ++m_stamp;
    m_mark[group.index()] = stamp;
    for (const NodeId node : nodes(group))
        for (const ValueId output : m_graph.nodes[node].outputs) {
            if (!output.isValid())
                continue;
            for (const NodeId user : m_graph.values[output].users)
                if (m_mark[m_group[user.index()]] != stamp) {
                    m_mark[m_group[user.index()]] = stamp;
                    result.push_back(groupOf(user));
                }
        }
    return result;
}

/// Groups that `first` reaches and that stand before `last`; false when one of them reaches `last`,
/// or when there are more than the limit.
bool Fusion::search(GroupId first, GroupId last, std::vector<GroupId>& reachable) const {
    const std::uint32_t end = m_place[last.index()];
    const std::uint32_t stamp = ++m_stamp;
    m_mark[first.index()] = stamp;
    std::vector<GroupId> waiting = {first};
    std::size_t looked = 0;
    while (!waiting.empty()) {
        const GroupId at = waiting.back();
        waiting.pop_back();
        for (const NodeId node : nodes(at))
            for (const ValueId output : m_graph.nodes[node].outputs) {
                if (!output.isValid())
                    continue;
                for (const NodeId user : m_graph.values[output].users) {
                    if (++looked > searchLimit)
                        return false;
                    const GroupId next = groupOf(user);
                    if (next == last && at != first)
                        return false;
                    if (m_place[next.index()] >= end || m_mark[next.index()] == stamp)
                        continue;
                    m_mark[next.index()] = stamp;
                    reachable.push_back(next);
                    waiting.push_back(next);
                }
            }
    }
    return true;
}

/// One kernel is launched as one: its nodes run equally often.
bool Fusion::fits(GroupId a, GroupId b) const {
    return nodes(a).size() + nodes(b).size() <= maximumNodes
        && m_graph.nodes[nodes(a).front()].executions == m_graph.nodes[nodes(b).front()].executions;
}

bool Fusion::canMerge(GroupId a, GroupId b) const {
    if (a == b)
        return true;
    if (!fits(a, b))
        return false;
    if (m_place[a.index()] > m_place[b.index()])
        std::swap(a, b);
    std::vector<GroupId> reachable;
    return search(a, b, reachable);
}

bool Fusion::merge(GroupId a, GroupId b, std::string reason) {
    if (a == b)
        return true;
    if (!fits(a, b))
        return false;
    if (m_place[a.index()] > m_place[b.index()])
        std::swap(a, b);
    std::vector<GroupId> reachable;
    if (!search(a, b, reachable))
        return false;
    // In the order, what stands between stays in front of the union, what depends on `a` goes
    // behind it. Places of merged groups stay as gaps, so that only this window is written.
    const std::uint32_t from = m_place[a.index()];
    const std::uint32_t to = m_place[b.index()];
    if (reachable.empty()) {
        m_order[from] = kGap;
    } else {
        const std::uint32_t stamp = ++m_stamp;
        for (const GroupId group : reachable)
            m_mark[group.index()] = stamp;
        std::vector<std::uint32_t> before, after;
        for (std::uint32_t place = from + 1; place < to; ++place)
            if (const std::uint32_t group = m_order[place]; group != kGap)
                (m_mark[group] == stamp ? after : before).push_back(group);
        before.push_back(b.value);
        before.insert(before.end(), after.begin(), after.end());
        std::uint32_t place = to + 1 - static_cast<std::uint32_t>(before.size());
        std::fill(m_order.begin() + from, m_order.begin() + place, kGap);
        for (const std::uint32_t group : before) {
            m_place[group] = place;
            m_order[place++] = group;
        }
    }
    // The shorter list moves; the place stays that of b.
    GroupId kept = b, gone = a;
    if (m_members[kept.index()].size() < m_members[gone.index()].size()) {
        std::swap(kept, gone);
        m_place[kept.index()] = m_place[gone.index()];
        m_order[m_place[kept.index()]] = kept.value;
    }
    auto& members = m_members[kept.index()];
    for (const NodeId node : m_members[gone.index()])
        m_group[node.index()] = kept.value;
    members.insert(members.end(), m_members[gone.index()].begin(), m_members[gone.index()].end());
    const auto middle = members.end() - static_cast<std::ptrdiff_t>(m_members[gone.index()].size());
    m_members[gone.index()].clear();
    std::inplace_merge(members.begin(), middle, members.end());
    if (!reason.empty())
        m_reason[kept.index()] = std::move(reason);
    else if (m_reason[kept.index()].empty())
        m_reason[kept.index()] = std::move(m_reason[gone.index()]);
    return true;
}

std::size_t Fusion::mergeEdges(const Predicate& wants) {
    std::size_t merges = 0;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const NodeId consumer(i);
        for (const ValueId input : m_graph.nodes[consumer].inputs) {
            const NodeId producer = input.isValid() ? m_graph.values[input].producer : NodeId();
            if (!producer.isValid() || groupOf(producer) == groupOf(consumer))
                continue;
            std::string reason = wants(*this, producer, consumer);
            if (!reason.empty() && merge(groupOf(producer), groupOf(consumer), std::move(reason)))
                ++merges;
        }
    }
    return merges;
}

namespace {

/// The graph with its nodes in another order; ids in values and kernels follow.
void reorder(StageGraph& graph, const std::vector<NodeId>& order) {
    std::vector<NodeId> renamed(graph.nodes.size());
    base::IdVector<NodeId, Node> nodes;
    nodes.reserve(order.size());
    for (const NodeId id : order)
        renamed[id.index()] = nodes.add(std::move(graph.nodes[id]));
    graph.nodes = std::move(nodes);
    for (Value& value : graph.values) {
        if (value.producer.isValid())
            value.producer = renamed[value.producer.index()];
        for (NodeId& user : value.users)
            user = renamed[user.index()];
        std::sort(value.users.begin(), value.users.end());
    }
}

} // namespace

StageGraph Fusion::finish(
    StageGraph graph, const std::function<Label(const Fusion&, GroupId)>& label) const {
    std::vector<NodeId> order;
    order.reserve(m_graph.nodes.size());
    base::IdVector<KernelId, Kernel> kernels;
    std::unordered_map<std::string, std::int64_t> numbers;
    for (const GroupId group : groups()) {
        Label text = label(*this, group);
        if (text.name.empty())
            text.name = text.kind + "_" + std::to_string(numbers[text.kind]++);
        if (text.reason.empty())
            text.reason = reason(group);
        Kernel kernel{std::move(text.name), std::move(text.kind), {}, std::move(text.reason)};
        for (const NodeId node : nodes(group)) {
            kernel.nodes.emplace_back(order.size());
            order.push_back(node);
        }
        kernels.add(std::move(kernel));
    }
    reorder(graph, order);
    graph.stage = Stage::Fused;
    graph.kernels = std::move(kernels);
    for (std::size_t k = 0; k < graph.kernels.size(); ++k)
        for (const NodeId node : graph.kernels[KernelId(k)].nodes)
            graph.nodes[node].kernel = KernelId(k);
    return graph;
}

StageGraph oneKernelEach(StageGraph graph, const std::function<std::string(const Node&)>& kind) {
    graph.stage = Stage::Fused;
    graph.kernels = {};
    graph.kernels.reserve(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        Node& node = graph.nodes[NodeId(i)];
        node.kernel = graph.kernels.add(
            {node.name, kind(node), {NodeId(i)}, "Each operator runs on its own."});
    }
    return graph;
}

Boundary boundary(const StageGraph& graph, std::span<const NodeId> nodes) {
    Boundary result;
    std::unordered_map<NodeId, bool> isInside;
    for (const NodeId node : nodes)
        isInside.emplace(node, true);
    std::unordered_map<ValueId, bool> seen;
    for (const NodeId id : nodes) {
        const Node& node = graph.nodes[id];
        for (const ValueId input : node.inputs)
            if (input.isValid() && !isInside.contains(graph.values[input].producer)
                && seen.emplace(input, true).second)
                result.inputs.push_back(input);
        for (const ValueId output : node.outputs) {
            if (!output.isValid())
                continue;
            const Value& value = graph.values[output];
            const bool leaves = value.users.empty() || value.role == ValueRole::Output
                || value.role == ValueRole::KvCache
                || std::any_of(value.users.begin(), value.users.end(),
                    [&](NodeId user) { return !isInside.contains(user); });
            (leaves ? result.outputs : result.internals).push_back(output);
        }
    }
    return result;
}

base::IdVector<KernelId, Boundary> boundaries(const StageGraph& graph) {
    base::IdVector<KernelId, Boundary> result;
    result.resize(graph.kernels.size());
    std::vector<std::uint8_t> isOutput(graph.values.size(), 0);
    for (const ValueId output : graph.outputs)
        isOutput[output.index()] = 1;
    std::vector<KernelId> reader(graph.values.size()); // last kernel that listed the value
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
        const KernelId kernel(k);
        Boundary& b = result[kernel];
        for (const NodeId id : graph.kernels[kernel].nodes) {
            const Node& node = graph.nodes[id];
            for (const ValueId input : node.inputs) {
                if (!input.isValid() || reader[input.index()] == kernel)
                    continue;
                const NodeId producer = graph.values[input].producer;
                if (producer.isValid() && graph.nodes[producer].kernel == kernel)
                    continue;
                reader[input.index()] = kernel;
                b.inputs.push_back(input);
            }
            for (const ValueId output : node.outputs) {
                if (!output.isValid())
                    continue;
                const auto& users = graph.values[output].users;
                const bool leaves = users.empty() || isOutput[output.index()] != 0
                    || std::any_of(users.begin(), users.end(),
                        [&](NodeId user) { return graph.nodes[user].kernel != kernel; });
                (leaves ? b.outputs : b.internals).push_back(output);
            }
        }
    }
    return result;
}

} // namespace fivefold::lowering
