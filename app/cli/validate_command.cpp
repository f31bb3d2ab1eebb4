// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/published_points.h"
#include "core/analysis/validate.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace fivefold::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string folder, json;
};

Json number(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json errorJson(const analysis::ErrorSummary& error) {
    return {{"points", error.count}, {"geomean_error", number(error.geomean)},
        {"p90_error", number(error.p90)}};
}

/// Machines whose published points are summed up.
constexpr std::array kPrefixes = {"gpu_", "tpu_", "groq_"};

Json publishedJson() {
    const auto& points = analysis::publishedPoints();
    Json rows = Json::array(), medians = Json::object();
    for (const analysis::PublishedPoint& p : points)
        rows.push_back({{"number", p.number}, {"machine", p.machine}, {"workload", p.workload},
            {"config", p.config}, {"measured", p.measured}, {"predicted", number(p.predicted)},
            {"unit", p.unit}, {"factor", number(p.factor)}, {"scored", p.isScored},
            {"calibration", p.isCalibration}, {"kind", p.kind}, {"source", p.source},
            {"note", p.note}});
    for (const char* prefix : kPrefixes)
        medians[prefix] = number(analysis::medianFactor(points, prefix));
    return {{"points", rows}, {"median_factor", medians}};
}

Json toJson(const analysis::Validation& validation) {
    Json series = Json::array();
    for (const analysis::SeriesScore& score : validation.series) {
        Json constants = Json::object();
        for (const auto& [name, value] : score.refitted)
            constants[name] = value;
        series.push_back({{"series", score.series}, {"machine", score.machine},
            {"source", score.source}, {"cross_validated", errorJson(score.crossValidated)},
            {"shipped", errorJson(score.shipped)}, {"geomean_limit", number(score.geomeanLimit)},
            {"p90_limit", number(score.p90Limit)}, {"peak_roofline", number(score.peakRoofline)},
            {"derated_roofline", number(score.deratedRoofline)}, {"holds", score.holds()},
            {"refitted", constants}});
    }
    return {{"series", series}, {"rows_without_prediction", validation.rowsWithoutPrediction},
        {"published", publishedJson()}};
}

std::string percent(const std::optional<double>& share) {
    if (!share || !std::isfinite(*share))
        return "–";
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << *share * 100;
    return text.str();
}

void writeText(std::ostream& out, const analysis::Validation& validation) {
    out << "Errors in %, geometric mean / 90th percentile of the ratio; cross-validated, then with "
           "the\n"
           "constants shipped; limits; peak roofline and 0.8-roofline for comparison.\n";
    for (const analysis::SeriesScore& score : validation.series) {
        out << (score.holds() ? "ok    " : "over  ") << std::left << std::setw(38) << score.series
            << std::right << std::setw(5) << score.crossValidated.count << " rows  "
            << percent(score.crossValidated.geomean) << " / " << percent(score.crossValidated.p90)
            << "   shipped " << percent(score.shipped.geomean) << " / "
            << percent(score.shipped.p90) << "   limit " << percent(score.geomeanLimit) << " / "
            << percent(score.p90Limit) << "   peak " << percent(score.peakRoofline) << "   0.8 "
            << percent(score.deratedRoofline) << '\n';
    }
    if (validation.rowsWithoutPrediction > 0)
        out << validation.rowsWithoutPrediction << " rows have no prediction.\n";
}

void writePublished(std::ostream& out) {
    const auto& points = analysis::publishedPoints();
    out << "\nPublished points: measured, predicted, factor max(p/m, m/p) on times. + scored, c "
           "calibration\n(a constant was taken from it), - not scored.\n";
    for (const analysis::PublishedPoint& p : points) {
        const auto text = [](const std::optional<double>& value) {
            std::ostringstream cell;
            cell << std::setprecision(5);
            if (value)
                cell << *value;
            return value ? cell.str() : std::string("–");
        };
        out << (p.isScored        ? '+'
                : p.isCalibration ? 'c'
                                  : '-')
            << std::right << std::setw(3) << p.number << ' ' << std::left << std::setw(20)
            << p.machine << std::right << std::setw(10) << text(p.measured) << ' ' << std::setw(10)
            << text(p.predicted) << ' ' << p.unit;
        if (p.factor)
            out << "  x" << std::fixed << std::setprecision(2) << *p.factor << std::defaultfloat;
        out << "  " << p.workload << ", " << p.config << (p.note.empty() ? "" : ". ") << p.note
            << '\n';
    }
    for (const char* prefix : kPrefixes)
        if (const auto median = analysis::medianFactor(points, prefix))
            out << "median factor of the scored points, " << prefix << "*: " << std::fixed
                << std::setprecision(2) << *median << '\n';
}

base::Result<base::Done> validateFolder(const Options& options) {
    const auto validation =
        analysis::validate(options.folder, terminalProgress(), !options.json.empty());
    if (!validation)
        return validation.error();
    if (options.json != "-") {
        writeText(std::cout, *validation);
        writePublished(std::cout);
    }
    if (!options.json.empty()) {
        auto written = writeOutput(options.json,
            [&validation](std::ostream& out) { out << toJson(*validation).dump(1) << '\n'; });
        if (!written)
            return written;
    }
    const auto over = std::count_if(validation->series.begin(), validation->series.end(),
        [](const analysis::SeriesScore& score) { return !score.holds(); });
    if (over > 0)
        return base::Error{base::ErrorCode::Limit,
            std::to_string(over) + " of " + std::to_string(validation->series.size())
                + " series exceed their limit or do not beat a plain roofline.",
            {}};
    return base::Done{};
}

} // namespace

void addValidateCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "validate", "Compare predictions with tables of measured operators, by cross-validation");
    auto options = std::make_shared<Options>();
    command->add_option("--reference", options->folder, "Folder of the tables")->required();
    command->add_option("--json", options->json, "Also write JSON; - is stdout");
    command->callback(
        [options, &action] { action = [options] { return validateFolder(*options); }; });
}

} // namespace fivefold::cli
