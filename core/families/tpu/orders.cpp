// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/orders.h"

#include "core/families/tpu/operators.h"

#include "core/layout/family_layouts.h"
#include "core/lowering/tiling.h"

#include <algorithm>
#include <numeric>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;
using Shape = std::vector<std::int64_t>;

constexpr std::int64_t kTileRows = 8; ///< rows of a full tile up to 16-bit types

std::size_t rankOf(const Value& value) {
    return value.shape ? value.shape->size() : 0;
}

/// The order of the transpose's result that leaves every byte where it is.
Order permutedOrder(const Node& node, const Order& order) {
    const auto given = node.attributes.integers("perm");
    const std::size_t rank = order.size();
    std::vector<int> placeOf(rank, 0); // old dimension → new dimension
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t from =
            given && given->size() == rank ? (*given)[i] : static_cast<std::int64_t>(rank - 1 - i);
        if (from < 0 || static_cast<std::size_t>(from) >= rank)
            return rowMajorOrder(rank);
        placeOf[static_cast<std::size_t>(from)] = static_cast<int>(i);
    }
    Order result;
    for (const int dimension : order)
        result.push_back(placeOf[static_cast<std::size_t>(dimension)]);
    return result;
}

/// A dot contracts and keeps matrix axes: batch axes may not lie in lanes or sublanes.
bool dotAccepts(const Order& order) {
    const int rank = static_cast<int>(order.size());
    if (rank < 3)
        return true;
    return order[0] >= rank - 2 && order[1] >= rank - 2;
}

/// Whether every reader can take the value in that order: a dot by its matrix axes, a loop when its
/// other operands of the same shape lie likewise.
bool readersAccept(const StageGraph& graph, ValueId value, const Order& order,
    const base::IdVector<ValueId, Order>& orders) {
    const auto& users = graph.values[value].users;
    return !users.empty() && std::all_of(users.begin(), users.end(), [&](NodeId user) {
        const Node& node = graph.nodes[user];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::Product)
            return !isConvolution(node.canonical) && dotAccepts(order);
        if (kind == OpKind::Loop)
            return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId other) {
                return !graph.values.contains(other) || other == value
                    || graph.values[other].shape != graph.values[value].shape
                    || orders[other] == order
                    || (orders[other].empty() && order == rowMajorOrder(order.size()));
            });
        return kind != OpKind::Relayout || node.canonical == Op::Transpose;
    });
}

Order inherited(const StageGraph& graph, const Node& node, const Value& result,
    const base::IdVector<ValueId, Order>& orders, bool sameShape) {
    for (const ValueId input : node.inputs) {
        if (!graph.values.contains(input) || orders[input].size() != rankOf(result))
            continue;
        const Value& operand = graph.values[input];
        if (!sameShape || operand.shape == result.shape)
            return orders[input];
    }
    return rowMajorOrder(rankOf(result));
}

Order orderOf(const StageGraph& graph, const Node& node, ValueId output,
    const base::IdVector<ValueId, Order>& orders) {
    const Value& result = graph.values[output];
    const std::size_t rank = rankOf(result);
    switch (kindOf(node)) {
    case OpKind::Product: {
        if (isConvolution(node.canonical) && rank >= 3)
            return convolutionOrder(rank);
        // A dot writes what takes least room, as long as its batch axes stay outside the tile.
        const bool isCall =
            graph.kernels.contains(node.kernel) && graph.kernels[node.kernel].kind == "builtin";
        const Order least = layout::tpuMinorToMajor(*result.shape, result.dtype);
        return !isInCall(graph, node) && dotAccepts(least) ? least : rowMajorOrder(rank);
    }
    case OpKind::Loop:
        return inherited(graph, node, result, orders, node.opClass() != ir::OpClass::Movement);
    case OpKind::Alone:
        return node.canonical == Op::TopK ? inherited(graph, node, result, orders, false)
                                          : rowMajorOrder(rank);
    case OpKind::Reduce:
        return inherited(graph, node, result, orders, false);
    case OpKind::Copy: {
        const auto& users = result.users;
        if (!users.empty() && isInCall(graph, graph.nodes[users.front()]))
            return rowMajorOrder(rank);
        const bool isForConvolution =
            !users.empty() && rank >= 3 && isConvolution(graph.nodes[users.front()].canonical);
        return isForConvolution ? convolutionOrder(rank)
                                : layout::tpuMinorToMajor(*result.shape, result.dtype);
    }
    case OpKind::Relayout:
        if (node.canonical == Op::Identity)
            return inherited(graph, node, result, orders, true);
        if (node.canonical == Op::Transpose && !node.inputs.empty()
            && orders[node.inputs.front()].size() == rank) {
            const Order permuted = permutedOrder(node, orders[node.inputs.front()]);
            if (readersAccept(graph, output, permuted, orders))
                return permuted;
        }
        return rowMajorOrder(rank);
    default:
        return rowMajorOrder(rank);
    }
}

