// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/execution_order.h"

#include "core/ir/inference.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

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

    /// Tarjan's components are numbered as they finish: with edges from a reader to what it reads,
    /// producers get the smaller numbers, so the numbers are the order, and a component of several
    /// nodes is a cycle.
    static BlockOrder sorted(
        const Block& block, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
        using Reads = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
        const std::size_t count = block.nodes.size();
        Reads reads(count);
        std::vector<bool> isHeld(count, false); // on a cycle or behind one
        for (const auto& [from, to] : edges) {
            boost::add_edge(to, from, reads);
            isHeld[to] = isHeld[to] || from == to;
        }
        std::vector<std::size_t> component(count);
        const auto components = boost::strong_components(reads,
            boost::make_iterator_property_map(
                component.begin(), boost::get(boost::vertex_index, reads)));
        std::vector<std::vector<std::size_t>> members(components);
        for (std::size_t i = 0; i < count; ++i)
            members[component[i]].push_back(i);

        BlockOrder result;
        for (const std::vector<std::size_t>& nodes : members) {
            bool isCycle = nodes.size() > 1;
            for (const std::size_t node : nodes)
                for (const auto& edge :
                    boost::make_iterator_range(boost::out_edges(node, reads)))
                    isCycle = isCycle || isHeld[boost::target(edge, reads)];
            for (const std::size_t node : nodes)
                isHeld[node] = isHeld[node] || isCycle;
            if (!isHeld[nodes.front()])
                result.nodes.push_back(block.nodes[nodes.front()]);
        }
        result.sortedCount = result.nodes.size();
        for (std::size_t i = 0; i < count; ++i)
            if (isHeld[i])
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
