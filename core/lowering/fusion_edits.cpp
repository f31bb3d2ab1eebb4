// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/fusion_edits.h"

#include "core/lowering/family.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace fivefold::lowering {

namespace {

NodeId nodeNamed(const StageGraph& graph, const std::string& name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[NodeId(i)].name == name)
            return NodeId(i);
    return {};
}

KernelId kernelOf(const StageGraph& graph, NodeId node) {
    return node.isValid() && graph.kernels.contains(graph.nodes[node].kernel)
        ? graph.nodes[node].kernel
        : KernelId();
}

/// Calls `visit` with each kernel that reads a result of this one; a kernel may come repeatedly.
template <typename Visit>
void forEachReader(const StageGraph& graph, KernelId kernel, const Visit& visit) {
    for (const NodeId node : graph.kernels[kernel].nodes)
        for (const ValueId output : graph.nodes[node].outputs)
            if (graph.values.contains(output))
                for (const NodeId user : graph.values[output].users)
                    if (graph.nodes[user].kernel != kernel)
                        visit(graph.nodes[user].kernel);
}

/// A kernel between the two: reached from `from` and feeding `to`; invalid where there is none.
KernelId kernelBetween(const StageGraph& graph, KernelId from, KernelId to) {
    std::vector<KernelId> cameFrom(graph.kernels.size());
    std::vector<KernelId> open = {from};
    std::vector<std::uint8_t> seen(graph.kernels.size(), 0);
    seen[from.index()] = 1;
    while (!open.empty()) {
        const KernelId at = open.back();
        open.pop_back();
        KernelId found;
        forEachReader(graph, at, [&](KernelId reader) {
            if (reader == to && at != from)
                found = at;
            if (reader == to || seen[reader.index()] != 0)
                return;
            seen[reader.index()] = 1;
            open.push_back(reader);
        });
        if (found.isValid())
            return found;
    }
    return {};
}

bool isWork(const StageGraph& graph, NodeId node) {
    return !ir::isView(graph.nodes[node].canonical);
}

std::string offDevice(const StageGraph& graph, KernelId kernel) {
    for (const NodeId id : graph.kernels[kernel].nodes) {
        const Node& node = graph.nodes[id];
        if (node.support == Support::Fallback)
            return node.name + " runs on the host; a kernel of the device cannot hold it.";
        if (node.support == Support::Unsupported)
            return node.name + " does not run on this machine, so no kernel can hold it.";
    }
    return {};
}

std::string joinRefusal(const Context& context, const FusionRules& rules, const StageGraph& graph,
    KernelId a, KernelId b) {
    for (const KernelId kernel : {a, b})
        if (std::string reason = offDevice(graph, kernel); !reason.empty())
            return reason;
    const std::int64_t times = graph.nodes[graph.kernels[a].nodes.front()].executions;
    const std::int64_t others = graph.nodes[graph.kernels[b].nodes.front()].executions;
    if (times != others)
        return "The operators of one kernel run equally often; these run " + std::to_string(times)
            + " and " + std::to_string(others) + " times.";
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
        if (const KernelId between = kernelBetween(graph, from, to); between.isValid())
            return graph.kernels[between].name
                + " reads a result of one and feeds the other: as one kernel they would wait for "
                  "each other.";
    return rules.joinRefusal ? rules.joinRefusal(context, graph, a, b) : std::string();
}

std::string splitRefusal(
    const Context& context, const FusionRules& rules, const StageGraph& graph, NodeId node) {
    const KernelId id = graph.nodes[node].kernel;
    const std::vector<NodeId>& nodes = graph.kernels[id].nodes;
    const auto cut = std::find(nodes.begin(), nodes.end(), node);
    const auto works = [&](NodeId n) { return isWork(graph, n); };
    if (std::none_of(nodes.begin(), cut, works))
        return "Nothing but views stands before " + graph.nodes[node].name
            + " in its kernel, so there is nothing to cut off.";
    if (std::none_of(cut, nodes.end(), works))
        return "Nothing but views follows in the kernel, so there is nothing to cut off.";
    return rules.splitRefusal ? rules.splitRefusal(context, graph, id, node) : std::string();
}

