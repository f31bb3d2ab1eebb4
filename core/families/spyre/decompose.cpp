// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/operators.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/views.h"
#include "core/layout/spyre_layout.h"
#include "core/lowering/decompositions.h"
#include "core/lowering/patterns.h"

#include <algorithm>
#include <array>
#include <unordered_map>

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
    softmax.copiesIn = true;
    softmax.rule = "softmax is a copy in, max, sub, exp, sum and realdiv, one OpSpec each.";
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
    reduce.set("axes", std::vector<std::int64_t>{-1});
    reduce.set("keepdims", std::int64_t{1});
    rescale.set("epsilon", epsilon);
    norm.set("axis", std::int64_t{-1});
    norm.set("epsilon", epsilon);
    const ValueId exx2 = sequence.add({Op::ReduceMean, std::string(kExx2), {x},
        {{ir::DType::Undefined, statistics}}, reduce, std::string(kExx2)});
    const ValueId inverse = sequence.add({Op::Rsqrt, std::string(kLayerNormScale), {exx2},
        {{ir::DType::Undefined, statistics}}, rescale, std::string(kLayerNormScale)});
    const ValueId y = sequence.add(
        {Op::LayerNormalization, std::string(kLayerNormNorm), {x, scale, bias, exx2, inverse},
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

void decomposeOne(Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.canonical == Op::Identity || node.canonical == Op::Dropout) {
        if (node.op != kClone && node.outputs.size() == 1)
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

void decomposeNorms(Rewriter& rewriter) {
    for (NodeId id : rewriter.order()) {
        const Op op = rewriter.node(id).canonical;
        if (rewriter.node(id).op == kLayerNormNorm)
            continue;
        if (op == Op::RMSNormalization || op == Op::SkipRMSNormalization) {
            lowering::NormStyle style;
            style.rule = "rms norm is mul, mean, add, rsqrt, mul and mul.";
            lowering::decomposeRmsNorm(rewriter, id, style);
        } else if (op == Op::InstanceNormalization || op == Op::GroupNormalization) {
            lowering::decomposeGroupNorm(rewriter, id);
        } else if (op == Op::LpNormalization || op == Op::MeanVarianceNormalization) {
            lowering::decomposeOtherNorm(
                rewriter, id, "the norm runs in reductions and elementary operators.");
        } else {
            splitLayerNorm(rewriter, id);
        }
    }
}

/// Finds the views that need a copy after all.
class Materialiser {
public:
    explicit Materialiser(Rewriter& rewriter)
        : m_rewriter(rewriter) { }

    void run() {
        for (NodeId id : m_rewriter.order())
            if (kindOf(m_rewriter.node(id).canonical) == OpKind::View)
                visit(id);
        for (ValueId output : m_rewriter.graph().outputs)
            copyOut(m_rewriter.resolve(output));
    }

private:
    void visit(NodeId id) {
        const Node& node = m_rewriter.node(id);
        const ValueId in = m_rewriter.input(id, 0);
        if (!in.isValid() || node.outputs.empty() || !m_rewriter.value(in).shape)
            return;
        const Extents& shape = *m_rewriter.value(in).shape;
        const Extents strides = stridesOf(in, shape);
        switch (node.canonical) {
        case Op::Transpose: {
            const auto permutation = permutationOf(node, shape.size());
            Extents moved;
            for (std::int64_t d : permutation)
                moved.push_back(strides[static_cast<std::size_t>(d)]);
            m_strides[m_rewriter.resolve(node.outputs.front())] = std::move(moved);
            break;
        }
        case Op::Split:
        case Op::Slice:
            for (ValueId out : node.outputs)
                if (out.isValid())
                    m_strides[m_rewriter.resolve(out)] = strides;
            break;
        case Op::Reshape:
        case Op::Flatten:
        case Op::Squeeze:
        case Op::Unsqueeze:
            reshape(id, in, shape, strides);
            break;
        default:
            break;
        }
    }

    void reshape(NodeId id, ValueId in, const Extents& shape, const Extents& strides) {
        const ValueId out = m_rewriter.resolve(m_rewriter.node(id).outputs.front());
        const auto& wanted = m_rewriter.value(out).shape;
        if (!wanted)
            return;
        const auto view = viewStrides(shape, strides, *wanted);
        if (!view) {
            const NodeId producer = m_rewriter.value(in).producer;
            const bool isPermute = producer.isValid() && m_rewriter.isAlive(producer)
                && m_rewriter.node(producer).canonical == Op::Transpose;
            clone(isPermute ? producer : id);
        } else if (*view != contiguousStrides(*wanted)) {
            m_strides[out] = *view;
        }
        checkSticks(id, in, shape, *wanted);
    }

    /// A reshape that no stick expression can follow goes through the host, unless the host lays
    /// the tensor out anyway.
    void checkSticks(NodeId id, ValueId in, const Extents& from, const Extents& to) {
        const auto perStick =
            layout::spyreElementsPerStick(m_rewriter.value(in).dtype).value_or(64);
        const auto role = m_rewriter.value(in).role;
        if (keepsSticks(from, to, perStick) || role == lowering::ValueRole::Weight
            || role == lowering::ValueRole::Constant || isReadByHostOnly(id))
            return;
        Node& node = m_rewriter.edit(id);
        node.support = Support::Fallback;
        node.op = "reshape_via_cpu";
        node.rule = "The new shape cuts through sticks of " + std::to_string(perStick)
            + " elements, so the tensor is reshaped on the host.";
    }

    bool isReadByHostOnly(NodeId id) const {
        for (ValueId out : m_rewriter.node(id).outputs)
            for (NodeId user : m_rewriter.users(out))
                if (kindOf(m_rewriter.node(user).canonical) != OpKind::Fallback)
                    return false;
        return true;
    }

    void copyOut(ValueId output) {
        const auto found = m_strides.find(output);
        const NodeId producer = m_rewriter.value(output).producer;
        if (found == m_strides.end() || !producer.isValid() || !m_rewriter.isAlive(producer)
            || !m_rewriter.value(output).shape
            || found->second == contiguousStrides(*m_rewriter.value(output).shape))
            return;
        if (m_rewriter.node(producer).outputs.size() == 1)
            clone(producer);
    }

    void clone(NodeId id) {
        Node& node = m_rewriter.edit(id);
        node.op = std::string(kClone);
        node.rule = "What reads it needs one contiguous tensor, so the view becomes a clone.";
        for (ValueId out : node.outputs)
            if (out.isValid())
                m_strides.erase(m_rewriter.resolve(out));
    }

    Extents stridesOf(ValueId value, const Extents& shape) const {
        const auto found = m_strides.find(value);
        return found != m_strides.end() && found->second.size() == shape.size()
            ? found->second
            : contiguousStrides(shape);
    }

    static std::vector<std::int64_t> permutationOf(const Node& node, std::size_t rank) {
        auto permutation = node.attributes.integers("perm").value_or(std::vector<std::int64_t>{});
        bool isValid = permutation.size() == rank;
        for (std::int64_t d : permutation)
            isValid = isValid && d >= 0 && static_cast<std::size_t>(d) < rank;
        if (!isValid) {
            permutation.resize(rank);
            for (std::size_t d = 0; d < rank; ++d)
                permutation[d] = static_cast<std::int64_t>(rank - 1 - d);
        }
        return permutation;
    }

    Rewriter& m_rewriter;
    std::unordered_map<ValueId, Extents> m_strides; ///< of views that are not contiguous
};

bool isInteger64MinMax(const Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.canonical != Op::Max && node.canonical != Op::Min)
        return false;
    const ValueId x = rewriter.input(id, 0);
    return x.isValid() && rewriter.value(x).dtype == ir::DType::Int64;
}

void refuse(const Context& context, Node& node) {
    node.support = Support::Unsupported;
    node.rule = "torch-spyre has neither a lowering nor a fallback for "
        + std::string(ir::name(node.canonical)) + ": compilation stops here.";
    context.diagnostics.warn("spyre.unsupported", node.name,
        std::string(ir::name(node.canonical))
            + " is refused by the public Spyre compiler (Unsupported); its time is unknown.",
        "Run this operator on the CPU before or after the device graph, or write it with supported "
        "operators.");
}

void fallBack(const Context& context, Node& node) {
    const bool isReshape = node.op == "reshape_via_cpu";
    node.support = Support::Fallback;
    if (!isReshape)
        node.rule = std::string(ir::name(node.canonical))
            + " is on torch-spyre's fallback list: it runs on the host CPU and ends the bundle.";
    context.diagnostics.warn("spyre.fallback", node.name,
        std::string(ir::name(node.canonical))
            + (isReshape
                    ? " cuts through sticks and is done on the host CPU; the bundle is broken."
                    : " runs on the host CPU; the bundle is broken and its tensors cross PCIe."),
        isReshape ? "Choose a last dimension that is a multiple of the stick."
                  : "Replace it by supported operators, or move it out of the device graph.");
}

void classify(Rewriter& rewriter, const Context& context) {
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        if (node.op == kExx2 || node.op == kLayerNormScale || node.op == kLayerNormNorm)
            continue;
        const OpKind kind = kindOf(node.canonical);
        if (node.support == Support::Fallback || kind == OpKind::Fallback
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

/// x² is a product, and conversions have one operator a direction.
void renameSpecial(Rewriter& rewriter) {
    for (NodeId id : rewriter.order()) {
        Node& node = rewriter.edit(id);
        const ValueId in = rewriter.input(id, 0);
        if (!in.isValid() || node.outputs.empty() || node.support != Support::Native)
            continue;
        if (node.canonical == Op::Cast || node.canonical == Op::CastLike) {
            const auto from = rewriter.value(in).dtype;
            const auto to = rewriter.value(node.outputs.front()).dtype;
            const auto isHalf = [](ir::DType t) {
                return t == ir::DType::Float16 || t == ir::DType::BFloat16;
            };
            if (isHalf(from) && to == ir::DType::Float32)
                node.op = "dl16tofp32";
            else if (from == ir::DType::Float32 && isHalf(to))
                node.op = "fp32todl16";
        } else if (node.canonical == Op::Pow && rewriter.input(id, 1).isValid()
            && lowering::scalarOf(rewriter.graph(), rewriter.input(id, 1)) == 2.0) {
            node.op = "mul";
        }
    }
}

} // namespace

base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) {
    Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed, words());
    collapsePatterns(rewriter);
    for (NodeId id : rewriter.order())
        if (rewriter.isAlive(id))
            decomposeOne(rewriter, id);
    lowering::decomposeAll(rewriter, plan(context));
    decomposeNorms(rewriter);
    rewriter.applyWords();
    Materialiser(rewriter).run();
    classify(rewriter, context);
    renameSpecial(rewriter);
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::spyre
