// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/fx_graph.h"

#include "core/families/spyre/fx_attention.h"
#include "core/families/spyre/fx_passes.h"
#include "core/families/spyre/loops.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/stages.h"
#include "core/lowering/patterns.h"

#include <algorithm>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Context;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::ValueId;

namespace {

void nameOperators(Rewriter& rewriter, const Context& context) {
    for (const NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        if (node.sources.empty())
            continue;
        const ir::Node& source = context.typed.graph->nodes[node.sources.front()];
        node.attributes.set(kAtenAttribute, source.sourceOp);
    }
}

std::string atenOf(const Node& node) {
    return node.attributes.text(kAtenAttribute);
}

bool isModelOutput(const Rewriter& rewriter, ValueId value) {
    return std::ranges::any_of(rewriter.graph().outputs, [&](ValueId output) {
        return output.isValid() && rewriter.resolve(output) == rewriter.resolve(value);
    });
}

void removeDead(Rewriter& rewriter) {
    const auto order = rewriter.order();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const Node& node = rewriter.node(*it);
        const bool isDead = std::ranges::all_of(node.outputs, [&](ValueId out) {
            return !out.isValid() || (rewriter.users(out).empty() && !isModelOutput(rewriter, out));
        });
        if (isDead && !node.outputs.empty() && node.canonical != Op::CopyInto)
            rewriter.remove(*it, "Nothing reads it.");
    }
}

/// full and its kin: one number, whatever the file's tensor of it.
void nameFill(Rewriter& rewriter, const Context& context, NodeId id) {
    Node& node = rewriter.edit(id);
    double fill = 0;
    if (const auto tensor = node.attributes.tensor("value"))
        if (const auto numbers = context.typed.graph->tensors.numbers(*tensor, 1))
            fill = numbers->empty() ? 0 : numbers->front();
    node.attributes.set("fill", fill);
    node.inputs.clear();
}

/// A CopyInto is no operation of its own where the destination is a buffer that the program made:
/// what was copied is read from then on. A copy into an input, or through a view, writes.
void resolveCopy(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId destination = rewriter.input(id, 0), source = rewriter.input(id, 1);
    if (!destination.isValid() || !source.isValid() || node.outputs.size() != 1
        || node.attributes.has("offsets"))
        return;
    const NodeId producer = rewriter.value(destination).producer;
    const bool isPlain = producer.isValid() && kindOf(rewriter.node(producer)) != OpKind::View
        && !rewriter.node(producer).attributes.has(kIntoAttribute)
        && rewriter.value(destination).shape == rewriter.value(source).shape;
    if (isPlain && rewriter.value(source).producer.isValid()) {
        rewriter.edit(rewriter.value(source).producer)
            .attributes.set(kHandedOnAttribute, std::string("copy_"));
        rewriter.edit(id).canonical = Op::Identity;
        rewriter.setInput(id, 0, source);
        rewriter.edit(id).inputs.resize(1);
        rewriter.alias(id, "The destination is the program's own: its readers read the source.");
        return;
    }
    Node& edited = rewriter.edit(id);
    edited.op = std::string(kClone);
    edited.attributes.set(kIntoAttribute, std::int64_t{0});
    edited.attributes.set(kPartAttribute, std::int64_t{1});
}

/// aten.select with a number is a view.
void selectIsAView(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0), index = rewriter.input(id, 1);
    if (!x.isValid() || !index.isValid() || !rewriter.value(x).shape || node.outputs.size() != 1)
        return;
    const auto at = lowering::scalarOf(rewriter.graph(), index);
    const auto shape = *rewriter.value(x).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = node.attributes.integer("axis", 0);
    axis = axis < 0 ? axis + rank : axis;
    if (!at || axis < 0 || axis >= rank)
        return;
    auto begin = static_cast<std::int64_t>(*at);
    begin = begin < 0 ? begin + shape[static_cast<std::size_t>(axis)] : begin;
    const auto to = rewriter.value(node.outputs[0]).shape;
    auto sequence = rewriter.replace(id, "A view: one place along an axis.");
    sequence.finish(
        sequence.reshape("select", sequence.slice("slice", x, axis, begin, begin + 1), to));
}

bool isReadOnlyBy(const Rewriter& rewriter, ValueId value, Op op) {
    const auto users = rewriter.users(value);
    return users.size() == 1 && rewriter.node(users.front()).canonical == op;
}

