// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/kernel_cycles.h"

#include "core/analysis/json_stream.h"
#include "core/families/groq/cycles.h"

namespace fivefold::analysis {

namespace {

constexpr std::size_t kNamesInError = 5;

base::Error unknownKernel(const lowering::StageGraph& graph, std::string_view wanted) {
    std::string names;
    for (std::size_t k = 0; k < graph.kernels.size() && k < kNamesInError; ++k)
        names += (k > 0 ? ", " : "") + graph.kernels[lowering::KernelId(k)].name;
    return {base::ErrorCode::InvalidArgument,
        "There is no kernel \"" + std::string(wanted) + "\"; the first of "
            + std::to_string(graph.kernels.size()) + " are " + names + ".",
        "--cycles"};
}

} // namespace

base::Result<lowering::CycleView> kernelCycles(const Result& result, std::string_view kernel) {
    if (result.machine().family != "groq")
        return base::Error{base::ErrorCode::Unsupported,
            "Only a machine whose compiler fixes every cycle has a cycle view; on "
                + result.machine().name + " cycles are not known before the run.",
            "--cycles"};
    const lowering::StageGraph& graph = result.program.stage(lowering::Stage::Scheduled);
    for (std::size_t k = 0; k < graph.kernels.size(); ++k)
        if (graph.kernels[lowering::KernelId(k)].name == kernel)
            return families::groq::cycleView(
                result.machine(), result.request.settings.precision, graph, lowering::KernelId(k));
    return unknownKernel(graph, kernel);
}

void writeCycles(JsonStream& json, const lowering::CycleView& view) {
    Json phases = Json::array();
    for (const lowering::CyclePhase& phase : view.phases)
        phases.push_back({{"unit", view.units[phase.unit]}, {"instruction", phase.instruction},
            {"first", phase.first}, {"last", phase.last}, {"period", phase.period},
            {"repeat", phase.repeat}});
    json.member("cycle_view",
        Json{{"kernel", view.kernel}, {"cycles", view.cycles}, {"clock_hz", view.clockHz},
            {"estimated", view.isEstimated}, {"note", view.note}, {"units", view.units},
            {"phases", phases}});
    const auto rows = lowering::cycleRows(view, 0, kMostCycleRows);
    json.array("cycles", rows.size(), [&](std::size_t i) {
        Json row{{"cycle", rows[i].cycle}};
        for (std::size_t unit = 0; unit < view.units.size(); ++unit)
            if (!rows[i].instructions[unit].empty())
                row[view.units[unit]] = rows[i].instructions[unit];
        return row;
    });
}

} // namespace fivefold::analysis
