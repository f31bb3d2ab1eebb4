// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/graph.h"

#include <limits>

namespace fivefold::ir {

namespace {

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// True for blocks that stand inside the body of a called function, or are one. A block's id is
/// larger than that of the block its owner stands in.
std::vector<bool> instantiatedBlocks(const Graph& graph) {
    std::vector<bool> instantiated(graph.blocks.size(), false);
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
        const Block& block = graph.blocks[BlockId(b)];
        if (!block.owner)
            continue;
        const Node& owner = graph.nodes[block.owner];
        const bool isCallBody = owner.op == Op::Call && block.role == "function";
        instantiated[b] =
            isCallBody || (graph.blocks.contains(owner.block) && instantiated[owner.block.index()]);
    }
    return instantiated;
}

} // namespace

std::int64_t Graph::fileNodeCount() const {
    const std::vector<bool> instantiated = instantiatedBlocks(*this);
    std::int64_t count = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b)
        if (!instantiated[b])
            count += static_cast<std::int64_t>(blocks[BlockId(b)].nodes.size());
    return count;
}

std::int64_t Graph::parameterCount() const {
    std::vector<bool> isCounted(tensors.size(), false);
    std::int64_t count = 0;
    for (const Value& value : values) {
        if (!value.data || isCounted[value.data.index()])
            continue;
        isCounted[value.data.index()] = true;
        const TensorData& tensor = tensors[value.data];
        if (tensor.shape.empty() || !(isFloat(tensor.dtype) || isQuantised(tensor.dtype)))
            continue;
        count = saturatingAdd(count, tensor.isSparse() ? tensor.nonZeros : tensor.elements());
    }
    return count;
}

} // namespace fivefold::ir
