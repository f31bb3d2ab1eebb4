// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

void quantize(NodeContext& context) {
    DType to = dtypeAttribute(context.attributes(), "output_dtype", DType::Undefined);
    if (to == DType::Undefined)
        to = context.has(2) ? context.dtype(2) : DType::UInt8;
    context.output(0, to, context.shape(0));
}

void dequantize(NodeContext& context) {
    DType to = dtypeAttribute(context.attributes(), "output_dtype", DType::Undefined);
    if (to == DType::Undefined)
        to = context.dtype(1);
    context.output(0, to, context.shape(0));
}

void dynamicQuantize(NodeContext& context) {
    context.output(0, DType::UInt8, context.shape(0));
    context.output(1, DType::Float32, Shape());
    context.output(2, DType::UInt8, Shape());
}

/// QLinearAdd, QLinearMul (com.microsoft): A, scale, zero, B, scale, zero, …
void quantizedBinary(NodeContext& context) {
    context.output(0, context.dtype(0), broadcast(context, context.shape(0), context.shape(3)));
}

/// QLinearConcat (com.microsoft): scale, zero, then (tensor, scale, zero) triples.
void quantizedConcat(NodeContext& context) {
    constexpr std::size_t kFirst = 2;
    constexpr std::size_t kStep = 3;
    MaybeShape out = context.shape(kFirst);
    if (out) {
        const auto axis =
            axisOf(context, context.integer("axis", 0), static_cast<int>(out->size()));
        if (!axis)
            return;
        for (std::size_t i = kFirst + kStep; i < context.inputCount(); i += kStep)
            (*out)[static_cast<std::size_t>(*axis)] =
                (*out)[static_cast<std::size_t>(*axis)] + context.dim(i, *axis);
    }
    context.output(0, context.dtype(kFirst), std::move(out));
}

} // namespace

void addQuantisedRules(RuleTable& table) {
    table.set(Op::QuantizeLinear, quantize);
    table.set(Op::DequantizeLinear, dequantize);
    table.set(Op::DynamicQuantizeLinear, dynamicQuantize);
    table.set({Op::QLinearAdd, Op::QLinearMul}, quantizedBinary);
    table.set({Op::QLinearSigmoid, Op::QLinearLeakyRelu, Op::QLinearSoftmax}, sameAsInput);
    table.set(Op::QLinearConcat, quantizedConcat);
}

} // namespace fivefold::ir::inference
