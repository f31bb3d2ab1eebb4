// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/view_maps.h"

#include "core/families/spyre/operators.h"

#include <algorithm>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;

namespace {

struct SliceStart {
    std::int64_t start = 0, step = 1;
};

std::vector<SliceStart> sliceStarts(const Node& node, const Extents& shape) {
    std::vector<SliceStart> out(shape.size());
    const auto starts = node.attributes.integers("starts");
    const auto axes = node.attributes.integers("axes");
    const auto steps = node.attributes.integers("steps");
    if (!starts)
        return out;
    const auto rank = static_cast<std::int64_t>(shape.size());
    for (std::size_t i = 0; i < starts->size(); ++i) {
        std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        if (axis < 0)
            axis += rank;
        if (axis < 0 || axis >= rank)
            continue;
        const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
        SliceStart& s = out[static_cast<std::size_t>(axis)];
        s.step = steps && i < steps->size() && (*steps)[i] != 0 ? (*steps)[i] : 1;
        s.start = (*starts)[i] < 0 ? (*starts)[i] + extent : (*starts)[i];
        s.start = std::clamp<std::int64_t>(
            s.start, 0, std::max<std::int64_t>(0, s.step < 0 ? extent - 1 : extent));
    }
    return out;
}

} // namespace

std::vector<Index> broadcastTo(const std::vector<Index>& at, const Extents& shape) {
    std::vector<Index> own(shape.size());
    for (std::size_t i = 0; i < shape.size() && i < at.size(); ++i) {
        const std::size_t d = shape.size() - 1 - i;
        if (shape[d] != 1)
            own[d] = at[at.size() - 1 - i];
    }
    return own;
}

std::vector<Index> throughView(const StageGraph& graph, const Node& node, ValueId output,
    std::vector<Index> at, const Extents& to, const Extents& from, const Extents& extents) {
    switch (node.canonical) {
    case Op::Transpose: {
        const auto permutation = permutationOf(node, from.size());
        std::vector<Index> in(from.size());
        for (std::size_t d = 0; d < permutation.size() && d < at.size(); ++d)
            in[static_cast<std::size_t>(permutation[d])] = at[d];
        return in;
    }
    case Op::Expand:
        return broadcastTo(at, from);
    case Op::Slice: {
        const auto starts = sliceStarts(node, from);
        for (std::size_t d = 0; d < at.size() && d < starts.size(); ++d)
            at[d] = at[d] * starts[d].step + Index(starts[d].start);
        return at;
    }
    case Op::Split: {
        const auto rank = static_cast<std::int64_t>(from.size());
        std::int64_t axis = node.attributes.integer("axis", 0);
        axis = axis < 0 ? axis + rank : axis;
        std::int64_t start = 0;
        for (const ValueId part : node.outputs) {
            if (part == output)
                break;
            if (part.isValid() && graph.values[part].shape && axis >= 0 && axis < rank)
                start += (*graph.values[part].shape)[static_cast<std::size_t>(axis)];
        }
        if (axis >= 0 && axis < rank)
            at[static_cast<std::size_t>(axis)] += Index(start);
        return at;
    }
    case Op::Tile: {
        for (std::size_t d = 0; d < at.size() && d < from.size(); ++d)
            at[d] = modulo(at[d], from[d], extents);
        return at;
    }
    default:
        return reshaped(at, to, from, extents);
    }
}

Access addressOf(const StageGraph& graph, const LoopProgram& program, ValueId value,
    std::vector<Index> at, const std::vector<std::int64_t>& extents) {
    while (value.isValid()) {
        const Value& v = graph.values[value];
        const NodeId producer = v.producer;
        const BufferIndex known = program.bufferOfValue[value.index()];
        if (known != kNoBuffer && program.buffers[known].shape.size() == at.size())
            return {known, flattened(at, program.buffers[known].strides), -1};
        if (known != kNoBuffer && program.buffers[known].role == BufferRole::Constant)
            return {known, Index(), -1};
        if (!producer.isValid())
            return {};
        const Node& node = graph.nodes[producer];
        const std::int64_t into = node.attributes.integer(kIntoAttribute, -1);
        if (into >= 0 && !node.attributes.has(kOffsetsAttribute)
            && static_cast<std::size_t>(into) < node.inputs.size()) {
            value = node.inputs[static_cast<std::size_t>(into)];
            continue;
        }
        if (kindOf(node) != OpKind::View || node.inputs.empty() || !node.inputs[0].isValid()
            || !v.shape || !graph.values[node.inputs[0]].shape)
            return {};
        const ValueId in = node.inputs[0];
        at = throughView(
            graph, node, value, std::move(at), *v.shape, *graph.values[in].shape, extents);
        value = in;
    }
    return {};
}

} // namespace fivefold::families::spyre
