// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/value_order.h"

namespace fivefold::compare {

std::vector<ir::NodeId> nodeOrder(const ir::Graph& graph) {
    std::vector<ir::NodeId> order;
    order.reserve(graph.nodes.size());
    struct Frame {
        std::vector<ir::NodeId> nodes;
        std::size_t node = 0, block = 0;
    };
    std::vector<Frame> stack;
    stack.push_back({ir::executionOrder(graph, ir::Graph::mainBlock())});
    while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.node == frame.nodes.size()) {
            stack.pop_back();
            continue;
        }
        const ir::NodeId id = frame.nodes[frame.node];
        const auto& blocks = graph.nodes[id].blocks;
        if (frame.block < blocks.size()) {
            const ir::BlockId body = blocks[frame.block++];
            stack.push_back({ir::executionOrder(graph, body)});
            continue;
        }
        order.push_back(id);
        ++frame.node;
        frame.block = 0;
    }
    return order;
}

std::vector<ir::ValueId> valueOrder(const ir::Graph& graph) {
    std::vector<ir::ValueId> order(graph.main().inputs);
    for (const ir::Block& block : graph.blocks)
        order.insert(order.end(), block.initializers.begin(), block.initializers.end());
    for (const ir::NodeId node : nodeOrder(graph)) {
        for (const ir::ValueId value : graph.nodes[node].outputs) {
            if (value.isValid())
                order.push_back(value);
        }
    }
    return order;
}

} // namespace fivefold::compare