/// The products of the tiled attention keep the plain division: their decomposition asks for one
/// (torch-spyre decompositions.py, spyre_hint work_div).
void markAttention(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        if (rewriter.node(id).canonical != Op::MatMul || rewriter.node(id).outputs.empty())
            continue;
        // Scores: (mask added,) amax, maximum with the running one.
        ValueId scores = rewriter.node(id).outputs[0];
        if (isReadOnlyBy(rewriter, scores, Op::Add))
            scores = rewriter.node(rewriter.users(scores).front()).outputs[0];
        bool isHinted = false;
        for (const NodeId user : rewriter.users(scores))
            isHinted = isHinted
                || (rewriter.node(user).canonical == Op::ReduceMax
                    && isReadOnlyBy(rewriter, rewriter.node(user).outputs[0], Op::Max));
        // Context: the left operand is exp(scores − maximum).
        ValueId left = rewriter.input(id, 0);
        NodeId producer = left.isValid() ? rewriter.value(left).producer : NodeId();
        while (producer.isValid() && kindOf(rewriter.node(producer)) == OpKind::View) {
            left = rewriter.input(producer, 0);
            producer = left.isValid() ? rewriter.value(left).producer : NodeId();
        }
        if (producer.isValid() && rewriter.node(producer).canonical == Op::Exp) {
            const ValueId shifted = rewriter.input(producer, 0);
            const NodeId sub = shifted.isValid() ? rewriter.value(shifted).producer : NodeId();
            if (sub.isValid() && rewriter.node(sub).canonical == Op::Sub) {
                ValueId by = rewriter.input(sub, 1);
                NodeId maker = by.isValid() ? rewriter.value(by).producer : NodeId();
                while (maker.isValid() && kindOf(rewriter.node(maker)) == OpKind::View) {
                    by = rewriter.input(maker, 0);
                    maker = by.isValid() ? rewriter.value(by).producer : NodeId();
                }
                isHinted =
                    isHinted || (maker.isValid() && rewriter.node(maker).canonical == Op::Max);
            }
        }
        if (isHinted)
            rewriter.edit(id).attributes.set(kHintAttribute, std::int64_t{1});
    }
}

void prepare(Rewriter& rewriter, const Context& context, NodeId id) {
    const Node& node = rewriter.node(id);
    switch (node.canonical) {
    case Op::NormMoments: { // fx leaves out the one packed element
        auto& shape = rewriter.editValue(node.outputs[0]).shape;
        const ValueId x = rewriter.input(id, 0);
        if (shape && x.isValid() && rewriter.value(x).shape
            && shape->size() + 1 == rewriter.value(x).shape->size())
            shape->push_back(1);
        break;
    }
    case Op::NormScale: {
        const ValueId x = rewriter.input(id, 0);
        if (x.isValid())
            rewriter.editValue(node.outputs[0]).shape = rewriter.value(x).shape;
        break;
    }
    case Op::TopK: // topkindex has the second result only
        if (node.outputs.size() > 1 && !node.outputs[0].isValid())
            rewriter.edit(id).outputs.erase(rewriter.edit(id).outputs.begin());
        break;
    case Op::ConstantOfShape:
        nameFill(rewriter, context, id);
        break;
    case Op::CopyInto:
        resolveCopy(rewriter, id);
        break;
    case Op::Gather:
        if (atenOf(node) == "aten.select.int")
            selectIsAView(rewriter, id);
        break;
    default:
        break;
    }
}

} // namespace

void prepareFx(Rewriter& rewriter, const Context& context) {
    nameOperators(rewriter, context);
    removeDead(rewriter);
    unflattenProducts(rewriter);
    removeDead(rewriter);
    for (const NodeId id : rewriter.order()) {
        if (!rewriter.isAlive(id))
            continue;
        const ValueId first = rewriter.input(id, 0);
        if (rewriter.node(id).canonical == Op::Attention && first.isValid()) {
            const auto strides = stridesOf(context, rewriter.graph())(first);
            decomposeTiledAttention(rewriter, id, strides);
        } else if (!decomposeConvolution(rewriter, id)) {
            prepare(rewriter, context, id);
        }
    }
    markAttention(rewriter);
}

} // namespace fivefold::families::spyre
