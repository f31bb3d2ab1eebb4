// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <cmath>

namespace fivefold::ir::inference {

namespace {

void unary(NodeContext& context) {
    sameAsInput(context);
    propagatePointwise(context);
}

void unaryToBool(NodeContext& context) {
    context.output(0, DType::Bool, context.shape(0));
    propagatePointwise(context);
}

/// Add, Mul … before opset 7 broadcast the second operand to the first one's shape.
bool isLegacyBroadcast(NodeContext& context) {
    return context.attributes().has("axis") && context.integer("broadcast", 0) != 0;
}

MaybeShape binaryShape(NodeContext& context) {
    if (isLegacyBroadcast(context))
        return context.shape(0);
    // An operand that the file leaves out may have had any shape.
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (!context.has(i))
            return std::nullopt;
    return broadcastInputs(context, 0, context.inputCount());
}

DType firstKnownDType(NodeContext& context, std::size_t first = 0) {
    for (std::size_t i = first; i < context.inputCount(); ++i)
        if (context.dtype(i) != DType::Undefined)
            return context.dtype(i);
    return DType::Undefined;
}

void broadcastArithmetic(NodeContext& context) {
    context.output(0, firstKnownDType(context), binaryShape(context));
    propagatePointwise(context);
    if (context.op() == Op::Sub && context.wants(0) && context.has(0)
        && context.scalar(1).value_or(-1) >= 0)
        context.outputBound(0, context.state().bounds[context.input(0)]);
}

void broadcastToBool(NodeContext& context) {
    context.output(0, DType::Bool, binaryShape(context));
    propagatePointwise(context);
}

/// Pow: the base's type.
void power(NodeContext& context) {
    context.output(0, context.dtype(0), binaryShape(context));
    propagatePointwise(context);
}

void where(NodeContext& context) {
    const MaybeShape shape = broadcastInputs(context, 0, 3);
    context.output(0, firstKnownDType(context, 1), shape);
    const Contents* condition = context.contents(0);
    if (!condition || !shape || context.isRejected())
        return;
    const auto a = wholeContents(context, 1);
    const auto b = wholeContents(context, 2);
    const auto out = knownShape(*shape);
    if (!a || !b || !out || !context.shape(0) || elementCount(*shape).value() > kContentsLimit)
        return;
    const auto atCondition = broadcastIndices(*knownShape(*context.shape(0)), *out);
    const auto atA = broadcastIndices(*knownShape(*context.shape(1)), *out);
    const auto atB = broadcastIndices(*knownShape(*context.shape(2)), *out);
    Contents result;
    for (std::size_t e = 0; e < atA.size(); ++e) {
        const Dim& c = (*condition)[atCondition[e]];
        const Dim& left = (*a)[atA[e]];
        const Dim& right = (*b)[atB[e]];
        result.push_back(isSame(left, right) ? left
                : !c.isKnown()               ? Dim()
                : c.value()                  ? left
                                             : right);
    }
    context.outputContents(0, std::move(result));
}

void passBound(NodeContext& context) {
    if (context.has(0))
        context.outputBound(0, context.state().bounds[context.input(0)]);
}

void castNumbers(NodeContext& context, DType to) {
    const bool isFromFloat = isFloat(context.dtype(0));
    if (!isFromFloat || isFloat(to)) {
        propagatePointwise(context);
        return;
    }
    const ValueId id = context.input(0);
    const bool isStored = id.isValid() && context.state().graph.values[id].data.isValid();
    if (id.isValid() && (isStored || context.state().numbers[id])) {
        if (const Numbers* numbers = context.numbers(0)) {
            constexpr double kLargest = 9.2e18;
            Contents result;
            for (const double n : *numbers) {
                const bool fits = std::fabs(n) < kLargest;
                const Dim whole = fits ? Dim(static_cast<std::int64_t>(n)) : Dim();
                result.push_back(to == DType::Bool ? Dim(n != 0 ? 1 : 0) : whole);
            }
            context.outputContents(0, std::move(result));
            return;
        }
    }
    propagatePointwise(context);
}

/// An integer turned into a bool is 0 or 1, not itself.
void boolContents(NodeContext& context) {
    const Contents* contents = context.contents(0);
    if (!contents)
        return;
    Contents result;
    for (const Dim& d : *contents)
        result.push_back(d.is(0) ? Dim(0) : isPositive(d) || isNegative(d) ? Dim(1) : Dim());
    context.outputContents(0, std::move(result));
}

void cast(NodeContext& context) {
    const DType to = context.op() == Op::CastLike
        ? context.dtype(1)
        : dtypeAttribute(context.attributes(), "to", DType::Undefined);
    context.output(0, to, context.shape(0));
    passBound(context);
    if (to == DType::Bool && !isFloat(context.dtype(0)))
        boolContents(context);
    else if (context.dtype(0) != DType::String && to != DType::String) {
        if (context.op() == Op::CastLike) {
            if (const Contents* contents = context.contents(0); contents && to != DType::Bool)
                context.outputContents(0, *contents);
        } else {
            castNumbers(context, to);
        }
    }
}

/// BitCast reinterprets; other widths change the last axis (as PyTorch's view(dtype) does).
void bitCast(NodeContext& context) {
    const DType to = dtypeAttribute(context.attributes(), "to", DType::Undefined);
    MaybeShape shape = context.shape(0);
    const int from = bitWidth(context.dtype(0));
    const int target = bitWidth(to);
    if (shape && !shape->empty() && from > 0 && target > 0 && from != target)
        shape->back() = floorDiv(shape->back() * Dim(from), Dim(target));
    context.output(0, to, std::move(shape));
}

void identity(NodeContext& context) {
    if (!context.has(0) || !context.wants(0))
        return;
    copyKnowledge(context.state(), context.input(0), context.node().outputs[0]);
}

void dropout(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(0));
    const bool isLegacyMask = context.node().version > 0 && context.node().version < 10;
    context.output(1, isLegacyMask ? context.dtype(0) : DType::Bool, context.shape(0));
}

void clip(NodeContext& context) {
    sameAsInput(context);
    const auto low = context.scalar(1);
    const auto high = context.scalar(2);
    const Contents* contents = context.contents(0);
    if (!contents || (context.has(1) && !low) || (context.has(2) && !high))
        return;
    Contents result;
    for (Dim d : *contents) {
        if (low)
            d = dimMax(d, Dim(*low));
        if (high)
            d = dimMin(d, Dim(*high));
        result.push_back(d);
    }
    context.outputContents(0, std::move(result));
}

} // namespace

