// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <cmath>

namespace fivefold::ir::inference {

namespace {

/// The forms a Constant takes beside a tensor: value_int, value_floats, …
void constantAttribute(NodeContext& context) {
    const auto sizeOf = [](const auto& list) {
        return Dim(static_cast<std::int64_t>(list.size()));
    };
    for (const auto& [name, value] : context.attributes()) {
        if (const auto* i = std::get_if<std::int64_t>(&value)) {
            context.output(0, DType::Int64, Shape());
            context.outputContents(0, {Dim(*i)});
        } else if (const auto* f = std::get_if<double>(&value)) {
            context.output(0, DType::Float32, Shape());
            context.outputNumbers(0, {*f});
        } else if (std::get_if<std::string>(&value)) {
            context.output(0, DType::String, Shape());
        } else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value)) {
            context.output(0, DType::Int64, Shape{sizeOf(*is)});
            context.outputContents(0, Contents(is->begin(), is->end()));
        } else if (const auto* fs = std::get_if<std::vector<double>>(&value)) {
            context.output(0, DType::Float32, Shape{sizeOf(*fs)});
            context.outputNumbers(0, *fs);
        } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
            context.output(0, DType::String, Shape{sizeOf(*texts)});
        }
    }
}

void constant(NodeContext& context) {
    if (!context.wants(0))
        return;
    const Graph& graph = context.state().graph;
    TensorId id = graph.values[context.node().outputs[0]].data;
    if (!id.isValid())
        id = context.attributes().tensor("value").value_or(TensorId());
    if (!id.isValid())
        id = context.attributes().tensor("sparse_value").value_or(TensorId());
    if (!id.isValid() || id.index() >= graph.tensors.size()) {
        constantAttribute(context);
        return;
    }
    const TensorData& data = graph.tensors[id];
    context.output(0, data.dtype, Shape(data.shape.begin(), data.shape.end()));
    if (graph.values[context.node().outputs[0]].data.isValid() || data.isSparse())
        return; // loaded on demand
    if (const auto integers = graph.tensors.integers(id, kContentsLimit))
        context.outputContents(0, Contents(integers->begin(), integers->end()));
    else if (data.elements() <= kNumbersLimit)
        if (auto numbers = graph.tensors.numbers(id, kNumbersLimit))
            context.outputNumbers(0, std::move(*numbers));
}

