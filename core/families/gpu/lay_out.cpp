// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/channels_last.h"
#include "core/families/gpu/operators.h"
#include "core/families/gpu/stages.h"
#include "core/families/gpu/strides.h"

#include "core/layout/layout_for.h"
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

NewNode copyNode(std::string suffix) {
    NewNode node;
    node.canonical = ir::Op::Identity;
    node.suffix = std::move(suffix);
    node.op = "aten.clone";
    return node;
}

/// A library call takes its operands by strides; a view that strides cannot express is written out
/// first.
std::size_t copyInexpressible(Rewriter& rewriter, const StageGraph& graph) {
    const base::IdVector<ValueId, std::optional<Strides>> strides = stridesOf(graph);
    std::size_t copies = 0;
    for (const NodeId id : rewriter.order()) {
        if (kindOf(rewriter.node(id)) != OpKind::Library)
            continue;
        const std::string op = rewriter.node(id).op; // an insertion moves the nodes
        for (std::size_t i = 0; i < rewriter.node(id).inputs.size(); ++i) {
            const ValueId input = rewriter.node(id).inputs[i];
            if (!strides.contains(input) || strides[input] || !graph.values[input].shape)
                continue;
            rewriter.insertBefore(id, i, copyNode("clone"),
                op + " takes its operand by strides, and no strides show "
                    + graph.values[input].name + " in this order: it is written out once.");
            ++copies;
        }
    }
    return copies;
}

/// Views of inputs stand in the kernel of their reader; where a copy came between, they belong to
/// the copy, or the reader's kernel would run before it.
void moveViewsToCopies(StageGraph& graph) {
    bool isMoved = false;
    for (const Node& copy : graph.nodes) {
        if (copy.addedAt != Stage::LaidOut || copy.addedBy.empty() || copy.inputs.empty())
            continue;
        const std::vector<NodeId>& readers = graph.values[copy.outputs.front()].users;
        if (readers.empty())
            continue;
        const KernelId reader = graph.nodes[readers.front()].kernel;
        ValueId at = copy.inputs.front();
        while (graph.values.contains(at) && graph.values[at].producer.isValid()) {
            Node& view = graph.nodes[graph.values[at].producer];
            if (view.kernel != reader || kindOf(view) != OpKind::View || view.inputs.empty())
                break;
            view.kernel = copy.kernel;
            isMoved = true;
            at = view.inputs.front();
        }
    }
    if (!isMoved)
        return;
    for (Kernel& kernel : graph.kernels)
        kernel.nodes.clear();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        graph.kernels[graph.nodes[NodeId(i)].kernel].nodes.push_back(NodeId(i));
}

/// Layouts shared by values of equal shape, type and order.
class Layouts {
public:
    std::shared_ptr<const layout::TensorLayout> get(
        const std::vector<std::int64_t>& shape, ir::DType dtype, const std::vector<int>& order) {
        auto& known = m_known[{shape, dtype, order}];
        if (known)
            return known;
        layout::LayoutQuery query;
        query.family = "gpu";
        query.shape = shape;
        query.dtype = dtype;
        query.order = order;
        base::Result<layout::TensorLayout> made = layout::layoutFor(query);
        if (made.isOk())
            known = std::make_shared<const layout::TensorLayout>(std::move(*made));
        return known;
    }

private:
    std::map<std::tuple<std::vector<std::int64_t>, ir::DType, std::vector<int>>,
        std::shared_ptr<const layout::TensorLayout>>
        m_known;
};

/// Dimensions from slow to fast where the strides are those of a dense permuted tensor; else empty.
std::vector<int> denseOrder(const std::vector<std::int64_t>& shape, const Strides& strides) {
    std::vector<int> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return strides[static_cast<std::size_t>(a)] > strides[static_cast<std::size_t>(b)];
    });
    std::int64_t expected = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        const auto d = static_cast<std::size_t>(order[i]);
        if (shape[d] != 1 && strides[d] != expected)
            return {};
        expected *= std::max<std::int64_t>(1, shape[d]);
    }
    return std::is_sorted(order.begin(), order.end()) ? std::vector<int>{} : order;
}

void assignLayouts(StageGraph& graph, bool isChannelsLast) {
    Layouts layouts;
    const auto strides = stridesOf(graph);
    const base::IdVector<ValueId, std::uint8_t> isLast = isChannelsLast
        ? channelsLastValues(graph)
        : base::IdVector<ValueId, std::uint8_t>(graph.values.size(), 0);
    static const std::vector<int> kNhwc{0, 2, 3, 1};
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        Value& value = graph.values[ValueId(i)];
        if (!value.shape || ir::bitWidth(value.dtype) == 0)
            continue;
        std::vector<int> order;
        if (value.strides)
            order = denseOrder(*value.shape, *value.strides);
        else if (isLast[ValueId(i)] != 0)
            order = kNhwc;
        else if (strides[ValueId(i)])
            order = denseOrder(*value.shape, *strides[ValueId(i)]);
        value.layout = layouts.get(*value.shape, value.dtype, order);
    }
}

} // namespace

base::Result<StageGraph> layOut(const Context& context, StageGraph fused) {
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    if (context.settings.isFusionOn) { // copies are kernels already
        const bool isChannelsLast =
            device(context).isConvolutionChannelsLast && prefersChannelsLast(fused);
        fused.stage = Stage::LaidOut;
        assignLayouts(fused, isChannelsLast);
        return fused;
    }
    // Eager mode: only the compiler turns a graph to channels-last.
    Rewriter rewriter(std::move(fused), Stage::LaidOut, atenWords());
    copyInexpressible(rewriter, rewriter.graph());
    StageGraph graph = std::move(rewriter).finish();
    moveViewsToCopies(graph);
    assignLayouts(graph, false);
    return graph;
}

} // namespace fivefold::families::gpu
