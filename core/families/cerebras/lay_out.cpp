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
/// those whose blocks differ. A weight or input is cut for its first reader from the start; every
/// further region that reads it keeps a copy of its own, cut for itself.
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
        if (!value.isValid())
            return;
        const NodeId producer = m_rewriter.value(value).producer;
        const KernelId to = m_rewriter.node(id).kernel;
        KernelId from;
        if (producer.isValid())
            from = m_rewriter.isAlive(producer) ? m_rewriter.node(producer).kernel : KernelId();
        else if (!m_plan.isStreaming && isCopied(m_rewriter.value(value)))
            from = m_homes.try_emplace(value.index(), to).first->second;
        if (from == to || !m_plan.sites.contains(from) || !m_plan.sites.contains(to)
            || (m_plan.isStreaming && haveSameBlocks(m_plan.sites[from], m_plan.sites[to])))
            return;
        const auto known = m_moved.find({value.index(), to.index()});
        if (known != m_moved.end()) {
            m_rewriter.setInput(id, index, known->second);
            return;
        }
        lowering::NewNode node;
        node.canonical = ir::Op::Identity;
        node.suffix = index == 0 ? "move" : "move_" + std::to_string(index); // names stay apart
        node.op = kFabricMove;
        const ValueId made = m_rewriter.insertBefore(id, index, std::move(node),
            reason(m_rewriter.node(id).name, from, to, producer.isValid()));
        if (const NodeId move = m_rewriter.value(made).producer; move.isValid())
            m_rewriter.edit(move).kernel = to;
        m_moved.emplace(std::pair{value.index(), to.index()}, made);
    }

    static bool haveSameBlocks(const Site& a, const Site& b) {
        return a.rows == b.rows && a.columns == b.columns;
    }

    std::string reason(
        const std::string& reader, KernelId from, KernelId to, bool isProduced) const {
        const Site &a = m_plan.sites[from], &b = m_plan.sites[to];
        const auto blocks = [](const Site& site) {
            return "blocks of " + std::to_string(site.rows) + "×" + std::to_string(site.columns)
                + " PEs";
        };
        const std::string way = m_plan.isStreaming ? std::string()
                                                   : " Between the two rectangles lie "
                + std::to_string(static_cast<std::int64_t>(hopsBetween(a.rectangle, b.rectangle)))
                + " hops.";
        if (!isProduced)
            return "The region of " + reader + " keeps a copy of its own in " + blocks(b)
                + "; another region, which reads the tensor first, holds it in " + blocks(a) + "."
                + way;
        if (haveSameBlocks(a, b))
            return reader + " reads " + blocks(b)
                + ", as the producer leaves them, on a rectangle of its own." + way;
        return reader + " works on " + blocks(b) + "; the tensor leaves its producer in "
            + blocks(a) + ", so it is cut again on its way over the fabric." + way;
    }

    Rewriter& m_rewriter;
    const FloorPlan& m_plan;
    std::map<std::pair<std::size_t, std::size_t>, ValueId> m_moved;
    std::map<std::size_t, KernelId> m_homes; ///< of weights and inputs: their first reader's
};

void setLayouts(StageGraph& graph, const FloorPlan& plan) {
    using Key = std::tuple<std::vector<std::int64_t>, ir::DType, std::int64_t, std::int64_t>;
    std::map<Key, std::shared_ptr<const layout::TensorLayout>> cache;
    for (Value& value : graph.values) {
        if (!value.shape)
            continue;
        const KernelId home = homeOf(graph, value);
        const Site site = plan.sites.contains(home) ? plan.sites[home] : Site{};
        auto& made = cache[{*value.shape, value.dtype, site.rows, site.columns}];
        if (!made)
            made = std::make_shared<const layout::TensorLayout>(
                layout::waferBlocked(*value.shape, value.dtype, site.rows, site.columns));
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
