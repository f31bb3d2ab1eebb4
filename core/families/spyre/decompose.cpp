// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/fx_graph.h"
#include "core/families/spyre/fx_passes.h"
#include "core/families/spyre/loops.h"
#include "core/families/spyre/materialise.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/part_writes.h"
#include "core/families/spyre/stages.h"
#include "core/lowering/decompositions.h"
#include "core/lowering/inlining.h"
#include "core/lowering/patterns.h"

#include <algorithm>
#include <array>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Context;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::Support;
using lowering::ValueId;

namespace {

lowering::DecompositionPlan plan(const Context& context) {
    lowering::DecompositionPlan plan;
    lowering::SoftmaxStyle softmax;
    softmax.rule = "softmax is max, sub, exp, sum and realdiv, one OpSpec each.";
    plan.softmax = softmax;
    lowering::ActivationStyle activations;
    activations.keeps = {Op::Sigmoid, Op::Tanh, Op::Erf, Op::Softplus, Op::Mish, Op::Gelu,
        Op::Swish, Op::Clip, Op::Relu, Op::ThresholdedRelu};
    plan.activations = activations;
    lowering::AttentionStyle attention;
    attention.softmax = softmax;
    attention.repeatsKvHeads = true;
    attention.transposesKeys = true;
    attention.rule = "eager attention is two batchmatmuls around a softmax.";
    plan.attention = attention;
    lowering::GemmStyle gemm;
    gemm.rule = "a linear layer is a batchmatmul and an add.";
    plan.gemm = gemm;
    lowering::RecurrentStyle recurrent;
    recurrent.rule = "recurrent cells reach the device as products and gates, step by step.";
    plan.recurrent = recurrent;
    plan.quantised = machines::storageType(context.settings.precision);
    plan.batchNorm = true;
    plan.im2col = true;
    plan.rotary = true;
    return plan;
}

void collapsePatterns(Rewriter& rewriter) {
    using lowering::PatternKind;
    constexpr std::array kKinds = {PatternKind::LayerNorm, PatternKind::GeluErf, PatternKind::Swish,
        PatternKind::HardSwish, PatternKind::Softmax};
    for (const lowering::Match& match : lowering::findPatterns(rewriter.graph(), kKinds)) {
        const bool isWhole = std::ranges::all_of(
            match.nodes, [&rewriter](NodeId node) { return rewriter.isAlive(node); });
        if (isWhole)
            lowering::collapse(rewriter, match,
                "The compiler sees the operator that the exporter wrote out ("
                    + std::string(lowering::toString(match.kind)) + ").");
    }
}

/// exx2 (mean and mean of squares in one pass), layernormscale, layernormnorm: what torch-spyre's
/// decompositions.py makes of aten.layer_norm over the last dimension.
bool splitLayerNorm(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const bool isSkip = node.canonical == Op::SkipLayerNormalization;
    if (node.canonical != Op::LayerNormalization && !isSkip)
        return false;
    ValueId x = rewriter.input(id, 0);
    if (!x.isValid() || !rewriter.value(x).shape || rewriter.value(x).shape->empty())
        return false;
    const auto shape = *rewriter.value(x).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t axis = isSkip ? -1 : node.attributes.integer("axis", -1);
    if ((axis < 0 ? axis + rank : axis) != rank - 1) {
        lowering::decomposeLayerNorm(rewriter, id);
        return true;
    }
    const ValueId scale = rewriter.input(id, isSkip ? 2 : 1),
                  bias = rewriter.input(id, isSkip ? 3 : 2);
    const ValueId skip = isSkip ? rewriter.input(id, 1) : ValueId();
    const ValueId skipBias = isSkip ? rewriter.input(id, 4) : ValueId();
    const double epsilon = node.attributes.number("epsilon", isSkip ? 1e-12 : 1e-5);
    const std::size_t results = node.outputs.size();
    auto sequence = rewriter.replace(id,
        "layer norm is exx2 (mean and mean of squares), layernormscale and layernormnorm, one "
        "OpSpec each.");
    if (skip.isValid())
        x = sequence.binary(Op::Add, "skip", x, skip);
    if (skipBias.isValid())
        x = sequence.binary(Op::Add, "skip_bias", x, skipBias);
    auto statistics = shape;
    statistics.back() = 1;
    ir::Attributes reduce, rescale, norm;
    reduce.set("axis", std::int64_t{-1});
    reduce.set("scale", 1.0 / static_cast<double>(std::max<std::int64_t>(1, shape.back())));
    rescale.set("epsilon", epsilon);
    norm.set("axis", std::int64_t{-1});
    norm.set("epsilon", epsilon);
    const ValueId exx2 = sequence.add({Op::NormMoments, std::string(kExx2), {x},
        {{ir::DType::Undefined, statistics}}, reduce, std::string(kExx2)});
    const ValueId inverse = sequence.add({Op::NormScale, std::string(kLayerNormScale), {exx2},
        {{ir::DType::Undefined, statistics}}, rescale, std::string(kLayerNormScale)});
    const ValueId y =
        sequence.add({Op::NormApply, std::string(kLayerNormNorm), {x, exx2, inverse, scale, bias},
            {{ir::DType::Undefined, shape}}, norm, std::string(kLayerNormNorm)});
    std::vector<ValueId> out(results, ValueId());
    const ValueId other[] = {y, exx2, inverse, x};
    for (std::size_t i = 0; i < results && i < 4; ++i)
        out[i] = other[i];
    sequence.finish(out);
    return true;
}

bool isTanhGelu(const Node& node) {
    return node.canonical == Op::FastGelu
        || (node.canonical == Op::Gelu && node.attributes.text("approximate") == "tanh");
}

bool isComposedReduction(Op op) {
    return op == Op::ReduceL1 || op == Op::ReduceL2 || op == Op::ReduceLogSum
        || op == Op::ReduceLogSumExp || op == Op::ReduceSumSquare;
}

bool isClone(const Node& node) {
    const std::string aten = node.attributes.text(kAtenAttribute);
    return node.op == kClone || aten == "aten.clone.default" || aten == "aten.contiguous.default";
}

void decomposeOne(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.canonical == Op::Identity || node.canonical == Op::Dropout) {
        if (!isClone(node) && node.outputs.size() == 1)
            rewriter.alias(id, "An identity makes no OpSpec.");
    } else if (isTanhGelu(node)) {
        lowering::ActivationStyle style;
        style.geluByTanh = true;
        style.rule =
            "the tanh form of gelu has no operator of its own and runs in elementary ones.";
        lowering::decomposeActivation(rewriter, id, style);
    } else if (isComposedReduction(node.canonical)) {
        lowering::decomposeReduction(rewriter, id, "the norm runs in elementary operators.");
    } else if (node.canonical == Op::Ceil && node.inputs.size() == 1) {
        const ValueId x = rewriter.input(id, 0);
        auto sequence = rewriter.replace(id, "ceil(x) is −floor(−x) on the device.");
        const ValueId floor = sequence.unary(Op::Floor, "floor", sequence.unary(Op::Neg, "neg", x));
        sequence.finish(sequence.unary(Op::Neg, "neg_1", floor));
    }
}

