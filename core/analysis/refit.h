// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/measured_operator.h"

#include <vector>

namespace fivefold::analysis {

/// A row and what was measured, in the row's unit; both positive.
struct Sample {
    roofline::MeasuredOperator row;
    double measured = 0;
};

/// The equation's own constants that fit the samples best, with the others as in `start`: the mean
/// of |ln(predicted ÷ measured)|, plus a tenth of its 90th percentile for 200 samples or more, by
/// Nelder and Mead's simplex over the logarithms of the constants (zeros stay). Deterministic.
/// O(evaluations · samples).
std::vector<double> refit(const roofline::MeasuredEquation& equation,
    const machines::Machine& machine, const std::vector<Sample>& samples,
    const std::vector<double>& start, int evaluations);

/// |ln(predicted ÷ measured)| of every sample under `values`; infinite where there is no
/// prediction.
std::vector<double> logErrors(const roofline::MeasuredEquation& equation,
    const machines::Machine& machine, const std::vector<Sample>& samples,
    const std::vector<double>& values);

/// Ratio errors of a set: exp(mean) − 1, and the 90th percentile of exp(error) − 1.
struct ErrorSummary {
    std::size_t count = 0;
    double geomean = 0, p90 = 0;
};
ErrorSummary summarise(std::vector<double> logErrors);

/// Errors of held-out rows: five folds (row i belongs to fold i mod 5), or one row at a time for 16
/// rows or fewer; the constants of each fold are refitted on the others.
ErrorSummary crossValidate(const roofline::MeasuredEquation& equation,
    const machines::Machine& machine, const std::vector<Sample>& samples);

} // namespace fivefold::analysis
