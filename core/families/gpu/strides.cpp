// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/strides.h"

#include "core/families/gpu/operators.h"
#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;
using Shape = std::vector<std::int64_t>;

std::optional<Strides> permuted(const Node& node, const Strides& strides) {
    const auto permutation = node.attributes.integers("perm");
    if (!permutation)
        return Strides(strides.rbegin(), strides.rend());
    Strides result;
    for (const std::int64_t axis : *permutation) {
        if (axis < 0 || static_cast<std::size_t>(axis) >= strides.size())
            return std::nullopt;
        result.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    return result;
}

std::optional<Strides> expanded(const Shape& from, const Strides& strides, const Shape& to) {
    if (to.size() < from.size())
        return std::nullopt;
    Strides result(to.size(), 0);
    const std::size_t shift = to.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i)
        result[shift + i] = from[i] == 1 && to[shift + i] != 1 ? 0 : strides[i];
    return result;
}

std::optional<Strides> sliced(const Shape& from, const Strides& strides, const Shape& to) {
    // The step is not needed exactly: a stepped axis keeps its place, only its stride grows.
    if (from.size() != to.size())
        return std::nullopt;
    return strides;
}

std::optional<Strides> throughView(
    const Node& node, const Shape& from, const Strides& strides, const Shape& to) {
    switch (node.canonical) {
    case Op::Transpose:
        return permuted(node, strides);
    case Op::Expand:
        return expanded(from, strides, to);
    case Op::Slice:
    case Op::Split:
    case Op::Crop:
        return sliced(from, strides, to);
    default:
        return viewStrides(from, strides, to);
    }
}

} // namespace

Strides contiguousStrides(const Shape& shape) {
    Strides strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = saturatingMul(strides[i], std::max<std::int64_t>(1, shape[i]));
    return strides;
}

std::optional<Strides> viewStrides(
    const Shape& shape, const Strides& strides, const Shape& newShape) {
    const std::optional<std::int64_t> count = elements(shape);
    if (!count || count != elements(newShape) || strides.size() != shape.size())
        return std::nullopt;
    if (*count == 0)
        return contiguousStrides(newShape);
    Strides result(newShape.size(), 1);
    std::size_t view = newShape.size(); // new dimensions not yet placed
    std::int64_t base = strides.empty() ? 1 : strides.back();
    std::int64_t run = 1,
                 placed = 1; // elements of the contiguous run, and of new dimensions inside it
    for (std::size_t i = shape.size(); i-- > 0;) {
        run *= shape[i];
        const bool isRunEnd =
            i == 0 || (shape[i - 1] != 1 && strides[i - 1] != saturatingMul(run, base));
        if (!isRunEnd)
            continue;
        while (view > 0 && (placed < run || newShape[view - 1] == 1)) {
            --view;
            result[view] = saturatingMul(placed, base);
            placed *= newShape[view];
        }
        if (placed != run)
            return std::nullopt;
        if (i > 0) {
            base = strides[i - 1];
            run = placed = 1;
        }
    }
    while (view > 0 && newShape[view - 1] == 1) // of a scalar
        --view;
    return view == 0 ? std::optional(result) : std::nullopt;
}

base::IdVector<ValueId, std::optional<Strides>> stridesOf(const StageGraph& graph) {
    base::IdVector<ValueId, std::optional<Strides>> strides(graph.values.size());
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[ValueId(i)];
        if (value.strides && value.shape && value.strides->size() == value.shape->size())
            strides[ValueId(i)] = *value.strides;
        else if (value.shape)
            strides[ValueId(i)] = contiguousStrides(*value.shape);
    }
    for (const Node& node : graph.nodes) {
        if (kindOf(node) != OpKind::View || node.inputs.empty()
            || !graph.values.contains(node.inputs.front()))
            continue;
        const Value& from = graph.values[node.inputs.front()];
        for (const ValueId output : node.outputs) {
            if (!graph.values.contains(output))
                continue;
            const Value& to = graph.values[output];
            const auto& own = strides[node.inputs.front()];
            strides[output] = own && from.shape && to.shape
                ? throughView(node, *from.shape, *own, *to.shape)
                : std::nullopt;
        }
    }
    return strides;
}

} // namespace fivefold::families::gpu
