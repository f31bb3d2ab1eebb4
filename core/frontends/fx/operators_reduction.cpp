// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/annotation.h"
#include "core/frontends/fx/operators.h"

#include <algorithm>

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

/// dim (absent or empty: all axes) and keepdim; a dtype argument is the result's own.
void reduce(CallContext& call) {
    const auto isWhole = [&](std::int64_t axis) { return call.isScalarAxis("self", axis); };
    const auto axes = call.integers("dim");
    if (axes && !std::all_of(axes->begin(), axes->end(), isWhole))
        call.set("axes", *axes);
    call.set("keepdims", std::int64_t(call.flag("keepdim") ? 1 : 0));
}

/// One axis; of a scalar, the whole tensor.
void setAxis(CallContext& call, std::int64_t axis) {
    if (call.isScalarAxis("self", axis))
        call.set("all_axes", std::int64_t(1));
    else
        call.set("axis", axis);
}

/// The statistical correction: Bessel's 1 unless said otherwise; older overloads have a flag.
void spread(CallContext& call) {
    reduce(call);
    const bool isUnbiased = call.flag("unbiased", true);
    call.set("correction", call.number("correction").value_or(isUnbiased ? 1 : 0));
}

void spreadAndMean(CallContext& call) {
    spread(call);
    call.setOutputs(2);
}

void argument(CallContext& call) {
    if (const auto axis = call.integer("dim"))
        setAxis(call, *axis);
    else
        call.set("all_axes", std::int64_t(1)); // the index into the flattened input
    call.set("keepdims", std::int64_t(call.flag("keepdim") ? 1 : 0));
}

void withIndices(CallContext& call) {
    setAxis(call, call.integer("dim", -1));
    call.set("keepdims", std::int64_t(call.flag("keepdim") ? 1 : 0));
    call.setOutputs(2);
}

void cumulative(CallContext& call) {
    const std::int64_t axis = call.integer("dim", 0);
    call.add("self");
    call.add(call.constant({axis}));
    call.set("axis", axis);
}

void alongAxis(CallContext& call) {
    call.set("axis", call.integer("dim", -1));
}

void online(CallContext& call) {
    setAxis(call, call.integer("dim", -1));
    call.setOutputs(2);
}

/// topk(self, k, dim, largest, sorted).
void topK(CallContext& call) {
    call.set("k", call.integer("k", 1));
    setAxis(call, call.integer("dim", -1));
    call.set("largest", std::int64_t(call.flag("largest", true) ? 1 : 0));
    call.set("sorted", std::int64_t(call.flag("sorted", true) ? 1 : 0));
    call.setOutputs(2);
}

/// A sort is a TopK of the whole axis.
void sort(CallContext& call) {
    const std::int64_t axis = call.integer("dim", -1);
    const auto& shape = call.type("self").shape;
    const auto rank = shape ? static_cast<std::int64_t>(shape->size()) : 0;
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at >= 0 && at < rank && (*shape)[static_cast<std::size_t>(at)].isKnown())
        call.set("k", (*shape)[static_cast<std::size_t>(at)].value());
    else if (rank == 0 && shape)
        call.set("k", std::int64_t(1));
    setAxis(call, axis);
    call.set("largest", std::int64_t(call.flag("descending") ? 1 : 0));
    call.set("sorted", std::int64_t(1));
    if (call.flag("stable"))
        call.set("stable", std::int64_t(1));
    call.setOutputs(2);
}

/// native_layer_norm(input, normalized_shape, weight, bias, eps): the trailing axes of that shape.
void layerNorm(CallContext& call) {
    const auto shape = call.integers("normalized_shape");
    call.set("axis", shape ? -static_cast<std::int64_t>(shape->size()) : std::int64_t(-1));
    call.set("epsilon", call.number("eps").value_or(1e-5));
}
void nativeLayerNorm(CallContext& call) {
    layerNorm(call);
    call.setOutputs(3);
}

void groupNorm(CallContext& call) {
    call.set("num_groups", call.integer("group", 1));
    call.set("epsilon", call.number("eps").value_or(1e-5));
}
void nativeGroupNorm(CallContext& call) {
    groupNorm(call);
    call.setOutputs(3);
}