/// Sizes from minor to major without the unit ones outside the tile, and whether the logical order
/// is kept.
struct Physical {
    std::int64_t lanes = 1, sublanes = 1, outer = 1;
    bool isOrdered = true;
};

Physical physicalOf(const Shape& shape, const Order& order) {
    Physical physical;
    int last = static_cast<int>(shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t extent = shape[static_cast<std::size_t>(order[i])];
        std::int64_t& place = i == 0 ? physical.lanes : i == 1 ? physical.sublanes : physical.outer;
        place = saturatingMul(place, extent);
        if (extent == 1)
            continue;
        physical.isOrdered = physical.isOrdered && order[i] < last;
        last = order[i];
    }
    return physical;
}

bool isReshapeBitcast(const Shape& from, const Order& a, const Shape& to, const Order& b) {
    const Physical p = physicalOf(from, a), q = physicalOf(to, b);
    if (!p.isOrdered || !q.isOrdered || p.lanes != q.lanes || from.empty() || to.empty())
        return false;
    if ((from.size() == 1) != (to.size() == 1))
        return false; // vectors have tiles of their own
    if (p.sublanes == q.sublanes)
        return p.outer == q.outer;
    return p.sublanes % kTileRows == 0 && q.sublanes % kTileRows == 0
        && saturatingMul(p.sublanes, p.outer) == saturatingMul(q.sublanes, q.outer);
}

} // namespace

Order rowMajorOrder(std::size_t rank) {
    Order order(rank);
    std::iota(order.rbegin(), order.rend(), 0);
    return order;
}

Order convolutionOrder(std::size_t rank) {
    Order order = {1, 0};
    for (std::size_t i = rank; i-- > 2;)
        order.push_back(static_cast<int>(i));
    return order;
}

bool isInCall(const StageGraph& graph, const Node& node) {
    return graph.kernels.contains(node.kernel) && graph.kernels[node.kernel].kind == "builtin";
}

base::IdVector<ValueId, Order> ordersOf(const StageGraph& graph) {
    base::IdVector<ValueId, Order> orders(graph.values.size());
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[ValueId(i)];
        if (value.shape && !value.producer.isValid())
            orders[ValueId(i)] = layout::tpuMinorToMajor(*value.shape, value.dtype);
    }
    for (const Node& node : graph.nodes)
        for (const ValueId output : node.outputs)
            if (graph.values.contains(output) && graph.values[output].shape)
                orders[output] = orderOf(graph, node, output, orders);
    return orders;
}

bool isBitcast(
    const StageGraph& graph, const Node& node, const base::IdVector<ValueId, Order>& orders) {
    if (kindOf(node) != OpKind::Relayout || node.inputs.empty() || node.outputs.size() != 1)
        return false;
    const ValueId from = node.inputs.front(), to = node.outputs.front();
    if (!graph.values.contains(from) || !graph.values.contains(to) || !graph.values[from].shape
        || !graph.values[to].shape || graph.values[from].dtype != graph.values[to].dtype)
        return false;
    switch (node.canonical) {
    case Op::Identity:
        return orders[from] == orders[to];
    case Op::DepthToSpace:
    case Op::SpaceToDepth:
        return false;
    case Op::Transpose:
        return orders[from].size() == orders[to].size()
            && permutedOrder(node, orders[from]) == orders[to];
    default:
        return isReshapeBitcast(
            *graph.values[from].shape, orders[from], *graph.values[to].shape, orders[to]);
    }
}

} // namespace fivefold::families::tpu
