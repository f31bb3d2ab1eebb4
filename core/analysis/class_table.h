// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/operators.h"
#include "core/roofline/energy.h"

#include <vector>

namespace fivefold::analysis {

struct Result;

/// What the steps of one operator class take together. A step counts in the class of its main
/// node; one that lowering added to change a layout, in Movement.
struct ClassRow {
    ir::OpClass opClass = ir::OpClass::Contraction;
    std::int64_t steps = 0;
    std::int64_t unknownSteps = 0; ///< without a time
    base::Flops flops;
    base::Bytes bytes; ///< at the far level
    base::Seconds time;
    roofline::StepEnergy energy;
    /// FLOPs of contractions ÷ (peak × time of their steps); nullopt for other classes.
    std::optional<double> matrixUtilisation;
};

/// The class that a step counts in.
ir::OpClass classOf(const lowering::Program& program, lowering::StepId step);

/// One row a class that the program has, in the fixed order of the classes. Flops, bytes and times
/// add up to the program's.
std::vector<ClassRow> classTable(const Result& result);

} // namespace fivefold::analysis
