// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/operators.h"

#include "core/families/spyre/stages.h"

#include <algorithm>
#include <array>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Node;

namespace {

struct Entry {
    Op op;
    OpKind kind;
};

// torch-spyre docs/source/user_guide/supported_operations.md (device), torch_spyre/ops/fallbacks.py
// (host).
constexpr Entry kEntries[] = {
    {Op::Reshape, OpKind::View},
    {Op::Flatten, OpKind::View},
    {Op::Squeeze, OpKind::View},
    {Op::Unsqueeze, OpKind::View},
    {Op::Transpose, OpKind::View},
    {Op::Split, OpKind::View},
    {Op::Slice, OpKind::View},
    {Op::Expand, OpKind::View},
    {Op::Shape, OpKind::View},
    {Op::Size, OpKind::View},
    {Op::Constant, OpKind::View},
    {Op::Unbind, OpKind::View},
    {Op::DimSize, OpKind::View},

    {Op::MatMul, OpKind::Matmul},
    {Op::FusedMatMul, OpKind::Matmul},

    {Op::NormMoments, OpKind::Norm},
    {Op::NormScale, OpKind::Norm},
    {Op::NormApply, OpKind::Norm},

    {Op::Identity, OpKind::Copy},
    {Op::CopyInto, OpKind::Copy},
    {Op::Concat, OpKind::Copy},
    {Op::Pad, OpKind::Copy},
    {Op::Tile, OpKind::Copy},
    {Op::ConstantOfShape, OpKind::Copy},
    {Op::DepthToSpace, OpKind::Copy},
    {Op::SpaceToDepth, OpKind::Copy},

    {Op::Gather, OpKind::Gather},
    {Op::TopK, OpKind::Reduction},

    {Op::ReduceMax, OpKind::Reduction},
    {Op::ReduceMin, OpKind::Reduction},
    {Op::ReduceSum, OpKind::Reduction},
    {Op::ReduceMean, OpKind::Reduction},
    {Op::ReduceProd, OpKind::Reduction},
    {Op::AveragePool, OpKind::Reduction},
    {Op::GlobalAveragePool, OpKind::Reduction},

    {Op::Abs, OpKind::Pointwise},
    {Op::Add, OpKind::Pointwise},
    {Op::And, OpKind::Pointwise},
    {Op::Cast, OpKind::Pointwise},
    {Op::CastLike, OpKind::Pointwise},
    {Op::Clip, OpKind::Pointwise},
    {Op::Div, OpKind::Pointwise},
    {Op::Equal, OpKind::Pointwise},
    {Op::Exp, OpKind::Pointwise},
    {Op::Floor, OpKind::Pointwise},
    {Op::Gelu, OpKind::Pointwise},
    {Op::Greater, OpKind::Pointwise},
    {Op::GreaterOrEqual, OpKind::Pointwise},
    {Op::Less, OpKind::Pointwise},
    {Op::LessOrEqual, OpKind::Pointwise},
    {Op::Log, OpKind::Pointwise},
    {Op::Max, OpKind::Pointwise},
    {Op::Min, OpKind::Pointwise},
    {Op::Mish, OpKind::Pointwise},
    {Op::Mul, OpKind::Pointwise},
    {Op::Neg, OpKind::Pointwise},
    {Op::Not, OpKind::Pointwise},
    {Op::NotEqual, OpKind::Pointwise},
    {Op::Or, OpKind::Pointwise},
    {Op::Pow, OpKind::Pointwise},
    {Op::Reciprocal, OpKind::Pointwise},
    {Op::Relu, OpKind::Pointwise},
    {Op::Rsqrt, OpKind::Pointwise},
    {Op::Sigmoid, OpKind::Pointwise},
    {Op::Sign, OpKind::Pointwise},
    {Op::Softplus, OpKind::Pointwise},
    {Op::Sqrt, OpKind::Pointwise},
    {Op::Sub, OpKind::Pointwise},
    {Op::Sum, OpKind::Pointwise},
    {Op::Swish, OpKind::Pointwise},
    {Op::Tanh, OpKind::Pointwise},
    {Op::ThresholdedRelu, OpKind::Pointwise},
    {Op::Where, OpKind::Pointwise},

    {Op::ArgMax, OpKind::Fallback},
    {Op::ArgMin, OpKind::Fallback},
    {Op::BitwiseAnd, OpKind::Fallback},
    {Op::BitwiseNot, OpKind::Fallback},
    {Op::BitwiseOr, OpKind::Fallback},
    {Op::BitwiseXor, OpKind::Fallback},
    {Op::CausalMask, OpKind::Fallback},
    {Op::Bernoulli, OpKind::Fallback},
    {Op::Cos, OpKind::Fallback},
    {Op::CumSum, OpKind::Fallback},
    {Op::Im2Col, OpKind::Fallback},
    {Op::RandomNormal, OpKind::Fallback},
    {Op::RandomNormalLike, OpKind::Fallback},
    {Op::RandomUniform, OpKind::Fallback},
    {Op::RandomUniformLike, OpKind::Fallback},
    {Op::Range, OpKind::Fallback},
    {Op::ScatterElements, OpKind::Fallback},
    {Op::Sin, OpKind::Fallback},
    {Op::Trilu, OpKind::Fallback},
    {Op::Xor, OpKind::Fallback},
};

constexpr auto buildKinds() {
    std::array<OpKind, ir::kOpCount> kinds{};
    kinds.fill(OpKind::Unsupported);
    for (const Entry& entry : kEntries)
        kinds[static_cast<std::size_t>(entry.op)] = entry.kind;
    return kinds;
}
constexpr auto kKinds = buildKinds();

struct AtenWord {
    Op op;
    std::string_view word;
};

// What torch.export names the operators (aten, native_functions.yaml); the overload with a tensor.
constexpr AtenWord kAtenWords[] = {
    {Op::Reshape, "aten.reshape.default"},
    {Op::Flatten, "aten.reshape.default"},
    {Op::Squeeze, "aten.squeeze.dims"},
    {Op::Unsqueeze, "aten.unsqueeze.default"},
    {Op::Transpose, "aten.permute.default"},
    {Op::Split, "aten.split_with_sizes.default"},
    {Op::Slice, "aten.slice.Tensor"},
    {Op::Expand, "aten.expand.default"},
    {Op::MatMul, "aten.bmm.default"},
    {Op::FusedMatMul, "aten.bmm.default"},
    {Op::Identity, "aten.clone.default"},
    {Op::Concat, "aten.cat.default"},
    {Op::Pad, "aten.constant_pad_nd.default"},
    {Op::Tile, "aten.repeat.default"},
    {Op::ConstantOfShape, "aten.full.default"},
    {Op::Gather, "aten.embedding.default"},
    {Op::ReduceMax, "aten.amax.default"},
    {Op::ReduceMin, "aten.amin.default"},
    {Op::ReduceSum, "aten.sum.dim_IntList"},
    {Op::ReduceMean, "aten.mean.dim"},
    {Op::GlobalAveragePool, "aten.mean.dim"},
    {Op::Add, "aten.add.Tensor"},
    {Op::Sum, "aten.add.Tensor"},
    {Op::Sub, "aten.sub.Tensor"},
    {Op::Mul, "aten.mul.Tensor"},
    {Op::Div, "aten.div.Tensor"},
    {Op::Pow, "aten.pow.Tensor_Scalar"},
    {Op::Max, "aten.maximum.default"},
    {Op::Min, "aten.minimum.default"},
    {Op::Where, "aten.where.self"},
    {Op::Cast, "prims.convert_element_type.default"},
    {Op::CastLike, "prims.convert_element_type.default"},
    {Op::Swish, "spyre.silu.default"},
    {Op::Gelu, "spyre.gelu.default"},
    {Op::Softplus, "spyre.softplus.default"},
    {Op::Clip, "spyre.clamp.default"},
    {Op::TopK, "spyre.topkvalue.default"},
    {Op::NormMoments, "spyre.exx2.default"},
    {Op::NormScale, "spyre.layernormscale.default"},
    {Op::NormApply, "spyre.layernormnorm.default"},
    {Op::CopyInto, "spyre.copy_.default"},
    {Op::CausalMask, "spyre.causal_mask.default"},
    {Op::Im2Col, "spyre.unfold.default"},
    {Op::Sigmoid, "aten.sigmoid.default"},
    {Op::Tanh, "aten.tanh.default"},
    {Op::Exp, "aten.exp.default"},
    {Op::Log, "aten.log.default"},
    {Op::Neg, "aten.neg.default"},
    {Op::Abs, "aten.abs.default"},
    {Op::Sqrt, "aten.sqrt.default"},
    {Op::Rsqrt, "aten.rsqrt.default"},
    {Op::Reciprocal, "aten.reciprocal.default"},
    {Op::Relu, "aten.relu.default"},
    {Op::Floor, "aten.floor.default"},
    {Op::Sin, "aten.sin.default"},
    {Op::Cos, "aten.cos.default"},
};

constexpr auto buildAtenWords() {
    std::array<std::string_view, ir::kOpCount> words{};
    for (const AtenWord& entry : kAtenWords)
        words[static_cast<std::size_t>(entry.op)] = entry.word;
    return words;
}
constexpr auto kAten = buildAtenWords();

} // namespace

