// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/operators.h"
#include "core/families/groq/stages.h"
#include "core/lowering/decompositions.h"

#include <algorithm>
#include <array>
#include <optional>

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
    plan.statistics = true;
    return plan;
}

std::optional<lowering::Refusal> refusal(const Node& node, bool hasUnknownShape) {
    if (kindOf(node.canonical) == OpKind::Unsupported)
        return lowering::Refusal{"groq.unsupported",
            std::string(ir::name(node.canonical))
                + " cannot be scheduled: every cycle is fixed at compile time and its work depends "
                  "on the data.",
            "The host would do it between two programs, its operands and results crossing PCIe at "
            "32 GB/s; that time is not counted.",
            "Run it on the host, before or after the chip."};
    if (hasUnknownShape)
        return lowering::Refusal{"groq.unsupported",
            "The shape of its result is unknown, and a static schedule needs every length.", "",
            "Bind the free dimensions."};
    return std::nullopt;
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    using lowering::PatternKind;
    constexpr std::array kKept = {PatternKind::LayerNorm, PatternKind::GeluErf};
    lowering::decomposeForLibrary(rewriter,
        {kKept, "The compiler recognises ", ".", "An identity is no instruction.", plan(context)});
    lowering::judgeSupport(
        rewriter, context.diagnostics, "One of the chip's functional slices does it.", refusal);
    rewriter.applyWords();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::groq
