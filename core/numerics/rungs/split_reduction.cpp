// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/split_reduction.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::numerics {

namespace {

using Extents = std::vector<std::int64_t>;

/// What the halves compute and what an element adds that is not there; nullopt: not split here.
struct Halves {
    ir::Op op = ir::Op::ReduceSum;
    double identity = 0;
};
std::optional<Halves> halvesOf(ir::Op op) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (op) {
    case ir::Op::ReduceSum:
    case ir::Op::ReduceMean:
        return Halves{ir::Op::ReduceSum, 0};
    case ir::Op::ReduceProd:
        return Halves{ir::Op::ReduceProd, 1};
    case ir::Op::ReduceMax:
        return Halves{ir::Op::ReduceMax, -kInfinity};
    case ir::Op::ReduceMin:
        return Halves{ir::Op::ReduceMin, kInfinity};
    default:
        return std::nullopt;
    }
}

std::int64_t product(const Extents& shape) {
    return std::accumulate(
        shape.begin(), shape.end(), std::int64_t(1), std::multiplies<std::int64_t>());
}

base::Error refused(const lowering::Node& node, std::string sentence) {
    return {base::ErrorCode::Unsupported, std::move(sentence), node.name};
}

base::Result<Tensor> evaluateOne(ir::Op op, const lowering::Node& node,
    const ir::Attributes& attributes, const Tensor& x, const Evaluation& evaluation) {
    Operation operation;
    operation.op = op;
    operation.name = node.name;
    operation.attributes = &attributes;
    const Datum input(x);
    auto results = numerics::evaluate(operation, std::span(&input, 1), evaluation);
    if (!results)
        return results.error();
    return results->front().tensor;
}

base::Result<Tensor> reduceLast(
    ir::Op op, const lowering::Node& node, const Tensor& x, const Evaluation& evaluation) {
    ir::Attributes attributes;
    attributes.set("axes", Extents{static_cast<std::int64_t>(x.rank()) - 1});
    attributes.set("keepdims", std::int64_t(0));
    return evaluateOne(op, node, attributes, x, evaluation);
}

/// x as rows of what is reduced together, the axes that stay in their order.
base::Result<Tensor> rowsOf(
    const lowering::Node& node, const Tensor& x, const Evaluation& evaluation) {
    const auto rank = static_cast<std::int64_t>(x.rank());
    Extents axes = node.attributes.integers("axes").value_or(Extents{});
    if (axes.empty()) {
        axes.resize(x.rank());
        std::iota(axes.begin(), axes.end(), 0);
    }
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? rank : 0;
    Extents order;
    std::int64_t rows = 1;
    for (std::int64_t axis = 0; axis < rank; ++axis)
        if (std::ranges::find(axes, axis) == axes.end()) {
            order.push_back(axis);
            rows *= x.shape()[static_cast<std::size_t>(axis)];
        }
    std::ranges::sort(axes);
    order.insert(order.end(), axes.begin(), axes.end());
    if (order.size() != x.rank())
        return refused(node, "The axes of the reduction do not fit its operand.");
    ir::Attributes attributes;
    attributes.set("perm", std::move(order));
    auto turned = evaluateOne(ir::Op::Transpose, node, attributes, x, evaluation);
    if (!turned)
        return turned;
    return turned->reshaped({rows, rows == 0 ? 0 : x.size() / rows});
}

/// Each row in `parts` pieces of equal length, the last filled up with the identity.
Tensor inParts(const Tensor& rows, std::int64_t parts, double identity, double scale) {
    const std::int64_t count = rows.shape()[0], length = rows.shape()[1];
    const std::int64_t piece = (length + parts - 1) / parts;
    std::vector<double> values(static_cast<std::size_t>(count * parts * piece), identity);
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t i = 0; i < length; ++i)
            values[static_cast<std::size_t>(row * parts * piece + i)] =
                rows.number(row * length + i) * scale;
    return {rows.dtype(), {count, parts, piece}, std::move(values)};
}

} // namespace

bool isSplitReduction(const lowering::Node& node) {
    return node.attributes.has("parts") || node.attributes.has("combines");
}

base::Result<std::vector<Datum>> evaluateSplit(const lowering::StageGraph& graph,
    const lowering::Node& node, std::span<const Datum> inputs, const Evaluation& evaluation) {
    const auto halves = halvesOf(node.canonical);
    const bool hasOperand =
        !inputs.empty() && inputs[0].tensor.isDefined() && ir::isFloat(inputs[0].tensor.dtype());
    if (!halves || !hasOperand || node.outputs.size() != 1 || !node.outputs[0].isValid()
        || !graph.values[node.outputs[0]].shape)
        return refused(node, "This reduction is split, and its halves are not executable here.");
    const Extents& shape = *graph.values[node.outputs[0]].shape;
    const Tensor& x = inputs[0].tensor;
    const bool isFirst = node.attributes.has("parts");
    Tensor operand = x;
    if (isFirst) {
        auto rows = rowsOf(node, x, evaluation);
        if (!rows)
            return rows.error();
        const std::int64_t parts = node.attributes.integer("parts", 1);
        if (parts < 1 || rows->shape()[0] * parts != product(shape))
            return refused(node, "The parts of the split reduction do not fit its operand.");
        const double scale = node.canonical == ir::Op::ReduceMean && rows->shape()[1] > 0
            ? 1 / static_cast<double>(rows->shape()[1])
            : 1;
        operand = inParts(*rows, parts, halves->identity, scale);
    }
    auto result = reduceLast(halves->op, node, operand, evaluation);
    if (!result)
        return result.error();
    if (result->size() != product(shape))
        return refused(node, "The parts of the split reduction do not fit its result.");
    return std::vector<Datum>{result->reshaped(shape)};
}

} // namespace fivefold::numerics
