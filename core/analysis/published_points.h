// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fivefold::analysis {

/// A published measurement beside what this model predicts.
struct PublishedPoint {
    int number = 0;
    std::string machine, workload, config, unit, kind, source;
    double measured = 0; ///< in `unit`
    std::optional<double> predicted; ///< in `unit`; nullopt: not predicted yet, or not a time
    /// max(predicted ÷ measured, measured ÷ predicted), on times.
    std::optional<double> factor;
    bool isScored = false;
    bool isCalibration = false; ///< a constant was taken from it
    std::string note; ///< why it is not scored, or why it is off; a sentence
};

/// All published points in their order.
const std::vector<PublishedPoint>& publishedPoints();

/// Median factor of the scored points whose machine id starts with `prefix`; nullopt without any.
std::optional<double> medianFactor(
    const std::vector<PublishedPoint>& points, std::string_view prefix);

} // namespace fivefold::analysis
