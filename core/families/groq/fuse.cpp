// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"
#include "core/families/groq/operators.h"
#include "core/families/groq/stages.h"
#include "core/lowering/fusion.h"

namespace fivefold::families::groq {

using lowering::Context;
using lowering::Fusion;
using lowering::GroupId;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;

namespace {

struct Contents {
    std::int64_t matrix = 0, vector = 0, other = 0;
};

Contents contentsOf(const Fusion& fusion, GroupId group) {
    Contents c;
    for (NodeId id : fusion.nodes(group))
        switch (kindOf(fusion.graph(), fusion.graph().nodes[id])) {
        case OpKind::Matrix:
            ++c.matrix;
            break;
        case OpKind::Vector:
            ++c.vector;
            break;
        case OpKind::View:
            break;
        default:
            ++c.other;
        }
    return c;
}

/// Elementwise work joins the streams that carry its operand: the result of a product, or of other
/// elementwise work, of the same shape, as long as the vector unit has ALUs left in the row.
std::string joins(const Fusion& fusion, NodeId producer, NodeId consumer, std::int64_t alus) {
    const StageGraph& graph = fusion.graph();
    const Node &from = graph.nodes[producer], &to = graph.nodes[consumer];
    const OpKind kind = kindOf(graph, to), source = kindOf(graph, from);
    if (to.executions != from.executions || to.outputs.empty() || from.outputs.empty())
        return {};
    if (kind == OpKind::View && source != OpKind::Unsupported)
        return "The view is other addresses for the vectors that stream by.";
    const bool isStream =
        source == OpKind::Matrix || source == OpKind::Vector || source == OpKind::View;
    if (kind != OpKind::Vector || !isStream || !from.outputs.front().isValid()
        || !to.outputs.front().isValid()
        || graph.values[from.outputs.front()].shape != graph.values[to.outputs.front()].shape)
        return {};
    const Contents a = contentsOf(fusion, fusion.groupOf(producer));
    const Contents b = contentsOf(fusion, fusion.groupOf(consumer));
    if (a.matrix + b.matrix > 1 || a.other + b.other > 0 || a.vector + b.vector > alus)
        return {};
    return "The vector unit works on the streams as they pass, before they reach SRAM.";
}

} // namespace

base::Result<StageGraph> chain(const Context& context, StageGraph decomposed) {
    const auto kindName = [](OpKind kind) -> std::string {
        return kind == OpKind::Unsupported ? "unsupported" : "chain";
    };
    if (!context.settings.isFusionOn) {
        const StageGraph copy = decomposed;
        StageGraph graph = lowering::oneKernelEach(
            std::move(decomposed), [&](const Node& node) { return kindName(kindOf(copy, node)); });
        graph.stage = lowering::Stage::Fused;
        return graph;
    }
    const std::int64_t alus = chip(context.machine, context.settings.precision).alusPerLane;
    Fusion fusion(decomposed);
    fusion.maximumNodes = 64;
    fusion.mergeEdges([alus](const Fusion& f, NodeId producer, NodeId consumer) {
        return joins(f, producer, consumer, alus);
    });
    StageGraph copy = decomposed;
    return fusion.finish(std::move(copy), [&kindName](const Fusion& f, GroupId group) {
        Fusion::Label label;
        const StageGraph& graph = f.graph();
        label.name = graph.nodes[f.nodes(group).front()].name;
        label.kind = "chain";
        for (NodeId id : f.nodes(group)) {
            const OpKind kind = kindOf(graph, graph.nodes[id]);
            if (kind == OpKind::Matrix)
                label.name = graph.nodes[id].name;
            if (kind == OpKind::Unsupported)
                label.kind = kindName(kind);
        }
        if (f.nodes(group).size() == 1)
            label.reason = label.kind == "unsupported"
                ? "It cannot be scheduled, so nothing can stream into it."
                : "Its operands come from SRAM and its result goes back there: nothing that "
                  "follows streams on.";
        return label;
    });
}

} // namespace fivefold::families::groq
