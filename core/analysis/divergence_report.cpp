// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/json_stream.h"

#include <algorithm>

namespace fivefold::analysis {

namespace {

using compare::Divergence;
using compare::ErrorFigures;
using compare::Layer;
using compare::LevelVerdict;

/// Runs of wrong elements that are printed; the count is always whole.
constexpr std::size_t kMostRanges = 100'000;

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json textOrNull(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

const compare::ElementSet& wrongOf(const Layer& layer) {
    return layer.local ? layer.local->wrong : layer.global.wrong;
}

/// Ranges are [begin, end): the end is not in the set.
Json elementsJson(const compare::ElementSet& set) {
    Json ranges = Json::array();
    for (std::size_t i = 0; i < std::min(set.runs.size(), kMostRanges); ++i)
        ranges.push_back({set.runs[i].begin, set.runs[i].end});
    Json first = nullptr;
    if (set.first())
        first = *set.first();
    return {{"count", set.count}, {"first", std::move(first)}, {"ranges", std::move(ranges)},
        {"total", set.total}, {"ranges_cut", set.runs.size() > kMostRanges}};
}

Json patternJson(const compare::Pattern& pattern) {
    if (pattern.kind == compare::Pattern::Kind::None)
        return nullptr;
    Json json{{"kind", compare::toString(pattern.kind)}, {"sentence", pattern.sentence},
        {"share", finite(pattern.share)}, {"at", pattern.at}, {"period", pattern.period},
        {"value", finite(pattern.value)}};
    json["axis"] = pattern.axis < 0 ? Json(nullptr) : Json(pattern.axis);
    if (!pattern.permutation.empty())
        json["permutation"] = pattern.permutation;
    if (!pattern.otherTensor.empty())
        json["other_tensor"] = pattern.otherTensor;
    return json;
}

Json errorJson(const ErrorFigures& figures) {
    Json json{{"wrong", figures.wrong.count}, {"total", figures.total},
        {"non_finite_wrong", figures.nonFiniteWrong.count}, {"max_abs", finite(figures.maxAbs)},
        {"max_rel", finite(figures.maxRel)}, {"rmse", finite(figures.rmse)},
        {"reference_rms", finite(figures.referenceRms)},
        {"mean_signed", finite(figures.meanSigned)}};
    json["max_abs_at"] = figures.maxAbsAt < 0 ? Json(nullptr) : Json(figures.maxAbsAt);
    json["cosine"] = figures.cosine ? finite(*figures.cosine) : Json(nullptr);
    json["max_ulp"] = figures.maxUlp ? Json(*figures.maxUlp) : Json(nullptr);
    json["ratio"] = figures.ratio ? finite(*figures.ratio) : Json(nullptr);
    json["ulp_histogram"] = figures.ulpHistogram;
    return json;
}

const LevelVerdict* levelOf(const Divergence& divergence, std::size_t origin) {
    return origin < divergence.levels.size() ? &divergence.levels[origin] : nullptr;
}

Json originJson(const Divergence& divergence, std::size_t origin) {
    const Layer& layer = divergence.layers[divergence.origins[origin]];
    const LevelVerdict* level = levelOf(divergence, origin);
    Json json{{"node", textOrNull(layer.nodeName)}, {"value", layer.key}};
    const bool isKnown = level && level->level;
    json["level"] = isKnown ? Json(static_cast<int>(*level->level)) : Json(nullptr);
    json["level_name"] = isKnown ? Json(numerics::toString(*level->level)) : Json(nullptr);
    json["how"] = compare::toString(level ? level->how : compare::HowKnown::Undecided);
    json["elements"] = elementsJson(wrongOf(layer));
    json["pattern"] = layer.pattern.sentence.empty() ? Json(nullptr) : Json(layer.pattern.sentence);
    json["pattern_details"] = patternJson(layer.pattern);
    json["reason"] = layer.reason;
    json["layer"] = divergence.origins[origin];
    json["fault"] =
        level && level->fault ? Json(numerics::toString(level->fault->id)) : Json(nullptr);
    return json;
}

Json layerJson(const numerics::Subject& subject, const Layer& layer) {
    Json json{{"node", textOrNull(layer.nodeName)}, {"value", layer.key},
        {"verdict", compare::toString(layer.verdict)}, {"error", nullptr}};
    const bool isCompared = layer.dtype != ir::DType::Undefined;
    if (isCompared)
        json["error"] = errorJson(layer.global);
    json["reason"] = layer.reason;
    json["name"] =
        layer.value.isValid() ? Json(subject.graph().values[layer.value].name) : Json(nullptr);
    json["op"] =
        layer.node.isValid() ? Json(subject.graph().nodes[layer.node].sourceOp) : Json(nullptr);
    json["match"] = compare::toString(layer.rule);
    json["dtype"] = isCompared ? Json(ir::name(layer.dtype)) : Json(nullptr);
    json["shape"] = isCompared ? Json(layer.shape) : Json(nullptr);
    json["local"] = layer.local ? errorJson(*layer.local) : Json(nullptr);
    json["tolerance"] = textOrNull(layer.tolerance.reason);
    json["unstable"] = layer.unstable.count;
    json["amplified"] = layer.isAmplified;
    return json;
}

Json preconditionJson(const compare::Precondition& condition) {
    return {{"name", condition.name},
        {"holds", condition.holds ? Json(*condition.holds) : Json(nullptr)},
        {"sentence", condition.sentence}};
}

Json ladderJson(const LevelVerdict& level) {
    constexpr std::string_view kKinds[] = {"not_given", "equal", "differs", "same"};
    Json ladder = Json::array();
    for (std::size_t rung = 0; rung < level.ladder.size(); ++rung) {
        const auto& state = level.ladder[rung];
        ladder.push_back({{"rung", numerics::toString(static_cast<numerics::Rung>(rung))},
            {"state", kKinds[static_cast<std::size_t>(state.kind)]}, {"words", state.words},
            {"wrong", state.wrong.count}});
    }
    return ladder;
}

Json reasonsJson(const LevelVerdict& level) {
    constexpr std::string_view kStates[] = {"unknown", "cleared", "blamed"};
    Json reasons = Json::array();
    for (std::size_t i = 0; i < level.reasons.size(); ++i)
        reasons.push_back(
            {{"level", i + 1}, {"name", numerics::toString(static_cast<numerics::Level>(i + 1))},
                {"state", kStates[static_cast<std::size_t>(level.reasons[i].state)]},
                {"sentence", level.reasons[i].sentence}});
    return reasons;
}

Json transferJson(const numerics::Transfer& transfer) {
    Json json{{"from", transfer.from}, {"to", transfer.to}, {"address", transfer.address},
        {"bytes", transfer.bytes}, {"copied", transfer.copied},
        {"issued_ps", transfer.issued.value}, {"completed_ps", transfer.completed.value},
        {"first_read_ps", transfer.firstRead.value}, {"clean", transfer.isClean()}};
    json["deadline_ps"] = transfer.deadline ? Json(transfer.deadline->value) : Json(nullptr);
    return json;
}

Json levelJson(const LevelVerdict& level) {
    Json json{{"level", level.level ? Json(static_cast<int>(*level.level)) : Json(nullptr)},
        {"name", level.level ? Json(numerics::toString(*level.level)) : Json(nullptr)},
        {"how", compare::toString(level.how)},
        {"fault", level.fault ? Json(numerics::toString(level.fault->id)) : Json(nullptr)},
        {"explained", level.explained}, {"wrong", level.wrong}, {"sentence", level.sentence},
        {"proof", textOrNull(level.proof)}, {"decides", textOrNull(level.decides)},
        {"ladder", ladderJson(level)}, {"reasons", reasonsJson(level)}};
    json["transfers"] = Json::array();
    for (const numerics::Transfer& transfer : level.transfers)
        json["transfers"].push_back(transferJson(transfer));
    json["deadlock"] = textOrNull(level.deadlockSentence);
    return json;
}

Json captureJson(const numerics::Subject& subject, const Divergence& divergence) {
    if (!divergence.capture)
        return nullptr;
    const compare::CapturePlan& plan = *divergence.capture;
    Json json{{"interval", Json::array()}, {"next", Json::array()}, {"bytes", plan.bytes},
        {"rounds", plan.rounds}, {"script", plan.script}};
    for (const std::size_t layer : plan.interval)
        json["interval"].push_back(divergence.layers[layer].key);
    for (const ir::ValueId value : plan.next)
        json["next"].push_back(subject.graph().values[value].name);
    return json;
}

} // namespace

void writeDivergence(
    std::ostream& out, const numerics::Subject& subject, const Divergence& divergence) {
    JsonStream json(out);
    json.beginObject();
    json.member(
        "first_diverging", divergence.origins.empty() ? Json(nullptr) : originJson(divergence, 0));
    json.member("headline", divergence.headline);
    json.array("origins", divergence.origins.size(),
        [&](std::size_t i) { return originJson(divergence, i); });
    json.array("layers", divergence.layers.size(),
        [&](std::size_t i) { return layerJson(subject, divergence.layers[i]); });
    json.member("reference", divergence.referenceName);
    json.member("device", divergence.deviceName);
    json.member("machine", subject.machine ? Json(subject.machine->id) : Json(nullptr));
    json.member("policy", divergence.policy);
    json.member(
        "worst", divergence.worst ? Json(divergence.layers[*divergence.worst].key) : Json(nullptr));
    json.array("preconditions", divergence.before.size(),
        [&](std::size_t i) { return preconditionJson(divergence.before[i]); });
    json.array("levels", divergence.levels.size(),
        [&](std::size_t i) { return levelJson(divergence.levels[i]); });
    json.member("capture", captureJson(subject, divergence));
    json.array(
        "notes", divergence.notes.size(), [&](std::size_t i) { return Json(divergence.notes[i]); });
    json.endObject();
    out << '\n';
}

} // namespace fivefold::analysis
