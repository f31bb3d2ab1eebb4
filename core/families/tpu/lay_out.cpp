// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/operators.h"
#include "core/families/tpu/orders.h"
#include "core/families/tpu/stages.h"

#include "core/layout/family_layouts.h"
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using Orders = base::IdVector<ValueId, Order>;

/// Layouts shared by values of equal shape, type and order.
class Layouts {
public:
    explicit Layouts(int generation)
        : m_generation(generation) { }

    std::shared_ptr<const layout::TensorLayout> get(const Value& value, const Order& order) {
        auto& known = m_known[{*value.shape, value.dtype, order}];
        if (!known)
            known = std::make_shared<const layout::TensorLayout>(
                layout::tpuTiled(*value.shape, value.dtype, m_generation, order));
        return known;
    }

private:
    int m_generation;
    std::map<std::tuple<std::vector<std::int64_t>, ir::DType, Order>,
        std::shared_ptr<const layout::TensorLayout>>
        m_known;
};

NewNode copyNode(std::string suffix) {
    NewNode node;
    node.canonical = ir::Op::Identity;
    node.suffix = std::move(suffix);
    node.op = "copy";
    return node;
}

std::string orderText(const Order& order) {
    std::string text = "{";
    for (const int dimension : order)
        text += (text.size() > 1 ? "," : "") + std::to_string(dimension);
    return text + "}";
}

/// A convolution reads its data with the channels in the lanes.
void copyForConvolutions(Rewriter& rewriter, const Orders& orders) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        if (!isConvolution(node.canonical) || node.inputs.empty()
            || !orders.contains(node.inputs.front()))
            continue;
        const ValueId data = node.inputs.front();
        const Order& order = orders[data];
        if (order.size() < 3 || order.front() == 1)
            continue;
        const NodeId producer = rewriter.value(data).producer;
        if (producer.isValid() && rewriter.node(producer).kernel == node.kernel)
            continue; // the prologue writes the order that the convolution wants
        const Order wanted = convolutionOrder(order.size());
        rewriter.insertBefore(id, 0, copyNode("copy"),
            "The convolution wants channels in the lanes, " + orderText(wanted) + ", and "
                + rewriter.value(data).name + " lies as " + orderText(order) + ".");
    }
}

/// The builtin softmax call reads its values row-major.
void copyForCalls(Rewriter& rewriter, const Orders& orders) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        if (kindOf(node) != OpKind::Product || !isInCall(rewriter.graph(), node)
            || node.inputs.size() < 2 || !orders.contains(node.inputs[1]))
            continue;
        const ValueId values = node.inputs[1];
        const Order& order = orders[values];
        if (order.empty() || order == rowMajorOrder(order.size()))
            continue;
        rewriter.insertBefore(id, 1, copyNode("copy"),
            "The builtin softmax call reads row-major values, and " + rewriter.value(values).name
                + " lies as " + orderText(order) + ".");
    }
}

/// Orders that differ in the places of unit axes alone, outside lanes and sublanes that are in use.
bool isSameOrder(const std::vector<std::int64_t>& shape, const Order& a, const Order& b) {
    const auto used = [&shape](const Order& order) {
        Order kept;
        for (const int dimension : order)
            if (shape[static_cast<std::size_t>(dimension)] != 1)
                kept.push_back(dimension);
        return kept;
    };
    const auto isUnit = [&shape](const Order& order, std::size_t i) {
        return i >= order.size() || shape[static_cast<std::size_t>(order[i])] == 1;
    };
    return used(a) == used(b) && isUnit(a, 0) == isUnit(b, 0) && isUnit(a, 1) == isUnit(b, 1);
}

/// Results leave in the order of least padding, row-major among equals: the entry layout comes
/// first.
void copyResults(Rewriter& rewriter, const Orders& orders) {
    const std::vector<ValueId> outputs = rewriter.graph().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const ValueId id = rewriter.resolve(outputs[i]);
        if (!orders.contains(id) || !rewriter.value(id).shape
            || !rewriter.value(id).producer.isValid())
            continue;
        const Value& value = rewriter.value(id);
        const Order least = layout::tpuMinorToMajor(*value.shape, value.dtype);
        if (isSameOrder(*value.shape, least, orders[id]))
            continue;
        rewriter.insertBeforeOutput(i, copyNode("result_copy"),
            "Results leave in the order of least padding, " + orderText(least)
                + ", and the last kernel wrote " + orderText(orders[id]) + ".");
    }
}

/// Kernels of relayouts that move nothing are bitcasts.
void markBitcasts(StageGraph& graph, const Orders& orders) {
    for (Kernel& kernel : graph.kernels) {
        const bool isFree = std::all_of(kernel.nodes.begin(), kernel.nodes.end(),
            [&](NodeId id) { return isBitcast(graph, graph.nodes[id], orders); });
        if (!isFree)
            continue;
        kernel.kind = "bitcast";
        kernel.reason = "Operand and result have the same bytes in the same order: nothing moves.";
        for (const NodeId id : kernel.nodes)
            graph.nodes[id].op = "bitcast";
    }
}

} // namespace

base::Result<StageGraph> layOut(const Context& context, StageGraph fused) {
    const Device device = tpu::device(context);
    Rewriter rewriter(std::move(fused), Stage::LaidOut, hloWords());
    {
        const Orders orders = ordersOf(rewriter.graph());
        copyForConvolutions(rewriter, orders);
        copyForCalls(rewriter, orders);
        copyResults(rewriter, orders);
    }
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    StageGraph graph = std::move(rewriter).finish();
    const Orders orders = ordersOf(graph);
    Layouts layouts(device.generation);
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        Value& value = graph.values[ValueId(i)];
        if (value.shape && ir::bitWidth(value.dtype) > 0)
            value.layout = layouts.get(value, orders[ValueId(i)]);
    }
    markBitcasts(graph, orders);
    return graph;
}

} // namespace fivefold::families::tpu
