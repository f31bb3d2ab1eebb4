// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/operators.h"
#include "core/families/gpu/residency.h"
#include "core/families/gpu/stages.h"

#include "core/lowering/decompositions.h"
#include "core/lowering/patterns.h"

#include <algorithm>
#include <array>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::string_view kSdpa = "aten.scaled_dot_product_attention";

/// Operators that Inductor lowers to one Triton expression.
const std::vector<Op> kKeptActivations = {
    Op::Sigmoid, Op::Tanh, Op::Erf, Op::Clip, Op::Softplus, Op::Elu, Op::LeakyRelu, Op::PRelu};

bool selectsMask(const StageGraph& graph, const Match& match) {
    return std::any_of(match.nodes.begin(), match.nodes.end(),
        [&graph](NodeId node) { return graph.nodes[node].canonical == Op::Where; });
}

/// Inductor's joint-graph pass: fixed patterns, with a scale and an added mask; a mask selected
/// with aten.where is in none of them (torch/_inductor/fx_passes/fuse_attention.py).
void collapseAttention(
    Rewriter& rewriter, const StageGraph& graph, base::Diagnostics& diagnostics) {
    const std::array kinds = {PatternKind::Attention};
    for (const Match& match : findPatterns(graph, kinds)) {
        if (selectsMask(graph, match)) {
            diagnostics.info("gpu.attention_unmatched", graph.nodes[match.root].name,
                "The mask of this attention is selected with aten.where, which none of Inductor's "
                "attention "
                "patterns has: it stays two matrix products around a softmax.",
                "Call scaled_dot_product_attention in the model, or add the mask to the scores.");
            continue;
        }
        const NodeId made = collapse(rewriter, match,
            "Inductor's attention pattern: product, scale, softmax, product become one fused call");
        if (rewriter.isAlive(made))
            rewriter.edit(made).op = kSdpa;
    }
}

/// com.microsoft attention with its projection inside has no ATen counterpart: the projection is a
/// matrix product, what is left is the fused call.
void splitProjections(Rewriter& rewriter) {
    AttentionStyle style;
    style.rule =
        "the projection inside the contrib operator is a matrix product of its own in ATen";
    for (const NodeId id : rewriter.order()) {
        const Op op = rewriter.node(id).canonical;
        if (op == Op::QAttention || op == Op::PackedAttention
            || (op == Op::Attention && rewriter.node(id).attributes.has("num_heads")
                && rewriter.node(id).op == "Attention"))
            decomposeAttention(rewriter, id, style);
    }
}

/// Softmax as Inductor computes it: the maximum and the sum in one pass over the row
/// (prims.prepare_softmax_online, torch/_inductor/fx_passes/post_grad.py), then sub, exp and div.
void decomposeSoftmaxOnline(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        const ValueId x = rewriter.input(id, 0);
        if (node.canonical != Op::Softmax || !x.isValid() || !rewriter.value(x).shape)
            continue;
        KnownShape shape = rewriter.value(x).shape;
        const std::vector<std::int64_t> axes = reducedAxes(node, shape->size());
        if (axes.size() != 1)
            continue;
        (*shape)[static_cast<std::size_t>(axes.front())] = 1;
        const ir::DType type = rewriter.value(x).dtype;
        Sequence sequence =
            rewriter.replace(id, "Inductor computes the softmax's maximum and sum in one pass");
        NewNode statistics;
        statistics.canonical = Op::SoftmaxStatistics;
        statistics.suffix = "statistics";
        statistics.inputs = {x};
        statistics.outputs = {{type, shape}, {type, shape}};
        statistics.attributes.set("axis", axes.front());
        statistics.attributes.set("axes", axes);
        const std::vector<ValueId> made = sequence.addMany(std::move(statistics));
        const ValueId shifted = sequence.binary(Op::Sub, "sub", x, made[0]);
        const ValueId power = sequence.unary(Op::Exp, "exp", shifted);
        sequence.finish(sequence.binary(Op::Div, "div", power, made[1]));
    }
}

