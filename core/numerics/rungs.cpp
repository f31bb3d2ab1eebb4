// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs.h"

#include "core/numerics/rungs/fault_rules.h"
#include "core/numerics/rungs/rung.h"

#include <algorithm>
#include <array>

namespace fivefold::numerics {

namespace {

constexpr std::array<std::string_view, kRungs> kNames{"source", "captured", "decomposed", "fused",
    "laid_out", "placed", "scheduled", "timed", "numerics"};

/// Weights that lowering declares in another shape come in the model's own.
void restoreShapes(const Subject& subject, RungRun& run) {
    for (auto& [value, datum] : run.values) {
        const ir::Value& captured = subject.graph().values[value];
        const bool isConstant = captured.origin == ir::ValueOrigin::Initializer
            || captured.data.isValid()
            || (value.index() < subject.typed->isConstant.size()
                && subject.typed->isConstant[value] != 0);
        if (!isConstant || datum.kind != Datum::Kind::Tensor || !datum.tensor.isDefined())
            continue;
        const auto& type = subject.typed->types[value];
        const auto shape = type.shape ? ir::knownShape(*type.shape) : std::nullopt;
        if (!shape || *shape == datum.tensor.shape())
            continue;
        std::int64_t count = 1;
        for (const std::int64_t extent : *shape)
            count *= extent;
        if (count == datum.tensor.size())
            datum.tensor = datum.tensor.reshaped(*shape);
    }
}

/// A branch that contents decide: the lowered program holds one, whatever they are.
void reportAssumedBranches(const Subject& subject, RungRun& run) {
    const ir::Typed& typed = *subject.typed;
    for (std::size_t i = 0; i < subject.graph().nodes.size(); ++i) {
        const ir::NodeId id(i);
        const bool isProved = i < typed.isBranchProved.size() && typed.isBranchProved[id] != 0;
        if (subject.graph().nodes[id].op == ir::Op::If && !isProved)
            run.diagnostics.warn("numerics.assumed_branch", subject.graph().nodes[id].name,
                "Contents decide this branch; the lowered program holds one of the two.",
                "Bind the input that decides it.");
    }
}

base::Error notGiven(Rung rung, std::string_view what) {
    return {base::ErrorCode::NotFound,
        "The rung " + std::string(toString(rung)) + " is not given: " + std::string(what), {}};
}

bool hasPhysicalFault(const RungOptions& options) {
    const auto faults = activeFaults(options, Rung::Numerics);
    return std::any_of(faults.begin(), faults.end(),
        [](const Fault* fault) { return !isLogicalFault(fault->id); });
}

} // namespace

std::string_view toString(Rung rung) {
    return kNames[static_cast<std::size_t>(rung)];
}

std::optional<Rung> parseRung(std::string_view text) {
    const auto found = std::find(kNames.begin(), kNames.end(), text);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<Rung>(found - kNames.begin());
}

lowering::Stage stageOf(Rung rung) {
    switch (rung) {
    case Rung::Source:
    case Rung::Captured:
        return lowering::Stage::Captured;
    case Rung::Decomposed:
        return lowering::Stage::Decomposed;
    case Rung::Fused:
        return lowering::Stage::Fused;
    case Rung::LaidOut:
        return lowering::Stage::LaidOut;
    case Rung::Placed:
        return lowering::Stage::Placed;
    default:
        return lowering::Stage::Scheduled;
    }
}

base::Result<RungRun> runRung(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress) {
    if (!subject.typed || !subject.typed->graph || subject.typed->graph->blocks.empty())
        return base::Error{
            base::ErrorCode::InvalidArgument, "There is no graph to run; open a model.", {}};
    if (rung == Rung::Source)
        return notGiven(rung, "only the user's own program can run it.");
    Subject complete = subject;
    if (!complete.weights)
        complete.weights = std::make_shared<Weights>(complete.typed->graph, options.seed);
    if (rung == Rung::Captured)
        return runCaptured(complete, inputs, options, progress);
    const bool hasStage = subject.program && subject.machine
        && subject.program->stages[static_cast<std::size_t>(stageOf(rung))];
    if (!hasStage)
        return notGiven(rung, "choose a machine, so that the model is lowered.");
    const bool isPhysical = (rung >= Rung::LaidOut && rung <= Rung::Timed)
        || (rung == Rung::Numerics && hasPhysicalFault(options));
    auto run = isPhysical ? runPhysical(complete, rung, inputs, options, progress)
                          : runLogical(complete, rung, inputs, options, progress);
    if (run) {
        restoreShapes(complete, *run);
        reportAssumedBranches(complete, *run);
    }
    return run;
}

} // namespace fivefold::numerics
