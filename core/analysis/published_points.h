// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
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
    bool isCalibration = false; ///< a constant, of this model or published, was taken from it
    std::string note; ///< why it is not scored, or why it is off; a sentence
};

/// All published points in their order: resources/published_points.tsv. A row's operator is one of
///     product P M N K              the machine's measured equation, device time
///     blocks P M N K BM BN BK      a Pallas product in blocks, one grid step a block
///     elementwise P ELEMENTS       softmax P ROWS COLUMNS          a kernel of the GPU family
///     attention P B HEADS SEQ SIZE causal, many queries
///     resnet50 P                   residual_network.h, lowered for the machine
/// with "; +KEY" for a parameter of the machine in seconds that is added, or "; KEY=VALUE" for a
/// setting. The first call lowers ResNet-50 three times and takes some 100 ms; not for the UI
/// thread.
const std::vector<PublishedPoint>& publishedPoints();

/// Median factor of the scored points whose machine id starts with `prefix`; nullopt without any.
std::optional<double> medianFactor(
    const std::vector<PublishedPoint>& points, std::string_view prefix);

} // namespace fivefold::analysis
