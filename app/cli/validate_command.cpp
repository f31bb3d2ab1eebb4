// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/validate.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
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
    return {{"series", series}, {"rows_without_prediction", validation.rowsWithoutPrediction}};
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

base::Result<base::Done> validateFolder(const Options& options) {
    const auto validation = analysis::validate(options.folder, terminalProgress());
    if (!validation)
        return validation.error();
    if (options.json != "-")
        writeText(std::cout, *validation);
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
