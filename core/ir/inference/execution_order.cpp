// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/execution_order.h"

#include "core/ir/inference.h"

#include <functional>
#include <queue>

namespace fivefold::ir::inference {

namespace {

/// For each block the pairs (producer, reader) of nodes standing in it; a reader is also a node
/// whose bodies read the value.
class Dependencies {
public:
    explicit Dependencies(const Graph& graph)
        : m_graph(graph)
        , m_position(graph.nodes.size(), 0) {
        for (const Block& block : graph.blocks)
            for (std::size_t i = 0; i < block.nodes.size(); ++i)
                if (graph.nodes.contains(block.nodes[i]))
                    m_position[block.nodes[i]] = i;
    }

    BlockOrder order(BlockId id) const {
        const Block& block = m_graph.blocks[id];
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        bool isSorted = true;
        for (std::size_t i = 0; i < block.nodes.size(); ++i) {
            forEachRead(block.nodes[i], id, [&](NodeId producer) {
                const std::size_t from = m_position[producer];
                edges.emplace_back(from, i);
                isSorted = isSorted && from < i;
            });
        }
        if (isSorted)
            return {block.nodes, block.nodes.size()};
        return sorted(block, edges);
    }

private:
    /// Calls `visit` for every producer in `block` that the node or its bodies read. Bodies are
    /// walked with an explicit stack: files nest as deep as they like.
    template <typename Visit> void forEachRead(NodeId node, BlockId block, Visit visit) const {
        std::vector<NodeId> open{node};
        while (!open.empty()) {
            const Node& current = m_graph.nodes[open.back()];
            open.pop_back();
            const auto visitValue = [&](ValueId input) {
                if (!m_graph.values.contains(input))
                    return;
                const Value& value = m_graph.values[input];
                if (value.block == block && m_graph.nodes.contains(value.producer)
                    && value.origin == ValueOrigin::NodeOutput)
                    visit(value.producer);
            };
            for (const ValueId input : current.inputs)
                visitValue(input);
            if (current.op == Op::Call)
                continue; // function bodies see only their inputs
            for (const BlockId body : current.blocks) {
                const Block& inner = m_graph.blocks[body];
                open.insert(open.end(), inner.nodes.begin(), inner.nodes.end());
                for (const ValueId output : inner.outputs)
                    visitValue(output);
            }
        }
    }

    static BlockOrder sorted(
        const Block& block, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
        const std::size_t count = block.nodes.size();
        std::vector<std::vector<std::size_t>> readers(count);
        std::vector<std::size_t> missing(count, 0);
        for (const auto& [from, to] : edges) {
            readers[from].push_back(to);
            ++missing[to];
        }
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        for (std::size_t i = 0; i < count; ++i)
            if (missing[i] == 0)
                ready.push(i);
        BlockOrder result;
        std::vector<bool> isDone(count, false);
        while (!ready.empty()) {
            const std::size_t i = ready.top();
            ready.pop();
            isDone[i] = true;
            result.nodes.push_back(block.nodes[i]);
            for (const std::size_t reader : readers[i])
                if (--missing[reader] == 0)
                    ready.push(reader);
        }
        result.sortedCount = result.nodes.size();
        for (std::size_t i = 0; i < count; ++i)
            if (!isDone[i])
                result.nodes.push_back(block.nodes[i]);
        return result;
    }

    const Graph& m_graph;
    base::IdVector<NodeId, std::size_t> m_position;
};

} // namespace

base::IdVector<BlockId, BlockOrder> orderBlocks(const Graph& graph) {
    const Dependencies dependencies(graph);
    base::IdVector<BlockId, BlockOrder> orders(graph.blocks.size());
    for (std::size_t i = 0; i < graph.blocks.size(); ++i)
        orders[BlockId(i)] = dependencies.order(BlockId(i));
    return orders;
}

} // namespace fivefold::ir::inference

namespace fivefold::ir {

std::vector<NodeId> executionOrder(const Graph& graph, BlockId block) {
    if (!graph.blocks.contains(block))
        return {};
    return inference::orderBlocks(graph)[block].nodes;
}

} // namespace fivefold::ir
