// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/request.h"
#include "app/cli/output.h"
#include "core/analysis/pipeline.h"

#include <CLI/CLI.hpp>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;

void addRequestOptions(CLI::App& command, RequestOptions& options, ModelOption form) {
    command
        .add_option(
            form == ModelOption::Positional ? "MODEL" : "--model", options.model, "Model file")
        ->required();
    command.add_option("--machine", options.machine, "Machine id or a machine's JSON file");
    command.add_option("--bind", options.bindings, "DIM=N, INPUT.AXIS=N or INPUT=VALUE")
        ->allow_extra_args(false);
    command.add_option("--precision", options.precision, "fp32 tf32 bf16 fp16 fp8 int8 int4");
    command.add_option("--fusion", options.fusion, "on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command.add_option("--set", options.settings, "KEY=VALUE, a setting of the family")
        ->allow_extra_args(false);
}

base::Result<lowering::Settings> parseSettings(
    const RequestOptions& options, const machines::Machine& machine) {
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
        settings.isPrecisionGiven = true;
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

base::Result<OpenedModel> openModel(const RequestOptions& options, const base::Progress& progress) {
    auto model = analysis::openModel(options.model, progress);
    if (!model)
        return model.error();
    auto bound = cli::bindSizes((*model)->graph, options.bindings, progress);
    if (!bound)
        return bound.error();
    if (bound->graph != (*model)->graph) // sizes that the file fixes were made free
        *model = analysis::modelOf(bound->graph, (*model)->diagnostics, progress);
    return OpenedModel{std::move(*model), std::move(bound->bindings)};
}

base::Result<OpenedSubject> openSubject(const RequestOptions& options, const OpenedModel& opened,
    const numerics::Inputs& inputs, const base::Progress& progress) {
    auto alone = analysis::subjectOf(opened.model, opened.bindings, inputs, progress);
    if (!alone)
        return alone.error();
    OpenedSubject result{std::move(*alone), {opened.model, nullptr, opened.bindings, {}}};
    if (options.machine.empty())
        return result;
    auto machine = machines::machineByIdOrFile(options.machine);
    if (!machine)
        return machine.error();
    auto settings = parseSettings(options, **machine);
    if (!settings)
        return settings.error();
    result.request.machine = *machine;
    result.request.settings = *std::move(settings);
    result.request.bindings = result.subject.typed->options.bindings;
    auto analysed = analysis::analyze(result.request, progress);
    if (!analysed)
        return analysed.error();
    result.subject = analysis::subjectOf(*analysed, result.subject.weights);
    return result;
}

} // namespace fivefold::cli
