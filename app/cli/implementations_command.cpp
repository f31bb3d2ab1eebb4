// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
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

struct Options : RequestOptions {
    std::string node;
    std::vector<std::string> choices;
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
    auto settings = parseSettings(options, **machine);
    if (!settings)
        return settings.error();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    return analysis::Request{opened->model, *machine, opened->bindings, *std::move(settings)};
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
    addRequestOptions(*command, *options, ModelOption::Positional);
    command->get_option("--machine")->required();
    command->add_option("--node", options->node, "Operator of the model by name")->required();
    command
        ->add_option("--choose", options->choices,
            "One way: KEY=VALUE, several keys with a ; between; without any, each value of each "
            "key")
        ->allow_extra_args(false);
    command->add_option("--json", options->output, "Output file, - for stdout");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

} // namespace fivefold::cli
