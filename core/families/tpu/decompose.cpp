// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/hlo_forms.h"
#include "core/families/tpu/operators.h"
#include "core/families/tpu/stages.h"

#include "core/lowering/decompositions.h"

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;

/// HLO has these as one instruction.
const std::vector<Op> kKeptActivations = {Op::Sigmoid, Op::Tanh, Op::Erf, Op::Clip};

DecompositionPlan planFor(const Context& context) {
    DecompositionPlan plan;
    SoftmaxStyle softmax;
    softmax.rule = "HLO has no softmax: reduce-max, subtract, exponential, reduce-add, divide";
    plan.softmax = softmax;
    NormStyle norms;
    norms.meanIsSum = true;
    norms.rule = "HLO has no normalisation: sums times 1/n, rsqrt, a scaled shift";
    plan.norms = norms;
    ActivationStyle activations;
    activations.keeps = kKeptActivations;
    plan.activations = activations;
    AttentionStyle attention;
    attention.keepsSoftmax = false;
    attention.softmax = softmax;
    attention.rule = "HLO has no attention: two dots around reductions and elementwise operators";
    plan.attention = attention;
    GemmStyle gemm;
    gemm.rule = "HLO writes a Gemm as a dot and an add, which becomes the dot's epilogue";
    plan.gemm = gemm;
    RecurrentStyle recurrent;
    recurrent.rule = "XLA runs a recurrent cell as a while loop of dots and gates";
    plan.recurrent = recurrent;
    plan.quantised = machines::storageType(context.settings.precision);
    plan.batchNorm = true;
    plan.convBias = true;
    plan.reductions = true;
    plan.splits = true;
    plan.rotary = true;
    plan.statistics = true;
    return plan;
}

void judgeSupport(Rewriter& rewriter, base::Diagnostics& diagnostics) {
    for (const NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const OpKind kind = kindOf(node);
        if (kind == OpKind::Unsupported) {
            diagnostics.warn("tpu.unsupported_operator", node.name,
                node.op
                    + " has no HLO form, so XLA does not compile the model with it; its time is "
                      "unknown.",
                remedyFor(node));
            node.support = Support::Unsupported;
            node.rule = "There is no HLO form of this operator";
        } else if (kind == OpKind::Host) {
            diagnostics.warn("tpu.host_operator", node.name,
                node.op
                    + " has no TPU lowering: an XLA program needs sizes that are known when it is "
                      "compiled. "
                      "It runs on the host, its inputs leave the device and its results come back.",
                remedyFor(node));
            node.support = Support::Fallback;
            node.rule = "No TPU lowering: the host computes it between two transfers";
        }
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), Stage::Decomposed, hloWords());
    dropIdentities(rewriter);
    decomposeAll(rewriter, planFor(context));
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    const Device device = tpu::device(context);
    rewriteDivisions(rewriter);
    rewriteThinDots(rewriter, device);
    rewriteTopK(rewriter);
    rewriteGathers(rewriter);
    rewriter.applyWords();
    judgeSupport(rewriter, context.diagnostics);
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::tpu
