// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/stages.h"
#include "core/layout/family_layouts.h"

#include <algorithm>
#include <map>

namespace fivefold::families::groq {

using lowering::Node;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;

namespace {

/// A convolution on the MXM sums over channels, so channels lie in the lanes of what it reads and
/// writes, and its weights carry output channels there.
bool isConvolution(ir::Op op) {
    return op == ir::Op::Conv || op == ir::Op::ConvTranspose;
}

bool isPool(ir::Op op) {
    return op == ir::Op::MaxPool || op == ir::Op::AveragePool || op == ir::Op::GlobalAveragePool
        || op == ir::Op::GlobalMaxPool || op == ir::Op::Resize;
}

/// Dimension that lies in the lanes, by value; −1: the last one.
class LaneDimensions {
public:
    explicit LaneDimensions(const StageGraph& graph)
        : m_graph(graph)
        , m_lanes(graph.values.size(), -1) {
        for (const Node& node : graph.nodes)
            visit(node);
    }
    int operator[](ValueId id) const { return m_lanes[id.index()]; }

private:
    std::size_t rank(ValueId id) const {
        const auto& shape = m_graph.values[id].shape;
        return shape ? shape->size() : 0;
    }

    void visit(const Node& node) {
        if (node.inputs.empty() || node.outputs.empty() || !node.inputs.front().isValid()
            || !node.outputs.front().isValid())
            return;
        const ValueId in = node.inputs.front(), out = node.outputs.front();
        if (isConvolution(node.canonical) || isPool(node.canonical)) {
            for (ValueId image : {in, out})
                if (rank(image) > 2)
                    m_lanes[image.index()] = 1;
            if (isConvolution(node.canonical) && node.inputs.size() > 1 && node.inputs[1].isValid()
                && rank(node.inputs[1]) > 2)
                m_lanes[node.inputs[1].index()] = node.canonical == ir::Op::Conv ? 0 : 1;
            return;
        }
        const OpKind kind = kindOf(m_graph, node);
        if (kind != OpKind::Vector && node.canonical != ir::Op::Concat
            && node.canonical != ir::Op::Pad)
            return;
        const bool readsImage = std::ranges::any_of(node.inputs, [&](ValueId id) {
            return id.isValid() && rank(id) == rank(out) && m_lanes[id.index()] == 1;
        });
        if (!readsImage)
            return;
        for (ValueId id : node.inputs)
            if (id.isValid() && rank(id) == rank(out))
                m_lanes[id.index()] = 1;
        m_lanes[out.index()] = 1;
    }

    const StageGraph& m_graph;
    std::vector<int> m_lanes;
};

/// Vectors along another dimension than the last: the layout of the tensor with that dimension
/// moved to the end, its axes named by the dimensions of the tensor as it is.
layout::TensorLayout vectorsAlong(const Value& value, int lane, const Chip& c) {
    std::vector<std::int64_t> moved;
    std::vector<int> names;
    for (int d = 0; d < static_cast<int>(value.shape->size()); ++d)
        if (d != lane)
            names.push_back(d);
    names.push_back(lane);
    for (int d : names)
        moved.push_back((*value.shape)[static_cast<std::size_t>(d)]);
    layout::TensorLayout made = layout::groqVectors(moved, value.dtype, c.lanes, c.slices);
    for (layout::Axis& axis : made.axes)
        if (axis.dimension >= 0)
            axis.dimension = names[static_cast<std::size_t>(axis.dimension)];
    made.shape = *value.shape;
    return made;
}

} // namespace

/// Every tensor is vectors of 320 lanes along the dimension that its products sum over, which is
/// what MXM, VXM and SXM all take: no two operators disagree, so nothing is added. What changes the
/// dimension in the lanes is work for the SXM and stands in the model already.
base::Result<StageGraph> layOut(const lowering::Context& context, StageGraph fused) {
    fused.stage = lowering::Stage::LaidOut;
    const Chip c = chip(context.machine, context.settings.precision);
    const LaneDimensions lanes(fused);
    using Key = std::tuple<std::vector<std::int64_t>, ir::DType, int>;
    std::map<Key, std::shared_ptr<const layout::TensorLayout>> cache;
    for (std::size_t i = 0; i < fused.values.size(); ++i) {
        Value& value = fused.values[ValueId(i)];
        if (!value.shape)
            continue;
        const int last = static_cast<int>(value.shape->size()) - 1;
        const int lane = lanes[ValueId(i)] < 0 ? last : lanes[ValueId(i)];
        auto& made = cache[{*value.shape, value.dtype, lane}];
        if (!made)
            made = std::make_shared<const layout::TensorLayout>(lane == last
                    ? layout::groqVectors(*value.shape, value.dtype, c.lanes, c.slices)
                    : vectorsAlong(value, lane, c));
        value.layout = made;
    }
    if (c.isClockAssumed)
        context.diagnostics.info("groq.unpublished", "",
            "The units, vector length and clock of " + context.machine.name
                + " are not published; layouts and cycles assume those of the first chip at the "
                  "clock that its published rate implies.",
            "Read its layouts, cycles and times as estimates.");
    return fused;
}

} // namespace fivefold::families::groq
