// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/converts.h"
#include "core/families/tpu/grouping.h"
#include "core/families/tpu/operators.h"
#include "core/families/tpu/stages.h"

#include "core/lowering/fusion.h"
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;

constexpr std::string_view kRepeated =
    "XLA computes a cheap producer again in every fusion that reads it, instead of storing it";

/// Gives every fusion its own copy of the nodes it holds and tags nodes with their fusion's number
/// (in Node::kernel, until kernels are built).
class Duplicator {
public:
    Duplicator(Rewriter& rewriter, const Grouping& grouping)
        : m_rewriter(rewriter)
        , m_grouping(grouping) { }

    void run() {
        const std::vector<NodeId> order = m_rewriter.order();
        for (const NodeId id : order) {
            const std::vector<std::uint32_t>& fusions = m_grouping.fusions[id];
            for (std::size_t i = 1; i < fusions.size(); ++i)
                repeat(id, fusions[i]);
            redirect(id, fusions.front());
        }
    }

private:
    /// Ids of values fit 32 bits, as do those of fusions.
    static std::uint64_t key(ValueId value, std::uint32_t fusion) {
        return (static_cast<std::uint64_t>(value.value) << 32) | fusion;
    }

    ValueId inFusion(ValueId value, std::uint32_t fusion) const {
        const auto found = m_copies.find(key(value, fusion));
        return found == m_copies.end() ? value : found->second;
    }

    void redirect(NodeId id, std::uint32_t fusion) {
        m_rewriter.edit(id).kernel = KernelId(fusion);
        if (m_copies.empty())
            return;
        for (std::size_t i = 0; i < m_rewriter.node(id).inputs.size(); ++i) {
            const ValueId input = m_rewriter.node(id).inputs[i];
            const ValueId own = inFusion(input, fusion);
            if (own != input)
                m_rewriter.setInput(id, i, own);
        }
    }

    void repeat(NodeId id, std::uint32_t fusion) {
        const Node node = m_rewriter.node(id);
        const ValueId result = node.outputs.front();
        NewNode copy;
        copy.canonical = node.canonical;
        copy.op = node.op;
        copy.suffix = "again";
        copy.attributes = node.attributes;
        for (const ValueId input : node.inputs)
            copy.inputs.push_back(inFusion(input, fusion));
        const Value& value = m_rewriter.value(result);
        copy.outputs.push_back({value.dtype, value.shape, ValueRole::Activation});
        const std::vector<NodeId> nobody;
        const ValueId made =
            m_rewriter.insertAfter(result, nobody, std::move(copy), std::string(kRepeated));
        Node& added = m_rewriter.edit(m_rewriter.value(made).producer);
        added.sources = node.sources;
        added.support = node.support;
        added.executions = node.executions;
        added.block = node.block;
        added.kernel = KernelId(fusion);
        m_copies.emplace(key(result, fusion), made);
    }

    Rewriter& m_rewriter;
    const Grouping& m_grouping;
    std::unordered_map<std::uint64_t, ValueId> m_copies;
};

struct Members {
    std::size_t products = 0, reductions = 0, loops = 0, relayouts = 0;
    const Node* root = nullptr;
    const Node* product = nullptr; ///< the last
    OpKind kind = OpKind::Free;
};

Members membersOf(const StageGraph& graph, const std::vector<NodeId>& nodes) {
    Members members;
    for (const NodeId id : nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind = kindOf(node);
        members.products += kind == OpKind::Product;
        members.reductions += kind == OpKind::Reduce;
        members.loops += kind == OpKind::Loop;
        members.relayouts += kind == OpKind::Relayout;
        if (kind == OpKind::Product)
            members.product = &node;
        members.root = &node;
        members.kind = kind;
    }
    return members;
}

Fusion::Label loneLabel(const Node& node, OpKind kind, const std::string& suffix) {
    switch (kind) {
    case OpKind::Product:
        return {node.op + suffix, "dot",
            "No elementwise operator of the same size stands alone beside this product."};
    case OpKind::Reduce:
        return {node.op + suffix, "reduce", "A reduction without producers of its own runs bare."};
    case OpKind::Relayout:
        return {node.op + suffix, "copy",
            "A change of order ends a fusion; it is a bitcast where the bytes agree, else a copy."};
    case OpKind::Alone:
        return {node.op + suffix, "custom", "XLA fuses nothing into " + node.op + "."};
    case OpKind::Host:
        return {
            node.op + suffix, "fallback", node.op + " has no TPU lowering: the host computes it."};
    case OpKind::Unsupported:
        return {node.op + suffix, "unsupported", node.op + " has no HLO form."};
    case OpKind::Free:
        return {node.op + suffix, "tuple", "Bookkeeping of the program: nothing runs."};
    default:
        break;
    }
    return {node.op + suffix, "loop", "No neighbour can take this operator into its loop."};
}