/// Inputs X, scale, B, mean, var as in ONNX; results 1 and 2 are the saved statistics.
void batchNorm(CallContext& call) {
    call.set("epsilon", call.number("eps").value_or(1e-5));
    call.set("momentum", call.number("momentum").value_or(0.1));
    call.set("training_mode", std::int64_t(call.flag("training") ? 1 : 0));
}
void nativeBatchNorm(CallContext& call) {
    batchNorm(call);
    call.setOutputs(3);
}

/// Symmetric ATen padding as ONNX's begins and ends.
void setWindow(CallContext& call, std::string_view kernel) {
    const auto size = call.integers(kernel);
    if (!size)
        return;
    std::vector<std::int64_t> window = *size;
    const std::size_t axes = std::max<std::size_t>(window.size(), 2);
    const auto spread = [axes](std::vector<std::int64_t> values) {
        if (values.size() == 1)
            values.assign(axes, values[0]);
        return values;
    };
    window = spread(window);
    call.set("kernel_shape", window);
    auto strides = call.integers("stride").value_or(std::vector<std::int64_t>{});
    call.set("strides", strides.empty() ? window : spread(strides));
    std::vector<std::int64_t> pads =
        spread(call.integers("padding").value_or(std::vector<std::int64_t>{0}));
    pads.insert(pads.end(), pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(pads.size()));
    call.set("pads", pads);
    if (const auto dilation = call.integers("dilation"); dilation && !dilation->empty())
        call.set("dilations", spread(*dilation));
    call.set("ceil_mode", std::int64_t(call.flag("ceil_mode") ? 1 : 0));
}

void maxPool(CallContext& call) {
    setWindow(call, "kernel_size");
    call.setOutputs(2);
}

void averagePool(CallContext& call) {
    setWindow(call, "kernel_size");
    call.set("count_include_pad", std::int64_t(call.flag("count_include_pad", true) ? 1 : 0));
    if (const auto divisor = call.integer("divisor_override"))
        call.set("divisor_override", *divisor);
}

void adaptivePool(CallContext& call) {
    const auto size = call.integers("output_size");
    if (size)
        call.set("output_size", *size);
    if (size && std::all_of(size->begin(), size->end(), [](std::int64_t s) { return s == 1; }))
        call.node().op = Op::GlobalAveragePool;
}

constexpr std::string_view kBatchNorm =
    "@input @weight @bias @running_mean @running_var training momentum eps";

