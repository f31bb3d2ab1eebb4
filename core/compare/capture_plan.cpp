// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/capture_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fivefold::compare {

using ir::ValueId;

namespace {

/// Bytes of a value as a device would save it; what is not known counts as one page.
std::int64_t bytesOf(const ir::Typed& typed, ValueId value) {
    constexpr std::int64_t kUnknown = 4096;
    const ir::ValueType& type = typed.types[value];
    if (!type.shape)
        return kUnknown;
    std::int64_t elements = 1;
    for (const ir::Dim& dim : *type.shape) {
        if (!dim.isKnown())
            return kUnknown;
        elements *= dim.value();
    }
    return std::max<std::int64_t>(1, ir::packedBytes(type.dtype, elements));
}

/// The missing values that the origin is computed through, and itself, in topological order.
std::vector<std::size_t> suspects(const ir::Graph& graph, const Divergence& divergence) {
    std::map<ValueId, std::size_t> missing;
    for (std::size_t i = 0; i < divergence.layers.size(); ++i) {
        const Layer& layer = divergence.layers[i];
        if (layer.verdict == Verdict::Missing && layer.value.isValid() && layer.node.isValid())
            missing[layer.value] = i;
    }
    const std::size_t origin = divergence.origins.front();
    std::set<std::size_t> interval{origin};
    std::vector<ir::NodeId> open{divergence.layers[origin].node};
    while (!open.empty()) {
        const ir::NodeId node = open.back();
        open.pop_back();
        if (!node.isValid())
            continue;
        for (const ValueId input : graph.nodes[node].inputs) {
            const auto at = missing.find(input);
            if (at != missing.end() && interval.insert(at->second).second)
                open.push_back(divergence.layers[at->second].node);
        }
    }
    return {interval.begin(), interval.end()};
}

} // namespace

std::optional<CapturePlan> capturePlan(
    const numerics::Subject& subject, const Divergence& divergence, const CompareOptions& options) {
    if (divergence.origins.empty())
        return std::nullopt;
    const ir::Graph& graph = subject.graph();
    CapturePlan plan;
    plan.interval = suspects(graph, divergence);
    const std::size_t candidates = plan.interval.size() - 1; // the origin itself is there
    if (candidates == 0)
        return std::nullopt;
    const std::size_t count = std::min<std::size_t>(candidates, std::max(1, options.captureCount));
    for (std::size_t k = 1; k <= count; ++k) {
        // Evenly spaced; a neighbour where one is too large for what is left of the budget.
        const std::size_t wanted = k * (candidates + 1) / (count + 1);
        for (std::size_t step = 0; step < candidates; ++step) {
            const std::size_t at = (wanted + step) % candidates;
            const ValueId value = divergence.layers[plan.interval[at]].value;
            const std::int64_t bytes = bytesOf(*subject.typed, value);
            if (std::ranges::find(plan.next, value) != plan.next.end())
                continue;
            if (plan.bytes + bytes > options.captureBudgetBytes)
                continue;
            plan.next.push_back(value);
            plan.bytes += bytes;
            break;
        }
    }
    const double parts = static_cast<double>(std::max<std::size_t>(1, plan.next.size())) + 1;
    plan.rounds = static_cast<int>(
        std::ceil(std::log(static_cast<double>(candidates + 1)) / std::log(parts)));
    plan.script = hookScript(graph, plan.next);
    return plan;
}

} // namespace fivefold::compare
