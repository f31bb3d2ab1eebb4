// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/annotation.h"
#include "core/frontends/fx/operators.h"

namespace fivefold::frontends::fx {

namespace {

using ir::Op;

/// add and sub: self ± alpha · other.
void withAlpha(CallContext& call) {
    if (const auto alpha = call.number("alpha"); alpha && *alpha != 1)
        call.set("alpha", *alpha);
}

void withRounding(CallContext& call) {
    if (const auto mode = call.text("rounding_mode"))
        call.set("rounding_mode", *mode);
}

void floorRounding(CallContext& call) {
    call.set("rounding_mode", std::string("floor"));
}

void pythonRemainder(CallContext& call) {
    call.set("fmod", std::int64_t(0));
}
void cRemainder(CallContext& call) {
    call.set("fmod", std::int64_t(1));
}

/// ONNX has one operator for bools and another for integers.
void boolWhere(CallContext& call, Op op) {
    if (call.type("self").dtype == ir::DType::Bool || call.result().dtype == ir::DType::Bool)
        call.node().op = op;
}
void bitNot(CallContext& call) {
    boolWhere(call, Op::Not);
}
void bitAnd(CallContext& call) {
    boolWhere(call, Op::And);
}
void bitOr(CallContext& call) {
    boolWhere(call, Op::Or);
}
void bitXor(CallContext& call) {
    boolWhere(call, Op::Xor);
}

void shiftLeft(CallContext& call) {
    call.set("direction", std::string("LEFT"));
}
void shiftRight(CallContext& call) {
    call.set("direction", std::string("RIGHT"));
}

void castTo(CallContext& call) {
    const ir::DType to = call.dtype("dtype").value_or(call.result().dtype);
    call.set("to", dtypeCode(to));
}

/// _to_copy: a cast where a dtype is given, else a copy.
void toCopy(CallContext& call) {
    if (const auto format = call.text("memory_format"))
        call.set("memory_format", *format);
    if (!call.dtype("dtype"))
        return;
    call.node().op = Op::Cast;
    castTo(call);
}

void bitCast(CallContext& call) {
    if (const auto to = call.dtype("dtype"))
        call.set("to", dtypeCode(*to));
}

void copyFormat(CallContext& call) {
    if (const auto format = call.text("memory_format"))
        call.set("memory_format", *format);
}

void gelu(CallContext& call) {
    call.set("approximate", call.text("approximate").value_or("none"));
}

void swish(CallContext& call) {
    call.set("alpha", 1.0);
}

void leakyRelu(CallContext& call) {
    call.set("alpha", call.number("negative_slope").value_or(0.01));
}

void elu(CallContext& call) {
    call.set("alpha", call.number("alpha").value_or(1));
    if (const auto scale = call.number("scale"); scale && *scale != 1)
        call.set("scale", *scale);
    if (const auto scale = call.number("input_scale"); scale && *scale != 1)
        call.set("input_scale", *scale);
}

void softplus(CallContext& call) {
    if (const auto beta = call.number("beta"); beta && *beta != 1)
        call.set("beta", *beta);
    if (const auto threshold = call.number("threshold"))
        call.set("threshold", *threshold);
}

/// hardsigmoid(x) = relu6(x + 3) / 6: ONNX's alpha x + beta.
void hardSigmoid(CallContext& call) {
    call.set("alpha", 1.0 / 6.0);
    call.set("beta", 0.5);
}

void limits(CallContext& call, double low, double high) {
    const ir::DType dtype = call.type("self").dtype;
    call.add("self");
    call.add(call.scalar(call.number("min_val").value_or(low), dtype));
    call.add(call.scalar(call.number("max_val").value_or(high), dtype));
}
void hardTanh(CallContext& call) {
    limits(call, -1, 1);
}
void relu6(CallContext& call) {
    limits(call, 0, 6);
}

void clampMax(CallContext& call) {
    call.add("self");
    call.add(ir::ValueId());
    call.add("max");
}

/// self + value · a · b, self + value · a / b: the third operand scales nothing away.
void withValue(CallContext& call) {
    if (const auto value = call.number("value"); value && *value != 1)
        call.set("value", *value);
}

void dropout(CallContext& call) {
    call.set("ratio", call.number("p").value_or(0.5));
    call.set("training_mode", std::int64_t(call.flag("train") ? 1 : 0));
}

void nativeDropout(CallContext& call) {
    dropout(call);
    call.setOutputs(2);
}

void decimals(CallContext& call) {
    if (const auto digits = call.integer("decimals"))
        call.set("decimals", *digits);
}

constexpr Row kRows[] = {
    {"aten.add", Op::Add, "@self @other alpha", withAlpha},
    {"aten.sub", Op::Sub, "@self @other alpha", withAlpha},
    {"aten.rsub", Op::Sub, "other self alpha",
        [](CallContext& call) {
            call.add("self");
            call.add("other");
            withAlpha(call);
        }},
    {"aten.mul", Op::Mul, "@self @other"},
    {"aten.div", Op::Div, "@self @other rounding_mode", withRounding},
    {"aten.floor_divide", Op::Div, "@self @other", floorRounding},
    {"aten.true_divide", Op::Div, "@self @other"},
    {"aten.remainder", Op::Mod, "@self @other", pythonRemainder},
    {"aten.fmod", Op::Mod, "@self @other", cRemainder},
    {"aten.pow", Op::Pow, "@self @exponent"},
    {"aten.maximum", Op::Max, "@self @other"},
    {"aten.minimum", Op::Min, "@self @other"},
    {"aten.max.other", Op::Max, "@self @other"},
    {"aten.min.other", Op::Min, "@self @other"},
    {"aten.fmax", Op::Max, "@self @other"},
    {"aten.fmin", Op::Min, "@self @other"},
    {"aten.atan2", Op::Atan2, "@self @other"},
    {"aten.eq", Op::Equal, "@self @other"},
    {"aten.ne", Op::NotEqual, "@self @other"},
    {"aten.lt", Op::Less, "@self @other"},
    {"aten.le", Op::LessOrEqual, "@self @other"},
    {"aten.gt", Op::Greater, "@self @other"},
    {"aten.ge", Op::GreaterOrEqual, "@self @other"},
    {"aten.bitwise_not", Op::BitwiseNot, "@self", bitNot},
    {"aten.bitwise_and", Op::BitwiseAnd, "@self @other", bitAnd},
    {"aten.bitwise_or", Op::BitwiseOr, "@self @other", bitOr},
    {"aten.bitwise_xor", Op::BitwiseXor, "@self @other", bitXor},
    {"aten.__and__", Op::BitwiseAnd, "@self @other", bitAnd},
    {"aten.__or__", Op::BitwiseOr, "@self @other", bitOr},
    {"aten.__xor__", Op::BitwiseXor, "@self @other", bitXor},
    {"aten.bitwise_left_shift", Op::BitShift, "@self @other", shiftLeft},
    {"aten.__lshift__", Op::BitShift, "@self @other", shiftLeft},
    {"aten.bitwise_right_shift", Op::BitShift, "@self @other", shiftRight},
    {"aten.__rshift__", Op::BitShift, "@self @other", shiftRight},
    {"aten.logical_not", Op::Not, "@self"},
    {"aten.logical_and", Op::And, "@self @other"},
    {"aten.logical_or", Op::Or, "@self @other"},
    {"aten.logical_xor", Op::Xor, "@self @other"},
    {"aten.where", Op::Where, "@condition @self @other"},
    {"aten.masked_fill", Op::Where, "self mask value",
        [](CallContext& call) {
            call.add("mask");
            call.add("value");
            call.add("self");
        }},
    {"aten.clamp", Op::Clip, "@self @min @max"},
    {"aten.clip", Op::Clip, "@self @min @max"},
    {"aten.clamp_min", Op::Clip, "@self @min"},
    {"aten.clamp_max", Op::Clip, "self max", clampMax},
    {"aten.hardtanh", Op::Clip, "self min_val max_val", hardTanh},
    {"aten.relu6", Op::Clip, "self", relu6},
    {"aten.addcmul", Op::AddProduct, "@self @tensor1 @tensor2 value", withValue},
    {"aten.addcdiv", Op::AddQuotient, "@self @tensor1 @tensor2 value", withValue},
    {"aten.lerp", Op::Lerp, "@self @end @weight"},
    {"aten.abs", Op::Abs, "@self"},
    {"aten.neg", Op::Neg, "@self"},
    {"aten.sign", Op::Sign, "@self"},
    {"aten.sgn", Op::Sign, "@self"},
    {"aten.floor", Op::Floor, "@self"},
    {"aten.ceil", Op::Ceil, "@self"},
    {"aten.round", Op::Round, "@self decimals", decimals},
    {"aten.trunc", Op::Trunc, "@self"},
    {"aten.fix", Op::Trunc, "@self"},
    {"aten.frac", Op::Frac, "@self"},
    {"aten.reciprocal", Op::Reciprocal, "@self"},
    {"aten.sqrt", Op::Sqrt, "@self"},
    {"aten.rsqrt", Op::Rsqrt, "@self"},
    {"aten.square", Op::Mul, "self",
        [](CallContext& call) {
            call.add("self");
            call.add("self");
        }},
    {"aten.exp", Op::Exp, "@self"},
    {"aten.exp2", Op::Exp2, "@self"},
    {"aten.expm1", Op::Expm1, "@self"},
    {"aten.log", Op::Log, "@self"},
    {"aten.log2", Op::Log2, "@self"},
    {"aten.log10", Op::Log10, "@self"},
    {"aten.log1p", Op::Log1p, "@self"},
    {"aten.sin", Op::Sin, "@self"},
    {"aten.cos", Op::Cos, "@self"},
    {"aten.tan", Op::Tan, "@self"},
    {"aten.asin", Op::Asin, "@self"},
    {"aten.acos", Op::Acos, "@self"},
    {"aten.atan", Op::Atan, "@self"},
    {"aten.sinh", Op::Sinh, "@self"},
    {"aten.cosh", Op::Cosh, "@self"},
    {"aten.tanh", Op::Tanh, "@self"},
    {"aten.asinh", Op::Asinh, "@self"},
    {"aten.acosh", Op::Acosh, "@self"},
    {"aten.atanh", Op::Atanh, "@self"},
    {"aten.erf", Op::Erf, "@self"},
    {"aten.erfc", Op::Erfc, "@self"},
    {"aten.erfinv", Op::ErfInv, "@self"},
    {"aten.isnan", Op::IsNaN, "@self"},
    {"aten.isinf", Op::IsInf, "@self"},
    {"aten.relu", Op::Relu, "@self"},
    {"aten.sigmoid", Op::Sigmoid, "@self"},
    {"aten.hardsigmoid", Op::HardSigmoid, "@self", hardSigmoid},
    {"aten.hardswish", Op::HardSwish, "@self"},
    {"aten.silu", Op::Swish, "@self", swish},
    {"aten.mish", Op::Mish, "@self"},
    {"aten.softplus", Op::Softplus, "@self beta threshold", softplus},
    {"aten.leaky_relu", Op::LeakyRelu, "@self negative_slope", leakyRelu},
    {"aten.elu", Op::Elu, "@self alpha scale input_scale", elu},
    {"aten.prelu", Op::PRelu, "@self @weight"},
    {"aten._prelu_kernel", Op::PRelu, "@self @weight"},
    {"aten.gelu", Op::Gelu, "@self approximate", gelu},
    {"aten.dropout", Op::Dropout, "@input p train", dropout},
    {"aten.native_dropout", Op::Dropout, "@input p train", nativeDropout},
    {"aten._to_copy", Op::Identity,
        "@self dtype layout device pin_memory non_blocking memory_format", toCopy},
    {"aten.to.dtype", Op::Cast, "@self dtype non_blocking copy memory_format", castTo},
    {"aten.view.dtype", Op::BitCast, "@self dtype", bitCast},
    {"prims.view_element_type", Op::BitCast, "@self dtype", bitCast},
    {"prims.convert_element_type", Op::Cast, "@self dtype", castTo},
    {"prims.device_put", Op::Identity, "@self device non_blocking"},
    {"prims.fma", Op::AddProduct, "a b c",
        [](CallContext& call) {
            call.add("c");
            call.add("a");
            call.add("b");
        }},
    {"aten.clone", Op::Identity, "@self memory_format", copyFormat},
    {"aten.contiguous", Op::Identity, "@self memory_format", copyFormat},
    {"aten.alias", Op::Identity, "@self"},
    {"aten.detach", Op::Identity, "@self"},
    {"aten.lift_fresh_copy", Op::Identity, "@self"},
    {"aten.lift_fresh", Op::Identity, "@self"},
    {"aten.copy", Op::CopyInto, "@self @src non_blocking"},
    {"aten.copy_", Op::CopyInto, "@self @src non_blocking"},
    {"operator.add", Op::Add, "@self @other"},
    {"operator.sub", Op::Sub, "@self @other"},
    {"operator.mul", Op::Mul, "@self @other"},
    {"operator.truediv", Op::Div, "@self @other"},
    {"operator.floordiv", Op::Div, "@self @other", floorRounding},
    {"operator.mod", Op::Mod, "@self @other", pythonRemainder},
    {"operator.pow", Op::Pow, "@self @exponent"},
    {"operator.matmul", Op::MatMul, "@self @other"},
    {"operator.eq", Op::Equal, "@self @other"},
    {"operator.ne", Op::NotEqual, "@self @other"},
    {"operator.lt", Op::Less, "@self @other"},
    {"operator.le", Op::LessOrEqual, "@self @other"},
    {"operator.gt", Op::Greater, "@self @other"},
    {"operator.ge", Op::GreaterOrEqual, "@self @other"},
    {"operator.and", Op::BitwiseAnd, "@self @other", bitAnd},
    {"operator.or", Op::BitwiseOr, "@self @other", bitOr},
    {"operator.xor", Op::BitwiseXor, "@self @other", bitXor},
    {"operator.neg", Op::Neg, "@self"},
    {"operator.invert", Op::BitwiseNot, "@self", bitNot},
    {"operator.not", Op::Not, "@self"},
    {"torch.sym_max", Op::Max, "@self @other"},
    {"torch.sym_min", Op::Min, "@self @other"},
    {"torch.sym_float", Op::Cast, "@self", castTo},
    {"torch.sym_int", Op::Cast, "@self", castTo},
    {"torch.sym_not", Op::Not, "@self"},
};

} // namespace

std::span<const Row> pointwiseRows() {
    return kRows;
}

} // namespace fivefold::frontends::fx