/// Why the nodes of a fusion with a bond are together.
std::string_view reasonOf(Bond bond) {
    switch (bond) {
    case Bond::OnlineSoftmax:
        return "XLA's builtin online-softmax call takes the softmax and the product behind it: the "
               "probabilities never leave VMEM.";
    case Bond::DotIntoDot:
        return "The first product and its activation are computed inside the second, whose columns "
               "are one window: what lies between is never stored.";
    case Bond::RowReduction:
        return "A product with its elementwise consumers, and the reduction of its rows as a "
               "second output while they are on chip.";
    case Bond::SecondOutput:
        return "Several kernels read this operand, and making it again would read more than it "
               "holds: the reduction that reads it writes it too.";
    case Bond::SiblingReductions:
        return "Reductions of one operand are one pass over it with several results.";
    case Bond::Slices:
        return "The parts of one result are one pass over it with several results.";
    default:
        return {};
    }
}

Fusion::Label labelOf(
    const StageGraph& graph, const std::vector<NodeId>& nodes, Bond bond, std::size_t number) {
    const Members members = membersOf(graph, nodes);
    const std::string suffix = "." + std::to_string(number);
    if (nodes.size() == 1)
        return loneLabel(*members.root, members.kind, suffix);
    const std::string reason(reasonOf(bond));
    if (bond == Bond::OnlineSoftmax)
        return {"online-softmax" + suffix, "builtin", reason};
    if (members.products > 0)
        return {members.product->op + "_fusion" + suffix, "output fusion",
            !reason.empty()
                ? reason
                : "One product with its elementwise consumers of the same size as epilogue and its "
                  "producers as prologue: what lies between stays on chip."};
    if (members.reductions > 0)
        return {"reduce_fusion" + suffix, "loop fusion",
            !reason.empty() ? reason
                            : "The reduction takes the elementwise operators that make its "
                              "operand; its consumers stay out."};
    if (members.loops > 0 && (members.relayouts == 0 || members.kind == OpKind::Loop))
        return {"fusion" + suffix, "loop fusion",
            !reason.empty() ? reason : "Elementwise operators of one loop over the same tiles."};
    return {"copy" + suffix, "copy",
        "Slices and changes of order in a row are one pass over the bytes; it ends a fusion."};
}

/// Kernels from the tags. The fusions are acyclic by their rules; what Fusion still refuses stays
/// apart.
StageGraph kernelsFromTags(StageGraph graph, const Grouping& grouping) {
    Fusion fusion(graph);
    std::vector<NodeId> first(grouping.count());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        NodeId& known = first[graph.nodes[NodeId(i)].kernel.index()];
        if (known.isValid())
            fusion.merge(fusion.groupOf(known), fusion.groupOf(NodeId(i)));
        else
            known = NodeId(i);
    }
    std::vector<Fusion::Label> labels(graph.nodes.size());
    std::size_t number = 0;
    for (const GroupId group : fusion.groups())
        labels[group.index()] = labelOf(graph, fusion.nodes(group),
            grouping.bonds[graph.nodes[fusion.nodes(group).front()].kernel.index()], number++);
    return fusion.finish(std::move(graph),
        [&labels](const Fusion&, GroupId group) { return std::move(labels[group.index()]); });
}

std::string loneKind(const Node& node) {
    return loneLabel(node, kindOf(node), {}).kind;
}

} // namespace

base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) {
    if (!context.settings.isFusionOn)
        return withConverts(oneKernelEach(std::move(decomposed), loneKind), device(context));
    const Device device = tpu::device(context);
    const Grouping grouping = group(decomposed, device.generation, device.isRecomputeOn);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    Rewriter rewriter(std::move(decomposed), Stage::Fused, hloWords());
    Duplicator(rewriter, grouping).run();
    StageGraph tagged = std::move(rewriter).finish();
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    return withConverts(kernelsFromTags(std::move(tagged), grouping), device);
}

} // namespace fivefold::families::tpu
