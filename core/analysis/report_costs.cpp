// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report_costs.h"

#include "core/analysis/report_parts.h"

#include <algorithm>

namespace fivefold::analysis {

namespace {

Json gapJson(const Result& result, const roofline::Gap& gap) {
    Json parts = Json::array();
    for (const roofline::GapPart& part : gap.parts)
        parts.push_back({{"kind", roofline::toString(part.kind)}, {"name", part.name},
            {"level",
                part.kind == roofline::GapKind::Memory
                        && part.level < result.machine().memories.size()
                    ? Json(result.machine().memories[part.level].name)
                    : Json(nullptr)},
            {"time_s", number(part.time.value)}});
    const bool isUnknown = gap.isAtLeast && gap.estimate.value <= 0;
    return Json{{"estimate_s", isUnknown ? Json(nullptr) : number(gap.estimate.value)},
        {"flops", isUnknown ? Json(nullptr) : countJson(gap.flops.value)},
        {"at_least", gap.isAtLeast}, {"parts", parts}};
}

/// Without a known part nothing is known.
Json rangeJson(const roofline::StepEnergy& energy) {
    bool isKnown = energy.parts.empty() && !energy.isAtLeast;
    for (const roofline::EnergyPart& part : energy.parts)
        isKnown = isKnown || part.joules.has_value();
    return Json{{"low_j", isKnown ? number(energy.joules.low) : Json(nullptr)},
        {"high_j", isKnown ? number(energy.joules.high) : Json(nullptr)},
        {"at_least", energy.isAtLeast}};
}

Json energyJson(const roofline::StepEnergy& energy) {
    Json json = rangeJson(energy);
    Json parts = Json::array();
    for (const roofline::EnergyPart& part : energy.parts)
        parts.push_back(
            {{"name", part.name}, {"low_j", part.joules ? number(part.joules->low) : Json(nullptr)},
                {"high_j", part.joules ? number(part.joules->high) : Json(nullptr)},
                {"status", part.joules ? Json(machines::toString(part.status)) : Json(nullptr)},
                {"source", textOrNull(std::string(part.source))}});
    json["parts"] = parts;
    return json;
}

Json linkJson(const Result& result, const roofline::CauseLink& link) {
    const ir::Graph& graph = result.graph();
    return Json{{"text", link.text}, {"stage", lowering::toString(link.stage)},
        {"node",
            graph.nodes.contains(link.node) ? Json(graph.nodes[link.node].name) : Json(nullptr)},
        {"value",
            graph.values.contains(link.value) ? Json(graph.values[link.value].name)
                                              : Json(nullptr)},
        {"added", textOrNull(link.added)}, {"decided_by", lowering::toString(link.decidedBy)}};
}

Json causeJson(const Result& result, const roofline::Cause& cause) {
    Json chain = Json::array();
    for (const roofline::CauseLink& link : cause.chain)
        chain.push_back(linkJson(result, link));
    return Json{{"kind", roofline::toString(cause.kind)}, {"name", cause.name},
        {"step", cause.step.value}, {"charged_to", cause.chargedTo.value},
        {"time_s", number(cause.time.value)}, {"bytes", cause.bytes.value},
        {"sentence", cause.sentence()}, {"chain", chain}};
}

/// What differs of the request; members that do not differ are left out.
Json remedyJson(const Remedy& remedy) {
    Json json{{"text", remedy.text}};
    if (!remedy.binds.empty())
        json["bind"] = remedy.binds;
    if (!remedy.settings.empty())
        json["set"] = remedy.settings;
    for (const auto& [name, layout] : remedy.inputLayouts)
        json["input_layouts"][name] =
            Json{{"device_size", layout.deviceSize}, {"stride_map", layout.strideMap}};
    if (!remedy.implementations.empty())
        json["implementations"] = remedy.implementations;
    if (!remedy.placements.empty())
        json["placements"] = remedy.placements;
    if (!remedy.substitutes.empty())
        json["substitutes"] = remedy.substitutes;
    if (remedy.isFusionOn)
        json["fusion"] = *remedy.isFusionOn ? "on" : "off";
    return json;
}

Json problemJson(const Problem& problem) {
    Json remedies = Json::array();
    for (const Remedy& remedy : problem.remedies)
        remedies.push_back(remedyJson(remedy));
    return Json{{"severity", base::toString(problem.severity)}, {"code", problem.code},
        {"place", textOrNull(problem.place)}, {"message", problem.message},
        {"advice", textOrNull(problem.advice)}, {"count", problem.count},
        {"cost_s", seconds(problem.cost)}, {"without_s", seconds(problem.without)},
        {"remedies", remedies}};
}

bool isUnknown(const roofline::Rung& rung) {
    return rung.isAtLeast && rung.time.value <= 0;
}

void writeLadder(JsonStream& json, const roofline::CostLadder& ladder) {
    json.array("cost_ladder", ladder.rungs.size(), [&](std::size_t i) {
        const roofline::Rung& rung = ladder.rungs[i];
        const bool isKnown = !isUnknown(rung);
        const bool isStep = isKnown && (i == 0 || !isUnknown(ladder.rungs[i - 1]));
        return Json{{"stage", lowering::toString(rung.stage)},
            {"time_s", isKnown ? number(rung.time.value) : Json(nullptr)},
            {"added_s", isStep ? number(rung.added.value) : Json(nullptr)},
            {"flops",
                rung.isAtLeast && rung.flops.value <= 0 ? Json(nullptr)
                                                        : countJson(rung.flops.value)},
            {"bytes",
                rung.isAtLeast && rung.bytes.value <= 0 ? Json(nullptr) : Json(rung.bytes.value)},
            {"operators", rung.operators}, {"at_least", rung.isAtLeast},
            {"adds_most", i > 0 && rung.stage == ladder.addsMost},
            {"because", textOrNull(rung.because)}};
    });
    json.member("cost_ladder_sentence", textOrNull(ladder.sentence));
}

void writeTraffic(JsonStream& json, const Result& result) {
    json.array("traffic", result.traffic.size(), [&](std::size_t i) {
        const memory::TrafficByCause& traffic = result.traffic[i];
        Json causes = Json::object();
        for (std::size_t cause = 0; cause < memory::kTrafficCauses; ++cause)
            causes[std::string(memory::toString(static_cast<memory::TrafficCause>(cause)))] =
                traffic.bytes[cause].value;
        return Json{{"level", result.machine().memories[traffic.level].name},
            {"bytes", traffic.total().value}, {"bytes_by_cause", causes}};
    });
}

void writeClasses(JsonStream& json, const Result& result) {
    json.array("classes", result.classes.size(), [&](std::size_t i) {
        const ClassRow& row = result.classes[i];
        const bool isKnown = row.unknownSteps < row.steps;
        return Json{{"class", ir::toString(row.opClass)}, {"steps", row.steps},
            {"unknown_steps", row.unknownSteps},
            {"flops", isKnown ? countJson(row.flops.value) : Json(nullptr)},
            {"bytes", isKnown ? Json(row.bytes.value) : Json(nullptr)},
            {"time_s", isKnown ? number(row.time.value) : Json(nullptr)},
            {"energy", rangeJson(row.energy)},
            {"matrix_utilisation", orNull(row.matrixUtilisation)}};
    });
}

} // namespace

void writeCosts(JsonStream& json, const Result& result, const roofline::GapAnalysis& gaps) {
    writeLadder(json, result.ladder);
    json.member("gap", gapJson(result, gaps.ofProgram()));
    const std::size_t listed = std::min(result.causes.size(), kCausesListed);
    json.array(
        "causes", listed, [&](std::size_t i) { return causeJson(result, result.causes[i]); });
    json.member("causes_left_out", result.causes.size() - listed);
    json.member("energy", energyJson(result.totalEnergy));
    writeTraffic(json, result);
    writeClasses(json, result);
    json.array("problems", result.problems.size(),
        [&](std::size_t i) { return problemJson(result.problems[i]); });
}

void addPointCosts(
    Json& point, const Result& result, const roofline::GapAnalysis& gaps, lowering::StepId step) {
    Json parts = Json::object();
    const roofline::Gap gap = gaps.of(std::span(&step, 1), roofline::Charge::ToCause);
    for (const roofline::GapPart& part : gap.parts) {
        Json& sum = parts[part.name + "_s"];
        sum = number(part.time.value + (sum.is_number() ? sum.get<double>() : 0));
    }
    const lowering::Estimate& e = result.program.steps[step].estimate;
    point["gap"] = std::move(parts);
    point["energy"] = result.energy.contains(step) ? rangeJson(result.energy[step]) : Json(nullptr);
    point["low_s"] = seconds(e.low);
    point["high_s"] = seconds(e.high);
    point["band_source"] = textOrNull(e.bandSource);
    point["compiler_ideal_s"] = seconds(e.compilerIdeal);
}

} // namespace fivefold::analysis
