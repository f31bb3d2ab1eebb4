// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/scope_tree.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

namespace fivefold::views::graph::detail {

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

/// Order-dependent mixing (the golden ratio of boost::hash_combine).
void mix(std::size_t& seed, std::size_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
}

/// Operator, result shapes and where its inputs come from: so many nodes back, or a kind of outside
/// value.
std::size_t hashOfNode(const lowering::StageGraph& graph, int n, int first) {
    const lowering::Node& node = graph.nodes[lowering::NodeId(index(n))];
    std::size_t hash = static_cast<std::size_t>(node.canonical) + 1;
    mix(hash, std::hash<std::string>()(node.op));
    for (const lowering::ValueId output : node.outputs) {
        if (!graph.values.contains(output))
            continue;
        const lowering::Value& value = graph.values[output];
        mix(hash, static_cast<std::size_t>(value.dtype));
        if (value.shape)
            for (const std::int64_t extent : *value.shape)
                mix(hash, static_cast<std::size_t>(extent));
    }
    for (const lowering::ValueId input : node.inputs) {
        if (!graph.values.contains(input)) {
            mix(hash, 11);
            continue;
        }
        const lowering::Value& value = graph.values[input];
        const bool isInside =
            value.producer.isValid() && static_cast<int>(value.producer.index()) >= first;
        mix(hash,
            isInside ? 100 + index(n) - value.producer.index()
                     : 12 + (value.producer.isValid() ? 0 : static_cast<std::size_t>(value.role)));
    }
    return hash;
}

/// Values that cross the cut after item i, for each i.
std::vector<int> crossings(const ScopeTree& tree, const lowering::StageGraph& graph,
    const Container& container, const std::vector<int>& itemOfNode) {
    (void)tree;
    std::vector<int> change(container.items.size() + 1, 0);
    for (const lowering::Value& value : graph.values) {
        if (!value.producer.isValid() || value.producer.index() >= itemOfNode.size())
            continue;
        const int from = itemOfNode[value.producer.index()];
        if (from < 0)
            continue;
        int last = from;
        for (const lowering::NodeId user : value.users)
            if (user.index() < itemOfNode.size())
                last = std::max(last, itemOfNode[user.index()]);
        ++change[index(from)];
        --change[index(last)];
    }
    for (std::size_t i = 1; i < change.size(); ++i)
        change[i] += change[i - 1];
    return change;
}

/// Ends of pieces of about kChunk items, each where the fewest values cross.
std::vector<std::size_t> cuts(const std::vector<int>& crossing, std::size_t count) {
    std::vector<std::size_t> ends;
    std::size_t begin = 0;
    while (count - begin > kChunk + kChunk / 2) {
        std::size_t best = begin + kChunk;
        for (std::size_t end = begin + kChunk * 5 / 4; end >= begin + kChunk * 3 / 4; --end)
            if (crossing[end - 1] < crossing[best - 1])
                best = end;
        ends.push_back(best);
        begin = best;
    }
    ends.push_back(count);
    return ends;
}

void setItemOfNodes(
    const ScopeTree& tree, const Container& container, std::vector<int>& itemOfNode) {
    std::vector<std::pair<Item, int>> open;
    for (std::size_t i = 0; i < container.items.size(); ++i)
        open.emplace_back(container.items[i], static_cast<int>(i));
    while (!open.empty()) {
        const auto [item, number] = open.back();
        open.pop_back();
        if (item.isNode) {
            itemOfNode[index(item.index)] = number;
            continue;
        }
        for (const Item& child : tree.containers[index(item.index)].items)
            open.emplace_back(child, number);
    }
}

std::string rangeLabel(const std::string& first, const std::string& last) {
    std::size_t same = 0;
    while (same < first.size() && same < last.size() && first[same] == last[same])
        ++same;
    while (same > 0 && first[same - 1] >= '0' && first[same - 1] <= '9')
        --same;
    return first + "–" + last.substr(same);
}

} // namespace

void sortParentsFirst(ScopeTree& tree) {
    tree.order.assign(1, 0);
    for (std::size_t i = 0; i < tree.order.size(); ++i)
        for (const Item& item : tree.containers[index(tree.order[i])].items)
            if (!item.isNode)
                tree.order.push_back(item.index);
}

