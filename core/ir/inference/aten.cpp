// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

/// Operators of fx graphs that ONNX has not. Shapes follow the ATen schemas of PyTorch 2.5 to 2.14.

void broadcastAll(NodeContext& context) {
    const bool isComparison = context.op() == Op::NotEqual;
    context.output(0, isComparison ? DType::Bool : context.dtype(0),
        broadcastInputs(context, 0, context.inputCount()));
    if (isComparison)
        propagatePointwise(context);
}

/// CopyInto(destination, source): the destination with new contents.
void likeFirst(NodeContext& context) {
    sameAsInput(context);
}

MaybeShape reducedBy(NodeContext& context, const std::vector<std::int64_t>& axes) {
    const MaybeShape& in = context.shape(0);
    if (!in)
        return std::nullopt;
    const int rank = static_cast<int>(in->size());
    std::optional<std::vector<int>> normal;
    if (!axes.empty()) {
        normal = axesOf(context, axes, rank);
        if (!normal)
            return std::nullopt;
    }
    const bool isKept = context.integer("keepdims", 0) != 0;
    Shape out;
    for (int axis = 0; axis < rank; ++axis) {
        const bool isReduced = !normal || std::binary_search(normal->begin(), normal->end(), axis);
        if (!isReduced)
            out.push_back((*in)[static_cast<std::size_t>(axis)]);
        else if (isKept)
            out.emplace_back(1);
    }
    return out;
}

void reduceAxes(NodeContext& context) {
    const auto axes = context.attributes().integers("axes").value_or(std::vector<std::int64_t>{});
    const bool isLogical = context.op() == Op::ReduceAny || context.op() == Op::ReduceAll;
    MaybeShape out = reducedBy(context, axes);
    context.output(0, isLogical ? DType::Bool : context.dtype(0), out);
    if (context.op() == Op::VarianceMean)
        context.output(1, context.dtype(0), std::move(out));
}

void withIndex(NodeContext& context) {
    const bool isWhole = context.integer("all_axes", 0) != 0;
    MaybeShape out = reducedBy(
        context, isWhole ? std::vector<std::int64_t>{} : std::vector{context.integer("axis", -1)});
    context.output(0, context.dtype(0), out);
    context.output(1, DType::Int64, std::move(out));
}

/// SoftmaxStatistics: the maximum along the axis and the sum of exp(x − maximum), the axis kept
/// as 1.
void softmaxStatistics(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && !(out->empty() && context.integer("all_axes", 0) != 0)) {
        const auto axis =
            axisOf(context, context.integer("axis", -1), static_cast<int>(out->size()));
        if (!axis)
            return;
        (*out)[static_cast<std::size_t>(*axis)] = Dim(1);
    }
    context.output(0, context.dtype(0), out);
    context.output(1, context.dtype(0), std::move(out));
}

/// NormMoments of torch-spyre: one packed element for each row of the last axis.
void moments(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && !out->empty())
        out->pop_back();
    context.output(0, context.dtype(0), std::move(out));
}

void adaptivePool(NodeContext& context) {
    MaybeShape out = context.shape(0);
    const auto size = context.attributes().integers("output_size");
    if (out && size && size->size() <= out->size())
        std::transform(size->begin(), size->end(),
            out->end() - static_cast<std::ptrdiff_t>(size->size()),
            [](std::int64_t s) { return Dim(s); });
    context.output(0, context.dtype(0), size ? std::move(out) : std::nullopt);
}

/// Linear(x, weight, bias?): x · weightᵀ over the last axis; the weight is (out, in).
void linear(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && !out->empty())
        out->back() = context.dim(1, 0);
    context.output(0, context.dtype(0), std::move(out));
}

/// BatchGemm(A, B, C): alpha · A B + beta · C with leading axes.
void batchGemm(NodeContext& context) {
    const MaybeShape& a = context.shape(0);
    const MaybeShape& b = context.shape(1);
    context.output(0, context.dtype(0), std::nullopt);
    if (!a || !b || a->size() < 2 || b->empty())
        return;
    Shape out(a->begin(), a->end() - 1);
    if (b->size() >= 2)
        out.push_back(b->back());
    context.output(0, context.dtype(0), std::move(out));
}

void unbind(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out) {
        const auto axis =
            axisOf(context, context.integer("axis", 0), static_cast<int>(out->size()));
        if (!axis)
            return;
        out->erase(out->begin() + *axis);
    }
    for (std::size_t i = 0; i < context.outputCount(); ++i)
        context.output(i, context.dtype(0), out);
}

void fromShapeAttribute(NodeContext& context) {
    const auto shape = context.attributes().integers("shape");
    const DType dtype = context.op() == Op::AsStrided
        ? context.dtype(0)
        : dtypeAttribute(context.attributes(), "dtype", DType::Int64);
    context.output(
        0, dtype, shape ? MaybeShape(Shape(shape->begin(), shape->end())) : std::nullopt);
}

void axisSize(NodeContext& context) {
    context.output(0, DType::Int64, Shape());
    const int rank = context.rank(0);
    const auto axis =
        rank >= 0 ? normalAxis(context.integer("axis", 0), rank) : std::optional<int>();
    if (axis && !context.dim(0, *axis).isUnknown())
        context.outputContents(0, {context.dim(0, *axis)});
}

void unknownLikeFirst(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
}

} // namespace

void addAtenRules(RuleTable& table) {
    table.set({Op::NotEqual, Op::Atan2, Op::AddProduct, Op::AddQuotient, Op::Lerp}, broadcastAll);
    table.set({Op::Trunc, Op::Frac, Op::Exp2, Op::Expm1, Op::Log2, Op::Log10, Op::Log1p, Op::Erfc,
                  Op::ErfInv, Op::NormScale, Op::NormApply},
        sameAsInput);
    table.set(
        {Op::CopyInto, Op::Roll, Op::IndexPut, Op::SliceScatter, Op::SelectScatter}, likeFirst);
    table.set({Op::Variance, Op::StandardDeviation, Op::VarianceMean, Op::ReduceAny, Op::ReduceAll},
        reduceAxes);
    table.set({Op::MaxWithIndex, Op::MinWithIndex}, withIndex);
    table.set(Op::SoftmaxStatistics, softmaxStatistics);
    table.set(Op::NormMoments, moments);
    table.set(Op::AdaptiveAveragePool, adaptivePool);
    table.set(Op::Linear, linear);
    table.set(Op::BatchGemm, batchGemm);
    table.set(Op::Unbind, unbind);
    table.set({Op::AsStrided, Op::RandomSeeds, Op::CausalMask}, fromShapeAttribute);
    table.set(Op::DimSize, axisSize);
    table.set({Op::Diagonal, Op::Index}, unknownLikeFirst);
}

} // namespace fivefold::ir::inference