void addPointwiseRules(RuleTable& table) {
    table.set({Op::Abs, Op::Acos, Op::Acosh, Op::Asin, Op::Asinh, Op::Atan, Op::Atanh,
                  Op::BitwiseNot, Op::Ceil, Op::Celu, Op::Cos, Op::Cosh, Op::Elu, Op::Erf, Op::Exp,
                  Op::Floor, Op::Gelu, Op::HardSigmoid, Op::HardSwish, Op::LeakyRelu, Op::Log,
                  Op::Mish, Op::Neg, Op::Reciprocal, Op::Relu, Op::Round, Op::Selu, Op::Shrink,
                  Op::Sigmoid, Op::Sign, Op::Sin, Op::Sinh, Op::Softplus, Op::Softsign, Op::Sqrt,
                  Op::Swish, Op::Tan, Op::Tanh, Op::ThresholdedRelu, Op::Rsqrt},
        unary);
    table.set({Op::IsInf, Op::IsNaN, Op::Not}, unaryToBool);
    table.set({Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Max, Op::Min, Op::Mean, Op::Sum, Op::Mod,
                  Op::BitShift, Op::BitwiseAnd, Op::BitwiseOr, Op::BitwiseXor},
        broadcastArithmetic);
    table.set({Op::And, Op::Or, Op::Xor, Op::Equal, Op::Greater, Op::GreaterOrEqual, Op::Less,
                  Op::LessOrEqual},
        broadcastToBool);
    table.set(Op::Pow, power);
    table.set(Op::PRelu, sameAsInput);
    table.set(Op::Where, where);
    table.set({Op::Cast, Op::CastLike}, cast);
    table.set(Op::BitCast, bitCast);
    table.set(Op::Identity, identity);
    table.set(Op::Dropout, dropout);
    table.set(Op::Clip, clip);
}

} // namespace fivefold::ir::inference
