// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

#include <numeric>

namespace fivefold::lowering {

namespace {

using ir::Op;
using Shape = std::vector<std::int64_t>;

const std::string kVarianceRule = "a variance is the mean of squared distances from the mean";
const std::string kOnlineRule =
    "the statistics of a softmax are a maximum and a sum of exponentials";
const std::string kWithIndexRule = "an extreme with its index is two reductions";
const std::string kLinearRule = "a linear layer is a matrix product and an addition";
const std::string kUnbindRule = "each part of an unbind is a copy";

/// The value in the shape that the old result had.
ValueId shapedAs(
    Sequence& sequence, std::string_view suffix, ValueId value, const KnownShape& shape) {
    return shape && sequence.value(value).shape != shape ? sequence.reshape(suffix, value, shape)
                                                         : value;
}

KnownShape outputShape(const Rewriter& rewriter, const Node& node, std::size_t index) {
    return index < node.outputs.size() && node.outputs[index].isValid()
        ? rewriter.value(node.outputs[index]).shape
        : std::nullopt;
}

std::vector<NodeId> decomposeVariance(Rewriter& rewriter, NodeId id, bool meanIsSum) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape)
        return {};
    const Shape shape = *rewriter.value(x).shape;
    Shape axes = node.attributes.integers("axes").value_or(Shape{});
    if (axes.empty()) {
        axes.resize(shape.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    double count = 1;
    for (std::int64_t& axis : axes) {
        axis += axis < 0 ? static_cast<std::int64_t>(shape.size()) : 0;
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()))
            return {};
        count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    }
    const double correction = node.attributes.number(
        "correction", static_cast<double>(node.attributes.integer("correction", 1)));
    if (count <= correction)
        return {};
    const KnownShape first = outputShape(rewriter, node, 0),
                     second = outputShape(rewriter, node, 1);
    Sequence sequence = rewriter.replace(id, kVarianceRule);
    const ValueId mean = emitMean(sequence, "mean", x, axes, meanIsSum);
    const ValueId distance = sequence.binary(Op::Sub, "sub", x, mean);
    const ValueId square = sequence.binary(Op::Mul, "square", distance, distance);
    const ValueId sum = sequence.reduce(Op::ReduceSum, "sum", square, axes);
    ValueId spread = sequence.binary(
        Op::Mul, "mul", sum, sequence.constant("weight", 1 / (count - correction), x));
    if (node.canonical == Op::StandardDeviation)
        spread = sequence.unary(Op::Sqrt, "sqrt", spread);
    std::vector<ValueId> results = {shapedAs(sequence, "shape", spread, first)};
    if (node.canonical == Op::VarianceMean)
        results.push_back(shapedAs(sequence, "mean_shape", mean, second));
    return sequence.finish(results);
}

/// The only reader of `value` with that operator and first input, or invalid.
NodeId readerOf(const Rewriter& rewriter, ValueId value, Op op, ValueId first) {
    NodeId found;
    for (const NodeId user : rewriter.users(value))
        if (rewriter.node(user).canonical == op && rewriter.input(user, 0) == first
            && (op != Op::Sub || rewriter.input(user, 1) == value))
            found = user;
    return found;
}

/// exp(x − maximum) where the graph computes it already, or invalid.
ValueId knownExponential(const Rewriter& rewriter, ValueId x, ValueId maximum) {
    const NodeId distance = readerOf(rewriter, maximum, Op::Sub, x);
    if (!distance.isValid())
        return {};
    const ValueId result = rewriter.resolve(rewriter.node(distance).outputs.front());
    const NodeId power = readerOf(rewriter, result, Op::Exp, result);
    return power.isValid() ? rewriter.resolve(rewriter.node(power).outputs.front()) : ValueId();
}

std::vector<NodeId> decomposeOnline(Rewriter& rewriter, NodeId id) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->empty()
        || node.outputs.size() != 2)
        return {};
    const auto rank = static_cast<std::int64_t>(rewriter.value(x).shape->size());
    std::int64_t axis = node.attributes.integer("axis", -1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return {};
    ValueId power = knownExponential(rewriter, x, rewriter.resolve(node.outputs[0]));
    Sequence sequence = rewriter.replace(id, kOnlineRule);
    const ValueId maximum = sequence.reduce(Op::ReduceMax, "max", x, {axis});
    if (!power.isValid())
        power = sequence.unary(Op::Exp, "exp", sequence.binary(Op::Sub, "sub", x, maximum));
    const std::vector<ValueId> results = {
        maximum, sequence.reduce(Op::ReduceSum, "sum", power, {axis})};
    return sequence.finish(results);
}

