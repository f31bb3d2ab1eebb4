// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/steps.h"

#include <algorithm>

namespace fivefold::lowering {

base::IdVector<StepId, Step> stepsFromKernels(const StageGraph& graph) {
    std::vector<KernelId> order;
    order.reserve(graph.kernels.size());
    std::vector<std::uint8_t> isListed(graph.kernels.size(), 0);
    for (const Node& node : graph.nodes)
        if (graph.kernels.contains(node.kernel) && !isListed[node.kernel.index()]) {
            isListed[node.kernel.index()] = 1;
            order.push_back(node.kernel);
        }
    base::IdVector<StepId, Step> steps;
    steps.reserve(order.size());
    for (const KernelId id : order) {
        const Kernel& kernel = graph.kernels[id];
        Step step;
        step.kernel = id;
        step.nodes = kernel.nodes;
        step.executions = 0;
        step.mainNode = kernel.nodes.front();
        for (const NodeId node : kernel.nodes)
            step.executions = std::max(step.executions, graph.nodes[node].executions);
        const auto main = std::find_if(kernel.nodes.begin(), kernel.nodes.end(),
            [&](NodeId node) { return graph.nodes[node].opClass() == ir::OpClass::Contraction; });
        if (main != kernel.nodes.end())
            step.mainNode = *main;
        step.name = graph.nodes[step.mainNode].name;
        steps.add(std::move(step));
    }
    return steps;
}

StepWork stepWork(const StageGraph& graph, const Step& step) {
    StepWork sum;
    for (const NodeId id : step.nodes) {
        const Work& work = graph.nodes[id].work;
        if (!work.isKnown || __builtin_add_overflow(sum.macs, work.macs, &sum.macs)) {
            sum.isKnown = false;
            return sum;
        }
        sum.flops += base::Flops(work.flops);
    }
    return sum;
}

std::optional<BoundaryBytes> boundaryBytes(const StageGraph& graph, const Boundary& boundary) {
    BoundaryBytes sum;
    const auto add = [&](const std::vector<ValueId>& values, base::Bytes& to) {
        for (const ValueId id : values) {
            const auto bytes = graph.values[id].deviceBytes();
            if (!bytes || __builtin_add_overflow(to.value, bytes->value, &to.value))
                return false;
        }
        return true;
    };
    if (!add(boundary.inputs, sum.read) || !add(boundary.outputs, sum.written))
        return std::nullopt;
    return sum;
}

} // namespace fivefold::lowering
