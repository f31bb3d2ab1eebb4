// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_physical.h"

#include "core/lowering/tiling.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::numerics {

using ir::Op;
using layout::AxisRole;
using lowering::Node;

namespace {

const layout::TensorLayout* layoutOf(const PlantedFault& planted, lowering::ValueId value) {
    return planted.graph->values.contains(value) ? planted.graph->values[value].layout.get()
                                                 : nullptr;
}

std::int64_t count(const Extents& extents) {
    return std::accumulate(
        extents.begin(), extents.end(), std::int64_t(1), std::multiplies<std::int64_t>());
}

/// The dimension in the lanes, and how many of its indices one stick (tile row, vector) holds.
struct Sticks {
    std::size_t dimension = 0;
    std::int64_t width = 0;
    std::int64_t covered = 0; ///< indices in full sticks
};

std::optional<Sticks> sticksOf(const layout::TensorLayout& layout) {
    for (std::size_t i = layout.axes.size(); i-- > 0;) {
        const layout::Axis& lane = layout.axes[i];
        if (lane.role != AxisRole::Lane || lane.dimension < 0
            || static_cast<std::size_t>(lane.dimension) >= layout.shape.size())
            continue;
        Sticks sticks;
        sticks.dimension = static_cast<std::size_t>(lane.dimension);
        std::int64_t width = 0;
        for (const layout::Axis& axis : layout.axes)
            if (axis.dimension == lane.dimension
                && (axis.role == AxisRole::Block || axis.role == AxisRole::Unit)
                && axis.step >= lane.extent * lane.step)
                width = width == 0 ? axis.step : std::min(width, axis.step);
        sticks.width = width == 0 ? lane.extent * lane.step : width;
        if (sticks.width < 2)
            return std::nullopt;
        const std::int64_t n = layout.shape[sticks.dimension];
        sticks.covered = n / sticks.width * sticks.width;
        return sticks;
    }
    return std::nullopt;
}

bool isRagged(const layout::TensorLayout& layout) {
    const auto sticks = sticksOf(layout);
    if (!sticks || sticks->covered == layout.shape[sticks->dimension])
        return false;
    return LaneIndex(layout).isPadded(sticks->dimension);
}

/// Copies and lane-wise operators, whose loops walk sticks.
bool isStickLoop(Op op) {
    return isLaneWise(op) || op == Op::Identity || op == Op::Cast
        || ir::opClass(op) == ir::OpClass::Movement;
}

std::vector<PaddedOperand> padsOf(const PlantedFault& planted, const Node& node) {
    std::vector<LaneIndex> indices;
    std::vector<const LaneIndex*> pointers;
    indices.reserve(node.inputs.size());
    for (const lowering::ValueId input : node.inputs) {
        const layout::TensorLayout* layout = layoutOf(planted, input);
        if (layout)
            indices.emplace_back(*layout);
        pointers.push_back(layout ? &indices.back() : nullptr);
    }
    return paddedOperands(node, pointers);
}

bool isMaximum(Op op) {
    return op == Op::Softmax || op == Op::LogSoftmax || op == Op::ReduceMax
        || op == Op::SoftmaxStatistics;
}

/// F13: which of the nodes has padding to get wrong; F14 to F16 likewise.
bool padFaultBefalls(const PlantedFault& planted, const Node& node) {
    const bool isContraction = node.opClass() == ir::OpClass::Contraction;
    switch (planted.number) {
    case 13:
        return node.canonical != Op::Softmax && node.canonical != Op::LogSoftmax;
    case 14:
        return isMaximum(node.canonical) || node.canonical == Op::ReduceSum;
    case 15:
        return node.canonical == Op::ReduceMean || node.canonical == Op::ReduceSum;
    default:
        return isContraction;
    }
}

/// F16: the first operand whose own padding is consumed.
std::size_t paddedOperandOf(const PlantedFault& planted, const Node& node) {
    for (const PaddedOperand& operand : padsOf(planted, node)) {
        const LaneIndex index(*layoutOf(planted, node.inputs[operand.operand]));
        for (const std::size_t axis : operand.axes)
            if (index.isPadded(axis))
                return operand.operand;
    }
    return 0;
}

bool padFaultActs(const PlantedFault& planted) {
    const Op captured = planted.capturedOp;
    const bool isSoftmax = captured == Op::Softmax || captured == Op::LogSoftmax;
    if (planted.number == 13 && isSoftmax)
        return false; // a soft-max does not notice another maximum
    if (planted.number == 14 && !isSoftmax)
        return false;
    if (planted.number == 15 && captured != Op::ReduceMean)
        return false;
    for (const lowering::NodeId id : planted.place.nodes) {
        const Node& node = planted.graph->nodes[id];
        if (padFaultBefalls(planted, node) && !padsOf(planted, node).empty())
            return true;
    }
    return false;
}

/// Order of the dimensions that have more than one index.
std::vector<std::int64_t> effectiveOrder(const Node& node, const Extents& shape) {
    std::vector<std::int64_t> order;
    const auto perm = node.attributes.integers("perm");
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t axis =
            perm && i < perm->size() ? (*perm)[i] : static_cast<std::int64_t>(shape.size() - 1 - i);
        if (axis >= 0 && axis < static_cast<std::int64_t>(shape.size())
            && shape[static_cast<std::size_t>(axis)] > 1)
            order.push_back(axis);
    }
    return order;
}

