// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/metrics.h"
#include "core/numerics/rungs.h"

namespace fivefold::compare {

/// Elements that are not the same in both: |a − b| > relative · max(|a|, |b|), or of another
/// non-finite kind. All of them where the sizes differ. `relative` 0: to the last bit.
ElementSet differences(const numerics::Tensor& a, const numerics::Tensor& b, double relative = 0);

/// Lets `run` hold the tensors of the other run where the elements are the same bits: half the
/// memory, and differences() sees it at once.
void shareEqual(const numerics::RungRun& with, numerics::RungRun& run);

/// The first captured value, in topological order of the main graph, that differs between two runs
/// of one program, or that one of them did not reach.
struct FirstDifference {
    ir::NodeId node;
    ir::ValueId value; ///< invalid: none differs
    ElementSet wrong; ///< empty where the value was not reached
    bool isMissing = false; ///< not in `wrong` run
};
FirstDifference firstDifference(const ir::Graph& graph, const numerics::RungRun& right,
    const numerics::RungRun& wrong, double relative);

/// A fault that is never in force: run with it, a rung that has no other fault goes the way of
/// physical lanes, as a run with F12 to F31 does.
numerics::Fault inertFault();
bool isPhysical(numerics::FaultId id);

} // namespace fivefold::compare
