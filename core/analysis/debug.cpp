// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"

#include "core/analysis/pipeline.h"
#include "core/compare/level.h"
#include "core/compare/names.h"

#include <algorithm>

namespace fivefold::analysis {

namespace {

using base::Error;
using base::ErrorCode;

/// Contents that may be a shape, an axis or a length; token ids are longer.
constexpr std::int64_t kMostContents = 16;

void bindShape(ir::Bindings& bindings, const ir::Value& input, const numerics::Tensor& tensor) {
    if (!input.declared.shape || input.declared.shape->size() != tensor.rank())
        return;
    for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
        const ir::Dim& dim = (*input.declared.shape)[axis];
        const std::int64_t size = tensor.shape()[axis];
        if (dim.isKnown())
            continue;
        const auto symbols = dim.symbols();
        if (symbols.size() == 1 && symbols.front() == dim.text())
            bindings.dims.emplace(symbols.front(), size);
        else
            bindings.axes.emplace(std::pair(input.name, static_cast<int>(axis)), size);
    }
}

void bindContents(ir::Bindings& bindings, const ir::Value& input, const numerics::Tensor& tensor) {
    const auto* list = tensor.as<std::int64_t>();
    if (!list || tensor.rank() > 1 || tensor.size() > kMostContents)
        return;
    if (tensor.size() == 1)
        bindings.scalars.emplace(input.name, list->front());
    else if (tensor.rank() == 1)
        bindings.contents.emplace(input.name, *list);
}

/// What is bound by hand wins; sizes that are still free follow from the inputs.
ir::Bindings boundBy(
    const ir::Graph& graph, ir::Bindings bindings, const numerics::Inputs& inputs) {
    const auto& list = graph.main().inputs;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ir::Value& input = graph.values[list[i]];
        auto at = inputs.find(input.name);
        if (at == inputs.end())
            at = inputs.find(std::to_string(i));
        if (at == inputs.end() || at->second.kind != numerics::Datum::Kind::Tensor
            || !at->second.tensor.isDefined())
            continue;
        bindShape(bindings, input, at->second.tensor);
        bindContents(bindings, input, at->second.tensor);
    }
    return bindings;
}

std::string takenText(const ir::Graph& graph) {
    std::string text;
    const auto& inputs = graph.main().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ir::Value& input = graph.values[inputs[i]];
        if (input.data.isValid())
            continue;
        text += (text.empty() ? "" : ", ") + input.name + " (" + std::to_string(i) + ")";
    }
    return text.empty() ? "no inputs" : text;
}

std::optional<std::size_t> entryOf(
    const compare::Dump& dump, const std::string& name, std::size_t position) {
    if (auto exact = dump.find(name))
        return exact;
    if (auto placed = dump.find(std::to_string(position)))
        return placed;
    const std::string wanted = compare::normalised(name);
    for (std::size_t i = 0; i < dump.entries().size(); ++i) {
        if (compare::normalised(dump.entries()[i].name) == wanted)
            return i;
    }
    return std::nullopt;
}

bool fits(const ir::Value& input, const numerics::Tensor& tensor) {
    if (!input.declared.shape)
        return true;
    if (input.declared.shape->size() != tensor.rank())
        return false;
    for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
        const ir::Dim& dim = (*input.declared.shape)[axis];
        if (dim.isKnown() && !dim.is(tensor.shape()[axis]))
            return false;
    }
    return true;
}

std::vector<const numerics::Fault*> pointersTo(const std::vector<numerics::Fault>& faults) {
    std::vector<const numerics::Fault*> result;
    for (const numerics::Fault& fault : faults)
        result.push_back(&fault);
    return result;
}

/// The levels of what diverges; a failure to name them is a note, the comparison stands.
base::Result<base::Done> nameTheLevels(
    const DebugRequest& request, compare::Divergence& divergence, const base::Progress& progress) {
    if (request.planted.empty())
        return divergence.origins.empty()
            ? base::Done{}
            : compare::nameLevels(request.subject, request.inputs, divergence, progress);
    auto ladder =
        compare::climb(request.subject, request.inputs, pointersTo(request.planted), progress);
    if (!ladder)
        return ladder.error();
    if (divergence.levels.empty())
        divergence.levels.emplace_back();
    divergence.levels.front() = std::move(ladder->verdict);
    if (divergence.origins.empty() && ladder->node.isValid()
        && !divergence.levels.front().deadlockSentence.empty())
        divergence.headline = "The run stops at " + request.subject.graph().nodes[ladder->node].name
            + ": nothing comes back.";
    return base::Done{};
}

} // namespace

