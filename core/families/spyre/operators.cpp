// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/operators.h"

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

    {Op::MatMul, OpKind::Matmul},
    {Op::FusedMatMul, OpKind::Matmul},

    {Op::Identity, OpKind::Copy},
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

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, word) != list.end();
}

// By ATen name max, amax, sum, exp, sub, mul, mean, add, rsqrt.
constexpr std::array<std::string_view, 8> kJuneLx = {
    "max", "sum", "exp", "sub", "mul", "mean", "add", "rsqrt"};
// August adds maximum, clone, neg, mm, bmm, div, expand, silu.
constexpr std::array<std::string_view, 14> kAugustLx = {"max", "maximum", "sum", "identity", "exp",
    "sub", "mul", "mean", "add", "rsqrt", "neg", "batchmatmul", "realdiv", "silu"};
constexpr std::array<std::string_view, 4> kJuneInPlace = {"exp", "sub", "add", "rsqrt"};

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
        {Op::Clip, "clamp"},
        {Op::TopK, "topkvalue"},
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
        {Op::Gather, "gather"},
    };
    return kWords;
}

OpKind kindOf(Op op) {
    return kKinds[static_cast<std::size_t>(op)];
}

OpKind kindOf(const Node& node) {
    if (node.support == lowering::Support::Fallback)
        return OpKind::Fallback;
    if (node.support == lowering::Support::Unsupported)
        return OpKind::Unsupported;
    if (node.op == kRestickify)
        return OpKind::Restickify;
    if (node.op == kClone && node.canonical != Op::Cast && node.canonical != Op::CastLike)
        return OpKind::Copy;
    if (node.op == kExx2 || node.op == kLayerNormScale || node.op == kLayerNormNorm)
        return OpKind::Norm;
    return kindOf(node.canonical);
}

bool isOpSpec(const Node& node) {
    return kindOf(node) != OpKind::View;
}

bool mayWriteLx(const Node& node, bool isAugust) {
    const std::string_view word = node.op;
    return isAugust ? isOneOf(word, kAugustLx) : isOneOf(word, kJuneLx);
}

bool mayReuseInput(const Node& node, bool isAugust) {
    if (!isAugust)
        return isOneOf(std::string_view(node.op), kJuneInPlace);
    return kindOf(node) == OpKind::Pointwise && mayWriteLx(node, true);
}

int wantedMatmulStick(const Node& node, std::size_t operand, std::size_t rank) {
    const auto last = static_cast<int>(rank) - 1;
    const char* key = operand == 0 ? "transA" : "transB";
    const bool isTransposed =
        node.canonical == Op::FusedMatMul && node.attributes.integer(key, 0) != 0;
    return isTransposed && last > 0 ? last - 1 : last;
}

} // namespace fivefold::families::spyre