const lowering::Words& words() {
    static const lowering::Words kWords{
        {Op::MatMul, "batchmatmul"},
        {Op::FusedMatMul, "batchmatmul"},
        {Op::Div, "realdiv"},
        {Op::Relu, "relufwd"},
        {Op::Gelu, "gelufwd"},
        {Op::Swish, "silu"},
        {Op::Identity, "identity"},
        {Op::Concat, "identity"},
        {Op::Pad, "identity"},
        {Op::Tile, "identity"},
        {Op::ConstantOfShape, "identity"},
        {Op::DepthToSpace, "identity"},
        {Op::SpaceToDepth, "identity"},
        {Op::ReduceMax, "max"},
        {Op::ReduceMin, "min"},
        {Op::ReduceSum, "sum"},
        {Op::ReduceMean, "mean"},
        {Op::ReduceProd, "prod"},
        {Op::GlobalAveragePool, "mean"},
        {Op::AveragePool, "avgpool"},
        {Op::Max, "maximum"},
        {Op::Min, "minimum"},
        {Op::Sum, "add"},
        {Op::Clip, "clip"},
        {Op::Equal, "equal"},
        {Op::NotEqual, "notequal"},
        {Op::Greater, "greaterthan"},
        {Op::GreaterOrEqual, "greaterequal"},
        {Op::Less, "lesserthan"},
        {Op::LessOrEqual, "lesserequal"},
        {Op::And, "mul"},
        {Op::Or, "maximum"},
        {Op::Not, "equal"},
        {Op::Where, "where3"},
        {Op::TopK, "topkvalue"},
        {Op::NormMoments, kExx2},
        {Op::NormScale, kLayerNormScale},
        {Op::NormApply, kLayerNormNorm},
        {Op::CopyInto, "identity"},
        {Op::CausalMask, "causal_mask"},
        {Op::Cast, "identity"},
        {Op::CastLike, "identity"},
        {Op::Transpose, "permute"},
        {Op::Reshape, "view"},
        {Op::Flatten, "view"},
        {Op::Squeeze, "view"},
        {Op::Unsqueeze, "view"},
        {Op::Im2Col, "unfold"},
        {Op::Range, "arange"},
        {Op::Trilu, "tril"},
        {Op::Gather, "identity"},
    };
    return kWords;
}

