// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

using Items = std::shared_ptr<const SequenceItems>;

Items itemsOf(NodeContext& context, std::size_t input) {
    const ValueId id = context.input(input);
    return id.isValid() ? context.state().sequences[id] : nullptr;
}

/// What all items have in common, as the type of the sequence.
ValueType sequenceType(const SequenceItems& items, const ValueType& fallback) {
    ValueType type = fallback;
    if (!items.empty()) {
        type = items.front();
        for (const ValueType& item : items)
            type = commonType(type, item);
    }
    type.kind = ValueKind::Sequence;
    return type;
}

void outputSequence(NodeContext& context, SequenceItems items, const ValueType& fallback) {
    context.output(0, sequenceType(items, fallback));
    if (context.wants(0) && !context.isRejected())
        context.state().sequences[context.node().outputs[0]] =
            std::make_shared<const SequenceItems>(std::move(items));
}

void sequenceConstruct(NodeContext& context) {
    SequenceItems items;
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        items.push_back(context.type(i));
    outputSequence(context, std::move(items), {});
}

void sequenceEmpty(NodeContext& context) {
    ValueType type;
    type.dtype = dtypeAttribute(context.attributes(), "dtype", DType::Float32);
    outputSequence(context, {}, type);
}

std::optional<std::size_t> position(NodeContext& context, std::size_t input, std::size_t count,
    std::int64_t fallback, bool isEndAllowed) {
    std::int64_t at = fallback;
    if (context.has(input)) {
        const auto given = context.scalar(input);
        if (!given)
            return std::nullopt;
        at = *given;
    }
    const auto size = static_cast<std::int64_t>(count);
    at += at < 0 ? size : 0;
    if (at < 0 || at > size || (at == size && !isEndAllowed))
        return std::nullopt;
    return static_cast<std::size_t>(at);
}

void sequenceAt(NodeContext& context) {
    ValueType type = context.type(0);
    type.kind = ValueKind::Tensor;
    if (const Items items = itemsOf(context, 0))
        if (const auto at = position(context, 1, items->size(), 0, false))
            type = (*items)[*at];
    context.output(0, type);
}

void sequenceInsert(NodeContext& context) {
    const Items items = itemsOf(context, 0);
    const ValueType& item = context.type(1);
    if (items) {
        const auto end = static_cast<std::int64_t>(items->size());
        if (const auto at = position(context, 2, items->size(), end, true)) {
            SequenceItems result(items->begin(), items->begin() + static_cast<std::ptrdiff_t>(*at));
            result.push_back(item);
            result.insert(
                result.end(), items->begin() + static_cast<std::ptrdiff_t>(*at), items->end());
            outputSequence(context, std::move(result), {});
            return;
        }
    }
    ValueType type = items && items->empty() ? item : commonType(context.type(0), item);
    type.kind = ValueKind::Sequence;
    context.output(0, type);
}

void sequenceErase(NodeContext& context) {
    if (const Items items = itemsOf(context, 0)) {
        if (const auto at = position(context, 1, items->size(), -1, false)) {
            SequenceItems result = *items;
            result.erase(result.begin() + static_cast<std::ptrdiff_t>(*at));
            outputSequence(context, std::move(result), context.type(0));
            return;
        }
    }
    context.output(0, context.type(0));
}

void sequenceLength(NodeContext& context) {
    context.output(0, DType::Int64, Shape());
    if (const Items items = itemsOf(context, 0))
        context.outputContents(0, {Dim(static_cast<std::int64_t>(items->size()))});
}

/// The shape of all items joined along an axis (a new one with new_axis).
MaybeShape joined(NodeContext& context, const SequenceItems& items, bool isNewAxis) {
    Shape out;
    std::optional<int> axis;
    for (const ValueType& item : items) {
        if (!item.shape)
            return std::nullopt;
        const int rank = static_cast<int>(item.shape->size()) + (isNewAxis ? 1 : 0);
        if (!axis) {
            axis = axisOf(context, context.integer("axis", 0), rank);
            if (!axis)
                return std::nullopt;
            out = *item.shape;
            if (isNewAxis)
                out.insert(out.begin() + *axis, Dim(static_cast<std::int64_t>(items.size())));
            continue;
        }
        if (static_cast<int>(out.size()) != rank)
            return std::nullopt;
        if (!isNewAxis)
            out[static_cast<std::size_t>(*axis)] = out[static_cast<std::size_t>(*axis)]
                + (*item.shape)[static_cast<std::size_t>(*axis)];
    }
    return axis ? MaybeShape(out) : std::nullopt;
}