DecompositionPlan planFor(const Context& context) {
    DecompositionPlan plan;
    plan.softmax = SoftmaxStyle{};
    plan.softmax->rule = "Inductor writes softmax as amax, sub, exp, sum and div";
    plan.norms = NormStyle{};
    plan.norms->rule = "Inductor writes the norm as var_mean, rsqrt and a scaled shift";
    ActivationStyle activations;
    activations.keeps = kKeptActivations;
    plan.activations = activations;
    plan.quantised = machines::storageType(context.settings.precision);
    plan.batchNorm = true;
    plan.convBias = true;
    plan.rotary = true;
    return plan;
}

void decomposeReductions(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order())
        switch (rewriter.node(id).canonical) {
        case Op::ReduceL1:
        case Op::ReduceL2:
        case Op::ReduceLogSum:
        case Op::ReduceLogSumExp:
        case Op::ReduceSumSquare:
        case Op::GlobalAveragePool:
            decomposeReduction(rewriter, id,
                "Inductor writes the reduction as a sum with pointwise steps around it");
            break;
        default:
            break;
        }
}

std::string matrixWord(const Rewriter& rewriter, const Node& node) {
    const bool isBatched = node.work.batch > 1;
    if (node.canonical == Op::MatMul || node.canonical == Op::FusedMatMul)
        return isBatched && rewriter.value(node.inputs[1]).role == ValueRole::Activation
            ? "aten.bmm"
            : "aten.mm";
    return node.op;
}

void judgeSupport(Rewriter& rewriter, base::Diagnostics& diagnostics) {
    for (const NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const OpKind kind = kindOf(node);
        if (kind == OpKind::Unsupported) {
            node.support = Support::Unsupported;
            node.rule = "Neither Inductor nor ATen has this operator";
            diagnostics.warn("gpu.unsupported_operator", node.name,
                node.op
                    + " has no ATen operator, so torch.compile breaks the graph here and the eager "
                      "run "
                      "stops; its time is unknown.",
                remedyFor(node, kind));
        } else if (kind == OpKind::Host) {
            node.support = Support::Fallback;
            node.rule = "No CUDA kernel: the host computes it between two copies";
            diagnostics.warn("gpu.host_operator", node.name,
                node.op
                    + " has no CUDA kernel: its inputs go to the host and its results come back "
                      "over PCIe.",
                remedyFor(node, kind));
        } else if (needsHostSync(node.canonical)) {
            diagnostics.info("gpu.host_sync", node.name,
                node.op
                    + " has a result of data-dependent size: the host waits for the count, and a "
                      "CUDA "
                      "graph ends here.",
                "Use a fixed-size form, for instance a mask instead of an index list.");
        } else if (!node.inputs.empty() && node.inputs.size() > 1
            && isMatrixProduct(node.canonical)) {
            node.op = matrixWord(rewriter, node);
            const Value& first = rewriter.value(node.inputs.front());
            const std::string rule = paddingRule(node, ir::bitWidth(first.dtype) / 8);
            if (!rule.empty())
                node.rule += (node.rule.empty() ? "" : ". ") + rule;
        }
    }
}

/// fx graphs say which identities are copies.
void nameClones(Rewriter& rewriter, const ir::Graph& captured) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        if (node.canonical == Op::Identity && node.sources.size() == 1
            && captured.nodes[node.sources.front()].sourceOp.starts_with("aten.clone"))
            rewriter.edit(id).op = "aten.clone";
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), Stage::Decomposed, atenWords());
    // The text of an fx graph stands behind Inductor's own passes: what they matched is a call
    // there.
    const bool isFx = context.typed.graph->info.format == "fx";
    if (device(context).isSdpaOn && !isFx)
        collapseAttention(rewriter, rewriter.graph(), context.diagnostics);
    splitProjections(rewriter);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    decomposeSoftmaxOnline(rewriter);
    decomposeAll(rewriter, planFor(context));
    decomposeReductions(rewriter);
    rewriter.applyWords();
    if (isFx)
        nameClones(rewriter, *context.typed.graph);
    judgeSupport(rewriter, context.diagnostics);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::gpu
