// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

#include <algorithm>

namespace fivefold::lowering {

/// One step a kernel, in the order of the kernels' first nodes: name and main node are those of the
/// first contraction (else the first node), executions the largest of the nodes'. Estimates stay
/// empty. The graph must have kernels.
base::IdVector<StepId, Step> stepsFromKernels(const StageGraph& graph);

/// Sums of the works of a step's nodes. isKnown only if all are.
struct StepWork {
    bool isKnown = true;
    std::int64_t macs = 0;
    base::Flops flops;
};
StepWork stepWork(const StageGraph& graph, const Step& step);

/// True when no node of the step is refused, the work of each is known and so is every shape of its
/// results.
template <typename Predicate>
bool isStepKnown(const StageGraph& graph, const Step& step, const Predicate& isRefused) {
    return std::all_of(step.nodes.begin(), step.nodes.end(), [&](NodeId id) {
        const Node& node = graph.nodes[id];
        const auto hasShape = [&](ValueId v) {
            return !v.isValid() || graph.values[v].shape.has_value();
        };
        return !isRefused(node) && node.work.isKnown
            && std::all_of(node.outputs.begin(), node.outputs.end(), hasShape);
    });
}

/// Bytes that a step reads and writes across its kernel's border; nullopt when a shape is unknown.
struct BoundaryBytes {
    base::Bytes read, written;
};
std::optional<BoundaryBytes> boundaryBytes(const StageGraph& graph, const Boundary& boundary);

} // namespace fivefold::lowering