void decomposeNorms(Rewriter& rewriter, bool isFx) {
    for (NodeId id : rewriter.order()) {
        const Op op = rewriter.node(id).canonical;
        if (op == Op::RMSNormalization || op == Op::SkipRMSNormalization) {
            lowering::NormStyle style;
            style.rule = "rms norm is mul, mean, add, rsqrt, mul and mul.";
            lowering::decomposeRmsNorm(rewriter, id, style);
        } else if (op == Op::InstanceNormalization || op == Op::GroupNormalization) {
            if (isFx) // var_mean, which the compiler refuses
                continue;
            lowering::decomposeGroupNorm(rewriter, id);
        } else if (op == Op::LpNormalization || op == Op::MeanVarianceNormalization) {
            lowering::decomposeOtherNorm(
                rewriter, id, "the norm runs in reductions and elementary operators.");
        } else {
            splitLayerNorm(rewriter, id);
        }
    }
}

/// Operators of fx graphs that name the host.
bool isHostCall(const Node& node) {
    const std::string aten = node.attributes.text(kAtenAttribute);
    return aten == "spyre.reshape_via_cpu.default" || aten == "spyre.unfold.default"
        || aten == "spyre.causal_mask.default";
}

bool isInteger64MinMax(const Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.canonical != Op::Max && node.canonical != Op::Min)
        return false;
    const ValueId x = rewriter.input(id, 0);
    return x.isValid() && rewriter.value(x).dtype == ir::DType::Int64;
}

