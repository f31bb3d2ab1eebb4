// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/lowering/decompositions.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fivefold::families::cerebras {

using ir::Op;
using lowering::Context;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::ValueId;

namespace {

lowering::DecompositionPlan plan(const Context& context) {
    lowering::DecompositionPlan plan;
    lowering::SoftmaxStyle softmax;
    softmax.usesReciprocal = true;
    softmax.rule = "softmax is two all-reduces, of the maximum and of the sum, with elementwise "
                   "work between them.";
    plan.softmax = softmax;
    lowering::NormStyle norms;
    norms.variance = lowering::NormStyle::Variance::MeanOfSquares;
    norms.meanIsSum = true;
    norms.rule = "a norm is all-reduces of x and x² and elementwise work on every PE.";
    plan.norms = norms;
    lowering::ActivationStyle activations;
    activations.keeps = {Op::Sigmoid, Op::Tanh, Op::Relu, Op::Clip, Op::LeakyRelu};
    plan.activations = activations;
    lowering::AttentionStyle attention;
    attention.softmax = softmax;
    attention.scalesQueries = true;
    attention.rule = "attention is two mesh products around a softmax; a transposed product spares "
                     "the transpose.";
    plan.attention = attention;
    lowering::GemmStyle gemm;
    gemm.rule = "a Gemm is a mesh product and an addition on the PEs that hold the result.";
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

/// A transpose of the last two axes in front of a product is left to the transposed form of the
/// product.
void foldTransposes(Rewriter& rewriter) {
    for (NodeId id : rewriter.order()) {
        if (rewriter.node(id).canonical != Op::MatMul)
            continue;
        const ValueId right = rewriter.input(id, 1);
        const NodeId producer = right.isValid() ? rewriter.value(right).producer : NodeId();
        if (!producer.isValid() || !rewriter.isAlive(producer)
            || rewriter.node(producer).canonical != Op::Transpose
            || rewriter.users(right).size() != 1
            || rewriter.value(right).role == lowering::ValueRole::Output)
            continue;
        auto permutation = rewriter.node(producer).attributes.integers("perm");
        if (!permutation || permutation->size() < 2)
            continue;
        std::swap(permutation->back(), (*permutation)[permutation->size() - 2]);
        const bool isSwap = std::ranges::is_sorted(*permutation);
        if (!isSwap)
            continue;
        const ValueId left = rewriter.input(id, 0), from = rewriter.input(producer, 0);
        auto sequence = rewriter.replace({producer, id},
            "The transposed mesh product reads its operand by columns, so nothing is transposed.");
        sequence.finish(sequence.matmul("", left, from, true));
    }
}

std::optional<lowering::Refusal> refusal(const Node& node, bool hasUnknownShape) {
    const std::string name(ir::name(node.canonical));
    if (isDynamic(node.canonical))
        return lowering::Refusal{"cerebras.dynamic_shape",
            name
                + " makes a result whose shape depends on the data; a wafer program has fixed "
                  "shapes.",
            "", "Fix the number of results, or run it on the host after the wafer."};
    if (kindOf(node.canonical) == OpKind::Unsupported)
        return lowering::Refusal{"cerebras.unsupported",
            "The wafer's kernel library has no counterpart of " + name + ".",
            "The host would do it, its operands and results crossing the wafer's edge at 150 GB/s; "
            "its time is unknown.",
            "Run it on the host, before or after the wafer."};
    if (hasUnknownShape)
        return lowering::Refusal{"cerebras.dynamic_shape",
            "The shape of its result is not known before the run; a wafer program has fixed "
            "shapes.",
            "", "Bind the free dimensions, or run it on the host."};
    return std::nullopt;
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    using lowering::PatternKind;
    constexpr std::array kKept = {PatternKind::LayerNorm, PatternKind::RmsNorm,
        PatternKind::GeluErf, PatternKind::Softmax, PatternKind::HardSwish};
    lowering::decomposeForLibrary(rewriter,
        {kKept, "The kernel library has ", " as one layer.",
            "An identity moves nothing on the wafer.", plan(context)});
    foldTransposes(rewriter);
    lowering::judgeSupport(rewriter, context.diagnostics,
        "A kernel of the library, compiled for its rectangle.", refusal);
    rewriter.applyWords();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::cerebras