std::string missing(const std::string& name) {
    return "The fused stage has no operator \"" + name
        + "\": kernels are cut and joined at operators that are there when they are formed.";
}

/// The two kernels of a Join; the second is invalid where nothing reads the first.
std::pair<KernelId, KernelId> kernelsOf(const StageGraph& graph, const FusionEdit& edit) {
    const KernelId first = kernelOf(graph, nodeNamed(graph, edit.node));
    if (!first.isValid())
        return {};
    return {first,
        edit.other.empty() ? nextKernel(graph, first)
                           : kernelOf(graph, nodeNamed(graph, edit.other))};
}

std::string freshName(const StageGraph& graph, const std::string& base) {
    std::unordered_set<std::string_view> taken;
    for (const Kernel& kernel : graph.kernels)
        taken.insert(kernel.name);
    for (int number = 2;; ++number)
        if (std::string name = base + " part " + std::to_string(number); !taken.contains(name))
            return name;
}

/// Kernels in the order given, nodes after them; ids in nodes, values and kernels follow.
void arrange(StageGraph& graph, std::vector<Kernel> kernels) {
    std::vector<NodeId> renamed(graph.nodes.size());
    base::IdVector<NodeId, Node> nodes;
    nodes.reserve(graph.nodes.size());
    graph.kernels = {};
    graph.kernels.reserve(kernels.size());
    for (Kernel& kernel : kernels) {
        const KernelId id(graph.kernels.size());
        for (NodeId& node : kernel.nodes) {
            const NodeId now = nodes.add(std::move(graph.nodes[node]));
            nodes[now].kernel = id;
            renamed[node.index()] = now;
            node = now;
        }
        graph.kernels.add(std::move(kernel));
    }
    graph.nodes = std::move(nodes);
    for (Value& value : graph.values) {
        if (value.producer.isValid())
            value.producer = renamed[value.producer.index()];
        for (NodeId& user : value.users)
            user = renamed[user.index()];
        std::sort(value.users.begin(), value.users.end());
    }
}

/// Execution order of the kernels that stays as near to the present one as their edges allow.
std::vector<KernelId> executionOrder(const StageGraph& graph) {
    const std::size_t count = graph.kernels.size();
    std::vector<std::uint32_t> waitsFor(count, 0);
    std::vector<std::vector<KernelId>> readers(count);
    for (std::size_t k = 0; k < count; ++k) {
        forEachReader(graph, KernelId(k), [&](KernelId reader) { readers[k].push_back(reader); });
        std::sort(readers[k].begin(), readers[k].end());
        readers[k].erase(std::unique(readers[k].begin(), readers[k].end()), readers[k].end());
        for (const KernelId reader : readers[k])
            ++waitsFor[reader.index()];
    }
    std::set<std::size_t> ready;
    for (std::size_t k = 0; k < count; ++k)
        if (waitsFor[k] == 0)
            ready.insert(k);
    std::vector<KernelId> order;
    while (!ready.empty()) {
        const std::size_t at = *ready.begin();
        ready.erase(ready.begin());
        order.push_back(KernelId(at));
        for (const KernelId reader : readers[at])
            if (--waitsFor[reader.index()] == 0)
                ready.insert(reader.index());
    }
    return order;
}

void describe(
    const FusionRules& rules, const StageGraph& graph, Kernel& kernel, std::string reason) {
    kernel.reason = std::move(reason);
    kernel.decidedBy = DecidedBy::Programmer;
    if (rules.kindOf)
        kernel.kind = rules.kindOf(graph, kernel.nodes);
}