bool movesElements(const PlantedFault& planted) {
    const Node& exit = planted.graph->nodes[planted.place.exit];
    if (exit.canonical != Op::Transpose || exit.inputs.empty())
        return false;
    const layout::TensorLayout* from = layoutOf(planted, exit.inputs[0]);
    if (!from || !layoutOf(planted, planted.place.result))
        return false;
    const auto order = effectiveOrder(exit, from->shape);
    return !std::is_sorted(order.begin(), order.end());
}

/// F18: the pitch of before the padding changed.
std::int64_t stalePitch(const PlantedFault& planted, const LaneIndex& index) {
    const std::int64_t n = index.shape().back(), pitch = index.reach().back();
    constexpr std::int64_t kLine = 64; // elements of a 128-byte line of fp16
    const std::int64_t fallback = pitch != n ? n
        : n % kLine != 0                     ? lowering::roundUp(n, kLine)
                                             : n + kLine;
    return std::max<std::int64_t>(
        1, std::llround(planted.parameter("pitch", static_cast<double>(fallback))));
}

/// F19: the widest index that is still too narrow.
int narrowBits(const PlantedFault& planted, std::int64_t elements) {
    int bits = 1;
    while (bits < 62 && (std::int64_t(1) << (bits + 1)) < elements)
        ++bits;
    return static_cast<int>(std::clamp(planted.parameter("bits", std::min(bits, 16)), 0.0, 62.0));
}

template <typename T>
std::vector<T> withPitch(
    const LaneIndex& index, const std::vector<T>& lanes, std::int64_t pitch, T junk) {
    Extents box = index.shape();
    box.back() = index.reach().back();
    const std::vector<T> memory = readBox(index, lanes, box, junk);
    const std::int64_t n = index.shape().back();
    std::vector<T> values(static_cast<std::size_t>(count(index.shape())), junk);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto flat = static_cast<std::int64_t>(i);
        const std::int64_t at = flat / n * pitch + flat % n;
        if (at < static_cast<std::int64_t>(memory.size()))
            values[i] = memory[static_cast<std::size_t>(at)];
    }
    return values;
}

template <typename T> std::vector<T> wrapped(const std::vector<T>& logical, int bits) {
    std::vector<T> values = logical;
    const std::size_t mask = (std::size_t(1) << bits) - 1;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = logical[i & mask];
    return values;
}

/// F12: lanes beyond the full sticks keep what the memory held.
void coverFullSticks(const PlantedFault& planted, DeviceValue& result, bool isTracked) {
    const auto sticks = sticksOf(result.layout());
    if (!sticks || result.index().shape()[sticks->dimension] <= sticks->covered)
        return;
    DeviceValue partial(result.sharedLayout(), result.sharedIndex(), result.dtype(),
        result.isInteger(), planted.poison);
    Extents box = result.index().reach();
    box[sticks->dimension] = sticks->covered;
    partial.write(result.box(box), isTracked);
    partial.loopRange.clear();
    for (const layout::Axis& axis : result.layout().axes) {
        const bool isCut = axis.dimension == static_cast<int>(sticks->dimension)
            && (axis.role == AxisRole::Block || axis.role == AxisRole::Unit)
            && axis.step >= sticks->width;
        const std::int64_t end = isCut
            ? std::min(axis.extent, lowering::ceilDiv(sticks->covered, axis.step))
            : axis.extent;
        partial.loopRange.emplace_back(0, sticks->covered == 0 && !isCut ? axis.extent : end);
    }
    result = std::move(partial);
}

