// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/annotation.h"
#include "core/frontends/fx/operators.h"

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

/// exx2(x, scale, use zero mean): scale · Σx² and scale · Σx over the last axis, packed.
void moments(CallContext& call) {
    call.set("axis", std::int64_t(-1));
    if (const auto scale = call.number("scale"))
        call.set("scale", *scale);
    call.set("zero_mean", std::int64_t(call.flag("use_zero_mean") ? 1 : 0));
}

void momentScale(CallContext& call) {
    call.set("epsilon", call.number("eps").value_or(1e-5));
}

void tanhGelu(CallContext& call) {
    call.set("approximate", call.text("approximate").value_or("none"));
}

void swish(CallContext& call) {
    call.set("alpha", 1.0);
}

/// topkvalue and topkindex: the two results of a TopK, each by its own call. Index is result 1.
void topKValue(CallContext& call) {
    call.set("k", call.integer("k", 1));
    call.set("axis", call.integer("dim", -1));
    call.set("largest", std::int64_t(1));
}
void topKIndex(CallContext& call) {
    topKValue(call);
    call.setResultAt(1);
}

void reshape(CallContext& call) {
    call.add("self");
    if (const auto shape = call.integers("size"))
        call.add(call.constant(*shape));
}

void window(CallContext& call) {
    if (const auto kernel = call.integers("kernel_size"))
        call.set("kernel_shape", *kernel);
    if (const auto dilation = call.integers("dilation"))
        call.set("dilations", *dilation);
    if (const auto padding = call.integers("padding")) {
        std::vector<std::int64_t> pads = *padding;
        pads.insert(pads.end(), padding->begin(), padding->end());
        call.set("pads", pads);
    }
    if (const auto stride = call.integers("stride"))
        call.set("strides", *stride);
}

void norm(CallContext& call) {
    const auto shape = call.integers("normalized_shape");
    call.set("axis", shape ? -static_cast<std::int64_t>(shape->size()) : std::int64_t(-1));
    call.set("epsilon", call.number("eps").value_or(1e-5));
}

void full(CallContext& call) {
    if (const auto size = call.integers("size"))
        call.add(call.constant(*size));
    call.set(
        "value", call.scalarTensor(call.number("fill_value").value_or(0), call.result().dtype));
}

/// A part of the output, from `offsets` along `dims`, is the input.
void overwrite(CallContext& call) {
    call.add("output");
    call.add("input");
    if (const auto axes = call.integers("dims"))
        call.set("axes", *axes);
    if (const auto offsets = call.integers("offsets"))
        call.set("offsets", *offsets);
}

/// The custom operators that torch-spyre registers (torch_spyre/_inductor/customops.py, 2026).
constexpr Row kRows[] = {
    {"spyre.batched_matmul", Op::MatMul, "@self @mat2"},
    {"spyre.exx2", Op::NormMoments, "@self scale use_zero_mean", moments},
    {"spyre.layernormscale", Op::NormScale, "@self eps", momentScale},
    {"spyre.layernormnorm", Op::NormApply, "@self @mean @norm_mean @weight @bias"},
    {"spyre.silu", Op::Swish, "@self", swish},
    {"spyre.gelu", Op::Gelu, "@self approximate", tanhGelu},
    {"spyre.softplus", Op::Softplus, "@self beta threshold"},
    {"spyre.clamp", Op::Clip, "@self @min @max"},
    {"spyre.topkvalue", Op::TopK, "@self k dim", topKValue},
    {"spyre.topkindex", Op::TopK, "@self k dim", topKIndex},
    {"spyre.copy_", Op::CopyInto, "src dst",
        [](CallContext& call) {
            call.add("dst");
            call.add("src");
        }},
    {"spyre.copy_from_d2d", Op::CopyInto, "src dst",
        [](CallContext& call) {
            call.add("dst");
            call.add("src");
        }},
    {"spyre.layer_norm", Op::LayerNormalization, "@x normalized_shape @weight @bias eps", norm},
    {"spyre.rms_norm", Op::RMSNormalization, "@x normalized_shape @weight eps", norm},
    {"spyre.full", Op::ConstantOfShape, "size fill_value device dtype", full},
    {"spyre.logical_not", Op::Not, "@input"},
    {"spyre.restickify", Op::Identity, "@self"},
    {"spyre.to_dtype", Op::Cast, "@self dtype"},
    {"spyre.reshape_via_cpu", Op::Reshape, "self size", reshape},
    {"spyre.unfold", Op::Im2Col, "@self kernel_size dilation padding stride", window},
    {"spyre.causal_mask", Op::CausalMask, "rows columns dtype device",
        [](CallContext& call) {
            const auto rows = call.integer("rows");
            const auto columns = call.integer("columns");
            if (rows && columns)
                call.set("shape", std::vector<std::int64_t>{1, 1, *rows, *columns});
            call.set("dtype", dtypeCode(call.dtype("dtype").value_or(call.result().dtype)));
        }},
    {"spyre.constant", Op::Constant, "s",
        [](CallContext& call) {
            const ir::DType dtype = call.result().dtype;
            call.set("value",
                call.scalarTensor(call.number("s").value_or(0),
                    dtype == ir::DType::Undefined ? ir::DType::Float32 : dtype));
        }},
    {"spyre.overwrite", Op::CopyInto, "input output dims offsets", overwrite},
};

} // namespace

std::span<const Row> spyreRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
