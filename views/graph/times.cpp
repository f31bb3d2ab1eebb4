// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/times.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::views::graph {

base::IdVector<lowering::StepId, std::vector<lowering::NodeId>> nodesOfSteps(
    const analysis::Result& result, lowering::Stage stage) {
    base::IdVector<lowering::StepId, std::vector<lowering::NodeId>> nodes(
        result.program.steps.size());
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    const auto& scheduled =
        result.program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)];
    if (!graph || !scheduled)
        return nodes;
    std::unordered_map<std::string_view, lowering::NodeId> byName;
    const bool isNamed = stage > lowering::Stage::Captured && stage < lowering::Stage::Scheduled;
    if (isNamed)
        for (std::size_t n = 0; n < graph->nodes.size(); ++n)
            byName.emplace(graph->nodes[lowering::NodeId(n)].name, lowering::NodeId(n));
    const auto& toStage = result.provenance.toStage[static_cast<std::size_t>(stage)];
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        const lowering::StepId step(s);
        std::vector<lowering::NodeId>& list = nodes[step];
        bool isComplete = stage != lowering::Stage::Captured;
        for (const lowering::NodeId id : result.program.steps[step].nodes) {
            if (!isComplete || !scheduled->nodes.contains(id))
                continue;
            const auto found = byName.find(scheduled->nodes[id].name);
            if (stage == lowering::Stage::Scheduled)
                list.push_back(id);
            else if (found != byName.end())
                list.push_back(found->second);
            else
                isComplete = false;
        }
        if (isComplete)
            continue;
        list.clear();
        if (!result.provenance.fromSteps.contains(step))
            continue;
        for (const ir::NodeId captured : result.provenance.fromSteps[step])
            if (toStage.contains(captured))
                list.insert(list.end(), toStage[captured].begin(), toStage[captured].end());
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return nodes;
}

base::IdVector<lowering::NodeId, char> countedNodes(
    const analysis::Result& result, lowering::Stage stage) {
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    const auto& scheduled = result.program.stages.back();
    const std::size_t count = graph ? graph->nodes.size() : 0;
    if (!graph || !scheduled || result.machine().family != "spyre"
        || stage < lowering::Stage::LaidOut || result.program.steps.empty())
        return base::IdVector<lowering::NodeId, char>(count, 1);
    std::unordered_set<std::string_view> names;
    for (const lowering::Step& step : result.program.steps)
        if (scheduled->nodes.contains(step.mainNode))
            names.insert(scheduled->nodes[step.mainNode].name);
    base::IdVector<lowering::NodeId, char> counted(count, 0);
    for (std::size_t n = 0; n < count; ++n)
        counted[lowering::NodeId(n)] = names.contains(graph->nodes[lowering::NodeId(n)].name);
    return counted;
}

std::optional<base::Seconds> timeOf(const lowering::Step& step) {
    if (!step.estimate.isKnown)
        return std::nullopt;
    return step.estimate.time * static_cast<double>(step.executions);
}

} // namespace fivefold::views::graph
