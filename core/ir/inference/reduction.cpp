// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

/// Contents of a reduction over all axes of a small integer tensor; symbols included.
void reduceContents(NodeContext& context) {
    const Contents* contents = context.contents(0);
    const ValueType& out = context.outputType(0);
    if (!contents || contents->empty() || !out.shape || !elementCount(*out.shape).is(1))
        return;
    Op step = Op::Unknown;
    switch (context.op()) {
    case Op::ReduceProd:
        step = Op::Mul;
        break;
    case Op::ReduceSum:
        step = Op::Add;
        break;
    case Op::ReduceMax:
        step = Op::Max;
        break;
    case Op::ReduceMin:
        step = Op::Min;
        break;
    default:
        return;
    }
    Dim result = contents->front();
    for (std::size_t i = 1; i < contents->size(); ++i)
        result = evaluateBinary(step, result, (*contents)[i]);
    context.outputContents(0, {result});
}

Shape reducedShape(const Shape& in, const std::vector<int>& axes, bool isKept) {
    Shape out;
    for (int axis = 0; axis < static_cast<int>(in.size()); ++axis) {
        if (!std::binary_search(axes.begin(), axes.end(), axis))
            out.push_back(in[static_cast<std::size_t>(axis)]);
        else if (isKept)
            out.emplace_back(1);
    }
    return out;
}

void reduce(NodeContext& context) {
    const bool isKept = context.integer("keepdims", 1) != 0;
    const MaybeShape& in = context.shape(0);
    context.output(0, context.dtype(0), std::nullopt);
    if (!in)
        return;
    const int rank = static_cast<int>(in->size());
    const Operand operand = context.operand("axes", 1);
    const bool isEmptyList = operand.values && operand.values->empty();
    if (!operand.isGiven || isEmptyList) {
        if (context.integer("noop_with_empty_axes", 0) != 0) {
            context.output(0, context.dtype(0), in);
            return;
        }
        context.output(0, context.dtype(0), isKept ? Shape(in->size(), Dim(1)) : Shape());
        reduceContents(context);
        return;
    }
    const auto axes = operand.integers();
    if (!axes) {
        const Dim count = context.dim(1, 0);
        if (isKept)
            context.output(0, context.dtype(0), unknownShape(rank));
        else if (count.isKnown() && count.value() <= rank)
            context.output(
                0, context.dtype(0), unknownShape(rank - static_cast<int>(count.value())));
        return;
    }
    const auto normal = axesOf(context, *axes, rank);
    if (!normal)
        return;
    context.output(0, context.dtype(0), reducedShape(*in, *normal, isKept));
    reduceContents(context);
}

void argReduce(NodeContext& context) {
    const MaybeShape& in = context.shape(0);
    context.output(0, DType::Int64, std::nullopt);
    if (!in)
        return;
    if (context.integer("all_axes", 0) != 0) { // the index into the flattened input
        const bool isKept = context.integer("keepdims", 1) != 0;
        context.output(0, DType::Int64, isKept ? Shape(in->size(), Dim(1)) : Shape());
        return;
    }
    const auto axis = axisOf(context, context.integer("axis", 0), static_cast<int>(in->size()));
    if (!axis)
        return;
    const bool isKept = context.integer("keepdims", 1) != 0;
    context.output(0, DType::Int64, reducedShape(*in, {*axis}, isKept));
    context.outputBound(0, (*in)[static_cast<std::size_t>(*axis)]);
}

/// CumSum and CumProd keep the shape; a running sum over an axis of ones counts up to its size.
void cumulative(NodeContext& context) {
    sameAsInput(context);
    const auto axis = context.scalar(1);
    if (context.op() != Op::CumSum || !axis || !context.shape(0))
        return;
    if (const auto normal = normalAxis(*axis, context.rank(0)))
        context.outputBound(0, context.dim(0, *normal) + Dim(1));
}

void topK(NodeContext& context) {
    const MaybeShape& in = context.shape(0);
    MaybeShape out = in;
    if (in && !(in->empty() && context.integer("all_axes", 0) != 0)) { // ATen sorts scalars
        const auto axis =
            axisOf(context, context.integer("axis", -1), static_cast<int>(in->size()));
        if (!axis)
            return;
        Dim k;
        if (context.attributes().has("k"))
            k = Dim(context.integer("k", 0));
        else if (const Contents* contents = context.contents(1); contents && contents->size() == 1)
            k = contents->front();
        (*out)[static_cast<std::size_t>(*axis)] = k;
    }
    context.output(0, context.dtype(0), out);
    context.output(1, DType::Int64, out);
}

void determinant(NodeContext& context) {
    MaybeShape shape = context.shape(0);
    if (shape && shape->size() < 2) {
        context.reject(
            "Det needs matrices, but its input has rank " + std::to_string(shape->size()) + ".");
        return;
    }
    if (shape)
        shape->resize(shape->size() - 2);
    context.output(0, context.dtype(0), std::move(shape));
}

} // namespace

void addReductionRules(RuleTable& table) {
    table.set(
        {Op::ReduceL1, Op::ReduceL2, Op::ReduceLogSum, Op::ReduceLogSumExp, Op::ReduceMax,
            Op::ReduceMean, Op::ReduceMin, Op::ReduceProd, Op::ReduceSum, Op::ReduceSumSquare},
        reduce);
    table.set({Op::ArgMax, Op::ArgMin}, argReduce);
    table.set({Op::CumSum, Op::CumProd}, cumulative);
    table.set(Op::TopK, topK);
    table.set(Op::Det, determinant);
}

} // namespace fivefold::ir::inference