/// F17: the elements of a transposition in the order of before it, or moved twice.
void orderWrongly(
    const PlantedFault& planted, DeviceValue& result, const DeviceValue* operand, bool isTracked) {
    if (!operand || !operand->hasLanes())
        return;
    const Node& exit = planted.graph->nodes[planted.place.exit];
    const Tensor before = operand->tensor(), right = result.tensor();
    if (before.size() != right.size())
        return;
    const bool isDoubled = planted.parameter("doubled", 0) != 0;
    Tensor wrong = before.reshaped(right.shape());
    if (isDoubled) {
        // The same permutation over what is already in its new order.
        const Extents& shape = before.shape();
        std::vector<double> values(static_cast<std::size_t>(right.size()));
        const auto perm = exit.attributes.integers("perm");
        for (std::int64_t flat = 0; flat < right.size(); ++flat) {
            const Extents to = layout::unflatten(right.shape(), flat);
            Extents from(shape.size(), 0);
            for (std::size_t d = 0; d < to.size(); ++d) {
                const std::size_t axis = perm && d < perm->size()
                    ? static_cast<std::size_t>((*perm)[d])
                    : shape.size() - 1 - d;
                if (axis < from.size())
                    from[axis] = to[d];
            }
            values[static_cast<std::size_t>(flat)] = right.number(layout::flatten(shape, from));
        }
        wrong = Tensor(right.dtype(), right.shape(), std::move(values));
    }
    result.write(wrong, isTracked);
}

} // namespace

bool layoutFaultActs(const PlantedFault& planted) {
    const FaultPlace& place = planted.place;
    const layout::TensorLayout* result = layoutOf(planted, place.result);
    const layout::TensorLayout* operand = layoutOf(planted, place.operand);
    switch (planted.number) {
    case 12:
        return result && isRagged(*result)
            && isStickLoop(planted.graph->nodes[place.exit].canonical);
    case 13:
    case 14:
    case 15:
    case 16:
        return padFaultActs(planted);
    case 17:
        return movesElements(planted);
    case 18:
        return operand && operand->shape.size() >= 2
            && count(operand->shape) > operand->shape.back() && operand->shape.back() > 0;
    case 19:
        return operand && count(operand->shape) >= 4;
    default:
        return false;
    }
}

std::optional<PadRule> faultyPad(const PlantedFault& planted, const Node& node,
    const PaddedOperand& operand, const DeviceValue& value) {
    if (planted.number < 13 || planted.number > 16 || !padFaultBefalls(planted, node))
        return std::nullopt;
    using Kind = PadRule::Kind;
    switch (planted.number) {
    case 13: // 0 is wrong for all but sums, for which 1 is
        return PadRule{Kind::Constant, planted.parameter("pad", operand.identity == 0 ? 1 : 0)};
    case 14: // the maximum over zeros, too; the sum takes what the padding makes of them
        if (isMaximum(node.canonical))
            return PadRule{Kind::Constant, planted.parameter("pad", 0)};
        return PadRule{Kind::Leave, 0};
    case 15: {
        double n = 1;
        for (const std::size_t axis : operand.axes)
            n *= static_cast<double>(value.index().shape()[axis]);
        return PadRule{Kind::Constant, planted.parameter("pad", 1 / std::max(n, 1.0))};
    }
    default: // the first operand that has padding brings the NaNs, zeros meet them
        return PadRule{Kind::Constant,
            operand.operand == paddedOperandOf(planted, node)
                ? std::numeric_limits<double>::quiet_NaN()
                : 0.0};
    }
}

void misreadLayout(const PlantedFault& planted, DeviceValue& operand) {
    const Tensor right = operand.tensor();
    const bool isPitch = planted.number == 18;
    const std::int64_t pitch = isPitch ? stalePitch(planted, operand.index()) : 0;
    const int bits = isPitch ? 0 : narrowBits(planted, right.size());
    if (operand.isInteger()) {
        auto values = isPitch
            ? withPitch(operand.index(), operand.integers(), pitch, integerPoison(planted.poison))
            : wrapped(*right.as<std::int64_t>(), bits);
        return operand.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
    }
    auto values = isPitch ? withPitch(operand.index(), operand.floats(), pitch, planted.poison)
                          : wrapped(right.numbers(), bits);
    operand.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
}

void spoilResult(
    const PlantedFault& planted, DeviceValue& result, const DeviceValue* operand, bool isTracked) {
    if (!result.hasLanes())
        return;
    if (planted.number == 12)
        coverFullSticks(planted, result, isTracked);
    else if (planted.number == 17)
        orderWrongly(planted, result, operand, isTracked);
    else if (planted.number == 30)
        doubleBlock(planted, result);
}

} // namespace fivefold::numerics