bool isVariance(Op op) {
    return op == Op::Variance || op == Op::VarianceMean || op == Op::StandardDeviation
        || op == Op::GroupNormalization || op == Op::InstanceNormalization;
}

void refuse(const Context& context, Node& node) {
    const std::string name(ir::name(node.canonical));
    // torch-spyre deadcode_elimination: KeyError "No FX node for buf10".
    const std::string why = isVariance(node.canonical)
        ? "its reduction is split into buffers that no FX node stands for (No FX node for buf…)"
        : "there is neither a lowering nor a fallback for it (Unsupported)";
    node.support = Support::Unsupported;
    node.rule = "torch-spyre refuses " + name + ": " + why + ". Compilation stops here.";
    context.diagnostics.warn("spyre.unsupported", node.name,
        name + " is refused by the public Spyre compiler: " + why + "; its time is unknown.",
        "Run this operator on the CPU before or after the device graph, or write it with supported "
        "operators.");
}

void fallBack(const Context& context, Node& node) {
    node.support = Support::Fallback;
    node.rule = std::string(ir::name(node.canonical))
        + " is on torch-spyre's fallback list: it runs on the host CPU and ends the bundle.";
    context.diagnostics.warn("spyre.fallback", node.name,
        std::string(ir::name(node.canonical))
            + " runs on the host CPU; the bundle is broken and its tensors cross PCIe.",
        "Replace it by supported operators, or move it out of the device graph.");
}

void classify(Rewriter& rewriter, const Context& context) {
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const OpKind kind = node.op == kClone ? OpKind::Copy : kindOf(node.canonical);
        if (node.support == Support::Fallback || kind == OpKind::Fallback || isHostCall(node)
            || isInteger64MinMax(rewriter, id))
            fallBack(context, node);
        else if (kind == OpKind::Unsupported)
            refuse(context, node);
        else if (node.rule.empty())
            node.rule = kind == OpKind::View
                ? "A view: the OpSpec that reads it addresses the tensor through it."
                : "The device has this operator.";
    }
}

/// Conversions have one operator a direction, top-k one a result.
void nameSpecial(Rewriter& rewriter) {
    const auto isHalf = [](ir::DType t) {
        return t == ir::DType::Float16 || t == ir::DType::BFloat16;
    };
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const ValueId in = rewriter.input(id, 0);
        if (node.attributes.text(kAtenAttribute) == kTopKIndexAten)
            node.op = std::string(kTopKIndex);
        if (!in.isValid() || node.outputs.empty() || node.support != Support::Native
            || (node.canonical != Op::Cast && node.canonical != Op::CastLike))
            continue;
        const auto from = rewriter.value(in).dtype;
        const auto to = rewriter.value(node.outputs.front()).dtype;
        if (isHalf(from) && to == ir::DType::Float32)
            node.op = "dl16tofp32";
        else if (from == ir::DType::Float32 && isHalf(to))
            node.op = "fp32todl16";
    }
}

