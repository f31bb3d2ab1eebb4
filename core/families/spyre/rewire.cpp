// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/rewire.h"

#include "core/families/spyre/operators.h"

#include <algorithm>

namespace fivefold::families::spyre {

using lowering::NewNode;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::ValueId;

namespace {

using Extents = std::vector<std::int64_t>;

/// One part of a split.
void becomeSlice(const Rewriter& rewriter, NewNode& copy, const Node& split, ValueId part) {
    const Extents& shape = *rewriter.value(part).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = split.attributes.integer("axis", 0);
    axis = std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank - 1);
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t start = 0;
    for (const ValueId other : split.outputs) {
        if (!other.isValid())
            continue;
        if (rewriter.resolve(other) == part)
            break;
        if (const auto& size = rewriter.value(other).shape)
            start += (*size)[at];
    }
    copy.canonical = ir::Op::Slice;
    copy.inputs.resize(1);
    copy.op.clear();
    copy.attributes = {};
    copy.attributes.set("axes", Extents{axis});
    copy.attributes.set("starts", Extents{start});
    copy.attributes.set("ends", Extents{start + shape[at]});
}

} // namespace

std::vector<NodeId> viewsBehind(
    const Rewriter& rewriter, ValueId& value, const std::function<bool(ValueId)>& isStored) {
    std::vector<NodeId> views;
    while (value.isValid() && !isStored(value)) {
        const NodeId producer = rewriter.value(value).producer;
        if (!producer.isValid() || kindOf(rewriter.node(producer)) != OpKind::View
            || rewriter.node(producer).inputs.empty())
            break;
        views.push_back(producer);
        value = rewriter.input(producer, 0);
    }
    std::ranges::reverse(views);
    return views;
}

ValueId insertLaidOut(Rewriter& rewriter, NodeId user, ValueId from, NewNode node,
    const std::string& why, std::shared_ptr<const layout::TensorLayout> layout) {
    const lowering::KernelId kernel = rewriter.node(user).kernel;
    const ValueId made = rewriter.insertAhead(user, from, std::move(node), why);
    rewriter.edit(rewriter.value(made).producer).kernel = kernel;
    rewriter.editValue(made).layout = std::move(layout);
    return made;
}

ValueId repeatViews(Rewriter& rewriter, NodeId user, ValueId base, const std::vector<NodeId>& views,
    ValueId last, const std::string& why) {
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Node view = rewriter.node(views[i]);
        const ValueId out =
            i + 1 < views.size() ? rewriter.input(views[i + 1], 0) : rewriter.resolve(last);
        NewNode copy;
        copy.canonical = view.canonical;
        copy.suffix = "view";
        copy.inputs = view.inputs;
        copy.inputs[0] = base;
        copy.outputs = {{rewriter.value(out).dtype, rewriter.value(out).shape}};
        copy.attributes = view.attributes;
        copy.op = view.op;
        if ((view.canonical == ir::Op::Split || view.canonical == ir::Op::Unbind)
            && rewriter.value(out).shape)
            becomeSlice(rewriter, copy, view, out);
        const auto layout = rewriter.value(out).layout;
        base = insertLaidOut(rewriter, user, base, std::move(copy), why, layout);
    }
    return base;
}

} // namespace fivefold::families::spyre
