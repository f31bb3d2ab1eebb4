// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"

#include "core/compare/capture_plan.h"
#include "core/compare/headline.h"
#include "core/compare/preconditions.h"
#include "core/compare/verdicts.h"
#include "core/compare/words.h"

#include <algorithm>
#include <filesystem>

namespace fivefold::compare {

namespace {

/// The reference where none is given: the captured graph in fp64.
base::Result<std::shared_ptr<const Dump>> computeReference(const numerics::Subject& subject,
    const Matching& wanted, const numerics::Inputs& inputs, const CompareOptions& options,
    std::vector<std::string>& notes, const base::Progress& progress) {
    if (!subject.weights)
        return base::Error{base::ErrorCode::InvalidArgument,
            "The reference cannot be computed without the model's parameters; give a dump of it.",
            {}};
    numerics::RunOptions run;
    run.memoryLimitBytes = options.memoryLimitBytes;
    run.keeps = [&](ir::ValueId value) { return wanted.of(value) != nullptr; };
    auto result = numerics::run(*subject.typed, inputs, *subject.weights, run, progress);
    if (!result)
        return result.error();
    std::vector<std::pair<std::string, numerics::Tensor>> tensors;
    for (auto& [value, datum] : result->values) {
        if (datum.kind == numerics::Datum::Kind::Tensor && datum.tensor.isDefined())
            tensors.emplace_back(subject.graph().values[value].name, std::move(datum.tensor));
    }
    if (!result->skipped.empty())
        notes.push_back(counted(static_cast<std::int64_t>(result->skipped.size()), "operator")
            + " cannot be executed here, " + subject.graph().nodes[result->skipped.front()].name
            + " first; what depends on them has no reference.");
    return dumpOf(std::move(tensors), "computed");
}

std::string nameOf(const Side& side) {
    const Dump& dump = *side.repeats.front();
    std::string name = dump.path().empty() ? std::string("computed here (fp64)")
                                           : std::filesystem::path(dump.path()).filename().string();
    if (side.repeats.size() > 1)
        name += " and " + counted(static_cast<std::int64_t>(side.repeats.size()) - 1, "repeat");
    return name;
}

/// How the value lies on the machine, where there is a program.
const layout::TensorLayout* layoutOf(const numerics::Subject& subject, ir::ValueId value) {
    if (!subject.program)
        return nullptr;
    const auto& stage = subject.program->stages[static_cast<std::size_t>(lowering::Stage::LaidOut)];
    if (!stage)
        return nullptr;
    for (const lowering::Value& lowered : stage->values) {
        if (lowered.source == value && lowered.layout)
            return lowered.layout.get();
    }
    return nullptr;
}

/// Keys of values that no run computes from its inputs.
std::set<std::string> keysOfConstants(const ir::Graph& graph, const SideValues& side) {
    std::set<std::string> keys;
    for (const Match& match : side.matching().matches) {
        const ir::Value& value = graph.values[match.value];
        const bool isConstant = value.data.isValid() || value.origin == ir::ValueOrigin::Initializer
            || (value.producer.isValid() && graph.nodes[value.producer].op == ir::Op::Constant);
        if (isConstant)
            keys.insert(match.key);
    }
    return keys;
}

void addPatterns(const numerics::Subject& subject, Divergence& divergence) {
    for (const std::size_t origin : divergence.origins) {
        Layer& layer = divergence.layers[origin];
        const auto own = divergence.contents.find(origin);
        if (own == divergence.contents.end())
            continue;
        const auto& [device, reference, expected] = own->second;
        const numerics::Tensor& right = expected.isDefined() ? expected : reference;
        if (!right.isDefined() || right.size() != device.size())
            continue;
        std::vector<Candidate> others;
        for (const auto& [index, contents] : divergence.contents) {
            // What comes later follows from it.
            if (index >= origin || !ir::isFloat(contents.device.dtype()))
                continue;
            others.push_back({divergence.layers[index].key, &contents.device});
        }
        const ElementSet& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
        layer.pattern = classify(device, right, wrong, layoutOf(subject, layer.value), others);
    }
}

void addNotes(const SideValues& side, const std::string& name, Divergence& result) {
    for (const auto& list : {side.matching().notes, side.notes()})
        for (const std::string& note : list)
            result.notes.push_back(name + ": " + note);
}

/// Corrections that name nothing.
void addLostEdits(
    const ir::Graph& graph, const Side* reference, const Side& device, Divergence& result) {
    for (const auto& [key, name] : device.edits) {
        const bool isKey = device.repeats.front()->find(key)
            || (reference && reference->repeats.front()->find(key));
        const bool isValue = name.empty()
            || std::ranges::any_of(
                graph.values, [&](const auto& value) { return value.name == name; });
        if (!isKey)
            result.notes.push_back("The match of \"" + key
                + "\" has no effect: neither dump has such a key; check its spelling.");
        else if (!isValue)
            result.notes.push_back("The match of \"" + key + "\" has no effect: the model has no "
                + "value \"" + name + "\"; take a name that `run` or the graph shows.");
    }
}

void addRandomWeights(const numerics::Subject& subject, Divergence& result) {
    if (!subject.weights)
        return;
    std::int64_t random = 0;
    for (std::size_t v = 0; v < subject.graph().values.size(); ++v)
        random += subject.weights->isRandom(ir::ValueId(v)) ? 1 : 0;
    if (random > 0)
        result.notes.push_back("The model file holds no contents for "
            + counted(random, "parameter")
            + "; nodes that read them are judged from the dumps alone.");
}

void addUnstable(Divergence& result) {
    std::int64_t varying = 0;
    for (const Layer& layer : result.layers)
        varying += layer.unstable.isEmpty() ? 0 : 1;
    if (varying > 0)
        result.notes.push_back(counted(varying, "value")
            + " vary between the device's repeats: that points to races, and is no origin by "
              "itself.");
}

} // namespace

std::string_view toString(Verdict verdict) {
    static constexpr std::string_view kNames[] = {
        "clean", "benign", "inherited", "origin", "healed", "unmatched", "missing"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view toString(HowKnown how) {
    static constexpr std::string_view kNames[] = {"undecided", "matched", "proved"};
    return kNames[static_cast<std::size_t>(how)];
}

base::Result<Divergence> compareRuns(const numerics::Subject& subject, const Side* reference,
    const Side& device, const numerics::Inputs& inputs, const CompareOptions& options,
    const base::Progress& progress) {
    if (device.repeats.empty() || (reference && reference->repeats.empty()))
        return base::Error{base::ErrorCode::InvalidArgument,
            "There is nothing to compare: a side has no dump.", {}};
    std::vector<std::string> notes;
    SideValues deviceValues(device, *subject.typed);
    Side computed;
    if (!reference && !inputs.empty()) {
        auto dump =
            computeReference(subject, deviceValues.matching(), inputs, options, notes, progress);
        if (!dump)
            return dump.error();
        computed.repeats = {*dump};
        reference = &computed;
    }
    std::optional<SideValues> referenceValues;
    if (reference)
        referenceValues.emplace(*reference, *subject.typed);
    else
        notes.push_back(
            "There is neither a reference nor inputs to compute one from: each layer is "
            "judged by its own inputs alone.");
    Judge judge(subject, referenceValues ? &*referenceValues : nullptr, deviceValues, inputs,
        options, progress);
    const numerics::Format contents =
        formatOfContents(*device.repeats.front(), keysOfConstants(subject.graph(), deviceValues));
    judge.setContentsFormat(contents);
    Divergence result = judge.run();
    if (progress.isCancelled())
        return base::Progress::cancelled();
    result.referenceName = reference ? nameOf(*reference) : "none";
    result.deviceName = nameOf(device);
    result.policy = policyText(contents, options, result);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    result.before = preconditions(subject, inputs, result);
    addNotes(deviceValues, "device", result);
    addLostEdits(subject.graph(), reference, device, result);
    if (referenceValues)
        addNotes(*referenceValues, "reference", result);
    addRandomWeights(subject, result);
    addUnstable(result);
    addPatterns(subject, result);
    result.capture = capturePlan(subject, result, options);
    addUndecidedLevels(result);
    result.headline = headlineOf(result);
    return result;
}

} // namespace fivefold::compare
