// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/preconditions.h"

#include "core/compare/words.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

namespace {

const Layer* layerOf(const Divergence& divergence, ir::ValueId value) {
    const auto at = std::ranges::find(divergence.layers, value, &Layer::value);
    return at == divergence.layers.end() ? nullptr : &*at;
}

Precondition ofInput(
    const ir::Graph& graph, ir::ValueId value, const Divergence& divergence, bool isGiven) {
    const std::string& name = graph.values[value].name;
    Precondition result{"input " + name, std::nullopt, {}};
    const Layer* layer = layerOf(divergence, value);
    if (!layer || layer->verdict == Verdict::Missing || !layer->local) {
        result.sentence = isGiven ? "given, and not in the device's dump"
                                  : "neither given nor in the device's dump";
        return result;
    }
    const std::int64_t wrong = layer->local->wrong.count, total = layer->local->total;
    result.holds = wrong == 0;
    result.sentence =
        std::to_string(total - wrong) + " of " + std::to_string(total) + " equal on the device";
    return result;
}

Precondition ofParameters(const ir::Graph& graph, const Divergence& divergence) {
    Precondition result{"parameters", std::nullopt, "not in the device's dump"};
    std::int64_t seen = 0, wrong = 0;
    std::string first;
    for (const Layer& layer : divergence.layers) {
        if (!layer.value.isValid() || layer.node.isValid() || !layer.local
            || !graph.values[layer.value].data.isValid())
            continue;
        ++seen;
        if (!layer.local->wrong.isEmpty() && ++wrong == 1)
            first = layer.key;
    }
    if (seen == 0)
        return result;
    result.holds = wrong == 0;
    result.sentence = std::to_string(seen - wrong) + " of " + std::to_string(seen)
        + " equal on the device" + (wrong ? ", " + first + " is not" : "");
    return result;
}

/// What a value loses on its way to the device and back.
Precondition ofTransfer(const Divergence& divergence) {
    Precondition result{"transfer floor", std::nullopt, "no float tensor in the device's dump"};
    for (const Layer& layer : divergence.layers) {
        if (!ir::isFloat(layer.dtype))
            continue;
        const auto format = numerics::formatOf(layer.dtype);
        const double unit = numerics::facts(format).unitRoundoff;
        result.name = "transfer floor of " + std::string(numerics::toString(format));
        result.holds = true;
        result.sentence = "values in [0.5, 1) come back within " + number(unit / 2)
            + "; smaller errors say nothing";
        return result;
    }
    return result;
}

} // namespace

std::vector<Precondition> preconditions(const numerics::Subject& subject,
    const numerics::Inputs& inputs, const Divergence& divergence) {
    std::vector<Precondition> result;
    const ir::Graph& graph = subject.graph();
    for (std::size_t i = 0; i < graph.main().inputs.size(); ++i) {
        const ir::ValueId value = graph.main().inputs[i];
        if (graph.values[value].data.isValid())
            continue;
        const bool isGiven =
            inputs.contains(graph.values[value].name) || inputs.contains(std::to_string(i));
        result.push_back(ofInput(graph, value, divergence, isGiven));
    }
    result.push_back(ofParameters(graph, divergence));
    result.push_back(ofTransfer(divergence));
    return result;
}

} // namespace fivefold::compare
