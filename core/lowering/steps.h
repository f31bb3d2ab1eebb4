// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

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

/// Bytes that a step reads and writes across its kernel's border; nullopt when a shape is unknown.
struct BoundaryBytes {
    base::Bytes read, written;
};
std::optional<BoundaryBytes> boundaryBytes(const StageGraph& graph, const Boundary& boundary);

} // namespace fivefold::lowering
