// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"
#include "core/lowering/recipes.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

struct Normalised {
    ValueId y, mean;
    ValueId inverse; ///< of the deviation; invalid when the style divides
    ValueId deviation; ///< invalid when the style multiplies
};

std::optional<std::int64_t> extentOf(const KnownShape& shape, const Extents& axes) {
    if (!shape)
        return std::nullopt;
    Extents extents;
    for (const std::int64_t axis : axes)
        if (axis >= 0 && axis < static_cast<std::int64_t>(shape->size()))
            extents.push_back((*shape)[static_cast<std::size_t>(axis)]);
    return elements(extents);
}

/// (x − mean) ÷ √(variance + ε) along the axes.
Normalised normalise(
    Sequence& sequence, ValueId x, const Extents& axes, double epsilon, const NormStyle& style) {
    Normalised n;
    n.mean = emitMean(sequence, "mean", x, axes, style.meanIsSum);
    const ValueId centred = sequence.binary(ir::Op::Sub, "centre", x, n.mean);
    ValueId variance;
    if (style.variance == NormStyle::Variance::CentredSquare) {
        const ValueId square = sequence.binary(ir::Op::Mul, "square", centred, centred);
        variance = emitMean(sequence, "variance", square, axes, style.meanIsSum);
    } else {
        const ValueId square = sequence.binary(ir::Op::Mul, "square", x, x);
        const ValueId meanOfSquares =
            emitMean(sequence, "mean_of_squares", square, axes, style.meanIsSum);
        const ValueId squareOfMean = sequence.binary(ir::Op::Mul, "square_of_mean", n.mean, n.mean);
        variance = sequence.binary(ir::Op::Sub, "variance", meanOfSquares, squareOfMean);
    }
    const ValueId shifted = sequence.binary(
        ir::Op::Add, "add_epsilon", variance, sequence.constant("epsilon", epsilon, x));
    if (style.usesRsqrt) {
        n.inverse = sequence.unary(ir::Op::Rsqrt, "rsqrt", shifted);
        n.y = sequence.binary(ir::Op::Mul, "normalise", centred, n.inverse);
    } else {
        n.deviation = sequence.unary(ir::Op::Sqrt, "sqrt", shifted);
        n.y = sequence.binary(ir::Op::Div, "normalise", centred, n.deviation);
    }
    return n;
}

ValueId scaleAndShift(Sequence& sequence, ValueId y, ValueId scale, ValueId shift) {
    if (scale.isValid())
        y = sequence.binary(ir::Op::Mul, "scale", y, scale);
    if (shift.isValid())
        y = sequence.binary(ir::Op::Add, "shift", y, shift);
    return y;
}

bool isWanted(const Node& node, std::size_t output) {
    return output < node.outputs.size() && node.outputs[output].isValid();
}

/// input + skip [+ bias], as the operators with a skip connection begin.
ValueId emitSkip(Sequence& sequence, ValueId x, ValueId skip, ValueId bias) {
    ValueId sum = skip.isValid() ? sequence.binary(ir::Op::Add, "skip", x, skip) : x;
    return bias.isValid() ? sequence.binary(ir::Op::Add, "skip_bias", sum, bias) : sum;
}

} // namespace

ValueId emitMean(
    Sequence& sequence, std::string_view suffix, ValueId x, const Extents& axes, bool meanIsSum) {
    const auto count = extentOf(sequence.value(x).shape, axes);
    if (!meanIsSum || !count || *count == 0)
        return sequence.reduce(ir::Op::ReduceMean, suffix, x, axes);
    const std::string name(suffix);
    const ValueId sum = sequence.reduce(ir::Op::ReduceSum, name + "_sum", x, axes);
    const ValueId factor =
        sequence.constant(name + "_factor", 1.0 / static_cast<double>(*count), x);
    return sequence.binary(ir::Op::Mul, name, sum, factor);
}

