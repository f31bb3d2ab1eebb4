// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/predict.h"
#include "core/base/csv.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <iostream>

namespace fivefold::cli {

namespace {

struct Options {
    std::string input, output;
};

std::string textOf(double value) {
    char text[32];
    constexpr int kDigits = 6;
    const auto [end, code] =
        std::to_chars(text, text + sizeof text, value, std::chars_format::general, kDigits);
    return code == std::errc{} ? std::string(text, end) : std::string();
}

base::Result<base::Done> predictFile(const Options& options) {
    auto csv = base::readCsv(options.input);
    if (!csv)
        return csv.error();
    auto table = analysis::readOperators(*csv);
    if (!table)
        return base::Error{table.error().code, table.error().message, options.input};
    const auto predictions = analysis::predict(table->rows);

    const std::string name = table->predictionColumn();
    const auto known = csv->column(name);
    if (!known)
        csv->header.push_back(name);
    std::size_t missing = 0;
    for (std::size_t i = 0; i < csv->rows.size(); ++i) {
        const std::string text = predictions[i] ? textOf(*predictions[i]) : std::string();
        missing += predictions[i] ? 0 : 1;
        if (known)
            csv->rows[i][*known] = text;
        else
            csv->rows[i].push_back(text);
    }
    auto written = writeOutput(options.output, [&csv](std::ostream& out) {
        base::writeCsvLine(out, csv->header);
        for (const auto& row : csv->rows)
            base::writeCsvLine(out, row);
    });
    if (written && missing > 0)
        std::cerr << missing << " of " << csv->rows.size()
                  << " rows have no prediction: their machine, dtype or operator is not known.\n";
    return written;
}

} // namespace

void addPredictCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("predict", "Predict the times of a table of operators");
    auto options = std::make_shared<Options>();
    command->add_option("--csv", options->input, "Table of operators")->required();
    command->add_option("--out", options->output, "Where the table goes; - is stdout")->required();
    command->callback([options, &action] { action = [options] { return predictFile(*options); }; });
}

} // namespace fivefold::cli