constexpr Row kRows[] = {
    {"aten.sum", Op::ReduceSum, "@self dim keepdim dtype", reduce},
    {"aten.sum.default", Op::ReduceSum, "@self dtype", reduce},
    {"aten.mean", Op::ReduceMean, "@self dim keepdim dtype", reduce},
    {"aten.mean.default", Op::ReduceMean, "@self dtype", reduce},
    {"aten.prod", Op::ReduceProd, "@self dtype", reduce},
    {"aten.prod.dim_int", Op::ReduceProd, "@self dim keepdim dtype", reduce},
    {"aten.amax", Op::ReduceMax, "@self dim keepdim", reduce},
    {"aten.amin", Op::ReduceMin, "@self dim keepdim", reduce},
    {"aten.max", Op::ReduceMax, "@self", reduce},
    {"aten.min", Op::ReduceMin, "@self", reduce},
    {"aten.max.dim", Op::MaxWithIndex, "@self dim keepdim", withIndices},
    {"aten.min.dim", Op::MinWithIndex, "@self dim keepdim", withIndices},
    {"aten.any", Op::ReduceAny, "@self dim keepdim", reduce},
    {"aten.all", Op::ReduceAll, "@self dim keepdim", reduce},
    {"aten.logsumexp", Op::ReduceLogSumExp, "@self dim keepdim", reduce},
    {"aten.argmax", Op::ArgMax, "@self dim keepdim", argument},
    {"aten.argmin", Op::ArgMin, "@self dim keepdim", argument},
    {"aten.var", Op::Variance, "@self dim correction keepdim", spread},
    {"aten.var.dim", Op::Variance, "@self dim unbiased keepdim", spread},
    {"aten.var.default", Op::Variance, "@self unbiased", spread},
    {"aten.std", Op::StandardDeviation, "@self dim correction keepdim", spread},
    {"aten.std.dim", Op::StandardDeviation, "@self dim unbiased keepdim", spread},
    {"aten.std.default", Op::StandardDeviation, "@self unbiased", spread},
    {"aten.var_mean", Op::VarianceMean, "@self dim correction keepdim", spreadAndMean},
    {"aten.var_mean.dim", Op::VarianceMean, "@self dim unbiased keepdim", spreadAndMean},
    {"aten.var_mean.default", Op::VarianceMean, "@self unbiased", spreadAndMean},
    {"prims.var", Op::Variance, "@self dim correction", spread},
    {"prims.sum", Op::ReduceSum, "@self dim", reduce},
    {"prims.prepare_softmax_online", Op::SoftmaxStatistics, "@self dim", online},
    {"aten._softmax", Op::Softmax, "@self dim half_to_float", alongAxis},
    {"aten._safe_softmax", Op::Softmax, "@self dim dtype", alongAxis},
    {"aten.softmax", Op::Softmax, "@self dim dtype", alongAxis},
    {"aten._log_softmax", Op::LogSoftmax, "@self dim half_to_float", alongAxis},
    {"aten.log_softmax", Op::LogSoftmax, "@self dim dtype", alongAxis},
    {"aten.cumsum", Op::CumSum, "self dim dtype", cumulative},
    {"aten.cumprod", Op::CumProd, "self dim dtype", cumulative},
    {"aten.topk", Op::TopK, "@self k dim largest sorted", topK},
    {"aten.sort", Op::TopK, "@self dim descending", sort},
    {"aten.sort.stable", Op::TopK, "@self stable dim descending", sort},
    {"prims._low_memory_max_pool_with_offsets", Op::MaxPool,
        "@self kernel_size stride padding dilation ceil_mode", maxPool},
    {"prims._low_memory_max_pool2d_with_offsets", Op::MaxPool,
        "@self kernel_size stride padding dilation ceil_mode", maxPool},
    {"aten.max_pool2d_with_indices", Op::MaxPool,
        "@self kernel_size stride padding dilation ceil_mode", maxPool},
    {"aten.max_pool3d_with_indices", Op::MaxPool,
        "@self kernel_size stride padding dilation ceil_mode", maxPool},
    {"aten.avg_pool2d", Op::AveragePool,
        "@self kernel_size stride padding ceil_mode count_include_pad divisor_override",
        averagePool},
    {"aten._adaptive_avg_pool2d", Op::AdaptiveAveragePool, "@self output_size", adaptivePool},
    {"aten.adaptive_avg_pool2d", Op::AdaptiveAveragePool, "@self output_size", adaptivePool},
    {"aten.native_layer_norm", Op::LayerNormalization, "@input normalized_shape @weight @bias eps",
        nativeLayerNorm},
    {"aten.layer_norm", Op::LayerNormalization, "@input normalized_shape @weight @bias eps",
        layerNorm},
    {"aten.rms_norm", Op::RMSNormalization, "@input normalized_shape @weight eps", layerNorm},
    {"aten._fused_rms_norm", Op::RMSNormalization, "@input normalized_shape @weight eps",
        [](CallContext& call) {
            layerNorm(call);
            call.setOutputs(2);
        }},
    {"aten.native_group_norm", Op::GroupNormalization, "@input @weight @bias N C HxW group eps",
        nativeGroupNorm},
    {"aten.group_norm", Op::GroupNormalization, "@input group @weight @bias eps", groupNorm},
    {"aten.native_batch_norm", Op::BatchNormalization, kBatchNorm, nativeBatchNorm},
    {"aten._native_batch_norm_legit", Op::BatchNormalization, kBatchNorm, nativeBatchNorm},
    {"aten._native_batch_norm_legit_functional", Op::BatchNormalization, kBatchNorm,
        [](CallContext& call) {
            batchNorm(call);
            call.setOutputs(5);
        }},
    {"aten._native_batch_norm_legit_no_training", Op::BatchNormalization,
        "@input @weight @bias @running_mean @running_var momentum eps", nativeBatchNorm},
    {"aten.cudnn_batch_norm", Op::BatchNormalization, kBatchNorm, nativeBatchNorm},
};

} // namespace

std::span<const Row> reductionRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
