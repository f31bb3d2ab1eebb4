// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference.h"

#include <algorithm>
#include <charconv>

namespace fivefold::ir {

namespace {

base::Error wrong(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), {}};
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
        ? std::optional(value)
        : std::nullopt;
}

const Value* findInput(const Graph& graph, std::string_view name) {
    if (graph.blocks.empty())
        return nullptr;
    for (const ValueId id : graph.main().inputs)
        if (graph.values.contains(id) && graph.values[id].name == name)
            return &graph.values[id];
    return nullptr;
}

std::string knownNames(const Graph& graph) {
    constexpr std::size_t kMostNames = 20;
    std::string text;
    const auto symbols = freeSymbols(graph);
    for (std::size_t i = 0; i < std::min(symbols.size(), kMostNames); ++i)
        text += (i ? ", " : "") + symbols[i].name;
    return text.empty() ? "the model has no free dimension" : "free dimensions: " + text;
}

} // namespace

base::Result<base::Done> addBinding(Bindings& bindings, const Graph& graph, std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
        return wrong("The binding \"" + std::string(text) + "\" has not the form NAME=NUMBER.");
    const std::string name(text.substr(0, equals));
    const auto value = parseInteger(text.substr(equals + 1));
    if (!value)
        return wrong("The binding \"" + std::string(text) + "\" needs a whole number after '='.");
    const auto symbols = freeSymbols(graph);
    const bool isDim = std::any_of(
        symbols.begin(), symbols.end(), [&](const FreeSymbol& s) { return s.name == name; });
    const std::size_t dot = name.rfind('.');
    const auto axis = dot == std::string::npos
        ? std::nullopt
        : parseInteger(std::string_view(name).substr(dot + 1));
    const Value* axisInput = axis ? findInput(graph, name.substr(0, dot)) : nullptr;
    const Value* scalarInput = findInput(graph, name);
    if ((isDim || axisInput) && !scalarInput && *value < 0)
        return wrong("The binding \"" + std::string(text) + "\" gives a negative size.");
    if (axisInput) {
        const auto& shape = axisInput->declared.shape;
        if (*axis < 0 || (shape && *axis >= static_cast<std::int64_t>(shape->size())))
            return wrong(
                "The input \"" + axisInput->name + "\" has no axis " + std::to_string(*axis) + ".");
        bindings.axes[{axisInput->name, static_cast<int>(*axis)}] = *value;
    } else if (isDim) {
        bindings.dims[name] = *value;
    } else if (scalarInput) {
        const auto& shape = scalarInput->declared.shape;
        if (shape && !elementCount(*shape).is(1) && elementCount(*shape).isKnown())
            return wrong(
                "The input \"" + name + "\" is no scalar; bind its axes as " + name + ".AXIS=N.");
        bindings.scalars[name] = *value;
    } else {
        return wrong(
            "Nothing in the model is called \"" + name + "\" (" + knownNames(graph) + ").");
    }
    return base::Done();
}

} // namespace fivefold::ir
