// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/decompositions.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

const std::string kBatchNormRule =
    "batch normalisation in inference is one scale and one shift a channel";
const std::string kConvBiasRule = "the bias of a convolution is an addition of its own";
const std::string kIm2ColRule = "a convolution is a matrix product over unfolded windows";
const std::string kReductionRule = "the reduction is a sum or maximum between pointwise operators";
const std::string kSplitRule = "each part of a split is a copy";
const std::string kRotaryRule = "a rotary embedding is two products and a sum a half";
const std::string kQuantisedRule = "a quantised operator works on dequantised operands";
const std::string kLogSoftmaxRule = "log-softmax is max, sub, exp, sum, log and sub";
const std::string kOtherNormRule = "the normalisation is a reduction and a division";

std::vector<NodeId> decomposeNorm(Rewriter& rewriter, NodeId id, const NormStyle& style) {
    switch (rewriter.node(id).canonical) {
    case ir::Op::LayerNormalization:
    case ir::Op::SkipLayerNormalization:
        return decomposeLayerNorm(rewriter, id, style);
    case ir::Op::RMSNormalization:
    case ir::Op::SkipRMSNormalization:
        return decomposeRmsNorm(rewriter, id, style);
    case ir::Op::InstanceNormalization:
    case ir::Op::GroupNormalization:
        return decomposeGroupNorm(rewriter, id, style);
    case ir::Op::LpNormalization:
    case ir::Op::MeanVarianceNormalization:
        return decomposeOtherNorm(rewriter, id, kOtherNormRule);
    default:
        return {};
    }
}

std::vector<NodeId> decomposeContraction(
    Rewriter& rewriter, NodeId id, const DecompositionPlan& plan) {
    std::vector<NodeId> made;
    if (plan.quantised)
        made = decomposeQuantised(rewriter, id, *plan.quantised, kQuantisedRule);
    if (made.empty() && plan.attention)
        made = decomposeAttention(rewriter, id, *plan.attention);
    if (made.empty() && plan.gemm)
        made = decomposeGemm(rewriter, id, *plan.gemm);
    if (made.empty() && plan.recurrent)
        made = decomposeRecurrent(rewriter, id, *plan.recurrent);
    if (made.empty() && plan.im2col)
        made = decomposeConv(rewriter, id, kIm2ColRule);
    if (made.empty() && plan.convBias && rewriter.isAlive(id))
        made = splitConvBias(rewriter, id, kConvBiasRule);
    return made;
}

std::vector<NodeId> decomposeOne(Rewriter& rewriter, NodeId id, const DecompositionPlan& plan) {
    const ir::Op op = rewriter.node(id).canonical;
    if (plan.statistics)
        if (auto made = decomposeStatistics(rewriter, id, plan.norms && plan.norms->meanIsSum);
            !made.empty())
            return made;
    switch (ir::opClass(op)) {
    case ir::OpClass::Contraction:
        return decomposeContraction(rewriter, id, plan);
    case ir::OpClass::Normalisation:
        if (op == ir::Op::Softmax)
            return plan.softmax ? decomposeSoftmax(rewriter, id, *plan.softmax)
                                : std::vector<NodeId>{};
        if (op == ir::Op::LogSoftmax)
            return plan.softmax ? decomposeLogSoftmax(rewriter, id, kLogSoftmaxRule)
                                : std::vector<NodeId>{};
        if (op == ir::Op::BatchNormalization)
            return plan.batchNorm ? decomposeBatchNorm(rewriter, id, kBatchNormRule)
                                  : std::vector<NodeId>{};
        if (op == ir::Op::QLinearAveragePool || op == ir::Op::QLinearGlobalAveragePool)
            return plan.quantised
                ? decomposeQuantised(rewriter, id, *plan.quantised, kQuantisedRule)
                : std::vector<NodeId>{};
        if (plan.norms)
            if (auto made = decomposeNorm(rewriter, id, *plan.norms); !made.empty())
                return made;
        return plan.reductions ? decomposeReduction(rewriter, id, kReductionRule)
                               : std::vector<NodeId>{};
    case ir::OpClass::Pointwise:
        if (op == ir::Op::RotaryEmbedding)
            return plan.rotary ? decomposeRotary(rewriter, id, kRotaryRule) : std::vector<NodeId>{};
        if (plan.quantised)
            if (auto made = decomposeQuantised(rewriter, id, *plan.quantised, kQuantisedRule);
                !made.empty())
                return made;
        return plan.activations ? decomposeActivation(rewriter, id, *plan.activations)
                                : std::vector<NodeId>{};
    default:
        return plan.splits && op == ir::Op::Split ? decomposeSplit(rewriter, id, kSplitRule)
                                                  : std::vector<NodeId>{};
    }
}

} // namespace

void decomposeAll(Rewriter& rewriter, const DecompositionPlan& plan) {
    std::vector<NodeId> waiting = rewriter.order();
    while (!waiting.empty()) {
        const NodeId id = waiting.back();
        waiting.pop_back();
        if (!rewriter.isAlive(id))
            continue;
        const std::vector<NodeId> made = decomposeOne(rewriter, id, plan);
        waiting.insert(waiting.end(), made.begin(), made.end());
    }
}

void decomposeForLibrary(Rewriter& rewriter, const LibraryWalk& walk) {
    for (const Match& match : findPatterns(rewriter.graph(), walk.kept))
        if (std::all_of(match.nodes.begin(), match.nodes.end(),
                [&](NodeId node) { return rewriter.isAlive(node); }))
            collapse(rewriter, match,
                walk.keptRule + std::string(toString(match.kind)) + walk.keptEnd);
    for (const NodeId id : rewriter.order()) {
        const ir::Op op = rewriter.node(id).canonical;
        if ((op == ir::Op::Identity || op == ir::Op::Dropout)
            && rewriter.node(id).outputs.size() == 1)
            rewriter.alias(id, walk.identityRule);
    }
    decomposeAll(rewriter, walk.plan);
}

void judgeSupport(Rewriter& rewriter, base::Diagnostics& diagnostics, const std::string& nativeRule,
    const std::function<std::optional<Refusal>(const Node& node, bool hasUnknownShape)>& refusal) {
    for (const NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const bool hasUnknownShape
            = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId value) {
                  return value.isValid() && !rewriter.value(value).shape;
              });
        if (const auto refused = refusal(node, hasUnknownShape)) {
            node.support = Support::Unsupported;
            node.rule = refused->rule;
            diagnostics.warn(refused->code, node.name,
                refused->cost.empty() ? refused->rule : refused->rule + " " + refused->cost,
                refused->remedy);
        } else if (node.rule.empty()) {
            node.rule = nativeRule;
        }
    }
}

} // namespace fivefold::lowering
