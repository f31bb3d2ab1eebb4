// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/refit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <nlopt.h>

namespace fivefold::analysis {

using machines::Machine;
using roofline::MeasuredEquation;

namespace {

constexpr std::size_t kFolds = 5;
constexpr std::size_t kLeaveOneOut = 16; ///< rows up to which every row is a fold of its own
constexpr int kFoldEvaluations = 900;
constexpr double kTailWeight = 0.1;
constexpr std::size_t kLargeSet = 200; ///< rows from which the tail counts: below, it is one row
constexpr int kRounds = 3; ///< a new simplex starts where the last one shrank
constexpr double kFirstStep = 0.1; ///< of a logarithm: constants move by a tenth at first
constexpr double kFurthest = 3; ///< a constant stays within e^±3 of where it starts
constexpr double kTolerance = 1e-5;

double quantile90(std::vector<double>& values) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(0.9 * static_cast<double>(values.size()));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// What the simplex sees: logarithms of those constants that are not zero.
struct Problem {
    const MeasuredEquation& equation;
    const Machine& machine;
    const std::vector<Sample>& samples;
    std::vector<double> values;
    std::vector<std::size_t> free; ///< indices of the constants that move

    void set(const double* logarithms) {
        for (std::size_t i = 0; i < free.size(); ++i)
            values[free[i]] = std::exp(logarithms[i]);
    }
    double cost() {
        std::vector<double> errors = logErrors(equation, machine, samples, values);
        const double mean =
            std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
        return errors.size() < kLargeSet ? mean : mean + kTailWeight * quantile90(errors);
    }
};

double costOf(unsigned, const double* logarithms, double*, void* data) {
    auto& problem = *static_cast<Problem*>(data);
    problem.set(logarithms);
    const double cost = problem.cost();
    return std::isfinite(cost) ? cost : std::numeric_limits<double>::max();
}

/// The published values of the equation's own constants and the machine's values of the others.
std::vector<double> startOf(const MeasuredEquation& equation, const Machine& machine) {
    std::vector<double> values = valuesOf(equation, machine);
    const std::size_t end = std::min(values.size(), equation.firstOwn + equation.ownConstants);
    for (std::size_t i = equation.firstOwn; i < end; ++i)
        values[i] = equation.defaults[i];
    return values;
}

/// One run from `point`, which it moves. False where the library refuses.
bool shrinkSimplex(Problem& problem, std::vector<double>& point, const std::vector<double>& low,
    const std::vector<double>& high, int evaluations) {
    nlopt_opt optimiser = nlopt_create(NLOPT_LN_NELDERMEAD, static_cast<unsigned>(point.size()));
    if (!optimiser)
        return false;
    nlopt_set_min_objective(optimiser, costOf, &problem);
    nlopt_set_lower_bounds(optimiser, low.data());
    nlopt_set_upper_bounds(optimiser, high.data());
    nlopt_set_initial_step1(optimiser, kFirstStep);
    nlopt_set_xtol_rel(optimiser, kTolerance);
    nlopt_set_maxeval(optimiser, evaluations);
    double best = 0;
    const nlopt_result outcome = nlopt_optimize(optimiser, point.data(), &best);
    nlopt_destroy(optimiser);
    return outcome >= 0;
}

} // namespace

std::vector<double> logErrors(const MeasuredEquation& equation, const Machine& machine,
    const std::vector<Sample>& samples, const std::vector<double>& values) {
    std::vector<roofline::MeasuredOperator> rows;
    rows.reserve(samples.size());
    for (const Sample& sample : samples)
        rows.push_back(sample.row);
    std::vector<double> errors(samples.size());
    equation.evaluate(machine, values, rows, errors);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double ratio = errors[i] / samples[i].measured;
        errors[i] = ratio > 0 && std::isfinite(ratio) ? std::abs(std::log(ratio))
                                                      : std::numeric_limits<double>::infinity();
    }
    return errors;
}

std::vector<double> refit(const MeasuredEquation& equation, const Machine& machine,
    const std::vector<Sample>& samples, const std::vector<double>& start, int evaluations) {
    Problem problem{equation, machine, samples, start, {}};
    std::vector<double> point;
    const std::size_t end = std::min(start.size(), equation.firstOwn + equation.ownConstants);
    for (std::size_t i = equation.firstOwn; i < end; ++i)
        if (start[i] > 0) {
            problem.free.push_back(i);
            point.push_back(std::log(start[i]));
        }
    if (point.empty() || samples.empty())
        return start;
    std::vector<double> low = point, high = point;
    for (std::size_t i = 0; i < point.size(); ++i) {
        low[i] -= kFurthest;
        high[i] += kFurthest;
    }
    for (int round = 0; round < kRounds; ++round)
        if (!shrinkSimplex(problem, point, low, high, evaluations / kRounds))
            return start;
    problem.set(point.data());
    return problem.values;
}

ErrorSummary summarise(std::vector<double> errors) {
    ErrorSummary summary;
    summary.count = errors.size();
    if (errors.empty())
        return summary;
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    summary.geomean = std::expm1(sum / static_cast<double>(errors.size()));
    summary.p90 = std::expm1(quantile90(errors));
    return summary;
}

ErrorSummary crossValidate(
    const MeasuredEquation& equation, const Machine& machine, const std::vector<Sample>& samples) {
    const std::size_t folds =
        samples.size() <= kLeaveOneOut ? std::max<std::size_t>(samples.size(), 1) : kFolds;
    const std::vector<double> start = startOf(equation, machine);
    std::vector<double> errors;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<Sample> fitted, heldOut;
        for (std::size_t i = 0; i < samples.size(); ++i)
            (i % folds == fold ? heldOut : fitted).push_back(samples[i]);
        const std::vector<double> values =
            refit(equation, machine, fitted, start, kFoldEvaluations);
        const std::vector<double> part = logErrors(equation, machine, heldOut, values);
        errors.insert(errors.end(), part.begin(), part.end());
    }
    return summarise(std::move(errors));
}

} // namespace fivefold::analysis
