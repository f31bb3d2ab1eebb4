// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/analysis/comparison.h"
#include "core/analysis/json_stream.h"
#include "core/analysis/pipeline.h"

#include <CLI/CLI.hpp>

namespace fivefold::cli {

using analysis::Json;
using base::Error;
using base::ErrorCode;

namespace {

/// One generation a family, in the order of the panel.
const std::vector<std::string> kUsualMachines = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

struct Options : RequestOptions {
    std::vector<std::string> machines; ///< instead of the one of RequestOptions
    std::vector<std::string> nodes;
    std::string output = "-";
};

Json secondsJson(const std::optional<base::Seconds>& time) {
    return time ? Json(time->value) : Json(nullptr);
}

Json rowJson(const analysis::Result& result, const std::vector<ir::NodeId>& nodes) {
    const analysis::ComparisonRow row = analysis::compare(result, nodes);
    const analysis::RaceLane lane = analysis::raceLane(result, nodes);
    Json levels = Json::array();
    for (const auto& [level, bytes] : row.bytesByLevel)
        levels.push_back(
            {{"level", result.machine().memories[level].name}, {"bytes", bytes.value}});
    Json json = {{"machine", row.machine}, {"family", row.family},
        {"precision", machines::toString(result.request.settings.precision)},
        {"programs", row.programs}, {"detail", row.detail}, {"kernels", row.kernels},
        {"other_nodes", row.others}, {"padding_bytes", row.padding.value},
        {"padding_unit", row.paddingDetail}, {"padding_most", row.paddingMost},
        {"bytes_by_level", std::move(levels)}, {"time_s", secondsJson(row.time)},
        {"low_s", secondsJson(row.low)}, {"high_s", secondsJson(row.high)},
        {"at_least", row.isAtLeast}, {"validation", row.validation},
        {"bound", lowering::toString(row.bound)}, {"bound_share", row.boundShare},
        {"unsupported", row.unsupported}, {"unsupported_nodes", row.unsupportedNames},
        {"removed", row.isRemoved}, {"because", row.because},
        {"race", {{"length_ps", lane.length.value}, {"events", lane.events.size()}}}};
    return json;
}

base::Result<std::vector<ir::NodeId>> selectedNodes(
    const ir::Graph& graph, const std::vector<std::string>& names) {
    std::vector<ir::NodeId> nodes;
    for (const std::string& name : names) {
        std::size_t found = 0;
        while (found < graph.nodes.size() && graph.nodes[ir::NodeId(found)].name != name)
            ++found;
        if (found == graph.nodes.size())
            return Error{ErrorCode::NotFound,
                "The model has no operator \"" + name + "\"; `summary` lists what it has.",
                "--select"};
        nodes.emplace_back(found);
    }
    return nodes;
}

base::Result<std::shared_ptr<const analysis::Result>> analyzeOn(const Options& options,
    const std::shared_ptr<const analysis::Model>& model, const ir::Bindings& bindings,
    const std::string& name, analysis::TypedCache& cache) {
    auto machine = machines::machineByIdOrFile(name);
    if (!machine)
        return machine.error();
    analysis::Request request{model, *machine, bindings, {}};
    auto settings = parseSettings(options, **machine);
    if (!settings)
        return settings.error();
    request.settings = *std::move(settings);
    // As in the panel: a machine without a rate for it keeps its own.
    if (!(*machine)->peak(request.settings.precision))
        request.settings.precision = (*machine)->defaultPrecision();
    return analysis::analyze(request, terminalProgress(), &cache);
}

base::Result<base::Done> compareMachines(const Options& options) {
    const base::Progress progress = terminalProgress();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    auto nodes = selectedNodes(*opened->model->graph, options.nodes);
    if (!nodes)
        return nodes.error();

    analysis::TypedCache cache;
    Json rows = Json::array();
    bool isAnyRow = false;
    std::optional<Error> last;
    for (const std::string& name : options.machines.empty() ? kUsualMachines : options.machines) {
        auto result = analyzeOn(options, opened->model, opened->bindings, name, cache);
        isAnyRow = isAnyRow || result;
        if (result) {
            rows.push_back(rowJson(**result, *nodes));
        } else {
            last = result.error();
            rows.push_back({{"machine", name}, {"error", last->text()}});
        }
    }
    if (!isAnyRow && last)
        return *last;
    return writeOutput(options.output, [&](std::ostream& out) {
        const Json whole = {{"selection", options.nodes}, {"rows", rows}};
        out << whole.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    });
}

} // namespace

void addCompareMachinesCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "compare-machines", "Lower a model for five machines and print a row each");
    auto options = std::make_shared<Options>();
    command->add_option("MODEL", options->model, "Model file")->required();
    command
        ->add_option("--machine", options->machines,
            "Machine id or a machine's JSON file, once for each row; default: one of each family")
        ->allow_extra_args(false);
    command->add_option("--bind", options->bindings, "DIM=N, INPUT.AXIS=N or INPUT=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--select", options->nodes,
            "Name of an operator; the rows are then about the steps that hold it")
        ->allow_extra_args(false);
    command->add_option("--precision", options->precision,
        "fp32 tf32 bf16 fp16 fp8 int8 int4, where the machine has a rate for it; default: each "
        "machine's own");
    command->add_option("--fusion", options->fusion, "on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback(
        [options, &action] { action = [options] { return compareMachines(*options); }; });
}

} // namespace fivefold::cli