ValueId perChannel(Sequence& sequence, std::string_view suffix, ValueId x, std::size_t rank) {
    const KnownShape& shape = sequence.value(x).shape;
    if (!shape || shape->size() != 1 || rank < 2)
        return x;
    Extents wanted(rank - 1, 1);
    wanted[0] = (*shape)[0];
    return sequence.reshaped(suffix, x, std::move(wanted));
}

ValueId emitChannelBias(Sequence& sequence, std::string_view suffix, ValueId y, ValueId bias) {
    const auto rank = sequence.rank(y);
    if (!rank)
        return sequence.binary(ir::Op::Add, suffix, y, bias);
    const ValueId shaped = perChannel(sequence, std::string(suffix) + "/shape", bias, *rank);
    return sequence.binary(ir::Op::Add, suffix, y, shaped);
}

ValueId emitSoftmax(Sequence& sequence, ValueId x, const Extents& axes, const SoftmaxStyle& style,
    const std::string& prefix) {
    if (style.copiesIn)
        x = sequence.unary(ir::Op::Identity, prefix + "copy", x);
    if (style.subtractsMax) {
        const ValueId largest = sequence.reduce(ir::Op::ReduceMax, prefix + "max", x, axes);
        x = sequence.binary(ir::Op::Sub, prefix + "sub", x, largest);
    }
    const ValueId power = sequence.unary(ir::Op::Exp, prefix + "exp", x);
    const ValueId sum = sequence.reduce(ir::Op::ReduceSum, prefix + "sum", power, axes);
    if (!style.usesReciprocal)
        return sequence.binary(ir::Op::Div, prefix + "div", power, sum);
    const ValueId inverse = sequence.unary(ir::Op::Reciprocal, prefix + "reciprocal", sum);
    return sequence.binary(ir::Op::Mul, prefix + "mul", power, inverse);
}

std::vector<NodeId> decomposeSoftmax(Rewriter& rewriter, NodeId id, const SoftmaxStyle& style) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != ir::Op::Softmax || !x.isValid() || !rewriter.value(x).shape)
        return {};
    const Extents axes = reducedAxes(node, rewriter.value(x).shape->size());
    Sequence sequence = rewriter.replace(id, style.rule);
    return sequence.finish(emitSoftmax(sequence, x, axes, style));
}

std::vector<NodeId> decomposeLogSoftmax(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != ir::Op::LogSoftmax || !x.isValid() || !rewriter.value(x).shape)
        return {};
    const Extents axes = reducedAxes(node, rewriter.value(x).shape->size());
    Sequence sequence = rewriter.replace(id, rule);
    const ValueId largest = sequence.reduce(ir::Op::ReduceMax, "max", x, axes);
    const ValueId shifted = sequence.binary(ir::Op::Sub, "sub", x, largest);
    const ValueId power = sequence.unary(ir::Op::Exp, "exp", shifted);
    const ValueId sum = sequence.reduce(ir::Op::ReduceSum, "sum", power, axes);
    const ValueId log = sequence.unary(ir::Op::Log, "log", sum);
    return sequence.finish(sequence.binary(ir::Op::Sub, "sub_log", shifted, log));
}

std::vector<NodeId> decomposeLayerNorm(Rewriter& rewriter, NodeId id, const NormStyle& style) {
    const Node node = rewriter.node(id);
    const bool isSkip = node.canonical == ir::Op::SkipLayerNormalization;
    const ValueId x = rewriter.input(id, 0);
    if ((!isSkip && node.canonical != ir::Op::LayerNormalization) || !x.isValid()
        || !rewriter.value(x).shape)
        return {};
    const Extents axes = reducedAxes(node, rewriter.value(x).shape->size());
    const double epsilon = node.attributes.number("epsilon", isSkip ? 1e-12 : 1e-5);
    Sequence sequence = rewriter.replace(id, style.rule);
    const ValueId sum =
        isSkip ? emitSkip(sequence, x, rewriter.input(id, 1), rewriter.input(id, 4)) : x;
    const Normalised n = normalise(sequence, sum, axes, epsilon, style);
    const std::size_t scale = isSkip ? 2 : 1;
    const ValueId y =
        scaleAndShift(sequence, n.y, rewriter.input(id, scale), rewriter.input(id, scale + 1));
    const ValueId inverse = !isWanted(node, 2) ? ValueId()
        : n.inverse.isValid()                  ? n.inverse
                              : sequence.unary(ir::Op::Reciprocal, "inverse", n.deviation);
    const ValueId results[] = {
        y, isWanted(node, 1) ? n.mean : ValueId(), inverse, isWanted(node, 3) ? sum : ValueId()};
    return sequence.finish(results);
}

