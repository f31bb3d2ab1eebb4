// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/operators.h"
#include "core/families/cerebras/stages.h"
#include "core/lowering/decompositions.h"
#include "core/lowering/patterns.h"

#include <algorithm>
#include <array>

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
    activations.geluByTanh = true;
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
    return plan;
}

void collapsePatterns(Rewriter& rewriter) {
    using lowering::PatternKind;
    constexpr std::array kKinds = {PatternKind::LayerNorm, PatternKind::RmsNorm,
        PatternKind::GeluErf, PatternKind::Softmax, PatternKind::HardSwish};
    for (const lowering::Match& match : lowering::findPatterns(rewriter.graph(), kKinds))
        if (std::ranges::all_of(match.nodes, [&](NodeId node) { return rewriter.isAlive(node); }))
            lowering::collapse(rewriter, match,
                "The kernel library has " + std::string(lowering::toString(match.kind))
                    + " as one layer.");
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

void refuse(const Context& context, Node& node) {
    node.support = lowering::Support::Unsupported;
    const std::string name(ir::name(node.canonical));
    if (isDynamic(node.canonical)) {
        node.rule = name
            + " makes a result whose shape depends on the data; a wafer program has fixed shapes.";
        context.diagnostics.warn("cerebras.dynamic_shape", node.name, node.rule,
            "Fix the number of results, or run it on the host after the wafer.");
        return;
    }
    node.rule = "The wafer's kernel library has no counterpart of " + name + ".";
    context.diagnostics.warn("cerebras.unsupported", node.name, node.rule + " Its time is unknown.",
        "Run it on the host, before or after the wafer.");
}

bool hasUnknownShape(const Rewriter& rewriter, const Node& node) {
    return std::ranges::any_of(node.outputs,
        [&](ValueId value) { return value.isValid() && !rewriter.value(value).shape; });
}

void classify(Rewriter& rewriter, const Context& context) {
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        if (kindOf(node.canonical) == OpKind::Unsupported) {
            refuse(context, node);
        } else if (hasUnknownShape(rewriter, node)) {
            node.support = lowering::Support::Unsupported;
            node.rule = "The shape of its result is not known before the run; a wafer program has "
                        "fixed shapes.";
            context.diagnostics.warn("cerebras.dynamic_shape", node.name, node.rule,
                "Bind the free dimensions, or run it on the host.");
        } else if (node.rule.empty()) {
            node.rule = "A kernel of the library, compiled for its rectangle.";
        }
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    collapsePatterns(rewriter);
    for (NodeId id : rewriter.order()) {
        const Op op = rewriter.node(id).canonical;
        if ((op == Op::Identity || op == Op::Dropout) && rewriter.node(id).outputs.size() == 1)
            rewriter.alias(id, "An identity moves nothing on the wafer.");
    }
    lowering::decomposeAll(rewriter, plan(context));
    foldTransposes(rewriter);
    classify(rewriter, context);
    rewriter.applyWords();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::cerebras
