// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace fivefold::ir::inference {

bool isPositive(const Dim& dim) {
    return dim.isKnown() ? dim.value() > 0 : isSame(dimMax(dim, Dim(1)), dim);
}

bool isNegative(const Dim& dim) {
    return isPositive(Dim(0) - dim);
}

bool isNonNegative(const Dim& dim) {
    return dim.isKnown() ? dim.value() >= 0 : isSame(dimMax(dim, Dim(0)), dim);
}

DType dtypeOfCode(std::int64_t code) {
    static constexpr std::array kCodes{DType::Undefined, DType::Float32, DType::UInt8, DType::Int8,
        DType::UInt16, DType::Int16, DType::Int32, DType::Int64, DType::String, DType::Bool,
        DType::Float16, DType::Float64, DType::UInt32, DType::UInt64, DType::Complex64,
        DType::Complex128, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E4M3FNUZ,
        DType::Float8E5M2, DType::Float8E5M2FNUZ, DType::UInt4, DType::Int4, DType::Float4E2M1,
        DType::Float8E8M0, DType::UInt2, DType::Int2};
    return code >= 0 && code < static_cast<std::int64_t>(kCodes.size())
        ? kCodes[static_cast<std::size_t>(code)]
        : DType::Undefined;
}

DType dtypeAttribute(const Attributes& attributes, std::string_view name, DType fallback) {
    const AttributeValue* value = attributes.find(name);
    if (!value)
        return fallback;
    if (const auto* code = std::get_if<std::int64_t>(value))
        return dtypeOfCode(*code);
    static const std::map<std::string, DType> kNames{{"FLOAT", DType::Float32},
        {"FLOAT16", DType::Float16}, {"DOUBLE", DType::Float64}, {"INT8", DType::Int8},
        {"INT16", DType::Int16}, {"INT32", DType::Int32}, {"INT64", DType::Int64},
        {"UINT8", DType::UInt8}, {"UINT16", DType::UInt16}, {"UINT32", DType::UInt32},
        {"UINT64", DType::UInt64}, {"BOOL", DType::Bool}, {"STRING", DType::String}};
    if (const auto* text = std::get_if<std::string>(value))
        if (const auto found = kNames.find(*text); found != kNames.end())
            return found->second;
    return DType::Undefined;
}

Dim evaluateUnary(Op op, const Dim& a) {
    switch (op) {
    case Op::Abs:
        return isNonNegative(a) ? a : isNegative(a) ? Dim(0) - a : Dim();
    case Op::Neg:
        return Dim(0) - a;
    case Op::Sign:
        return isPositive(a) ? Dim(1) : isNegative(a) ? Dim(-1) : a.is(0) ? Dim(0) : Dim();
    case Op::Not:
        return a.isKnown() ? Dim(a.value() == 0 ? 1 : 0) : Dim();
    case Op::BitwiseNot:
        return Dim(-1) - a;
    case Op::Relu:
        return dimMax(a, Dim(0));
    case Op::Identity:
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Cast:
    case Op::CastLike:
    case Op::Dropout:
    case Op::Sum:
    case Op::Max:
    case Op::Min:
    case Op::Mean:
        return a;
    default:
        return Dim();
    }
}

namespace {

Dim truth(bool isTrue, bool isFalse) {
    return isTrue ? Dim(1) : isFalse ? Dim(0) : Dim();
}

Dim compare(Op op, const Dim& a, const Dim& b) {
    const Dim difference = a - b;
    const bool isMore = isPositive(difference);
    const bool isLess = isNegative(difference);
    switch (op) {
    case Op::Equal:
        return truth(isSame(a, b), isMore || isLess);
    case Op::Greater:
        return truth(isMore, isSame(a, b) || isNonNegative(Dim(0) - difference));
    case Op::GreaterOrEqual:
        return truth(isNonNegative(difference), isLess);
    case Op::Less:
        return truth(isLess, isNonNegative(difference));
    case Op::LessOrEqual:
        return truth(isNonNegative(Dim(0) - difference), isMore);
    default:
        return Dim();
    }
}

/// Integer division of ONNX truncates towards zero.
Dim truncatedDiv(const Dim& a, const Dim& b) {
    if (isNonNegative(a) && isPositive(b))
        return floorDiv(a, b);
    if (a.isKnown() && b.isKnown() && b.value() != 0
        && !(b.value() == -1 && a.value() == std::numeric_limits<std::int64_t>::min()))
        return Dim(a.value() / b.value());
    return floorMod(a, b).is(0) ? floorDiv(a, b) : Dim();
}

Dim power(const Dim& a, const Dim& b) {
    constexpr std::int64_t kHighestPower = 64;
    if (!b.isKnown() || b.value() < 0 || b.value() > kHighestPower)
        return Dim();
    Dim result(1);
    for (std::int64_t i = 0; i < b.value(); ++i)
        result = result * a;
    return result;
}

Dim bitwise(Op op, const Dim& a, const Dim& b) {
    if (!a.isKnown() || !b.isKnown()) {
        if (op == Op::And && (a.is(0) || b.is(0)))
            return Dim(0);
        if (op == Op::Or && (a.is(1) || b.is(1)))
            return Dim(1);
        return Dim();
    }
    const std::int64_t x = a.value();
    const std::int64_t y = b.value();
    switch (op) {
    case Op::And:
        return Dim(x && y ? 1 : 0);
    case Op::Or:
        return Dim(x || y ? 1 : 0);
    case Op::Xor:
        return Dim((x != 0) != (y != 0) ? 1 : 0);
    case Op::BitwiseAnd:
        return Dim(x & y);
    case Op::BitwiseOr:
        return Dim(x | y);
    case Op::BitwiseXor:
        return Dim(x ^ y);
    default:
        return Dim();
    }
}

} // namespace

