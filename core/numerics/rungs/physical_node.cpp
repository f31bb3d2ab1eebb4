// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_node.h"

#include "core/lowering/work.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

using ir::Op;
using lowering::Node;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The element that a reduction over more of it does not notice.
std::optional<double> identityOf(Op op) {
    switch (op) {
    case Op::ReduceSum:
    case Op::ReduceMean:
    case Op::ReduceL1:
    case Op::ReduceL2:
    case Op::ReduceLogSum:
    case Op::ReduceSumSquare:
        return 0.0;
    case Op::ReduceProd:
        return 1.0;
    case Op::ReduceMax:
    case Op::ReduceLogSumExp:
    case Op::Softmax:
    case Op::LogSoftmax:
    case Op::SoftmaxStatistics:
        return -kInfinity;
    case Op::ReduceMin:
        return kInfinity;
    default:
        return std::nullopt;
    }
}

bool isSoftmax(Op op) {
    return op == Op::Softmax || op == Op::LogSoftmax;
}

/// Axes of the two operands of a product that are summed over; nullopt for forms that keep to
/// their logical extents.
std::optional<std::pair<std::size_t, std::size_t>> contracted(
    const Node& node, std::size_t leftRank, std::size_t rightRank) {
    if (leftRank == 0 || rightRank == 0)
        return std::nullopt;
    switch (node.canonical) {
    case Op::MatMul:
        return std::pair(leftRank - 1, rightRank == 1 ? 0 : rightRank - 2);
    case Op::Gemm:
        if (leftRank != 2 || rightRank != 2)
            return std::nullopt;
        return std::pair<std::size_t, std::size_t>(node.attributes.integer("transA", 0) ? 0 : 1,
            node.attributes.integer("transB", 0) ? 1 : 0);
    case Op::Conv:
        if (node.attributes.integer("group", 1) != 1 || leftRank < 3 || leftRank != rightRank)
            return std::nullopt;
        return std::pair<std::size_t, std::size_t>(1, 1);
    default:
        return std::nullopt;
    }
}

std::vector<PaddedOperand> contractionPads(
    const Node& node, std::span<const LaneIndex* const> indices) {
    if (indices.size() < 2 || !indices[0] || !indices[1])
        return {};
    const LaneIndex &left = *indices[0], &right = *indices[1];
    const auto axes = contracted(node, left.shape().size(), right.shape().size());
    if (!axes || left.shape()[axes->first] != right.shape()[axes->second])
        return {};
    if (!left.isPadded(axes->first) && !right.isPadded(axes->second))
        return {};
    return {{0, {axes->first}, 0.0}, {1, {axes->second}, 0.0}};
}

Extents paddedExtents(const DeviceValue& value, const PaddedOperand& padded, std::int64_t reach) {
    Extents extents = value.index().shape();
    for (const std::size_t axis : padded.axes)
        extents[axis] = std::max(reach, value.index().reach()[axis]);
    return extents;
}

/// A mean over padded extents: the sum over all lanes, times 1/N of the elements that count.
base::Result<std::vector<Datum>> meanOverPadding(
    const NodeOnDevice& call, std::span<const Datum> inputs, std::int64_t count) {
    Node sum = call.node;
    sum.canonical = Op::ReduceSum;
    auto result = call.evaluatePadded(inputs, sum);
    if (!result || result->empty())
        return result;
    Node scale = call.node;
    scale.canonical = Op::Mul;
    scale.attributes = {};
    const std::vector<Datum> factors{(*result)[0],
        Datum(Tensor::scalar((*result)[0].tensor.dtype(), 1 / static_cast<double>(count)))};
    return call.evaluatePadded(factors, scale);
}

std::int64_t product(const Extents& extents, const std::vector<std::size_t>& axes) {
    std::int64_t count = 1;
    for (const std::size_t axis : axes)
        count *= extents[axis];
    return count;
}

/// Lanes along an axis that the operand lacks and the other one has.
Tensor withTail(Tensor box, std::size_t axis, std::int64_t from, double fill) {
    const std::int64_t extent = box.shape()[axis];
    if (extent <= from)
        return box;
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < box.rank(); ++d)
        inner *= box.shape()[d];
    std::vector<double> values = box.numbers();
    for (std::size_t i = 0; i < values.size(); ++i)
        if ((static_cast<std::int64_t>(i) / inner) % extent >= from)
            values[i] = fill;
    return {box.dtype(), box.shape(), std::move(values)};
}

double volume(const Extents& extents) {
    double count = 1;
    for (const std::int64_t extent : extents)
        count *= static_cast<double>(extent);
    return count;
}

bool isMostlyPadding(const Extents& padded, const Extents& logical) {
    return volume(padded) > NodeOnDevice::kMostPadding * volume(logical);
}

