// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// Names the level of each origin of `divergence` from dumps: re-runs the origin's node from the
/// device's own inputs under the faults that apply to it (all seeds and sizes that matter) and
/// keeps the one that gives the same wrong elements with the same values. Fills `levels`,
/// `headline`. Never more than Matched. Subject without a program: levels 1 to 3 and 8 alone can be
/// tried.
base::Result<base::Done> nameLevels(const numerics::Subject& subject,
    const numerics::Inputs& inputs, Divergence& divergence, const base::Progress& progress = {});

/// Runs the ladder of a program that is given (the fault lab's: `fault` planted) against what it
/// should be: bisects over rungs, then over nodes. The verdict is Proved.
struct LadderRun {
    LevelVerdict verdict;
    ir::NodeId
        node; ///< first in topological order that differs at that rung; invalid: none, or a hang
    ir::ValueId value;
    int runs = 0; ///< rungs that were executed
};
base::Result<LadderRun> climb(const numerics::Subject& subject, const numerics::Inputs& inputs,
    const std::vector<const numerics::Fault*>& faults, const base::Progress& progress = {});

} // namespace fivefold::compare
