// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/provenance.h"

#include <algorithm>

namespace fivefold::lowering {

std::vector<ir::NodeId> mergedSources(const StageGraph& graph, std::span<const NodeId> nodes) {
    std::vector<ir::NodeId> sources;
    for (const NodeId node : nodes) {
        const auto& own = graph.nodes[node].sources;
        sources.insert(sources.end(), own.begin(), own.end());
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
}

base::IdVector<ir::NodeId, std::vector<NodeId>> nodesOfCaptured(
    const StageGraph& graph, std::size_t capturedNodes) {
    base::IdVector<ir::NodeId, std::vector<NodeId>> result(capturedNodes);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const ir::NodeId source : graph.nodes[NodeId(i)].sources)
            if (result.contains(source))
                result[source].push_back(NodeId(i));
    return result;
}

base::IdVector<StepId, std::vector<ir::NodeId>> capturedOfSteps(const Program& program) {
    base::IdVector<StepId, std::vector<ir::NodeId>> result(program.steps.size());
    const StageGraph& graph = program.stage(Stage::Scheduled);
    for (std::size_t i = 0; i < program.steps.size(); ++i)
        result[StepId(i)] = mergedSources(graph, program.steps[StepId(i)].nodes);
    return result;
}

base::IdVector<ir::NodeId, std::vector<StepId>> stepsOfCaptured(
    const Program& program, std::size_t capturedNodes) {
    base::IdVector<ir::NodeId, std::vector<StepId>> result(capturedNodes);
    const auto sources = capturedOfSteps(program);
    for (std::size_t i = 0; i < sources.size(); ++i)
        for (const ir::NodeId source : sources[StepId(i)])
            if (result.contains(source))
                result[source].push_back(StepId(i));
    return result;
}

base::IdVector<ir::NodeId, std::string> removalRules(
    const StageGraph& graph, std::size_t capturedNodes) {
    base::IdVector<ir::NodeId, std::string> result(capturedNodes);
    for (const Removed& removed : graph.removed)
        if (result.contains(removed.node) && result[removed.node].empty())
            result[removed.node] = removed.rule;
    return result;
}

base::IdVector<ir::NodeId, Support> supportOfCaptured(
    const StageGraph& graph, std::size_t capturedNodes) {
    base::IdVector<ir::NodeId, Support> result(capturedNodes, Support::Native);
    for (const Node& node : graph.nodes)
        for (const ir::NodeId source : node.sources)
            if (result.contains(source))
                result[source] = std::max(result[source], node.support);
    return result;
}

} // namespace fivefold::lowering
