// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/part_writes.h"

#include "core/families/spyre/loops.h"
#include "core/families/spyre/operators.h"
#include "core/layout/spyre_layout.h"
#include "core/lowering/tiling.h"

namespace fivefold::families::spyre {

using ir::Op;
using lowering::NewNode;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::ValueId;

namespace {

using Extents = std::vector<std::int64_t>;
constexpr std::int64_t kLanes = 64; // of 16-bit elements

/// One identity that writes a part.
struct Part {
    Op canonical = Op::Identity;
    std::string suffix;
    std::vector<ValueId> inputs;
    std::int64_t into = -1; ///< index of the tensor so far, −1: the first part
    std::int64_t part = 0; ///< index of the part
    Extents offsets;
    Extents shape; ///< of the result as the graph sees it
};

NewNode partNode(Part part, const Extents& whole, ir::DType dtype, const std::string& aten,
    ir::Attributes attributes) {
    attributes.set(kAtenAttribute, aten);
    attributes.set(kIntoAttribute, part.into);
    attributes.set(kPartAttribute, part.part);
    attributes.set(kOffsetsAttribute, std::move(part.offsets));
    attributes.set(kWholeAttribute, whole);
    return {part.canonical, std::move(part.suffix), std::move(part.inputs),
        {{dtype, std::move(part.shape)}}, std::move(attributes), std::string(kClone)};
}

std::string atenOf(const Node& node) {
    return node.attributes.text(kAtenAttribute, std::string(atenWord(node)));
}

} // namespace

bool splitConcat(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.outputs.size() != 1 || node.inputs.empty() || node.attributes.has(kIntoAttribute)
        || node.attributes.integer("new_axis", 0) != 0)
        return false;
    std::vector<ValueId> parts;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId part = rewriter.input(id, i);
        if (!part.isValid() || !rewriter.value(part).shape || rewriter.value(part).shape->empty())
            return false;
        parts.push_back(part);
    }
    const auto& known = rewriter.value(node.outputs[0]).shape;
    if (!known)
        return false;
    const Extents whole = *known;
    const auto rank = static_cast<std::int64_t>(whole.size());
    std::int64_t axis = node.attributes.integer("axis", 0);
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank)
        return false;
    const auto at = static_cast<std::size_t>(axis);
    const ir::DType dtype = rewriter.value(node.outputs[0]).dtype;
    const std::string aten = atenOf(node);
    auto sequence = rewriter.replace(
        id, "A concatenation is one identity OpSpec a part, into a tensor made before.");
    ValueId soFar;
    Extents shape = whole;
    shape[at] = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Part part;
        part.offsets.assign(whole.size(), 0);
        part.offsets[at] = shape[at];
        shape[at] += (*rewriter.value(parts[i]).shape)[at];
        part.shape = shape;
        part.suffix = "part_" + std::to_string(i);
        ir::Attributes attributes;
        if (i == 0) {
            part.inputs = {parts[0]};
        } else {
            part.canonical = Op::Concat;
            part.inputs = {soFar, parts[i]};
            part.into = 0;
            part.part = 1;
            attributes.set("axis", axis);
        }
        soFar = sequence.add(partNode(std::move(part), whole, dtype, aten, std::move(attributes)));
    }
    sequence.finish(soFar);
    return true;
}

bool splitPad(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    const auto pads = node.attributes.integers("pads");
    if (node.attributes.has(kIntoAttribute) || !x.isValid() || !rewriter.value(x).shape
        || node.outputs.size() != 1 || !rewriter.value(node.outputs[0]).shape || !pads
        || node.attributes.text("mode", "constant") != "constant")
        return false;
    const Extents from = *rewriter.value(x).shape, whole = *rewriter.value(node.outputs[0]).shape;
    const std::size_t rank = from.size();
    if (pads->size() != 2 * rank || whole.size() != rank || node.attributes.has("axes"))
        return false;
    for (const std::int64_t pad : *pads)
        if (pad < 0)
            return false; // a crop
    const ValueId given = node.inputs.size() > 2 ? rewriter.input(id, 2) : ValueId();
    const double fill = given.isValid()
        ? rewriter.value(given).fill.value_or(0)
        : node.attributes.number("value", node.attributes.number("constant_value", 0));
    const ir::DType dtype = rewriter.value(node.outputs[0]).dtype;
    const std::string aten = atenOf(node);
    auto sequence = rewriter.replace(
        id, "A pad is one identity OpSpec a side with the fill, and one with the tensor.");
    const ValueId value = sequence.constant("fill", fill, x);
    ValueId soFar;
    int sides = 0;
    for (std::size_t d = 0; d < rank; ++d)
        for (const bool isAfter : {false, true}) {
            const std::int64_t count = (*pads)[isAfter ? d + rank : d];
            if (count == 0)
                continue;
            Part part;
            part.canonical = Op::Expand;
            part.shape = whole;
            part.shape[d] = count;
            part.offsets.assign(rank, 0);
            part.offsets[d] = isAfter ? (*pads)[d] + from[d] : 0;
            if (d + 1 == rank)
                part.offsets[d] = part.offsets[d] / kLanes * kLanes;
            part.suffix = "side_" + std::to_string(sides++);
            part.inputs = {value};
            if (soFar.isValid()) {
                part.inputs = {value, ValueId(), soFar};
                part.into = 2;
            }
            ir::Attributes attributes;
            attributes.set("shape", part.shape);
            soFar = sequence.add(partNode(std::move(part), whole, dtype, aten, attributes));
        }
    Part part;
    part.canonical = Op::Pad;
    part.shape = whole;
    part.offsets.assign(pads->begin(), pads->begin() + static_cast<std::ptrdiff_t>(rank));
    part.suffix = "tensor";
    part.inputs = {x};
    if (soFar.isValid()) {
        part.inputs = {x, ValueId(), value, ValueId(), soFar};
        part.into = 4;
    }
    ir::Attributes attributes;
    attributes.set("pads", *pads);
    attributes.set("mode", std::string("constant"));
    sequence.finish(sequence.add(partNode(std::move(part), whole, dtype, aten, attributes)));
    return true;
}

bool padsRightOperand(const StageGraph& graph, const Node& node) {
    if (kindOf(node) != OpKind::Matmul || node.inputs.size() < 2 || !node.inputs[0].isValid()
        || !node.inputs[1].isValid())
        return false;
    const auto &a = graph.values[node.inputs[0]].shape, &b = graph.values[node.inputs[1]].shape;
    if (!a || !b || a->empty() || b->size() < 2 || !node.work.isKnown)
        return false;
    const std::int64_t lanes =
        layout::spyreElementsPerStick(graph.values[node.inputs[1]].dtype).value_or(kLanes);
    return node.work.k > 1 && node.work.k % lanes != 0;
}

std::int64_t paddedK(std::int64_t k) {
    return lowering::roundUp(k, kLanes);
}

} // namespace fivefold::families::spyre