/// Sets the pads of the consumed operands and runs over them; an Error sends the caller to the
/// logical extents.
base::Result<std::vector<Datum>> runConsumer(
    const NodeOnDevice& call, const std::vector<PaddedOperand>& padded) {
    std::int64_t reach = 0;
    for (const PaddedOperand& p : padded)
        if (padded.size() > 1)
            for (const std::size_t axis : p.axes)
                reach = std::max(reach, call.operands[p.operand]->index().reach()[axis]);
    std::vector<Datum> inputs(call.operands.size());
    bool isTooMuch = false;
    std::int64_t count = 1;
    for (const PaddedOperand& p : padded) {
        DeviceValue& operand = *call.operands[p.operand];
        const PadRule rule = call.padRule ? call.padRule(p) : PadRule{{}, p.identity};
        if (rule.kind == PadRule::Kind::Constant)
            operand.pad(p.axes, rule.value);
        const Extents extents = paddedExtents(operand, p, reach);
        isTooMuch = isTooMuch || isMostlyPadding(extents, operand.index().shape());
        if (isTooMuch && !call.hasPadFault)
            continue;
        Tensor box = operand.box(extents);
        const double fill = rule.kind == PadRule::Kind::Constant ? rule.value : p.identity;
        if (padded.size() > 1)
            box = withTail(std::move(box), p.axes[0], operand.index().reach()[p.axes[0]], fill);
        count = product(operand.index().shape(), p.axes);
        inputs[p.operand] = Datum(std::move(box));
    }
    if (isTooMuch && !call.hasPadFault)
        return base::Error{base::ErrorCode::Limit, "Mostly padding.", {}};
    for (std::size_t i = 0; i < call.operands.size(); ++i)
        if (call.operands[i] && !inputs[i].tensor.isDefined())
            inputs[i] = call.operands[i]->whole();
    if (call.node.canonical == Op::ReduceMean)
        return meanOverPadding(call, inputs, count);
    return call.evaluatePadded(inputs, call.node);
}

/// A lane-wise operator over the padded extents of its result.
base::Result<std::vector<Datum>> runLaneWise(const NodeOnDevice& call, const LaneIndex& result) {
    std::vector<Datum> inputs;
    for (const DeviceValue* operand : call.operands) {
        if (!operand) {
            inputs.emplace_back();
            continue;
        }
        if (!operand->hasLanes()) {
            inputs.push_back(operand->whole());
            continue;
        }
        const Extents& shape = operand->index().shape();
        Extents box = shape;
        if (shape.size() > result.shape().size())
            return base::Error{base::ErrorCode::InvalidArgument, "Not broadcast.", {}};
        const std::size_t lead = result.shape().size() - shape.size();
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] == result.shape()[lead + d])
                box[d] = shape[d] == 1 ? 1 : result.reach()[lead + d];
        inputs.emplace_back(operand->box(box));
    }
    return call.evaluatePadded(inputs, call.node);
}

bool fits(
    const std::vector<Datum>& results, std::span<const std::shared_ptr<const LaneIndex>> indices) {
    if (results.size() < indices.size())
        return false;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (!indices[i])
            continue;
        const Extents& shape = results[i].tensor.shape();
        if (!results[i].tensor.isDefined() || shape.size() != indices[i]->shape().size())
            return false;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] < indices[i]->shape()[d])
                return false;
    }
    return true;
}

bool hasPadding(const LaneIndex& index) {
    for (std::size_t d = 0; d < index.shape().size(); ++d)
        if (index.isPadded(d))
            return true;
    return false;
}

bool areFloats(const NodeOnDevice& call) {
    return std::all_of(call.operands.begin(), call.operands.end(),
        [](const DeviceValue* o) { return !o || !o->hasLanes() || !o->isInteger(); });
}

} // namespace

bool isLaneWise(Op op) {
    switch (op) { // pointwise by class, and yet not a function of one index alone, or of its type
    case Op::Cast:
    case Op::CastLike:
    case Op::BitCast:
    case Op::Dropout:
    case Op::DequantizeLinear:
    case Op::QuantizeLinear:
    case Op::DynamicQuantizeLinear:
    case Op::RotaryEmbedding:
    case Op::BiasSplitGelu:
    case Op::SwiGlu:
    case Op::QLinearSoftmax:
    case Op::QLinearConcat:
        return false;
    default:
        return ir::opClass(op) == ir::OpClass::Pointwise && ir::isPointwise(op);
    }
}

std::vector<PaddedOperand> paddedOperands(
    const Node& node, std::span<const LaneIndex* const> indices) {
    const std::optional<double> identity = identityOf(node.canonical);
    if (!identity)
        return contractionPads(node, indices);
    if (indices.empty() || !indices[0])
        return {};
    const LaneIndex& index = *indices[0];
    std::vector<std::size_t> axes;
    for (const std::int64_t axis : lowering::reducedAxes(node, index.shape().size()))
        axes.push_back(static_cast<std::size_t>(axis));
    if (axes.empty() || (isSoftmax(node.canonical) && axes.size() != 1))
        return {};
    const bool isPadded = std::any_of(
        axes.begin(), axes.end(), [&](std::size_t axis) { return index.isPadded(axis); });
    if (!isPadded)
        return {};
    return {{0, std::move(axes), *identity}};
}

base::Result<std::vector<Datum>> runOnDevice(
    const NodeOnDevice& call, std::span<const std::shared_ptr<const LaneIndex>> resultIndices) {
    if (call.runsOverPadding) {
        std::vector<const LaneIndex*> indices;
        for (const DeviceValue* operand : call.operands)
            indices.push_back(operand && operand->hasLanes() ? &operand->index() : nullptr);
        const auto padded = paddedOperands(call.node, indices);
        std::optional<base::Result<std::vector<Datum>>> result;
        if (!padded.empty())
            result = runConsumer(call, padded);
        else if (call.isPaddingSeen && isLaneWise(call.node.canonical) && resultIndices.size() == 1
            && resultIndices[0] && hasPadding(*resultIndices[0]) && areFloats(call)
            && (call.hasPadFault
                || !isMostlyPadding(resultIndices[0]->reach(), resultIndices[0]->shape())))
            result = runLaneWise(call, *resultIndices[0]);
        if (result && *result && fits(**result, resultIndices))
            return std::move(*result);
        if (result && !*result && result->error().code == base::ErrorCode::Cancelled)
            return std::move(*result);
    }
    std::vector<Datum> inputs;
    for (const DeviceValue* operand : call.operands)
        inputs.push_back(operand ? operand->whole() : Datum());
    return call.evaluate(inputs);
}

} // namespace fivefold::numerics