std::vector<NodeId> decomposeWithIndex(Rewriter& rewriter, NodeId id) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->empty()
        || node.outputs.size() != 2)
        return {};
    const auto rank = static_cast<std::int64_t>(rewriter.value(x).shape->size());
    std::int64_t axis = node.attributes.integer("axis", -1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return {};
    const bool isMaximum = node.canonical == Op::MaxWithIndex;
    const KnownShape first = outputShape(rewriter, node, 0),
                     second = outputShape(rewriter, node, 1);
    ir::Attributes attributes;
    attributes.set("axis", axis);
    attributes.set("keepdims", node.attributes.integer("keepdims", 0));
    Sequence sequence = rewriter.replace(id, kWithIndexRule);
    const ValueId extreme =
        sequence.reduce(isMaximum ? Op::ReduceMax : Op::ReduceMin, "value", x, {axis});
    NewNode index{isMaximum ? Op::ArgMax : Op::ArgMin, "index", {x},
        {{ir::DType::Int64, second, ValueRole::Activation}}, std::move(attributes), {}};
    const std::vector<ValueId> results = {
        shapedAs(sequence, "shape", extreme, first), sequence.add(std::move(index))};
    return sequence.finish(results);
}

ValueId scaled(Sequence& sequence, std::string_view suffix, ValueId value, double factor) {
    return factor == 1 ? value
                       : sequence.binary(Op::Mul, suffix, value,
                           sequence.constant(std::string(suffix) + "_factor", factor, value));
}

/// Linear(x, weight, bias?) and BatchGemm(A, B, C) = alpha · A·B + beta · C.
std::vector<NodeId> decomposeLinear(Rewriter& rewriter, NodeId id) {
    const Node node = rewriter.node(id);
    const bool isLinear = node.canonical == Op::Linear;
    const ValueId a = rewriter.input(id, 0), b = rewriter.input(id, 1), c = rewriter.input(id, 2);
    if (!a.isValid() || !b.isValid() || !rewriter.value(a).shape || !rewriter.value(b).shape
        || rewriter.value(a).shape->size() < 2 || rewriter.value(b).shape->size() < 2)
        return {};
    const double alpha = node.attributes.number("alpha", 1),
                 beta = node.attributes.number("beta", 1);
    Sequence sequence = rewriter.replace(id, kLinearRule);
    ValueId result = scaled(sequence, "alpha", sequence.matmul("matmul", a, b, isLinear), alpha);
    if (c.isValid() && beta != 0)
        result = sequence.binary(Op::Add, "add", result, scaled(sequence, "beta", c, beta));
    return sequence.finish(result);
}

std::vector<NodeId> decomposeUnbind(Rewriter& rewriter, NodeId id) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->empty())
        return {};
    const auto rank = static_cast<std::int64_t>(rewriter.value(x).shape->size());
    std::int64_t axis = node.attributes.integer("axis", 0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank
        || (*rewriter.value(x).shape)[static_cast<std::size_t>(axis)]
            != static_cast<std::int64_t>(node.outputs.size()))
        return {};
    std::vector<KnownShape> shapes;
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        shapes.push_back(outputShape(rewriter, node, i));
    Sequence sequence = rewriter.replace(id, kUnbindRule);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::string suffix = std::to_string(i);
        results.push_back(shapedAs(
            sequence, suffix + "/shape", sequence.slice(suffix, x, axis, at, at + 1), shapes[i]));
    }
    return sequence.finish(results);
}

} // namespace

std::vector<NodeId> decomposeStatistics(Rewriter& rewriter, NodeId id, bool meanIsSum) {
    switch (rewriter.node(id).canonical) {
    case Op::Variance:
    case Op::StandardDeviation:
    case Op::VarianceMean:
        return decomposeVariance(rewriter, id, meanIsSum);
    case Op::SoftmaxStatistics:
        return decomposeOnline(rewriter, id);
    case Op::MaxWithIndex:
    case Op::MinWithIndex:
        return decomposeWithIndex(rewriter, id);
    case Op::Linear:
    case Op::BatchGemm:
        return decomposeLinear(rewriter, id);
    case Op::Unbind:
        return decomposeUnbind(rewriter, id);
    default:
        return {};
    }
}

} // namespace fivefold::lowering
