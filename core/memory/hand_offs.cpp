// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/hand_offs.h"

#include <cmath>
#include <map>
#include <set>

namespace fivefold::memory {

using namespace lowering;

namespace {

double hopsBetween(const Region& a, const Region& b) {
    const auto middle = [](std::int64_t at, std::int64_t size) {
        return static_cast<double>(at) + static_cast<double>(size) / 2;
    };
    return std::abs(middle(a.x, a.width) - middle(b.x, b.width))
        + std::abs(middle(a.y, a.height) - middle(b.y, b.height));
}

} // namespace

std::vector<HandOff> handOffs(const Program& program) {
    if (program.regions.empty() || !program.stages[static_cast<std::size_t>(Stage::Placed)])
        return {};
    const StageGraph& graph = program.stage(Stage::Placed);
    std::vector<const Region*> regionOf(graph.kernels.size(), nullptr);
    for (const Region& region : program.regions)
        if (graph.kernels.contains(region.kernel))
            regionOf[region.kernel.index()] = &region;
    std::map<std::pair<KernelId, KernelId>, HandOff> merged;
    std::set<std::pair<ValueId, KernelId>> seen; // a tensor is sent to a region once
    for (const Node& node : graph.nodes)
        for (const ValueId input : node.inputs) {
            if (!input.isValid() || !node.kernel.isValid())
                continue;
            const NodeId producer = graph.values[input].producer;
            const KernelId from = producer.isValid() ? graph.nodes[producer].kernel : KernelId();
            if (!from.isValid() || from == node.kernel || !regionOf[from.index()]
                || !regionOf[node.kernel.index()] || !seen.emplace(input, node.kernel).second)
                continue;
            HandOff& each = merged[{from, node.kernel}];
            each.from = from;
            each.to = node.kernel;
            each.bytes += graph.values[input].deviceBytes().value_or(base::Bytes(0));
            ++each.tensors;
            each.hops = hopsBetween(*regionOf[from.index()], *regionOf[node.kernel.index()]);
        }
    std::vector<HandOff> result;
    result.reserve(merged.size());
    for (const auto& [pair, each] : merged)
        result.push_back(each);
    return result;
}

} // namespace fivefold::memory
