// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/pipeline.h"
#include "core/analysis/summary.h"
#include "core/frontends/onnx/test_values.h"

#include <CLI/CLI.hpp>

namespace fivefold::cli {

namespace {

struct Options {
    std::string model;
    std::vector<std::string> bindings;
    bool ignoreDeclared = false;
    std::string values;
    bool isJson = false;
};

base::Result<base::Done> summarizeFile(const Options& options) {
    const base::Progress progress = terminalProgress();
    auto model = analysis::openModel(options.model, progress);
    if (!model)
        return model.error();
    ir::InferenceOptions inference;
    inference.ignoreDeclared = options.ignoreDeclared;
    if (!options.values.empty()) {
        auto values = frontends::onnx::readTestValues(options.values, *(*model)->graph);
        if (!values)
            return values.error();
        inference.bindings = *std::move(values);
    }
    auto bound = cli::bindSizes((*model)->graph, options.bindings, progress);
    if (!bound)
        return bound.error();
    inference.bindings.dims.merge(bound->bindings.dims);
    inference.bindings.axes.merge(bound->bindings.axes);
    inference.bindings.scalars.merge(bound->bindings.scalars);
    if (bound->graph != (*model)->graph)
        *model = std::make_shared<const analysis::Model>(
            analysis::Model{bound->graph, (*model)->diagnostics});
    auto summary = analysis::summarize(**model, inference, progress);
    if (!summary)
        return summary.error();
    return writeOutput("-", [&](std::ostream& out) {
        if (options.isJson)
            analysis::writeSummaryJson(out, *summary);
        else
            analysis::writeSummaryText(out, *summary);
    });
}

} // namespace

void addSummaryCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("summary", "Count what a model holds");
    auto options = std::make_shared<Options>();
    command->add_option("MODEL", options->model, "Model file")->required();
    command->add_option("--bind", options->bindings, "DIM=N, INPUT.AXIS=N or INPUT=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--ignore-declared", options->ignoreDeclared,
        "Do not use the declared types of outputs and intermediates");
    command->add_option(
        "--values", options->values, "Folder whose input_*.pb give small integer inputs");
    command->add_flag("--json", options->isJson, "Print JSON");
    command->callback(
        [options, &action] { action = [options] { return summarizeFile(*options); }; });
}

} // namespace fivefold::cli
