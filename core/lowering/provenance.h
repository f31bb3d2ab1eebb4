// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"

#include <span>

namespace fivefold::lowering {

/// Sorted union, each once.
std::vector<ir::NodeId> mergedSources(const StageGraph& graph, std::span<const NodeId> nodes);

/// Captured node → nodes of the stage, in execution order. `capturedNodes` is the size of the
/// captured graph.
base::IdVector<ir::NodeId, std::vector<NodeId>> nodesOfCaptured(
    const StageGraph& graph, std::size_t capturedNodes);
/// Captured node → steps in program order, each once. Nodes that the compiler added belong to
/// nobody.
base::IdVector<ir::NodeId, std::vector<StepId>> stepsOfCaptured(
    const Program& program, std::size_t capturedNodes);
/// Step → captured nodes in graph order.
base::IdVector<StepId, std::vector<ir::NodeId>> capturedOfSteps(const Program& program);
/// Why a captured node has no counterpart at the stage; empty where it has one. The first rule
/// wins.
base::IdVector<ir::NodeId, std::string> removalRules(
    const StageGraph& graph, std::size_t capturedNodes);
/// Captured node → how the machine takes it: the worst of its nodes' supports (Native < Decomposed
/// < Fallback < Unsupported); Native for removed ones.
base::IdVector<ir::NodeId, Support> supportOfCaptured(
    const StageGraph& graph, std::size_t capturedNodes);

} // namespace fivefold::lowering
