// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/operators.h"

#include <array>
#include <unordered_map>

namespace fivefold::frontends::onnx {

namespace {

using ir::Op;

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::string_view kMicrosoftNhwc = "com.microsoft.nhwc";
constexpr std::string_view kInternalNhwc = "com.ms.internal.nhwc";

/// Operators of com.microsoft whose canonical name differs from their own, or that share a standard
/// name but mean something else (Attention). From ONNX Runtime's ContribOperators.md.
const std::unordered_map<std::string_view, OperatorMatch>& microsoftNames() {
    static const std::unordered_map<std::string_view, OperatorMatch> names = {
        {"Attention", {Op::PackedAttention}},
        {"MoE", {Op::MixtureOfExperts}},
        {"QMoE", {Op::MixtureOfExperts}},
        {"TransposeMatMul", {Op::FusedMatMul}},
        {"MatMulBnb4", {Op::MatMulNBits}},
        {"SimplifiedLayerNormalization", {Op::RMSNormalization}},
        {"SkipSimplifiedLayerNormalization", {Op::SkipRMSNormalization}},
        {"GroupNorm", {Op::GroupNormalization, true}},
        {"NhwcConv", {Op::Conv, true}},
        {"NhwcFusedConv", {Op::FusedConv, true}},
        {"NhwcMaxPool", {Op::MaxPool, true}},
        {"ReduceSumInteger", {Op::ReduceSum}},
        {"QLinearReduceMean", {Op::Unknown}},
    };
    return names;
}

/// Operators of com.microsoft that keep their name and the meaning of the canonical operator.
constexpr std::array kMicrosoftSame = {Op::FusedMatMul, Op::FusedConv, Op::FusedGemm,
    Op::MatMulNBits, Op::DynamicQuantizeMatMul, Op::MatMulIntegerToFloat, Op::QAttention,
    Op::PackedAttention, Op::MultiHeadAttention, Op::GroupQueryAttention, Op::LinearAttention,
    Op::SkipLayerNormalization, Op::EmbedLayerNormalization, Op::Gelu, Op::BiasGelu, Op::FastGelu,
    Op::QuickGelu, Op::BiasAdd, Op::BiasSplitGelu, Op::RotaryEmbedding, Op::QLinearConv,
    Op::QLinearMatMul, Op::QLinearAdd, Op::QLinearMul, Op::QLinearSigmoid, Op::QLinearLeakyRelu,
    Op::QLinearSoftmax, Op::QLinearConcat, Op::QLinearAveragePool, Op::QLinearGlobalAveragePool,
    Op::QuantizeLinear, Op::DequantizeLinear, Op::GatherBlockQuantized, Op::CropAndResize,
    Op::Inverse, Op::Trilu, Op::Unique, Op::GatherND, Op::Range, Op::Pad, Op::GridSample,
    Op::LayerNormalization};

/// Operators of the standard domains whose canonical name differs from their own.
/// SimplifiedLayerNormalization is not in ONNX: ONNX Runtime registers it there all the same.
const std::unordered_map<std::string_view, Op>& standardNames() {
    static const std::unordered_map<std::string_view, Op> names = {
        {"LRN", Op::LocalResponseNormalization},
        {"SwiGLU", Op::SwiGlu},
        {"FlexAttention", Op::Attention},
        {"SimplifiedLayerNormalization", Op::RMSNormalization},
    };
    return names;
}

OperatorMatch matchStandard(std::string_view opType) {
    if (const auto found = standardNames().find(opType); found != standardNames().end())
        return {found->second};
    return {ir::findOp(opType).value_or(Op::Unknown)};
}

OperatorMatch matchMicrosoft(std::string_view opType) {
    if (const auto found = microsoftNames().find(opType); found != microsoftNames().end())
        return found->second;
    for (const Op op : kMicrosoftSame)
        if (ir::name(op) == opType)
            return {op};
    return {};
}

} // namespace

std::string_view normalisedDomain(std::string_view domain) {
    return domain == "ai.onnx" ? std::string_view() : domain;
}

OperatorMatch matchOperator(std::string_view domain, std::string_view opType) {
    domain = normalisedDomain(domain);
    if (domain.empty() || domain == "ai.onnx.ml" || domain == "ai.onnx.training"
        || domain == "ai.onnx.preview.training" || domain == "ai.onnx.preview")
        return matchStandard(opType);
    if (domain == kMicrosoft)
        return matchMicrosoft(opType);
    if (domain == kInternalNhwc || domain == kMicrosoftNhwc) {
        OperatorMatch match = matchStandard(opType);
        match.isChannelsLast = match.op != Op::Unknown;
        return match;
    }
    return {};
}

std::optional<std::int64_t> newestKnownOpset(std::string_view domain) {
    domain = normalisedDomain(domain);
    if (domain.empty())
        return 28; // ONNX 1.23
    if (domain == "ai.onnx.ml")
        return 5; // since ONNX 1.16
    if (domain == "ai.onnx.training" || domain == "ai.onnx.preview"
        || domain == "ai.onnx.preview.training")
        return 1;
    return std::nullopt;
}

} // namespace fivefold::frontends::onnx