OpKind kindOf(Op op) {
    return kKinds[static_cast<std::size_t>(op)];
}

OpKind kindOf(const Node& node) {
    if (node.support == lowering::Support::Fallback)
        return OpKind::Fallback;
    // A graph that is refused for its layouts is shown as if it were not.
    if (node.support == lowering::Support::Unsupported && !node.attributes.has(kRefusalAttribute))
        return OpKind::Unsupported;
    if (node.op == kRestickify)
        return OpKind::Restickify;
    if (node.op == kClone && node.canonical != Op::Cast && node.canonical != Op::CastLike
        && node.canonical != Op::Gather)
        return OpKind::Copy;
    return kindOf(node.canonical);
}

bool isOpSpec(const Node& node) {
    return kindOf(node) != OpKind::View;
}

std::string_view atenWord(const Node& node) {
    if (node.op == kTopKIndex)
        return "spyre.topkindex.default";
    if (node.op == kRestickify && !node.addedBy.empty())
        return "spyre.restickify.default";
    return kAten[static_cast<std::size_t>(node.canonical)];
}

bool isCompileTimeOperand(const Node& node, std::size_t operand) {
    switch (node.canonical) {
    case Op::Clip:
    case Op::Pow:
    case Op::Softplus:
    case Op::TopK:
    case Op::CastLike:
    case Op::Pad:
    case Op::Tile:
    case Op::Expand:
        return operand > 0;
    default:
        return false;
    }
}

std::vector<std::int64_t> permutationOf(const Node& node, std::size_t rank) {
    auto permutation = node.attributes.integers("perm").value_or(std::vector<std::int64_t>{});
    std::vector<bool> isSeen(rank, false);
    bool isValid = permutation.size() == rank;
    for (const std::int64_t d : permutation) {
        isValid = isValid && d >= 0 && static_cast<std::size_t>(d) < rank
            && !isSeen[static_cast<std::size_t>(d)];
        if (isValid)
            isSeen[static_cast<std::size_t>(d)] = true;
    }
    if (!isValid) {
        permutation.resize(rank);
        for (std::size_t d = 0; d < rank; ++d)
            permutation[d] = static_cast<std::int64_t>(rank - 1 - d);
    }
    return permutation;
}

} // namespace fivefold::families::spyre