void shapeOf(NodeContext& context) {
    const MaybeShape& in = context.shape(0);
    context.output(0, DType::Int64, Shape{Dim()});
    if (!in)
        return;
    const auto rank = static_cast<std::int64_t>(in->size());
    const auto clampAxis = [rank](std::int64_t axis) {
        return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    const std::int64_t start = clampAxis(std::max(context.integer("start", 0), -rank));
    const std::int64_t end = clampAxis(std::max(context.integer("end", rank), -rank));
    Contents contents;
    for (std::int64_t i = start; i < end; ++i)
        contents.push_back((*in)[static_cast<std::size_t>(i)]);
    context.output(0, DType::Int64, Shape{Dim(static_cast<std::int64_t>(contents.size()))});
    context.outputContents(0, std::move(contents));
}

void sizeOf(NodeContext& context) {
    context.output(0, DType::Int64, Shape());
    if (context.shape(0))
        context.outputContents(0, {elementCount(*context.shape(0))});
}

void constantOfShape(NodeContext& context) {
    const auto value = context.attributes().tensor("value");
    const Graph& graph = context.state().graph;
    const bool isStored = value && value->index() < graph.tensors.size();
    const DType dtype = isStored ? graph.tensors[*value].dtype : DType::Float32;
    context.output(0, dtype, std::nullopt);
    const Contents* target = context.contents(0);
    if (!target) {
        const Dim rank = context.dim(0, 0);
        if (rank.isKnown() && rank.value() <= 64)
            context.output(0, dtype, unknownShape(static_cast<int>(rank.value())));
        return;
    }
    context.output(0, dtype, Shape(*target));
    const Dim count = elementCount(*target);
    if (context.isRejected() || !count.isKnown() || count.value() > kContentsLimit)
        return;
    const auto elements = static_cast<std::size_t>(count.value());
    if (isFloat(dtype)) {
        const auto numbers = isStored ? graph.tensors.numbers(*value, 1) : std::nullopt;
        if (count.value() <= kNumbersLimit)
            context.outputNumbers(
                0, Numbers(elements, numbers && !numbers->empty() ? numbers->front() : 0.0));
    } else if (isStored) {
        const auto integers = graph.tensors.integers(*value, 1);
        if (integers && integers->size() == 1)
            context.outputContents(0, Contents(elements, Dim(integers->front())));
    }
}

/// Range: max(ceil((limit − start) / delta), 0) elements.
void rangeOfNumbers(NodeContext& context, DType dtype) {
    const auto start = context.scalarNumber(0);
    const auto limit = context.scalarNumber(1);
    const auto delta = context.scalarNumber(2);
    constexpr double kMost = 1e15;
    if (!start || !limit || !delta || *delta == 0)
        return;
    const double count = std::max(0.0, std::ceil((*limit - *start) / *delta));
    if (!(count < kMost))
        return;
    context.output(0, dtype, Shape{Dim(static_cast<std::int64_t>(count))});
}

void range(NodeContext& context) {
    const DType dtype = context.dtype(0);
    context.output(0, dtype, Shape{Dim()});
    for (std::size_t i = 0; i < 3; ++i) {
        if (context.rank(i) <= 0)
            continue;
        if (context.dim(i, 0).is(1) && context.rank(i) == 1)
            context.state().diagnostics->warn("infer.range_not_scalar", context.node().name,
                "Range takes scalars, but its input " + std::to_string(i) + " has the shape "
                    + toText(*context.shape(i)) + ".",
                "Squeeze the input; its single element is used.");
        else {
            context.reject("Range takes scalars, but its input " + std::to_string(i)
                + " has the shape " + toText(*context.shape(i)) + ".");
            return;
        }
    }
    const Contents* start = context.contents(0);
    const Contents* limit = context.contents(1);
    const Contents* delta = context.contents(2);
    if (!start || !limit || !delta || start->size() != 1 || limit->size() != 1
        || delta->size() != 1) {
        rangeOfNumbers(context, dtype);
        return;
    }
    const Dim& step = delta->front();
    const Dim span = limit->front() - start->front();
    Dim count;
    if (step.isKnown() && step.value() != 0)
        count = step.value() > 0 ? ceilDiv(span, step) : ceilDiv(Dim(0) - span, Dim(0) - step);
    if (count.isKnown() && count.value() < 0)
        count = Dim(0);
    context.output(0, dtype, Shape{count});
    context.outputBound(0, limit->front());
    if (!count.isKnown() || count.value() > kContentsLimit)
        return;
    Contents contents;
    for (std::int64_t i = 0; i < count.value(); ++i)
        contents.push_back(start->front() + Dim(i) * step);
    context.outputContents(0, std::move(contents));
}

void eyeLike(NodeContext& context) {
    context.output(
        0, dtypeAttribute(context.attributes(), "dtype", context.dtype(0)), context.shape(0));
}

void randomOfShape(NodeContext& context) {
    const auto shape = context.attributes().integers("shape");
    context.output(0, dtypeAttribute(context.attributes(), "dtype", DType::Float32),
        shape ? MaybeShape(Shape(shape->begin(), shape->end())) : std::nullopt);
}

void multinomial(NodeContext& context) {
    context.output(0, dtypeAttribute(context.attributes(), "dtype", DType::Int32),
        Shape{context.dim(0, 0), Dim(context.integer("sample_size", 1))});
}

} // namespace

void addGeneratorRules(RuleTable& table) {
    table.set(Op::Constant, constant);
    table.set(Op::Shape, shapeOf);
    table.set(Op::Size, sizeOf);
    table.set(Op::ConstantOfShape, constantOfShape);
    table.set(Op::Range, range);
    table.set({Op::EyeLike, Op::RandomNormalLike, Op::RandomUniformLike, Op::Bernoulli}, eyeLike);
    table.set({Op::RandomNormal, Op::RandomUniform}, randomOfShape);
    table.set(Op::Multinomial, multinomial);
}

} // namespace fivefold::ir::inference
