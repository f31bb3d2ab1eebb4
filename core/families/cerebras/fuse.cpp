// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/lowering/fusion.h"

namespace fivefold::families::cerebras {

using lowering::Context;
using lowering::Fusion;
using lowering::GroupId;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;

namespace {

constexpr std::size_t kMaximumNodes = 96; ///< a PE's code memory is a part of its 48 KB

struct Contents {
    bool hasContraction = false, hasReduction = false, isRefused = false;
};

Contents contentsOf(const Fusion& fusion, GroupId group) {
    Contents c;
    for (NodeId id : fusion.nodes(group)) {
        const OpKind kind = kindOf(fusion.graph().nodes[id]);
        c.hasContraction = c.hasContraction || kind == OpKind::Contraction;
        c.hasReduction = c.hasReduction || kind == OpKind::Reduction;
        c.isRefused = c.isRefused || kind == OpKind::Unsupported;
    }
    return c;
}

/// A region is one layer: a product with the elementwise work behind it, or a normalisation with
/// its reductions.
std::string joins(const Fusion& fusion, NodeId producer, NodeId consumer) {
    const GroupId from = fusion.groupOf(producer), to = fusion.groupOf(consumer);
    const Node& node = fusion.graph().nodes[consumer];
    if (node.executions != fusion.graph().nodes[producer].executions)
        return {};
    const Contents a = contentsOf(fusion, from), b = contentsOf(fusion, to);
    if (a.isRefused || b.isRefused || b.hasContraction)
        return {};
    switch (kindOf(node)) {
    case OpKind::View:
        return "The view keeps the block where it is.";
    case OpKind::Elementwise:
        if (a.hasContraction && b.hasReduction)
            return {};
        return "Each PE works on the block of the result that it holds already.";
    case OpKind::Reduction:
        if (a.hasContraction)
            return {};
        return "The all-reduce runs over the same PEs as the work around it.";
    case OpKind::Move:
        return "The PEs that hold the data send it on in its new order.";
    default:
        return {};
    }
}

} // namespace

base::Result<StageGraph> formRegions(const Context& context, StageGraph decomposed) {
    if (!context.settings.isFusionOn) {
        StageGraph graph =
            lowering::oneKernelEach(std::move(decomposed), [](const Node& node) -> std::string {
                return kindOf(node) == OpKind::Unsupported ? "unsupported" : "region";
            });
        graph.stage = lowering::Stage::Fused;
        return graph;
    }
    Fusion fusion(decomposed);
    fusion.maximumNodes = kMaximumNodes;
    fusion.mergeEdges(joins);
    StageGraph copy = decomposed;
    return fusion.finish(std::move(copy), [](const Fusion& f, GroupId group) {
        const Contents contents = contentsOf(f, group);
        Fusion::Label label;
        label.kind = contents.isRefused ? "unsupported" : "region";
        label.name = f.graph().nodes[f.nodes(group).front()].name;
        for (NodeId id : f.nodes(group))
            if (kindOf(f.graph().nodes[id]) == OpKind::Contraction)
                label.name = f.graph().nodes[id].name;
        if (f.nodes(group).size() == 1)
            label.reason = contents.isRefused
                ? "The wafer has no kernel for it."
                : "A layer of its own gets a rectangle of PEs of its own.";
        return label;
    });
}

} // namespace fivefold::families::cerebras