/// Values and indices are an operator each.
void splitTopK(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != Op::TopK || !x.isValid() || node.outputs.size() != 2
        || !node.outputs[0].isValid() || !node.outputs[1].isValid())
        return;
    const auto shape = rewriter.value(node.outputs[0]).shape;
    const ir::DType indices = rewriter.value(node.outputs[1]).dtype;
    ir::Attributes ofValues = node.attributes, ofIndices = node.attributes;
    ofValues.set(kAtenAttribute, std::string("spyre.topkvalue.default"));
    ofIndices.set(kAtenAttribute, std::string(kTopKIndexAten));
    auto sequence = rewriter.replace(id, "Values and indices of a top-k are one OpSpec each.");
    const ValueId out[] = {
        sequence.add({Op::TopK, "value", {x}, {{ir::DType::Undefined, shape}}, ofValues}),
        sequence.add({Op::TopK, "index", {x}, {{indices, shape}}, ofIndices})};
    sequence.finish(out);
}

void splitPowers(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    const ValueId y = rewriter.input(id, 1);
    if (node.canonical == Op::Div && y.isValid() && x.isValid()) {
        const auto divisor = lowering::scalarOf(rewriter.graph(), y);
        if (!divisor || *divisor == 0 || !ir::isFloat(rewriter.value(x).dtype)
            || rewriter.value(y).role != lowering::ValueRole::Constant)
            return;
        const auto shape = rewriter.value(node.outputs.front()).shape;
        ir::Attributes attributes;
        attributes.set(kAtenAttribute, std::string("aten.div.Tensor"));
        auto sequence =
            rewriter.replace(id, "A division by a number is a product with its reciprocal.");
        const ValueId reciprocal = sequence.constant("reciprocal", 1 / *divisor, x);
        sequence.finish(sequence.add(
            {Op::Mul, "mul", {x, reciprocal}, {{ir::DType::Undefined, shape}}, attributes}));
    } else if (node.canonical == Op::Pow && y.isValid() && x.isValid()) {
        const auto power = lowering::scalarOf(rewriter.graph(), y);
        if (power != 2.0 && power != 3.0)
            return;
        const auto shape = rewriter.value(node.outputs.front()).shape;
        ir::Attributes own, inner;
        own.set(kAtenAttribute,
            node.attributes.text(kAtenAttribute, std::string("aten.pow.Tensor_Scalar")));
        auto sequence = rewriter.replace(id, "A small power is a product.");
        ValueId left = x;
        if (power == 3.0) {
            inner.set(kAtenAttribute, std::string("aten.mul.default"));
            left =
                sequence.add({Op::Mul, "square", {x, x}, {{ir::DType::Undefined, shape}}, inner});
            own.set(kSquareAttribute, std::int64_t{1});
        }
        sequence.finish(sequence.add(
            {Op::Mul, "mul", {left, x}, {{ir::DType::Undefined, shape}}, std::move(own)}));
    }
}

void splitWrites(Rewriter& rewriter) {
    for (NodeId id : rewriter.order()) {
        if (!rewriter.isAlive(id))
            continue;
        splitPowers(rewriter, id);
        if (rewriter.isAlive(id))
            splitTopK(rewriter, id);
        if (!rewriter.isAlive(id))
            continue;
        if (rewriter.node(id).canonical == Op::Concat)
            splitConcat(rewriter, id);
        else if (rewriter.node(id).canonical == Op::Pad)
            splitPad(rewriter, id);
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    const bool isFx = lowering::keepsProgram(*context.typed.graph);
    if (isFx)
        inlined = inLocalOrder(std::move(inlined), *context.typed.graph);
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    if (isFx)
        prepareFx(rewriter, context);
    else
        collapsePatterns(rewriter);
    for (NodeId id : rewriter.order())
        if (rewriter.isAlive(id))
            decomposeOne(rewriter, id);
    lowering::decomposeAll(rewriter, plan(context));
    decomposeNorms(rewriter, isFx);
    splitWrites(rewriter);
    rewriter.applyWords();
    if (!isFx)
        materialiseViews(rewriter);
    classify(rewriter, context);
    nameSpecial(rewriter);
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::spyre
