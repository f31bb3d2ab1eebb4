// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/bindings.h"

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

/// Bytes of a dense tensor of known shape; nullopt: more than 2^63 − 1. An element type that is not
/// known counts as one byte.
std::optional<std::int64_t> bytesOf(const Shape& shape, DType dtype) {
    std::int64_t elements = 1;
    for (const Dim& dim : shape)
        if (dim.is(0))
            return 0;
    for (const Dim& dim : shape)
        if (__builtin_mul_overflow(elements, dim.value(), &elements))
            return std::nullopt;
    constexpr std::int64_t kBitsPerByte = 8;
    const std::int64_t bits =
        dtype == DType::Undefined ? kBitsPerByte : static_cast<std::int64_t>(bitWidth(dtype));
    if (bits < kBitsPerByte)
        return elements; // packed: fewer bytes than elements
    std::int64_t bytes = 0;
    return __builtin_mul_overflow(elements, bits / kBitsPerByte, &bytes) ? std::nullopt
                                                                         : std::optional(bytes);
}

bool isDense(const ValueType& type) {
    return type.kind == ValueKind::Tensor && type.shape && knownShape(*type.shape);
}

std::string nameOf(const Graph& graph, ValueId id) {
    const Value& value = graph.values[id];
    return value.name.empty() && graph.nodes.contains(value.producer)
        ? graph.nodes[value.producer].name
        : value.name;
}

std::string describe(const Typed& typed, ValueId id) {
    const ValueType& type = typed.types[id];
    return "\"" + nameOf(*typed.graph, id) + "\" (" + toText(*type.shape)
        + (type.dtype == DType::Undefined ? "" : " " + std::string(name(type.dtype))) + ")";
}

} // namespace

bool isTooLarge(const ValueType& type) {
    return isDense(type) && !bytesOf(*type.shape, type.dtype);
}

base::Result<base::Done> checkSizes(Typed& typed, base::Diagnostics& diagnostics) {
    const bool isBound = !(typed.options.bindings == Bindings());
    std::int64_t total = 0;
    for (std::size_t i = 0; i < typed.types.size(); ++i) {
        const ValueId id(i);
        ValueType& type = typed.types[id];
        if (!isDense(type))
            continue;
        const auto bytes = bytesOf(*type.shape, type.dtype);
        std::int64_t sum = 0;
        if (bytes && !__builtin_add_overflow(total, *bytes, &sum)) {
            total = sum;
            continue;
        }
        const std::string what = bytes
            ? "With " + describe(typed, id) + " the tensors take more than 2^63 − 1 bytes"
            : "The tensor " + describe(typed, id) + " has more than 2^63 − 1 bytes";
        if (isBound)
            return wrong(what + " with these sizes; bind smaller ones.");
        diagnostics.warn("infer.too_large", nameOf(*typed.graph, id),
            what + ", which no machine can address; its shape counts as unknown.",
            "Correct the sizes in the file.");
        type.shape.reset();
    }
    return base::Done();
}

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
