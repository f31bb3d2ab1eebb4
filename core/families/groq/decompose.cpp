// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/operators.h"
#include "core/families/groq/stages.h"
#include "core/lowering/decompositions.h"
#include "core/lowering/patterns.h"

#include <algorithm>
#include <array>

namespace fivefold::families::groq {

using ir::Op;
using lowering::Context;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;

namespace {

lowering::DecompositionPlan plan(const Context& context) {
    lowering::DecompositionPlan plan;
    lowering::SoftmaxStyle softmax;
    softmax.usesReciprocal = true;
    softmax.rule =
        "softmax needs the whole row twice (maximum, sum), so it is three passes over the streams.";
    plan.softmax = softmax;
    lowering::NormStyle norms;
    norms.usesRsqrt = true;
    norms.rule =
        "a norm needs the whole row for its mean and variance; rsqrt is a vector operation.";
    plan.norms = norms;
    lowering::ActivationStyle activations;
    activations.keeps = {Op::Tanh, Op::Relu, Op::Clip};
    activations.geluByTanh = true;
    plan.activations = activations;
    lowering::AttentionStyle attention;
    attention.softmax = softmax;
    attention.repeatsKvHeads = true;
    attention.transposesKeys = true;
    attention.rule =
        "attention is two products on the MXM with keys and values installed as weights.";
    plan.attention = attention;
    lowering::GemmStyle gemm;
    gemm.rule = "a Gemm is a product on the MXM and an addition as its result streams by.";
    plan.gemm = gemm;
    plan.recurrent = lowering::RecurrentStyle{};
    plan.quantised = machines::storageType(context.settings.precision);
    plan.batchNorm = true;
    plan.convBias = true;
    plan.reductions = true;
    plan.rotary = true;
    return plan;
}

void collapsePatterns(Rewriter& rewriter) {
    using lowering::PatternKind;
    constexpr std::array kKinds = {PatternKind::LayerNorm, PatternKind::GeluErf};
    for (const lowering::Match& match : lowering::findPatterns(rewriter.graph(), kKinds))
        if (std::ranges::all_of(match.nodes, [&](NodeId node) { return rewriter.isAlive(node); }))
            lowering::collapse(rewriter, match,
                "The compiler recognises " + std::string(lowering::toString(match.kind)) + ".");
}

void refuse(const Context& context, Node& node, const std::string& why, const std::string& remedy) {
    node.support = lowering::Support::Unsupported;
    node.rule = why;
    context.diagnostics.warn("groq.unsupported", node.name, why, remedy);
}

void classify(Rewriter& rewriter, const Context& context) {
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const std::string name(ir::name(node.canonical));
        const bool hasUnknownShape =
            std::ranges::any_of(node.outputs, [&](lowering::ValueId value) {
                return value.isValid() && !rewriter.value(value).shape;
            });
        if (kindOf(node.canonical) == OpKind::Unsupported)
            refuse(context, node,
                name
                    + " cannot be scheduled: every cycle is fixed at compile time and its work "
                      "depends on the data.",
                "Run it on the host, before or after the chip.");
        else if (hasUnknownShape)
            refuse(context, node,
                "The shape of its result is unknown, and a static schedule needs every length.",
                "Bind the free dimensions.");
        else if (node.rule.empty())
            node.rule = "One of the chip's functional slices does it.";
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    collapsePatterns(rewriter);
    for (NodeId id : rewriter.order()) {
        const Op op = rewriter.node(id).canonical;
        if ((op == Op::Identity || op == Op::Dropout) && rewriter.node(id).outputs.size() == 1)
            rewriter.alias(id, "An identity is no instruction.");
    }
    lowering::decomposeAll(rewriter, plan(context));
    classify(rewriter, context);
    rewriter.applyWords();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::groq
