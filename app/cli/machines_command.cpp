// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/analysis/compiler_report.h"
#include "core/analysis/pipeline.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace fivefold::cli {

namespace {

using Json = nlohmann::ordered_json;

Json machineJson(const machines::Machine& machine) {
    Json rows = Json::array();
    for (const machines::NamedFigure& row : machines::figures(machine))
        rows.push_back({{"name", row.name},
            {"value", row.figure.isKnown() ? Json(*row.figure.value) : Json(nullptr)},
            {"unit", row.figure.unit}, {"status", machines::toString(row.figure.status)},
            {"source", row.figure.source.empty() ? Json(nullptr) : Json(row.figure.source)}});
    Json json {{"id", machine.id}, {"name", machine.name}, {"family", machine.family},
        {"generation", machine.generation}, {"year", machine.year},
        {"baseline", machine.isBaseline}, {"figures", rows},
        {"diagram", analysis::diagramJson(machine)}};
    if (const lowering::Family* family = analysis::findFamily(machine.family)) {
        json["compiler"] = analysis::compilerJson(family->compilerPipeline());
        Json passes = Json::array();
        for (const lowering::CompilerPass& pass : family->compilerPipeline().passes)
            passes.push_back(analysis::passJson(pass));
        json["pipeline"] = passes;
    }
    return json;
}

void writeJson(std::ostream& out) {
    Json array = Json::array();
    for (const auto& machine : machines::bundledMachines())
        array.push_back(machineJson(*machine));
    out << array.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

void writeText(std::ostream& out) {
    for (const auto& machine : machines::bundledMachines())
        out << machine->id << "  " << machine->name << "  (" << machine->family << ", "
            << machine->year << ", " << machines::toString(machine->defaultPrecision()) << ")\n";
}

} // namespace

void addMachinesCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("machines", "List the machines and their figures");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print every figure with its source as JSON");
    command->callback([json, &action] {
        action = [json] { return writeOutput("-", *json ? writeJson : writeText); };
    });
}

} // namespace fivefold::cli