Dim evaluateBinary(Op op, const Dim& a, const Dim& b) {
    switch (op) {
    case Op::Add:
    case Op::Sum:
        return a + b;
    case Op::Sub:
        return a - b;
    case Op::Mul:
        return a * b;
    case Op::Div:
        return truncatedDiv(a, b);
    case Op::Mod:
        return isNonNegative(a) || isPositive(b) ? floorMod(a, b) : Dim();
    case Op::Pow:
        return power(a, b);
    case Op::Max:
        return dimMax(a, b);
    case Op::Min:
        return dimMin(a, b);
    case Op::Equal:
    case Op::Greater:
    case Op::GreaterOrEqual:
    case Op::Less:
    case Op::LessOrEqual:
        return compare(op, a, b);
    default:
        return bitwise(op, a, b);
    }
}

std::optional<double> evaluateUnary(Op op, double a) {
    switch (op) {
    case Op::Abs:
        return std::fabs(a);
    case Op::Neg:
        return -a;
    case Op::Sqrt:
        return std::sqrt(a);
    case Op::Rsqrt:
        return 1 / std::sqrt(a);
    case Op::Reciprocal:
        return 1 / a;
    case Op::Exp:
        return std::exp(a);
    case Op::Log:
        return std::log(a);
    case Op::Floor:
        return std::floor(a);
    case Op::Ceil:
        return std::ceil(a);
    case Op::Round:
        return std::nearbyint(a);
    case Op::Relu:
        return std::max(a, 0.0);
    case Op::Identity:
    case Op::Dropout:
    case Op::Cast:
    case Op::CastLike:
    case Op::Sum:
    case Op::Max:
    case Op::Min:
    case Op::Mean:
        return a;
    default:
        return std::nullopt;
    }
}

std::optional<double> evaluateBinary(Op op, double a, double b) {
    switch (op) {
    case Op::Add:
    case Op::Sum:
        return a + b;
    case Op::Sub:
        return a - b;
    case Op::Mul:
        return a * b;
    case Op::Div:
        return a / b;
    case Op::Pow:
        return std::pow(a, b);
    case Op::Max:
        return std::max(a, b);
    case Op::Min:
        return std::min(a, b);
    case Op::Equal:
        return a == b;
    case Op::Greater:
        return a > b;
    case Op::GreaterOrEqual:
        return a >= b;
    case Op::Less:
        return a < b;
    case Op::LessOrEqual:
        return a <= b;
    default:
        return std::nullopt;
    }
}

std::vector<std::size_t> broadcastIndices(
    const std::vector<std::int64_t>& in, const std::vector<std::int64_t>& out) {
    std::size_t count = 1;
    for (const std::int64_t size : out)
        count *= static_cast<std::size_t>(size);
    std::vector<std::size_t> strides(out.size(), 0);
    std::size_t stride = 1;
    for (std::size_t i = 0; i < in.size() && i < out.size(); ++i) {
        const std::size_t fromEnd = in.size() - 1 - i;
        if (in[fromEnd] != 1)
            strides[out.size() - 1 - i] = stride;
        stride *= static_cast<std::size_t>(in[fromEnd]);
    }
    std::vector<std::size_t> indices(count, 0);
    std::vector<std::int64_t> position(out.size(), 0);
    std::size_t index = 0;
    for (std::size_t e = 0; e < count; ++e) {
        indices[e] = index;
        for (std::size_t axis = out.size(); axis-- > 0;) {
            index += strides[axis];
            if (++position[axis] < out[axis])
                break;
            index -= strides[axis] * static_cast<std::size_t>(out[axis]);
            position[axis] = 0;
        }
    }
    return indices;
}

