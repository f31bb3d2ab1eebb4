// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/remedies.h"

#include "core/lowering/substitutions.h"

#include <algorithm>

namespace fivefold::analysis {

using lowering::StepId;

namespace {

constexpr std::int64_t kLargestFactor = 16; ///< of a symbol within a dimension

/// The captured value whose extents a lowered value has, by its own identity or its producer's.
ir::ValueId capturedLike(const Result& result, lowering::ValueId id) {
    const lowering::StageGraph& graph = result.program.stage(lowering::Stage::Scheduled);
    const lowering::Value& value = graph.values[id];
    const auto hasExtents = [&](ir::ValueId captured) {
        if (!captured.isValid() || !value.shape)
            return false;
        const auto& shape = result.typed->type(captured).shape;
        const auto known = shape ? ir::knownShape(*shape) : std::nullopt;
        return known && *known == *value.shape;
    };
    if (hasExtents(value.source))
        return value.source;
    if (!graph.nodes.contains(value.producer))
        return {};
    for (const ir::NodeId source : graph.nodes[value.producer].sources)
        for (const ir::ValueId output : result.graph().nodes[source].outputs)
            if (hasExtents(output))
                return output;
    return {};
}

std::optional<std::int64_t> sizeOf(const Result& result, const std::string& symbol) {
    const ir::Bindings& bindings = result.request.bindings;
    if (const auto bound = bindings.dims.find(symbol); bound != bindings.dims.end())
        return bound->second;
    const auto assumed = result.typed->assumed.find(symbol);
    return assumed == result.typed->assumed.end() ? std::nullopt : std::optional(assumed->second);
}

Remedy bindRemedy(const DimensionSymbol& symbol, std::int64_t size, std::string why) {
    Remedy remedy;
    remedy.text = "Set " + symbol.symbol + " to " + std::to_string(size) + " (" + why + ")";
    remedy.binds[symbol.symbol] = size;
    return remedy;
}

/// The graph input that a step rearranges, with the layout that it makes of it; nullopt where the
/// step reads something else, or others read the input as it is.
std::optional<std::pair<std::string, lowering::DeviceLayout>> inputBefore(
    const Result& result, StepId step) {
    const lowering::StageGraph& graph = result.program.stage(lowering::Stage::Scheduled);
    const lowering::NodeId id = result.program.steps[step].mainNode;
    if (!graph.nodes.contains(id))
        return std::nullopt;
    const lowering::Node& node = graph.nodes[id];
    if (node.addedBy.empty() || node.inputs.empty() || node.outputs.empty()
        || !graph.values.contains(node.inputs.front())
        || !graph.values.contains(node.outputs.front()))
        return std::nullopt;
    const lowering::Value& from = graph.values[node.inputs.front()];
    const lowering::Value& to = graph.values[node.outputs.front()];
    const bool isInput = !from.producer.isValid()
        && (from.role == lowering::ValueRole::Input || from.role == lowering::ValueRole::KvCache);
    if (!isInput || from.users.size() != 1 || !from.layout || !to.layout
        || to.layout->deviceSize.empty() || to.shape != from.shape
        || (to.layout->deviceSize == from.layout->deviceSize
            && to.layout->strideMap == from.layout->strideMap))
        return std::nullopt;
    return std::pair{
        from.name, lowering::DeviceLayout{to.layout->deviceSize, to.layout->strideMap}};
}

} // namespace

bool Remedy::isEmpty() const {
    return binds.empty() && settings.empty() && inputLayouts.empty() && implementations.empty()
        && placements.empty() && substitutes.empty() && !isFusionOn;
}

Request applied(Request request, const Remedy& remedy) {
    for (const auto& [symbol, size] : remedy.binds)
        if (!ir::addBinding(
                request.bindings, *request.model->graph, symbol + "=" + std::to_string(size)))
            request.bindings.dims[symbol] = size;
    for (const auto& [key, value] : remedy.settings)
        request.settings.values[key] = value;
    for (const auto& [name, layout] : remedy.inputLayouts)
        request.settings.inputLayouts[name] = layout;
    for (const auto& [node, choices] : remedy.implementations)
        for (const auto& [key, value] : choices)
            request.settings.implementations[node][key] = value;
    for (const auto& [value, level] : remedy.placements)
        request.settings.placements[value] = level;
    for (const auto& [node, rule] : remedy.substitutes)
        request.settings.substitutes[node] = rule;
    request.settings.isFusionOn = remedy.isFusionOn.value_or(request.settings.isFusionOn);
    return request;
}

std::optional<std::int64_t> DimensionSymbol::sizeFor(std::int64_t extent) const {
    const std::int64_t wanted = extent - rest;
    if (wanted <= 0 || wanted % factor != 0)
        return std::nullopt;
    return wanted / factor;
}

namespace {

/// The one symbol that a dimension of that extent is linear in; nullopt for anything else.
std::optional<DimensionSymbol> solve(
    const Result& result, const ir::Dim& dim, std::int64_t extent) {
    const auto symbols = dim.symbols();
    if (!dim.isSymbolic() || symbols.size() != 1)
        return std::nullopt;
    const auto size = sizeOf(result, symbols.front());
    if (!size)
        return std::nullopt;
    for (std::int64_t factor = 1; factor <= kLargestFactor; ++factor) {
        const ir::Dim rest = dim - ir::Dim(factor) * ir::Dim::symbol(symbols.front());
        if (rest.isKnown() && factor * *size + rest.value() == extent)
            return DimensionSymbol{symbols.front(), factor, rest.value(), *size};
    }
    return std::nullopt;
}

} // namespace

std::optional<DimensionSymbol> symbolOf(const Result& result, const PaddedDimension& dimension) {
    const auto& symbolic = result.request.model->symbolic;
    if (!symbolic)
        return std::nullopt;
    const ir::ValueId captured = capturedLike(result, dimension.value);
    if (captured.isValid() && symbolic->types.contains(captured)) {
        const auto& shape = symbolic->type(captured).shape;
        if (shape && dimension.dimension < shape->size())
            if (auto found = solve(result, (*shape)[dimension.dimension], dimension.extent))
                return found;
    }
    // A view of it: the first value of the model with a dimension of that extent.
    for (std::size_t v = 0; v < symbolic->types.size(); ++v) {
        const auto& shape = symbolic->types[ir::ValueId(v)].shape;
        const auto& sizes = result.typed->types[ir::ValueId(v)].shape;
        if (!shape || !sizes || shape->size() != sizes->size())
            continue;
        for (std::size_t d = 0; d < shape->size(); ++d)
            if ((*sizes)[d].is(dimension.extent))
                if (auto found = solve(result, (*shape)[d], dimension.extent))
                    return found;
    }
    return std::nullopt;
}

std::vector<Remedy> paddingRemedies(const Result& result, const PaddedDimension& dimension) {
    const auto symbol = symbolOf(result, dimension);
    if (!symbol || dimension.quantum <= 1)
        return {};
    std::vector<Remedy> remedies;
    const std::int64_t below = dimension.extent / dimension.quantum * dimension.quantum;
    if (const auto size = symbol->sizeFor(below); size && below > 0)
        remedies.push_back(bindRemedy(*symbol, *size, std::to_string(below) + " fill whole tiles"));
    if (const auto size = symbol->sizeFor(dimension.padded))
        remedies.push_back(bindRemedy(
            *symbol, *size, "the padding holds " + std::to_string(dimension.padded) + " as well"));
    return remedies;
}

std::vector<Remedy> relayoutRemedies(const Result& result, const CostGroup& group) {
    Remedy remedy;
    for (const StepId step : group.some)
        if (auto found = inputBefore(result, step))
            remedy.inputLayouts.insert(std::move(*found));
    if (remedy.inputLayouts.empty())
        return {};
    const std::size_t count = remedy.inputLayouts.size();
    remedy.text = count == 1
        ? "Let " + remedy.inputLayouts.begin()->first
            + " arrive in the layout that its reader wants"
        : "Let " + std::to_string(count) + " inputs arrive in the layouts that their readers want";
    return {remedy};
}

std::vector<Remedy> occupantRemedies(const Result& result, const Occupant& occupant) {
    const lowering::Buffer& buffer = result.program.buffers[occupant.buffer];
    const std::string& name =
        result.program.stage(lowering::Stage::Scheduled).values[buffer.value].name;
    if (name.empty() || occupant.farLevel >= result.machine().memories.size())
        return {};
    const std::string& level = result.machine().memories[occupant.farLevel].name;
    Remedy remedy;
    remedy.text = "Keep " + name + " in " + level;
    remedy.placements[name] = level;
    return {remedy};
}

std::vector<Remedy> substituteRemedies(const Result& result, ir::NodeId node) {
    std::vector<Remedy> remedies;
    if (!result.graph().nodes.size() || !node.isValid())
        return remedies;
    const ir::Node& captured = result.graph().nodes[node];
    const auto& taken = result.request.settings.substitutes;
    for (const lowering::Substitution* substitution : lowering::substitutionsOf(captured)) {
        // Shifts along two axes rearrange more data on every tap than the host trip takes.
        const auto window = captured.attributes.integers("kernel_shape");
        if (substitution->rule.ends_with("conv-taps") && (!window || window->size() > 1))
            continue;
        if (const auto at = taken.find(captured.name);
            at != taken.end() && at->second == substitution->rule)
            continue; // tried already
        Remedy remedy;
        remedy.text = "Write " + captured.sourceOp + " as " + std::string(substitution->text)
            + (substitution->isExact ? "" : " (not exact)");
        remedy.substitutes[captured.name] = substitution->rule;
        remedies.push_back(std::move(remedy));
    }
    return remedies;
}

std::vector<Remedy> launchRemedies(const Result& result) {
    if (result.request.settings.isFusionOn)
        return {};
    Remedy remedy;
    remedy.text = "Switch fusion on";
    remedy.isFusionOn = true;
    return {remedy};
}

} // namespace fivefold::analysis
