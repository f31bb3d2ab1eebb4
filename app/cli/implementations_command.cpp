// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/pipeline.h"
#include "core/analysis/report_implementations.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;

namespace {

struct Options {
    std::string model, machine, node, precision;
    std::vector<std::string> bindings, choices;
    std::string output = "-";
};

/// "tile=128x64;split=2" as keys and values.
base::Result<lowering::ImplementationValues> parseChoice(const std::string& text) {
    lowering::ImplementationValues values;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        const auto equals = part.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{ErrorCode::InvalidArgument,
                "\"" + part + "\" is no choice; write KEY=VALUE, several of them with a ; between.",
                "--choose"};
        values[part.substr(0, equals)] = part.substr(equals + 1);
    }
    return values;
}

base::Result<analysis::Request> request(const Options& options, const base::Progress& progress) {
    auto machine = machines::machineByIdOrFile(options.machine);
    if (!machine)
        return machine.error();
    auto model = analysis::openModel(options.model, progress);
    if (!model)
        return model.error();
    auto bound = cli::bindSizes((*model)->graph, options.bindings, progress);
    if (!bound)
        return bound.error();
    if (bound->graph != (*model)->graph) // sizes that the file fixes were made free
        *model = analysis::modelOf(bound->graph, (*model)->diagnostics, progress);
    analysis::Request request{*model, *machine, bound->bindings, {}};
    request.settings.precision = (*machine)->defaultPrecision();
    if (options.precision.empty())
        return request;
    const auto precision = machines::parsePrecision(options.precision);
    if (!precision)
        return Error{ErrorCode::InvalidArgument,
            "\"" + options.precision
                + "\" is no precision; use fp32, tf32, bf16, fp16, fp8, int8 or int4.",
            "--precision"};
    request.settings.precision = *precision;
    request.settings.isPrecisionGiven = true;
    return request;
}

base::Result<ir::NodeId> nodeNamed(const ir::Graph& graph, const std::string& name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    return Error{ErrorCode::InvalidArgument,
        "The model has no operator \"" + name + "\"; `analyze` lists their names under `nodes`.",
        "--node"};
}

base::Result<base::Done> run(const Options& options) {
    const base::Progress progress = terminalProgress();
    std::vector<lowering::ImplementationValues> choices;
    for (const std::string& text : options.choices) {
        auto parsed = parseChoice(text);
        if (!parsed)
            return parsed.error();
        choices.push_back(*std::move(parsed));
    }
    auto wanted = request(options, progress);
    if (!wanted)
        return wanted.error();
    auto result = analysis::analyze(*wanted, progress);
    if (!result)
        return result.error();
    auto node = nodeNamed((*result)->graph(), options.node);
    if (!node)
        return node.error();
    std::ostringstream text;
    if (auto written = analysis::writeImplementations(text, **result, *node, choices); !written)
        return written.error();
    return writeOutput(options.output, [&text](std::ostream& out) { out << text.str(); });
}

} // namespace

void addImplementationsCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "implementations", "The ways to run one operator on a machine, and what each costs");
    command->add_option("model", options->model, "Model file")->required();
    command->add_option("--machine", options->machine, "Machine id, or a JSON file")->required();
    command->add_option("--node", options->node, "Operator of the model by name")->required();
    command
        ->add_option("--choose", options->choices,
            "One way: KEY=VALUE, several keys with a ; between; without any, each value of each "
            "key")
        ->allow_extra_args(false);
    command->add_option("--bind", options->bindings, "DIM=N, INPUT.AXIS=N or INPUT=VALUE")
        ->allow_extra_args(false);
    command->add_option("--precision", options->precision, "Precision to compute in");
    command->add_option("--json", options->output, "Output file, - for stdout");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

} // namespace fivefold::cli
