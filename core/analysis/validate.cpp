// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/validate.h"

#include "core/analysis/baselines.h"
#include "core/analysis/predict.h"

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

namespace fivefold::analysis {

using machines::Precision;
using roofline::MeasuredOperator;

namespace {

constexpr std::array kTables = {
    "gpu_gemm_measured.csv", "gpu_attention_measured.csv", "accelerator_ops_scored.csv"};
constexpr int kFinalEvaluations = 2500;

struct Limit {
    std::string_view series;
    double geomean; ///< percent
    double p90; ///< percent; 0: none
};

// GPU products and attention: what this project asks of itself. Series: errors of the equations as
// published with the measurements, the worse of cross-validated and held out, rounded up.
constexpr Limit kLimits[] = {
    {"gpu_gemm gpu_a100_sxm_80gb", 13.5, 28},
    {"gpu_gemm gpu_h100_sxm", 12, 27},
    {"gpu_gemm gpu_h200_sxm", 13, 27},
    {"gpu_gemm gpu_b200_sxm", 16, 34},
    {"gpu_gemm gpu_l40s", 23, 40},
    {"gpu_gemm_fp8", 20, 40},
    {"gpu_attention_prefill", 14, 0},
    {"gpu_attention_decode", 24, 0},
    {"tpu_v4_matmul", 8.3, 0},
    {"tpu_v4_elementwise", 1.9, 0},
    {"tpu_v4_layer_norm", 2.6, 0},
    {"tpu_v6e_matmul_wall", 9.7, 0},
    {"tpu_v7x_matmul_wall", 11.5, 0},
    {"tpu_v7x_matmul_device", 0.7, 0},
    {"tpu_v7x_copy", 28, 0},
    {"tpu_v7x_all_gather", 1.6, 0},
    {"wse3_gemv_tree", 1.5, 0},
    {"wse3_gemv_pipeline", 0.3, 0},
    {"wse3_gemm_mesh", 3.7, 0},
    {"wse3_gemm_summa4", 5.2, 0},
    {"wse2_gemm_summa", 15, 0},
    {"wse2_gemm_systolic", 12, 0},
    {"wse3_decode_layer", 0.7, 0},
    {"wse3_prefill_layer", 4.1, 0},
    {"spyre_matmul", 13.2, 0},
    {"spyre_fp8_sendnn", 14.1, 0},
    {"spyre_fp8_optimised", 32, 0},
    {"spyre_stream", 9.5, 0},
    {"spyre_relayout", 8.2, 0},
    {"spyre_pointwise", 8.5, 0},
    {"spyre_broadcast", 11, 0},
    {"spyre_reduce_rows", 4.5, 0},
    {"spyre_add_chain", 12, 0},
    {"spyre_softmax", 12, 0},
    {"spyre_softmax_tiled", 12, 0},
    {"spyre_transpose", 2.5, 0},
    {"spyre_transpose_outer", 7.4, 0},
    {"spyre_cat0", 10, 0},
    {"spyre_cat1", 4.7, 0},
    {"spyre_sweep_matmul", 22, 0},
    {"spyre_bmm", 14, 0},
    {"spyre_bmm_shared", 17, 0},
    {"spyre_reduce_cols", 6, 0},
    {"spyre_write", 12, 0},
};

void setLimits(SeriesScore& score) {
    constexpr double kPercent = 100;
    for (const Limit& limit : kLimits)
        if (score.series == limit.series
            || score.series.rfind(std::string(limit.series) + " ", 0) == 0) {
            score.geomeanLimit = limit.geomean / kPercent;
            if (limit.p90 > 0)
                score.p90Limit = limit.p90 / kPercent;
        }
}

struct Series {
    Predictor predictor;
    std::vector<Sample> samples;
};

std::string nameOf(const Predictor& predictor, const MeasuredOperator& row) {
    std::string name(predictor.equation->name);
    return row.group.empty() ? name + " " + row.machine : name;
}

SeriesScore scoreOf(
    const std::string& name, const Series& series, const char* source, bool isRefitting) {
    const roofline::MeasuredEquation& equation = *series.predictor.equation;
    const machines::Machine& machine = *series.predictor.machine;
    SeriesScore score;
    score.series = name;
    score.machine = machine.id;
    score.source = source;
    const std::vector<double> values = valuesOf(equation, machine);
    score.crossValidated = crossValidate(equation, machine, series.samples);
    score.shipped = summarise(logErrors(equation, machine, series.samples, values));
    score.peakRoofline = peakRooflineError(machine, series.samples);
    score.deratedRoofline = deratedRooflineError(machine, series.samples);
    setLimits(score);
    if (!isRefitting)
        return score;
    const std::vector<double> best =
        refit(equation, machine, series.samples, values, kFinalEvaluations);
    for (std::size_t i = 0; i < best.size(); ++i)
        score.refitted.emplace_back(equation.constants[i], best[i]);
    return score;
}

base::Result<base::Done> scoreTable(Validation& validation, const std::filesystem::path& path,
    const char* source, const base::Progress& progress, bool isRefitting) {
    const auto csv = base::readCsv(path);
    if (!csv)
        return csv.error();
    const auto table = readOperators(*csv);
    if (!table)
        return base::Error{table.error().code, table.error().message, path.string()};
    std::map<std::string, Series> series;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < table->rows.size(); ++i) {
        const MeasuredOperator& row = table->rows[i];
        const Predictor predictor = predictorFor(row);
        if (!predictor.equation || !table->measured[i] || *table->measured[i] <= 0) {
            ++validation.rowsWithoutPrediction;
            continue;
        }
        const std::string name = nameOf(predictor, row);
        if (series.find(name) == series.end())
            order.push_back(name);
        series[name].predictor = predictor;
        series[name].samples.push_back({row, *table->measured[i]});
    }
    for (const std::string& name : order) {
        if (progress.isCancelled())
            return base::Progress::cancelled();
        validation.series.push_back(scoreOf(name, series[name], source, isRefitting));
    }
    return base::Done{};
}

} // namespace

bool SeriesScore::holds() const {
    const bool isWithin = !geomeanLimit || crossValidated.geomean <= *geomeanLimit;
    const bool isTailWithin = !p90Limit || crossValidated.p90 <= *p90Limit;
    // A constant alone fits a handful of rows.
    constexpr std::size_t kFewRows = 5;
    if (crossValidated.count < kFewRows)
        return isWithin && isTailWithin;
    const bool beatsPeak = !peakRoofline || crossValidated.geomean < *peakRoofline;
    const bool beatsDerated = !deratedRoofline || crossValidated.geomean < *deratedRoofline;
    return isWithin && isTailWithin && beatsPeak && beatsDerated;
}

base::Result<Validation> validate(
    const std::filesystem::path& folder, const base::Progress& progress, bool isRefitting) {
    Validation validation;
    bool isAnyThere = false;
    for (const char* name : kTables) {
        const std::filesystem::path path = folder / name;
        std::error_code failed;
        if (!std::filesystem::exists(path, failed))
            continue;
        isAnyThere = true;
        if (const auto done = scoreTable(validation, path, name, progress, isRefitting); !done)
            return done.error();
    }
    if (!isAnyThere)
        return base::Error{base::ErrorCode::NotFound,
            "There is no table of measurements in this folder; it holds gpu_gemm_measured.csv, "
            "gpu_attention_measured.csv or accelerator_ops_scored.csv.",
            folder.string()};
    return validation;
}

} // namespace fivefold::analysis
