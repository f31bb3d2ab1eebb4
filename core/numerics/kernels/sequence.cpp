// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/operands.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::Op;

Datum sequenceOf(std::vector<Datum> items) {
    Datum datum;
    datum.kind = Datum::Kind::Sequence;
    datum.items = std::move(items);
    return datum;
}

base::Result<const Datum*> sequenceAtInput(const Call& call, std::size_t index) {
    if (index >= call.inputs.size() || call.inputs[index].kind != Datum::Kind::Sequence)
        return call.error("input " + std::to_string(index) + " must be a sequence.");
    return &call.inputs[index];
}

/// Position among `count` items, negative ones from the end; isEnd: one behind the last is allowed.
base::Result<std::size_t> positionOf(
    const Call& call, std::size_t input, std::size_t count, std::int64_t fallback, bool isEnd) {
    const Tensor* given = call.input(input);
    const std::int64_t wanted = given && given->size() > 0 ? given->integer(0) : fallback;
    const auto size = static_cast<std::int64_t>(count);
    const std::int64_t at = wanted < 0 ? wanted + size : wanted;
    if (at < 0 || at > size || (at == size && !isEnd))
        return call.error("position " + std::to_string(wanted) + " is not in a sequence of "
            + std::to_string(size) + ".");
    return static_cast<std::size_t>(at);
}

Outputs construct(const Call& call) {
    std::vector<Datum> items(call.inputs.begin(), call.inputs.end());
    return std::vector<Datum>{sequenceOf(std::move(items))};
}

Outputs empty(const Call&) {
    return std::vector<Datum>{sequenceOf({})};
}

Outputs at(const Call& call) {
    const auto sequence = sequenceAtInput(call, 0);
    if (!sequence)
        return sequence.error();
    const auto place = positionOf(call, 1, (*sequence)->items.size(), 0, false);
    if (!place)
        return place.error();
    return std::vector<Datum>{(*sequence)->items[*place]};
}

Outputs insert(const Call& call) {
    const auto sequence = sequenceAtInput(call, 0);
    if (!sequence)
        return sequence.error();
    if (call.inputs.size() < 2)
        return call.error("what is to be inserted is missing.");
    std::vector<Datum> items = (*sequence)->items;
    const auto place = positionOf(call, 2, items.size(), std::ssize(items), true);
    if (!place)
        return place.error();
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(*place), call.inputs[1]);
    return std::vector<Datum>{sequenceOf(std::move(items))};
}

Outputs erase(const Call& call) {
    const auto sequence = sequenceAtInput(call, 0);
    if (!sequence)
        return sequence.error();
    std::vector<Datum> items = (*sequence)->items;
    const auto place = positionOf(call, 1, items.size(), -1, false);
    if (!place)
        return place.error();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(*place));
    return std::vector<Datum>{sequenceOf(std::move(items))};
}

Outputs length(const Call& call) {
    const auto sequence = sequenceAtInput(call, 0);
    if (!sequence)
        return sequence.error();
    return one(Tensor(ir::DType::Int64, {}, Extents{std::ssize((*sequence)->items)}));
}

Outputs concatFromSequence(const Call& call) {
    const auto sequence = sequenceAtInput(call, 0);
    if (!sequence)
        return sequence.error();
    std::vector<Tensor> parts;
    for (const Datum& item : (*sequence)->items)
        parts.push_back(item.tensor);
    if (parts.empty())
        return call.error("the sequence is empty.");
    const bool isNew = call.attributes().integer("new_axis", 0) != 0;
    const auto axis = axisOf(call, "axis", 0, parts[0].rank() + (isNew ? 1 : 0));
    if (!axis)
        return axis.error();
    auto tensor = isNew ? stacked(parts, *axis) : joined(parts, *axis);
    if (!tensor)
        return call.error(tensor.error().message);
    return one(*std::move(tensor));
}

Outputs splitToSequence(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto axis = axisOf(call, "axis", 0, (*x)->rank());
    if (!axis)
        return axis.error();
    const std::int64_t whole = (*x)->shape()[*axis];
    const Tensor* split = call.input(1);
    Extents sizes;
    if (split && split->rank() > 0) {
        for (std::int64_t i = 0; i < split->size(); ++i)
            sizes.push_back(split->integer(i));
    } else {
        const std::int64_t size = split && split->size() > 0 ? split->integer(0) : 1;
        if (size < 1)
            return call.error("parts need a size of 1 or more.");
        for (std::int64_t begin = 0; begin < whole; begin += size)
            sizes.push_back(std::min(size, whole - begin));
    }
    const bool isSqueezed = !split && call.attributes().integer("keepdims", 1) == 0;
    std::vector<Datum> items;
    std::int64_t begin = 0;
    for (const std::int64_t size : sizes) {
        if (size < 0 || begin + size > whole)
            return call.error(
                "the parts do not add up to the axis of " + std::to_string(whole) + ".");
        items.emplace_back(
            isSqueezed ? sliceAt(**x, *axis, begin) : sliceOf(**x, *axis, begin, size));
        begin += size;
    }
    return std::vector<Datum>{sequenceOf(std::move(items))};
}

bool isGiven(const Call& call) {
    return !call.inputs.empty()
        && (call.inputs[0].kind != Datum::Kind::Tensor || call.inputs[0].tensor.isDefined());
}

Outputs optional(const Call& call) {
    Datum datum;
    datum.kind = Datum::Kind::Optional;
    if (isGiven(call))
        datum.items.push_back(call.inputs[0]);
    return std::vector<Datum>{std::move(datum)};
}

/// Since version 18 a tensor or a sequence is taken as it is.
Outputs optionalGetElement(const Call& call) {
    if (!isGiven(call))
        return call.error("there is nothing to take an element from.");
    if (call.inputs[0].kind != Datum::Kind::Optional)
        return std::vector<Datum>{call.inputs[0]};
    if (call.inputs[0].items.empty())
        return call.error("the optional value is empty.");
    return std::vector<Datum>{call.inputs[0].items.front()};
}

Outputs optionalHasElement(const Call& call) {
    const bool hasElement = isGiven(call)
        && (call.inputs[0].kind != Datum::Kind::Optional || !call.inputs[0].items.empty());
    return one(Tensor(ir::DType::Bool, {}, Extents{hasElement ? 1 : 0}));
}

} // namespace

KernelTable sequenceKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::SequenceConstruct, construct},
        {Op::SequenceEmpty, empty}, {Op::SequenceAt, at}, {Op::SequenceInsert, insert},
        {Op::SequenceErase, erase}, {Op::SequenceLength, length},
        {Op::ConcatFromSequence, concatFromSequence}, {Op::SplitToSequence, splitToSequence},
        {Op::Optional, optional}, {Op::OptionalGetElement, optionalGetElement},
        {Op::OptionalHasElement, optionalHasElement}};
    return table;
}

} // namespace fivefold::numerics
