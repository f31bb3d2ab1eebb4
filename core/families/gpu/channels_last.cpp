// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/channels_last.h"

#include "core/families/gpu/operators.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::size_t kNodesPerConvolution = 300; ///< torch/_inductor/graph.py, decide_layout_opt
constexpr std::int64_t kSmallChannels = 64;

struct WeightShape {
    std::int64_t out = 0, in = 0, window = 1; ///< `in` of one group
};

std::optional<WeightShape> weightShape(const StageGraph& graph, const Node& node) {
    if (node.inputs.size() < 2 || !graph.values.contains(node.inputs[1]))
        return std::nullopt;
    const auto& shape = graph.values[node.inputs[1]].shape;
    if (!shape || shape->size() < 3 || shape->size() > 5)
        return std::nullopt;
    WeightShape weight{(*shape)[0], (*shape)[1], 1};
    for (std::size_t i = 2; i < shape->size(); ++i)
        weight.window = saturatingMul(weight.window, (*shape)[i]);
    return weight;
}

double factor(const Node& node, const WeightShape& weight) {
    const std::int64_t groups = node.attributes.integer("group", 1);
    if (groups > 1 && weight.in > 1)
        return 1.358;
    if (weight.out <= kSmallChannels && weight.in <= kSmallChannels)
        return 0.783;
    if (weight.in >= 2 * weight.out && weight.window > 1)
        return 0.725;
    return 0.823;
}

bool hasImageShape(const Value& value) {
    return value.shape && value.shape->size() == 4;
}

bool keepsOrder(OpKind kind) {
    return kind == OpKind::Pointwise || kind == OpKind::Window || kind == OpKind::Indirect;
}

} // namespace

bool isImageConvolution(const StageGraph& graph, const Node& node) {
    return isConvolution(node.canonical) && !node.inputs.empty()
        && graph.values.contains(node.inputs.front())
        && hasImageShape(graph.values[node.inputs.front()]) && weightShape(graph, node).has_value()
        && graph.values[node.inputs[1]].shape->size() == 4;
}

bool isWeightOrderFree(const StageGraph& graph, const Node& node) {
    const std::optional<WeightShape> weight = weightShape(graph, node);
    return !weight || weight->window == 1 || weight->in == 1;
}

bool prefersChannelsLast(const StageGraph& graph) {
    std::size_t convolutions = 0;
    double plain = 0, weighted = 0;
    for (const Node& node : graph.nodes) {
        if (!isConvolution(node.canonical) || !weightShape(graph, node))
            continue;
        ++convolutions;
        plain += node.work.flops;
        weighted += node.work.flops * factor(node, *weightShape(graph, node));
    }
    // Placeholders and the output are nodes of an fx graph too.
    const std::size_t nodes = graph.nodes.size() + graph.inputs.size() + 1;
    return convolutions > 0 && nodes < kNodesPerConvolution * convolutions && weighted <= plain;
}

base::IdVector<ValueId, std::uint8_t> channelsLastValues(const StageGraph& graph) {
    base::IdVector<ValueId, std::uint8_t> isLast(graph.values.size(), 0);
    for (const Node& node : graph.nodes) {
        const bool isImage = isImageConvolution(graph, node);
        if (isImage) {
            const ValueId data = node.inputs.front();
            const NodeId producer = graph.values[data].producer;
            if (producer.isValid() && keepsOrder(kindOf(graph.nodes[producer])))
                isLast[data] = 1;
        }
        bool follows = isImage;
        if (!isImage && keepsOrder(kindOf(node)))
            follows = std::any_of(node.inputs.begin(), node.inputs.end(),
                [&](ValueId input) { return graph.values.contains(input) && isLast[input] != 0; });
        for (const ValueId output : node.outputs)
            if (follows && graph.values.contains(output) && hasImageShape(graph.values[output]))
                isLast[output] = 1;
    }
    return isLast;
}

} // namespace fivefold::families::gpu