std::vector<NodeId> decomposeRmsNorm(Rewriter& rewriter, NodeId id, const NormStyle& style) {
    const Node node = rewriter.node(id);
    const bool isSkip = node.canonical == ir::Op::SkipRMSNormalization;
    const ValueId x = rewriter.input(id, 0);
    if ((!isSkip && node.canonical != ir::Op::RMSNormalization) || !x.isValid()
        || !rewriter.value(x).shape)
        return {};
    const Extents axes = reducedAxes(node, rewriter.value(x).shape->size());
    Sequence sequence = rewriter.replace(id, style.rule);
    const ValueId sum =
        isSkip ? emitSkip(sequence, x, rewriter.input(id, 1), rewriter.input(id, 3)) : x;
    const ValueId square = sequence.binary(ir::Op::Mul, "square", sum, sum);
    const ValueId mean = emitMean(sequence, "mean", square, axes, style.meanIsSum);
    const ValueId epsilon =
        sequence.constant("epsilon", node.attributes.number("epsilon", 1e-5), x);
    const ValueId shifted = sequence.binary(ir::Op::Add, "add_epsilon", mean, epsilon);
    ValueId y;
    if (style.usesRsqrt)
        y = sequence.binary(
            ir::Op::Mul, "normalise", sum, sequence.unary(ir::Op::Rsqrt, "rsqrt", shifted));
    else
        y = sequence.binary(
            ir::Op::Div, "normalise", sum, sequence.unary(ir::Op::Sqrt, "sqrt", shifted));
    y = scaleAndShift(sequence, y, rewriter.input(id, isSkip ? 2 : 1), ValueId());
    const ValueId results[] = {
        y, ValueId(), ValueId(), isSkip && isWanted(node, 3) ? sum : ValueId()};
    return sequence.finish(results);
}

std::vector<NodeId> decomposeGroupNorm(Rewriter& rewriter, NodeId id, const NormStyle& style) {
    const Node node = rewriter.node(id);
    const bool isInstance = node.canonical == ir::Op::InstanceNormalization;
    const ValueId x = rewriter.input(id, 0);
    if ((!isInstance && node.canonical != ir::Op::GroupNormalization) || !x.isValid()
        || !rewriter.value(x).shape)
        return {};
    const Extents shape = *rewriter.value(x).shape;
    if (shape.size() < 2)
        return {};
    const std::int64_t groups = isInstance ? shape[1] : node.attributes.integer("num_groups", 0);
    const auto all = elements(shape);
    if (groups <= 0 || !all || shape[0] <= 0 || shape[1] % groups != 0)
        return {};
    Sequence sequence = rewriter.replace(id, style.rule);
    const Extents grouped = {shape[0], groups, *all / shape[0] / groups};
    const ValueId inGroups = sequence.reshape("groups", x, grouped);
    Normalised n =
        normalise(sequence, inGroups, {2}, node.attributes.number("epsilon", 1e-5), style);
    const auto applies = [&](std::size_t index, ir::Op op, std::string_view suffix,
                             std::int64_t channels, std::size_t rank) {
        const ValueId p = rewriter.input(id, index);
        if (!p.isValid() || !rewriter.value(p).shape
            || *rewriter.value(p).shape != Extents{channels})
            return;
        const std::string name(suffix);
        n.y = sequence.binary(op, name, n.y, perChannel(sequence, name + "/shape", p, rank));
    };
    // The first version of GroupNormalization scaled by group, later ones scale by channel.
    if (groups != shape[1]) {
        applies(1, ir::Op::Mul, "scale", groups, 3);
        applies(2, ir::Op::Add, "shift", groups, 3);
    }
    n.y = sequence.reshape("ungroup", n.y, shape);
    applies(1, ir::Op::Mul, "scale", shape[1], shape.size());
    applies(2, ir::Op::Add, "shift", shape[1], shape.size());
    return sequence.finish(n.y);
}

