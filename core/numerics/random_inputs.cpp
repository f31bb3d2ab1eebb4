// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"
#include "core/numerics/random.h"
#include "core/numerics/rearrange.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace fivefold::numerics {

namespace {

using ir::Op;
using ir::ValueId;

constexpr std::int64_t kSmall = 10; ///< integers of no known use: 0 … 9
constexpr std::size_t kMostFollowed = 256;

std::optional<std::int64_t> extentOf(const ir::Typed& typed, ValueId value, std::int64_t axis) {
    if (!value.isValid() || !typed.types[value].shape)
        return std::nullopt;
    const ir::Shape& shape = *typed.types[value].shape;
    const auto at = axisIn(axis, shape.size());
    return at ? shape[*at].known() : std::nullopt;
}

bool passesOn(Op op) {
    switch (op) {
    case Op::Identity:
    case Op::Cast:
    case Op::Reshape:
    case Op::Flatten:
    case Op::Squeeze:
    case Op::Unsqueeze:
    case Op::Transpose:
    case Op::Slice:
    case Op::Expand:
    case Op::Concat:
    case Op::Split:
    case Op::Gather:
    case Op::Tile:
    case Op::Clip:
        return true;
    default:
        return false;
    }
}

/// Rows that an index operand may name; nullopt where it is none.
std::optional<std::int64_t> rowsOf(
    const ir::Typed& typed, const ir::Node& node, std::size_t input) {
    const ValueId data = node.inputs.empty() ? ValueId() : node.inputs[0];
    const auto within = [&](ValueId value, std::int64_t axis) {
        return extentOf(typed, value, axis);
    };
    const auto operand = [&](std::size_t i) {
        return i < node.inputs.size() ? node.inputs[i] : ValueId();
    };
    switch (node.op) {
    case Op::Gather:
    case Op::GatherElements:
    case Op::ScatterElements:
    case Op::Scatter:
    case Op::Index:
        return input >= 1 && input != 2 ? within(data, node.attributes.integer("axis", 0))
                                        : std::nullopt;
    case Op::GatherBlockQuantized:
        return input == 1 ? within(data, node.attributes.integer("gather_axis", 0)) : std::nullopt;
    case Op::GatherND:
    case Op::ScatterND: {
        if (input != 1)
            return std::nullopt;
        std::optional<std::int64_t> least;
        for (std::int64_t axis = 0; data.isValid() && typed.types[data].shape
             && axis < std::ssize(*typed.types[data].shape);
             ++axis)
            if (const auto extent = within(data, axis))
                least = std::min(least.value_or(*extent), *extent);
        return least;
    }
    case Op::EmbedLayerNormalization: // input ids, segment ids, tables of words, places, segments
        return input < 2 ? within(operand(input == 0 ? 2 : 4), 0) : std::nullopt;
    case Op::RotaryEmbedding: // com.microsoft: X, positions, cosines
        return input == 1 ? within(operand(2), 0) : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// Smallest table that the input's values are looked up in, through views and copies; nullopt:
/// none.
std::optional<std::int64_t> rangeOf(const ir::Typed& typed, ValueId input) {
    const ir::Graph& graph = *typed.graph;
    std::vector<ValueId> open{input};
    std::set<ValueId> seen{input};
    std::optional<std::int64_t> least;
    while (!open.empty() && seen.size() < kMostFollowed) {
        const ValueId value = open.back();
        open.pop_back();
        for (const ir::NodeId user : graph.values[value].users) {
            if (!graph.nodes.contains(user))
                continue;
            const ir::Node& node = graph.nodes[user];
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                if (node.inputs[i] != value)
                    continue;
                if (const auto rows = rowsOf(typed, node, i))
                    least = std::min(least.value_or(*rows), *rows);
                else if (passesOn(node.op) && (i == 0 || node.op == Op::Concat))
                    for (const ValueId output : node.outputs)
                        if (output.isValid() && seen.insert(output).second)
                            open.push_back(output);
            }
        }
    }
    return least;
}

bool isMask(const ir::Value& value) {
    std::string name = value.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name.find("mask") != std::string::npos;
}

Tensor randomTensor(
    const ir::Typed& typed, ValueId input, const Extents& shape, std::uint64_t seed) {
    const ir::Value& value = typed.graph->values[input];
    const ir::DType dtype = typed.types[input].dtype;
    Random random(seedOf("input " + value.name, seed));
    const auto count = static_cast<std::size_t>(productOf(shape));
    if (dtype == ir::DType::String) {
        std::vector<std::string> texts(count);
        for (std::string& text : texts)
            text = "text" + std::to_string(random.below(kSmall));
        return {dtype, shape, std::move(texts)};
    }
    if (dtype == ir::DType::Undefined || ir::isFloat(dtype)) {
        const ir::DType own = dtype == ir::DType::Undefined ? ir::DType::Float32 : dtype;
        const Format format = formatOf(own);
        std::vector<double> values(count, 1.0);
        if (!isMask(value))
            for (double& v : values)
                v = round(static_cast<double>(static_cast<float>(random.between(-1, 1))), format);
        return {own, shape, std::move(values)};
    }
    std::vector<std::int64_t> values(count, 1);
    const std::int64_t range = rangeOf(typed, input).value_or(kSmall);
    if (dtype != ir::DType::Bool && !isMask(value))
        for (std::int64_t& v : values)
            v = random.below(std::max<std::int64_t>(1, range));
    return {dtype, shape, std::move(values)};
}

/// Known sizes as they are, others 1.
Extents shapeFor(const ir::ValueType& type) {
    Extents shape;
    if (type.shape)
        for (const ir::Dim& dim : *type.shape)
            shape.push_back(std::max<std::int64_t>(0, dim.known().value_or(1)));
    return shape;
}

/// Lengths that fused attention wants beside its cache: one less than the tokens (com.microsoft
/// GroupQueryAttention, seqlens_k), and their total.
std::optional<std::int64_t> cacheLength(const ir::Typed& typed, ValueId input) {
    const ir::Graph& graph = *typed.graph;
    for (const ir::NodeId user : graph.values[input].users) {
        const ir::Node& node = graph.nodes[user];
        if (node.op != Op::GroupQueryAttention || node.inputs.size() < 7)
            continue;
        const auto past = extentOf(typed, node.inputs[3], 2).value_or(0);
        const auto fresh = extentOf(typed, node.inputs[0], 1);
        if (!fresh)
            continue;
        if (node.inputs[5] == input)
            return past + *fresh - 1;
        if (node.inputs[6] == input)
            return past + *fresh;
    }
    return std::nullopt;
}

} // namespace

Inputs randomInputs(const ir::Typed& typed, std::uint64_t seed) {
    Inputs inputs;
    if (!typed.graph || typed.graph->blocks.empty())
        return inputs;
    const ir::Graph& graph = *typed.graph;
    const ir::Bindings& bindings = typed.options.bindings;
    for (const ValueId id : graph.main().inputs) {
        if (!graph.values.contains(id) || graph.values[id].data.isValid())
            continue;
        const std::string& name = graph.values[id].name;
        if (bindings.scalars.contains(name) || bindings.contents.contains(name)
            || bindings.numbers.contains(name))
            continue; // the run takes what is bound
        const ir::ValueType& type = typed.types[id];
        const Extents shape = shapeFor(type);
        if (productOf(shape) > std::numeric_limits<std::int32_t>::max())
            continue; // the run says that it is not given
        Datum datum(randomTensor(typed, id, shape, seed));
        if (const auto length = cacheLength(typed, id))
            datum = Tensor(type.dtype, shape,
                std::vector<std::int64_t>(static_cast<std::size_t>(productOf(shape)), *length));
        if (type.kind == ir::ValueKind::Sequence || type.kind == ir::ValueKind::Optional) {
            Datum outer;
            outer.kind = type.kind == ir::ValueKind::Sequence ? Datum::Kind::Sequence
                                                              : Datum::Kind::Optional;
            outer.items.push_back(std::move(datum));
            datum = std::move(outer);
        }
        inputs[name.empty() ? std::to_string(inputs.size()) : name] = std::move(datum);
    }
    return inputs;
}

} // namespace fivefold::numerics
