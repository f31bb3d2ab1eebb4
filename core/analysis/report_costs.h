// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/json_stream.h"
#include "core/analysis/result.h"

/// Parts of the report that say where time, bytes and energy go, and why.
namespace fivefold::analysis {

/// Causes beyond this number are only counted, in `causes_left_out`.
constexpr std::size_t kCausesListed = 200;

/// Members `cost_ladder`, `cost_ladder_sentence`, `gap`, `causes`, `causes_left_out`, `energy`,
/// `traffic`, `classes` and `problems` of the report.
void writeCosts(JsonStream& json, const Result& result, const roofline::GapAnalysis& gaps);

/// Adds `gap`, `energy`, `low_s`, `high_s`, `band_source` and `compiler_ideal_s` to a point of the
/// roofline. Times are of one execution but for the gap's, which is of all executions and holds the
/// relayouts that the step asked for.
void addPointCosts(
    Json& point, const Result& result, const roofline::GapAnalysis& gaps, lowering::StepId step);

} // namespace fivefold::analysis