std::vector<NodeId> decomposeBatchNorm(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != ir::Op::BatchNormalization || !x.isValid() || !rewriter.value(x).shape
        || rewriter.value(x).shape->size() < 2 || node.attributes.integer("training_mode", 0) != 0)
        return {};
    for (std::size_t i = 1; i < 5; ++i)
        if (const ValueId p = rewriter.input(id, i);
            !p.isValid() || rewriter.value(p).producer.isValid())
            return {};
    Sequence sequence = rewriter.replace(id, rule);
    Extents shape(rewriter.value(x).shape->size() - 1, 1);
    shape[0] = (*rewriter.value(x).shape)[1];
    // γ ÷ √(variance + ε), and β − mean · that.
    const auto given = [&](std::size_t index) {
        return recipes::contents(rewriter.value(rewriter.input(id, index)));
    };
    const recipes::Operand shifted = recipes::made(ir::Op::Add,
        {given(4), recipes::number(node.attributes.number("epsilon", 1e-5))});
    const recipes::Operand factor = recipes::made(
        ir::Op::Div, {given(1), recipes::made(ir::Op::Sqrt, {shifted})});
    const recipes::Operand offset = recipes::made(
        ir::Op::Sub, {given(2), recipes::made(ir::Op::Mul, {given(3), factor})});
    const auto parameter = [&](std::string_view suffix, const recipes::Operand& contents) {
        Value value;
        recipes::describe(value, contents);
        value.name = node.name + "/" + std::string(suffix);
        value.dtype = rewriter.value(x).dtype;
        value.shape = shape;
        value.role = ValueRole::Weight;
        return rewriter.addValue(std::move(value));
    };
    const ValueId scaled = sequence.binary(ir::Op::Mul, "mul", x, parameter("scale", factor));
    return sequence.finish(sequence.binary(ir::Op::Add, "add", scaled, parameter("shift", offset)));
}

std::vector<NodeId> decomposeOtherNorm(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape)
        return {};
    const std::size_t rank = rewriter.value(x).shape->size();
    if (node.canonical == ir::Op::LpNormalization) {
        const Extents axes = reducedAxes(node, rank);
        const bool isL1 = node.attributes.integer("p", 2) == 1;
        Sequence sequence = rewriter.replace(id, rule);
        const ValueId terms = isL1 ? sequence.unary(ir::Op::Abs, "abs", x)
                                   : sequence.binary(ir::Op::Mul, "square", x, x);
        ValueId norm = sequence.reduce(ir::Op::ReduceSum, "sum", terms, axes);
        if (!isL1)
            norm = sequence.unary(ir::Op::Sqrt, "sqrt", norm);
        return sequence.finish(sequence.binary(ir::Op::Div, "div", x, norm));
    }
    if (node.canonical != ir::Op::MeanVarianceNormalization)
        return {};
    Extents axes = {0, 2, 3}; // the operator's default
    if (node.attributes.integers("axes"))
        axes = reducedAxes(node, rank);
    std::erase_if(axes, [&](std::int64_t axis) { return axis >= static_cast<std::int64_t>(rank); });
    Sequence sequence = rewriter.replace(id, rule);
    NormStyle style;
    style.usesRsqrt = false;
    constexpr double kEpsilon = 1e-9; // of the operator's own definition
    return sequence.finish(normalise(sequence, x, axes, kEpsilon, style).y);
}

} // namespace fivefold::lowering
