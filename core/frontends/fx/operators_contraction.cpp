// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/operators.h"

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

/// ATen puts the added matrix first, Gemm last; beta · C + alpha · A B.
void addProduct(CallContext& call) {
    call.add("mat1");
    call.add("mat2");
    call.add("self");
    call.set("alpha", call.number("alpha").value_or(1));
    call.set("beta", call.number("beta").value_or(1));
}

/// x · weightᵀ + bias: a Gemm for matrices, Linear for more axes.
void linear(CallContext& call) {
    if (call.rank("input") == 2) {
        call.node().op = Op::Gemm;
        call.set("transB", std::int64_t(1));
    }
    call.add("input");
    call.add("weight");
    if (call.has("bias"))
        call.add("bias");
}

void einsum(CallContext& call) {
    call.set("equation", call.text("equation").value_or(""));
    for (const ir::ValueId id : call.operands("tensors"))
        call.add(id);
}

std::vector<std::int64_t> spreadTo(std::vector<std::int64_t> values, std::size_t count) {
    if (values.size() == 1)
        values.assign(count, values[0]);
    return values;
}

/// convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups).
void convolution(CallContext& call) {
    const int rank = call.rank("input");
    const std::size_t axes = rank > 2 ? static_cast<std::size_t>(rank - 2) : 2;
    call.set(
        "strides", spreadTo(call.integers("stride").value_or(std::vector<std::int64_t>{1}), axes));
    std::vector<std::int64_t> pads =
        spreadTo(call.integers("padding").value_or(std::vector<std::int64_t>{0}), axes);
    const std::vector<std::int64_t> ends = pads;
    pads.insert(pads.end(), ends.begin(), ends.end());
    call.set("pads", pads);
    call.set("dilations",
        spreadTo(call.integers("dilation").value_or(std::vector<std::int64_t>{1}), axes));
    call.set("group", call.integer("groups", 1));
    if (const auto& shape = call.type("weight").shape; shape && shape->size() > 2)
        if (const auto kernel = ir::knownShape(ir::Shape(shape->begin() + 2, shape->end())))
            call.set("kernel_shape", *kernel);
    if (!call.flag("transposed"))
        return;
    call.node().op = Op::ConvTranspose;
    if (const auto extra = call.integers("output_padding"); extra && !extra->empty())
        call.set("output_padding", spreadTo(*extra, axes));
}

void setAttention(CallContext& call) {
    call.add("query");
    call.add("key");
    call.add("value");
    if (call.has("attn_mask"))
        call.add("attn_mask");
    if (call.flag("is_causal"))
        call.set("is_causal", std::int64_t(1));
    if (const auto scale = call.number("scale"))
        call.set("scale", *scale);
    if (const auto p = call.number("dropout_p"); p && *p != 0)
        call.set("dropout_p", *p);
    if (call.flag("enable_gqa"))
        call.set("enable_gqa", std::int64_t(1));
}

/// Attention of ONNX has Y, present key, present value and the scores; what the ATen kernels return
/// besides Y (log-sum-exp, random state) stands behind those.
template <int Results> void attention(CallContext& call) {
    constexpr std::size_t kCanonicalOutputs = 4;
    setAttention(call);
    if (Results > 1) {
        call.setOutputs(1);
        call.setOutputGap(kCanonicalOutputs - 1);
    }
}

constexpr std::string_view kPlain =
    "query key value attn_mask dropout_p is_causal scale enable_gqa";

constexpr Row kRows[] = {
    {"aten.mm", Op::MatMul, "@self @mat2"},
    {"aten.bmm", Op::MatMul, "@self @mat2"},
    {"aten.matmul", Op::MatMul, "@self @other"},
    {"aten.mv", Op::MatMul, "@self @vec"},
    {"aten.dot", Op::MatMul, "@self @tensor"},
    {"aten.vdot", Op::MatMul, "@self @tensor"},
    {"aten.addmm", Op::Gemm, "self mat1 mat2 beta alpha", addProduct},
    {"aten.baddbmm", Op::BatchGemm, "self mat1 mat2 beta alpha", addProduct},
    {"aten.addmv", Op::BatchGemm, "self mat1 mat2 beta alpha", addProduct},
    {"aten.linear", Op::Linear, "input weight bias", linear},
    {"mkldnn._linear_pointwise", Op::Linear, "input weight bias attr", linear},
    {"aten.einsum", Op::Einsum, "equation tensors", einsum},
    {"aten.convolution", Op::Conv,
        "@input @weight @bias stride padding dilation transposed output_padding groups",
        convolution},
    {"aten._convolution", Op::Conv,
        "@input @weight @bias stride padding dilation transposed output_padding groups",
        convolution},
    {"aten.conv1d", Op::Conv, "@input @weight @bias stride padding dilation groups", convolution},
    {"aten.conv2d", Op::Conv, "@input @weight @bias stride padding dilation groups", convolution},
    {"aten.conv3d", Op::Conv, "@input @weight @bias stride padding dilation groups", convolution},
    {"aten.scaled_dot_product_attention", Op::Attention, kPlain, attention<1>},
    {"aten._scaled_dot_product_flash_attention", Op::Attention,
        "query key value dropout_p is_causal return_debug_mask scale", attention<9>},
    {"aten._scaled_dot_product_flash_attention_for_cpu", Op::Attention,
        "query key value dropout_p is_causal attn_mask scale", attention<2>},
    {"aten._scaled_dot_product_efficient_attention", Op::Attention,
        "query key value attn_mask compute_log_sumexp dropout_p is_causal scale", attention<4>},
    {"aten._scaled_dot_product_cudnn_attention", Op::Attention,
        "query key value attn_mask compute_log_sumexp dropout_p is_causal return_debug_mask scale",
        attention<9>},
    {"aten._scaled_dot_product_fused_attention_overrideable", Op::Attention,
        "query key value attn_mask dropout_p is_causal return_debug_mask scale", attention<9>},
    {"aten._scaled_dot_product_attention_math", Op::Attention,
        "query key value attn_mask dropout_p is_causal dropout_mask scale enable_gqa",
        attention<2>},
};

} // namespace

std::span<const Row> contractionRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