void summarise(ScopeTree& tree, const lowering::StageGraph& graph) {
    std::vector<int> first(tree.containers.size(), std::numeric_limits<int>::max());
    for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
        Container& container = tree.containers[index(*it)];
        container.nodeCount = 0;
        for (const Item& item : container.items) {
            container.nodeCount += item.isNode ? 1 : tree.containers[index(item.index)].nodeCount;
            first[index(*it)] =
                std::min(first[index(*it)], item.isNode ? item.index : first[index(item.index)]);
        }
        std::size_t hash = static_cast<std::size_t>(container.kind) + 1;
        for (const Item& item : container.items)
            mix(hash,
                item.isNode ? hashOfNode(graph, item.index, first[index(*it)])
                            : tree.containers[index(item.index)].hash);
        container.hash = hash;
    }
    for (const int c : tree.order) {
        Container& container = tree.containers[index(c)];
        container.isInsideUntaken = container.isUntaken
            || (container.parent >= 0 && tree.containers[index(container.parent)].isInsideUntaken);
    }
}

void foldRuns(ScopeTree& tree) {
    const std::vector<int> order = tree.order;
    for (const int c : order) {
        std::vector<Item> kept;
        const std::vector<Item> items = tree.containers[index(c)].items;
        const auto isScope = [&](const Item& item) {
            return !item.isNode && tree.containers[index(item.index)].kind == ContainerKind::Scope;
        };
        for (std::size_t i = 0; i < items.size();) {
            std::size_t end = i + 1;
            if (isScope(items[i]))
                while (end < items.size() && isScope(items[end])
                    && tree.containers[index(items[end].index)].hash
                        == tree.containers[index(items[i].index)].hash)
                    ++end;
            if (end - i < kRunFrom || end - i == items.size()) {
                kept.insert(kept.end(), items.begin() + static_cast<std::ptrdiff_t>(i),
                    items.begin() + static_cast<std::ptrdiff_t>(end));
                i = end;
                continue;
            }
            Container run;
            run.kind = ContainerKind::Run;
            const Container& first = tree.containers[index(items[i].index)];
            run.key = "run:" + first.key;
            run.label = rangeLabel(first.label, tree.containers[index(items[end - 1].index)].label);
            run.parent = c;
            run.items.assign(items.begin() + static_cast<std::ptrdiff_t>(i),
                items.begin() + static_cast<std::ptrdiff_t>(end));
            const int number = static_cast<int>(tree.containers.size());
            for (const Item& item : run.items)
                tree.containers[index(item.index)].parent = number;
            tree.containers.push_back(std::move(run));
            kept.push_back({false, number});
            i = end;
        }
        tree.containers[index(c)].items = std::move(kept);
    }
}

void cutLongLists(ScopeTree& tree, const lowering::StageGraph& graph) {
    std::vector<int> itemOfNode(graph.nodes.size(), -1);
    const std::size_t count = tree.containers.size();
    for (std::size_t c = 0; c < count; ++c) {
        for (int round = 0; tree.containers[c].items.size() > kLongList; ++round) {
            itemOfNode.assign(graph.nodes.size(), -1);
            setItemOfNodes(tree, tree.containers[c], itemOfNode);
            const std::vector<Item> items = tree.containers[c].items;
            const std::vector<int> crossing =
                crossings(tree, graph, tree.containers[c], itemOfNode);
            std::vector<Item> pieces;
            std::size_t begin = 0;
            for (const std::size_t end : cuts(crossing, items.size())) {
                Container chunk;
                chunk.kind = ContainerKind::Chunk;
                chunk.key = "chunk:" + tree.containers[c].key + ":" + std::to_string(round) + ":"
                    + std::to_string(pieces.size());
                chunk.parent = static_cast<int>(c);
                chunk.items.assign(items.begin() + static_cast<std::ptrdiff_t>(begin),
                    items.begin() + static_cast<std::ptrdiff_t>(end));
                const int number = static_cast<int>(tree.containers.size());
                for (const Item& item : chunk.items) {
                    if (item.isNode)
                        tree.containerOf[index(item.index)] = number;
                    else
                        tree.containers[index(item.index)].parent = number;
                }
                chunk.label = "part " + std::to_string(pieces.size() + 1);
                tree.containers.push_back(std::move(chunk));
                pieces.push_back({false, number});
                begin = end;
            }
            tree.containers[c].items = std::move(pieces);
        }
    }
}

} // namespace fivefold::views::graph::detail
