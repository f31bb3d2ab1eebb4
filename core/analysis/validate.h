// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/refit.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::analysis {

/// How well one equation predicts one series of measurements.
struct SeriesScore {
    std::string
        series; ///< equation and, where several machines share it, the machine and precision
    std::string machine;
    std::string source; ///< the table's file name
    ErrorSummary crossValidated; ///< constants refitted without the rows that are scored
    ErrorSummary shipped; ///< with the machine's own constants
    /// Errors that this program's equations are held to, ratio − 1: those that were published with
    /// the equations, cross-validated or held out, whichever is worse. nullopt: none.
    std::optional<double> geomeanLimit, p90Limit;
    /// Geometric-mean errors of two simple predictors over the same rows: work and bytes at the
    /// machine's peaks; the same at 0.8 of both plus a constant, fitted by the same
    /// cross-validation. nullopt: work or bytes of the rows are not stated.
    std::optional<double> peakRoofline, deratedRoofline;
    /// Constants that fit all rows best; empty where nobody asked.
    std::vector<std::pair<std::string, double>> refitted;

    bool holds() const;
};

struct Validation {
    std::vector<SeriesScore> series;
    std::size_t rowsWithoutPrediction = 0;
};

/// Scores the tables of a folder: gpu_gemm_measured.csv, gpu_attention_measured.csv and
/// accelerator_ops_scored.csv, those that are there. Fails when none is. Some seconds, half as many
/// more with `isRefitting`, which also looks for the constants that fit all rows best.
base::Result<Validation> validate(const std::filesystem::path& folder,
    const base::Progress& progress = {}, bool isRefitting = false);

} // namespace fivefold::analysis
