// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report_implementations.h"

#include "core/analysis/report_parts.h"

namespace fivefold::analysis {

using lowering::ImplementationChoice;
using lowering::ImplementationRow;

namespace {

Json choiceJson(const ImplementationChoice& choice) {
    return {{"key", choice.key}, {"name", choice.name}, {"values", choice.values},
        {"preset", choice.preset}, {"applied", choice.isApplied}};
}

Json rowJson(const Result& result, const ImplementationRow& row) {
    Json levels = Json::object();
    for (const auto& [level, bytes] : row.bytesByLevel)
        levels[result.machine().memories[level].name] = bytes.value;
    Json choice = Json::object();
    for (const auto& [key, value] : row.choice)
        choice[key] = value;
    return {{"choice", choice}, {"flops", number(row.flops.value)},
        {"padded_flops", number(row.paddedFlops.value)}, {"bytes_by_level", levels},
        {"syncs", row.syncs}, {"units", row.units}, {"time_s", number(row.time.value)},
        {"because", textOrNull(row.because)}, {"misfit", textOrNull(row.misfit)}};
}

} // namespace

base::Result<base::Done> writeImplementations(std::ostream& out, const Result& result,
    ir::NodeId node, const std::vector<lowering::ImplementationValues>& choices) {
    // Asking for no row tells whether the operator has a choice at all.
    auto rows = compareImplementations(result, node, choices);
    if (!rows)
        return rows.error();
    const auto offered = implementationChoices(result, node);
    Json json{{"machine", result.machine().id}, {"node", result.graph().nodes[node].name},
        {"choices", Json::array()}, {"rows", Json::array()}};
    for (const ImplementationChoice& choice : offered) {
        json["choices"].push_back(choiceJson(choice));
        if (!choices.empty())
            continue;
        for (ImplementationRow& row : sweepImplementation(result, node, choice.key))
            rows->push_back(std::move(row));
    }
    for (const ImplementationRow& row : *rows)
        json["rows"].push_back(rowJson(result, row));
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return base::Done{};
}

} // namespace fivefold::analysis
