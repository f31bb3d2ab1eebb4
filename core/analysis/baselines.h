// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/refit.h"

#include <optional>

/// What any equation must beat: two predictors that need no measurement of the operator.
namespace fivefold::analysis {

/// Geometric-mean ratio error − 1 of max(work ÷ peak, bytes ÷ bandwidth) of the device memory.
/// nullopt where a row states neither work nor bytes, or the machine has no such figures.
std::optional<double> peakRooflineError(
    const machines::Machine& machine, const std::vector<Sample>& samples);

/// The same with 0.8 of both rates plus a constant time, which is fitted by cross-validation (the
/// folds of crossValidate).
std::optional<double> deratedRooflineError(
    const machines::Machine& machine, const std::vector<Sample>& samples);

} // namespace fivefold::analysis