void split(const FusionRules& rules, StageGraph& graph, NodeId node) {
    const KernelId id = graph.nodes[node].kernel;
    const std::string name = graph.nodes[node].name;
    std::vector<Kernel> kernels;
    kernels.reserve(graph.kernels.size() + 1);
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
        Kernel kernel = graph.kernels[KernelId(k)];
        if (KernelId(k) != id) {
            kernels.push_back(std::move(kernel));
            continue;
        }
        Kernel rest = kernel;
        rest.name = freshName(graph, kernel.name);
        const auto cut = std::find(kernel.nodes.begin(), kernel.nodes.end(), node);
        rest.nodes.assign(cut, kernel.nodes.end());
        kernel.nodes.erase(cut, kernel.nodes.end());
        describe(rules, graph, kernel, "The user split the kernel before " + name + ".");
        describe(rules, graph, rest, "The user split the kernel: " + name + " starts this part.");
        kernels.push_back(std::move(kernel));
        kernels.push_back(std::move(rest));
    }
    arrange(graph, std::move(kernels));
}

/// The later kernel takes the place of both, then the order is mended.
void join(const FusionRules& rules, StageGraph& graph, KernelId a, KernelId b) {
    const KernelId early = std::min(a, b), late = std::max(a, b);
    Kernel& kept = graph.kernels[early];
    const std::string names = kept.name + " and " + graph.kernels[late].name;
    std::vector<NodeId> all = kept.nodes;
    all.insert(all.end(), graph.kernels[late].nodes.begin(), graph.kernels[late].nodes.end());
    std::sort(all.begin(), all.end());
    for (const NodeId node : all)
        graph.nodes[node].kernel = late;
    Kernel merged = kept;
    merged.nodes = std::move(all);
    describe(rules, graph, merged, "The user fused " + names + ".");
    kept.nodes.clear();
    graph.kernels[late] = std::move(merged);
    std::vector<Kernel> kernels;
    for (const KernelId id : executionOrder(graph))
        if (!graph.kernels[id].nodes.empty())
            kernels.push_back(std::move(graph.kernels[id]));
    arrange(graph, std::move(kernels));
}

} // namespace

KernelId nextKernel(const StageGraph& fused, KernelId kernel) {
    KernelId next;
    forEachReader(fused, kernel, [&](KernelId reader) {
        if (!next.isValid()
            || fused.kernels[reader].nodes.front() < fused.kernels[next].nodes.front())
            next = reader;
    });
    return next;
}

std::string refusalOf(const Context& context, const FusionRules& rules, const StageGraph& fused,
    const FusionEdit& edit) {
    const NodeId node = nodeNamed(fused, edit.node);
    if (!kernelOf(fused, node).isValid())
        return missing(edit.node);
    if (edit.kind == FusionEdit::Kind::Split)
        return splitRefusal(context, rules, fused, node);
    const auto [first, second] = kernelsOf(fused, edit);
    if (!second.isValid())
        return edit.other.empty() ? "Nothing reads a result of " + fused.kernels[first].name
                + ", so no kernel follows it."
                                  : missing(edit.other);
    if (first == second)
        return edit.node + " and " + edit.other + " are in one kernel already.";
    return joinRefusal(context, rules, fused, first, second);
}

StageGraph withFusionEdits(const Context& context, const FusionRules& rules, StageGraph fused) {
    for (const FusionEdit& edit : context.settings.fusionEdits) {
        if (std::string refusal = refusalOf(context, rules, fused, edit); !refusal.empty()) {
            const bool isSplit = edit.kind == FusionEdit::Kind::Split;
            context.diagnostics.warn("lowering.fusion_edit", edit.node,
                std::string(isSplit ? "The kernel is not split here: " : "The kernels stay apart: ")
                    + refusal,
                "Take the change back, or make one that the rule allows.");
            continue;
        }
        if (edit.kind == FusionEdit::Kind::Split) {
            split(rules, fused, nodeNamed(fused, edit.node));
        } else {
            const auto [first, second] = kernelsOf(fused, edit);
            join(rules, fused, first, second);
        }
    }
    return fused;
}

} // namespace fivefold::lowering