std::optional<Contents> wholeContents(NodeContext& context, std::size_t input) {
    if (const Contents* contents = context.contents(input))
        return *contents;
    const Numbers* numbers = context.numbers(input);
    if (!numbers)
        return std::nullopt;
    constexpr double kLargestExact = 9.0e15;
    Contents whole;
    for (const double number : *numbers) {
        if (!(std::fabs(number) < kLargestExact) || number != std::floor(number))
            return std::nullopt;
        whole.emplace_back(static_cast<std::int64_t>(number));
    }
    return whole;
}

namespace {

struct Operands {
    std::vector<std::int64_t> outShape;
    std::vector<std::vector<std::size_t>> indices; ///< per input
};

std::optional<Operands> alignOperands(NodeContext& context, std::int64_t limit) {
    const ValueType& out = context.outputType(0);
    if (!out.shape || context.inputCount() == 0)
        return std::nullopt;
    const Dim count = elementCount(*out.shape);
    if (!count.isKnown() || count.value() > limit)
        return std::nullopt;
    Operands operands{*knownShape(*out.shape), {}};
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const auto in = context.shape(i) ? knownShape(*context.shape(i)) : std::nullopt;
        if (!in || in->size() > operands.outShape.size())
            return std::nullopt;
        operands.indices.push_back(broadcastIndices(*in, operands.outShape));
    }
    return operands;
}

/// True when every input that is not a stored tensor has known contents: decides cheaply that
/// nothing can be computed before stored tensors are read.
bool mayPropagate(NodeContext& context) {
    const State& state = context.state();
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const ValueId id = context.input(i);
        if (!id.isValid())
            return false;
        const bool isStored = state.graph.values[id].data.isValid();
        if (!isStored && !state.typed.contents[id] && !state.numbers[id])
            return false;
    }
    return context.inputCount() > 0;
}

template <typename Element, typename GetInput>
std::optional<std::vector<Element>> fold(
    NodeContext& context, const Operands& operands, GetInput element) {
    const std::size_t inputs = operands.indices.size();
    std::vector<Element> result;
    for (std::size_t e = 0; e < operands.indices[0].size(); ++e) {
        std::optional<Element> value(element(0, operands.indices[0][e]));
        if (inputs == 1)
            value = evaluateUnary(context.op(), *value);
        for (std::size_t i = 1; i < inputs && value; ++i)
            value = evaluateBinary(context.op(), *value, element(i, operands.indices[i][e]));
        if (!value)
            return std::nullopt;
        result.push_back(*value);
    }
    return result;
}

bool isAnyKnown(const Contents& contents) {
    return contents.empty() || std::any_of(contents.begin(), contents.end(), [](const Dim& d) {
        return !d.isUnknown();
    });
}

bool foldNumbers(NodeContext& context, const Operands& operands, bool isBool) {
    std::vector<const Numbers*> inputs;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Numbers* numbers = context.numbers(i);
        if (!numbers)
            return false;
        for (const std::size_t index : operands.indices[i])
            if (index >= numbers->size())
                return false;
        inputs.push_back(numbers);
    }
    const auto result = fold<double>(
        context, operands, [&](std::size_t i, std::size_t e) { return (*inputs[i])[e]; });
    if (!result)
        return false;
    if (isBool)
        context.outputContents(0, Contents(result->begin(), result->end()));
    else
        context.outputNumbers(0, *result);
    return true;
}

void foldContents(NodeContext& context, const Operands& operands) {
    std::vector<Contents> inputs;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        auto contents = wholeContents(context, i);
        if (!contents)
            return;
        for (const std::size_t index : operands.indices[i])
            if (index >= contents->size())
                return;
        inputs.push_back(std::move(*contents));
    }
    auto result =
        fold<Dim>(context, operands, [&](std::size_t i, std::size_t e) { return inputs[i][e]; });
    if (result && isAnyKnown(*result))
        context.outputContents(0, std::move(*result));
}

} // namespace

void propagatePointwise(NodeContext& context) {
    if (context.isRejected() || !context.wants(0) || !mayPropagate(context))
        return;
    const bool isFloatInput = isFloat(context.dtype(0));
    const auto operands = alignOperands(context, isFloatInput ? kNumbersLimit : kContentsLimit);
    if (!operands)
        return;
    if (isFloatInput) {
        if (foldNumbers(context, *operands, context.outputType(0).dtype == DType::Bool))
            return;
        // A float quotient or root of symbols is no polynomial.
        if (context.op() == Op::Div || context.op() == Op::Pow || context.op() == Op::Mod)
            return;
    }
    foldContents(context, *operands);
}

} // namespace fivefold::ir::inference
