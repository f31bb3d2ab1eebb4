// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/pipeline.h"
#include "core/analysis/report.h"
#include "core/base/sha256.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;

namespace {

struct Options {
    std::string model;
    std::string machine;
    std::vector<std::string> bindings;
    std::string precision;
    std::string fusion = "on";
    std::vector<std::string> settings;
    std::string output = "-";
};

base::Result<lowering::Settings> parseSettings(
    const Options& options, const machines::Machine& machine) {
    lowering::Settings settings;
    settings.precision = machine.defaultPrecision();
    if (!options.precision.empty()) {
        const auto precision = machines::parsePrecision(options.precision);
        if (!precision)
            return Error{ErrorCode::InvalidArgument,
                "\"" + options.precision
                    + "\" is no precision; use fp32, tf32, bf16, fp16, fp8, int8 or int4.",
                "--precision"};
        settings.precision = *precision;
    }
    settings.isFusionOn = options.fusion == "on";
    for (const std::string& text : options.settings) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{ErrorCode::InvalidArgument,
                "\"" + text + "\" is no setting; write KEY=VALUE.", "--set"};
        auto checked =
            analysis::checkSetting(machine, text.substr(0, equals), text.substr(equals + 1));
        if (!checked)
            return checked.error();
        settings.values[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return settings;
}

base::Result<base::Done> analyzeFile(const Options& options) {
    const base::Progress progress = terminalProgress();
    auto machine = machines::machineByIdOrFile(options.machine);
    if (!machine)
        return machine.error();
    auto settings = parseSettings(options, **machine);
    if (!settings)
        return settings.error();
    auto model = analysis::openModel(options.model, progress);
    if (!model)
        return model.error();
    auto bindings = parseBindings(*(*model)->graph, options.bindings);
    if (!bindings)
        return bindings.error();
    auto result = analysis::analyze({*model, *machine, *bindings, *settings}, progress);
    if (!result)
        return result.error();
    auto digest = base::sha256OfFile(options.model);
    if (!digest)
        return digest.error();
    return writeOutput(
        options.output, [&](std::ostream& out) { analysis::writeReport(out, **result, *digest); });
}

} // namespace

void addAnalyzeCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("analyze", "Lower a model for one machine");
    auto options = std::make_shared<Options>();
    command->add_option("MODEL", options->model, "Model file")->required();
    command->add_option("--machine", options->machine, "Machine id or a machine's JSON file")
        ->required();
    command->add_option("--bind", options->bindings, "DIM=N, INPUT.AXIS=N or INPUT=VALUE")
        ->allow_extra_args(false);
    command->add_option("--precision", options->precision, "fp32 tf32 bf16 fp16 fp8 int8 int4");
    command->add_option("--fusion", options->fusion, "on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--set", options->settings, "KEY=VALUE, a setting of the family")
        ->allow_extra_args(false);
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback([options, &action] { action = [options] { return analyzeFile(*options); }; });
}

} // namespace fivefold::cli