void concatFromSequence(NodeContext& context) {
    const bool isNewAxis = context.integer("new_axis", 0) != 0;
    const DType dtype = context.dtype(0);
    context.output(0, dtype, std::nullopt);
    if (const Items items = itemsOf(context, 0)) {
        context.output(0, dtype, joined(context, *items, isNewAxis));
        return;
    }
    MaybeShape shape = context.shape(0);
    if (!shape)
        return;
    const int rank = static_cast<int>(shape->size()) + (isNewAxis ? 1 : 0);
    const auto axis = axisOf(context, context.integer("axis", 0), rank);
    if (!axis)
        return;
    if (isNewAxis)
        shape->insert(shape->begin() + *axis, Dim());
    else
        (*shape)[static_cast<std::size_t>(*axis)] = Dim();
    context.output(0, dtype, std::move(shape));
}

/// Sizes of the pieces that SplitToSequence cuts an axis into, or nullopt.
std::optional<std::vector<Dim>> pieces(NodeContext& context, const Dim& whole) {
    constexpr std::int64_t kMostPieces = 4096;
    if (!context.has(1)) {
        if (!whole.isKnown() || whole.value() > kMostPieces)
            return std::nullopt;
        return std::vector<Dim>(static_cast<std::size_t>(whole.value()), Dim(1));
    }
    const Contents* split = context.contents(1);
    if (!split)
        return std::nullopt;
    if (context.rank(1) != 0)
        return *split;
    const auto chunk = split->front().known();
    if (!chunk || *chunk < 1 || !whole.isKnown() || whole.value() / *chunk > kMostPieces)
        return std::nullopt;
    std::vector<Dim> result;
    for (std::int64_t at = 0; at < whole.value(); at += *chunk)
        result.emplace_back(std::min(*chunk, whole.value() - at));
    return result;
}

void splitToSequence(NodeContext& context) {
    ValueType type = context.type(0);
    type.kind = ValueKind::Sequence;
    if (!type.shape) {
        context.output(0, type);
        return;
    }
    const auto axis =
        axisOf(context, context.integer("axis", 0), static_cast<int>(type.shape->size()));
    if (!axis)
        return;
    const auto at = static_cast<std::size_t>(*axis);
    const bool isSqueezed = !context.has(1) && context.integer("keepdims", 1) == 0;
    const auto sizes = pieces(context, (*type.shape)[at]);
    SequenceItems items;
    for (std::size_t i = 0; sizes && i < sizes->size(); ++i) {
        ValueType item = context.type(0);
        if (isSqueezed)
            item.shape->erase(item.shape->begin() + *axis);
        else
            (*item.shape)[at] = (*sizes)[i];
        items.push_back(std::move(item));
    }
    if (isSqueezed)
        type.shape->erase(type.shape->begin() + *axis);
    else
        (*type.shape)[at] = Dim();
    if (sizes)
        outputSequence(context, std::move(items), type);
    else
        context.output(0, type);
}

void optional(NodeContext& context) {
    ValueType type = context.type(0);
    if (context.wants(0)) {
        State& state = context.state();
        const ValueId out = context.node().outputs[0];
        if (context.has(0))
            copyKnowledge(state, context.input(0), out);
        state.isOptionalOfSequence[out] = type.kind == ValueKind::Sequence;
        type.kind = ValueKind::Optional;
        if (!context.has(0))
            type = context.node().outputs.empty() ? type : state.graph.values[out].declared;
        state.typed.types[out] = type;
    }
}

void optionalGetElement(NodeContext& context) {
    if (!context.has(0) || !context.wants(0))
        return;
    State& state = context.state();
    const ValueId out = context.node().outputs[0];
    const ValueId in = context.input(0);
    copyKnowledge(state, in, out);
    ValueType& type = state.typed.types[out];
    if (type.kind == ValueKind::Optional) {
        const bool isSequence = state.isOptionalOfSequence[in] || state.sequences[in];
        type.kind = isSequence ? ValueKind::Sequence : ValueKind::Tensor;
    }
}

void optionalHasElement(NodeContext& context) {
    context.output(0, DType::Bool, Shape());
    if (!context.has(0))
        context.outputContents(0, {Dim(0)});
    else if (context.type(0).kind != ValueKind::Optional)
        context.outputContents(0, {Dim(1)});
}

} // namespace

void addSequenceRules(RuleTable& table) {
    table.set(Op::SequenceConstruct, sequenceConstruct);
    table.set(Op::SequenceEmpty, sequenceEmpty);
    table.set(Op::SequenceAt, sequenceAt);
    table.set(Op::SequenceInsert, sequenceInsert);
    table.set(Op::SequenceErase, sequenceErase);
    table.set(Op::SequenceLength, sequenceLength);
    table.set(Op::ConcatFromSequence, concatFromSequence);
    table.set(Op::SplitToSequence, splitToSequence);
    table.set(Op::Optional, optional);
    table.set(Op::OptionalGetElement, optionalGetElement);
    table.set(Op::OptionalHasElement, optionalHasElement);
}

} // namespace fivefold::ir::inference