numerics::Subject subjectOf(
    const std::shared_ptr<const Result>& result, std::shared_ptr<numerics::Weights> weights) {
    if (!weights)
        weights = std::make_shared<numerics::Weights>(result->request.model->graph);
    return {result->typed, std::shared_ptr<const lowering::Program>(result, &result->program),
        result->request.machine, result->request.settings.precision, std::move(weights)};
}

base::Result<numerics::Subject> subjectOf(const std::shared_ptr<const Model>& model,
    const ir::Bindings& bindings, const numerics::Inputs& inputs, const base::Progress& progress) {
    ir::InferenceOptions options;
    options.bindings = boundBy(*model->graph, bindings, inputs);
    options.assumeFree = true;
    base::Diagnostics diagnostics;
    auto typed = ir::infer(model->graph, options, diagnostics, progress);
    if (!typed)
        return typed.error();
    return numerics::Subject{std::make_shared<const ir::Typed>(*std::move(typed)), nullptr, nullptr,
        machines::Precision::Fp32, std::make_shared<numerics::Weights>(model->graph)};
}

compare::Lowerer lowererOf(const Request& request) {
    return [request](std::shared_ptr<const ir::Graph> graph) -> base::Result<numerics::Subject> {
        Request changed = request;
        changed.model = modelOf(std::move(graph), {});
        changed.bindings = {};
        auto result = analyze(changed);
        if (!result)
            return result.error();
        return subjectOf(*result);
    };
}

base::Result<numerics::Inputs> inputsOf(const ir::Graph& graph, const compare::Dump& dump) {
    numerics::Inputs inputs;
    const auto& list = graph.main().inputs;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ir::Value& input = graph.values[list[i]];
        const auto entry = entryOf(dump, input.name, i);
        const bool isOptional =
            input.data.isValid() || input.declared.kind != ir::ValueKind::Tensor;
        if (!entry && isOptional)
            continue;
        if (!entry)
            return Error{ErrorCode::InvalidArgument,
                "The inputs lack \"" + input.name + "\"; the model takes " + takenText(graph)
                    + ", by name or by position.",
                dump.path()};
        auto tensor = dump.read(*entry);
        if (!tensor)
            return tensor.error();
        if (!fits(input, *tensor))
            return Error{ErrorCode::InvalidArgument,
                "The input \"" + input.name + "\" has another shape than the model's "
                    + ir::toText(*input.declared.shape) + "; the model takes " + takenText(graph)
                    + ".",
                dump.path()};
        inputs.emplace(input.name, *std::move(tensor));
    }
    return inputs;
}

base::Result<std::shared_ptr<const compare::Divergence>> debug(
    const DebugRequest& request, const base::Progress& progress) {
    compare::CompareOptions options = request.options;
    if (!options.arithmetic && request.subject.machine)
        options.arithmetic =
            numerics::arithmeticOf(*request.subject.machine, request.subject.precision);
    auto divergence =
        compare::compareRuns(request.subject, request.reference ? &*request.reference : nullptr,
            request.device, request.inputs, options, progress);
    if (!divergence)
        return divergence.error();
    if (auto done = nameTheLevels(request, *divergence, progress); !done) {
        if (done.error().code == ErrorCode::Cancelled)
            return done.error();
        divergence->notes.push_back("The level could not be tried: " + done.error().text());
    }
    return std::make_shared<const compare::Divergence>(*std::move(divergence));
}

base::Result<compare::Side> openSide(const std::vector<std::filesystem::path>& paths,
    const compare::MatchEdits& edits, const base::Progress& progress) {
    compare::Side side;
    side.edits = edits;
    for (const std::filesystem::path& path : paths) {
        auto dump = compare::openDump(path, {}, progress);
        if (!dump)
            return dump.error();
        side.repeats.push_back(*dump);
    }
    return side;
}

base::Result<numerics::Inputs> openInputs(const ir::Graph& graph, const std::filesystem::path& path,
    const std::filesystem::path& run, const base::Progress& progress) {
    std::filesystem::path from = path;
    if (from.empty() && !run.empty()) {
        from = run.parent_path() / "inputs.npz";
        std::error_code ignored;
        if (!std::filesystem::exists(from, ignored))
            from.clear();
    }
    if (from.empty())
        return numerics::Inputs{};
    auto dump = compare::openDump(from, {}, progress);
    if (!dump)
        return dump.error();
    return inputsOf(graph, **dump);
}

} // namespace fivefold::analysis
