// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/layout/family_layouts.h"

#include <map>

namespace fivefold::families::cerebras {

using lowering::Context;
using lowering::KernelId;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;

namespace {

/// Adds the hand-offs between regions: every one while each layer has a rectangle of its own, else
/// those whose blocks differ. Weights and inputs are cut for their
/// reader from the start.
class HandOffs {
public:
    HandOffs(Rewriter& rewriter, const FloorPlan& plan)
        : m_rewriter(rewriter)
        , m_plan(plan) { }

    void run() {
        for (NodeId id : m_rewriter.order()) {
            const std::size_t inputs = m_rewriter.node(id).inputs.size();
            for (std::size_t i = 0; i < inputs; ++i)
                check(id, i);
        }
    }

private:
    void check(NodeId id, std::size_t index) {
        const ValueId value = m_rewriter.input(id, index);
        const NodeId producer = value.isValid() ? m_rewriter.value(value).producer : NodeId();
        if (!producer.isValid() || !m_rewriter.isAlive(producer))
            return;
        const KernelId from = m_rewriter.node(producer).kernel, to = m_rewriter.node(id).kernel;
        if (from == to || !m_plan.sites.contains(from) || !m_plan.sites.contains(to)
            || (m_plan.isStreaming && m_plan.sites[from].side == m_plan.sites[to].side))
            return;
        const auto known = m_moved.find({value.index(), to.index()});
        if (known != m_moved.end()) {
            m_rewriter.setInput(id, index, known->second);
            return;
        }
        lowering::NewNode node;
        node.canonical = ir::Op::Identity;
        node.suffix = "move";
        node.op = kFabricMove;
        const ValueId made = m_rewriter.insertBefore(
            id, index, std::move(node), reason(m_rewriter.node(id).name, from, to));
        if (const NodeId move = m_rewriter.value(made).producer; move.isValid())
            m_rewriter.edit(move).kernel = to;
        m_moved.emplace(std::pair{value.index(), to.index()}, made);
    }

    std::string reason(const std::string& reader, KernelId from, KernelId to) const {
        const Site &a = m_plan.sites[from], &b = m_plan.sites[to];
        const std::string have = std::to_string(a.side), want = std::to_string(b.side);
        const std::string way = m_plan.isStreaming ? std::string()
                                                   : " Between the two rectangles lie "
                + std::to_string(static_cast<std::int64_t>(hopsBetween(a.rectangle, b.rectangle)))
                + " hops.";
        if (a.side == b.side)
            return reader + " reads blocks of " + want + "×" + want
                + " PEs, as the producer leaves them, on a rectangle of its own." + way;
        return reader + " works on blocks of " + want + "×" + want
            + " PEs; the tensor leaves its producer in blocks of " + have + "×" + have
            + " PEs, so it is cut again on its way over the fabric." + way;
    }

    Rewriter& m_rewriter;
    const FloorPlan& m_plan;
    std::map<std::pair<std::size_t, std::size_t>, ValueId> m_moved;
};

void setLayouts(StageGraph& graph, const FloorPlan& plan) {
    using Key = std::tuple<std::vector<std::int64_t>, ir::DType, std::int64_t>;
    std::map<Key, std::shared_ptr<const layout::TensorLayout>> cache;
    for (Value& value : graph.values) {
        if (!value.shape)
            continue;
        const NodeId at = value.producer.isValid() ? value.producer
            : value.users.empty()                  ? NodeId()
                                                   : value.users.front();
        const KernelId kernel = at.isValid() ? graph.nodes[at].kernel : KernelId();
        const std::int64_t side = plan.sites.contains(kernel) ? plan.sites[kernel].side : 1;
        auto& made = cache[{*value.shape, value.dtype, side}];
        if (!made)
            made = std::make_shared<const layout::TensorLayout>(
                layout::waferBlocked(*value.shape, value.dtype, side, side));
        value.layout = made;
    }
}

} // namespace

base::Result<StageGraph> layOut(const Context& context, StageGraph fused) {
    const FloorPlan plan = planFloor(context, fused);
    Rewriter rewriter(std::move(fused), lowering::Stage::LaidOut, words());
    HandOffs(rewriter, plan).run();
    StageGraph graph = std::move(rewriter).finish();
    setLayouts(graph, plan);
    return graph;
}

} // namespace fivefold::families::cerebras
