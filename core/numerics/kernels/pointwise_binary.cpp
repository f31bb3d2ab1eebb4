// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;
using Unsigned = std::uint64_t;

// Integers wrap, so they are added and multiplied as unsigned numbers.
std::int64_t add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(Unsigned(a) + Unsigned(b));
}
std::int64_t subtract(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(Unsigned(a) - Unsigned(b));
}
std::int64_t multiply(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(Unsigned(a) * Unsigned(b));
}

/// Truncated quotient; 0 for a zero divisor, as NumPy has it.
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (b == 0)
        return 0;
    return b == -1 ? subtract(0, a) : a / b;
}
/// Remainder with the sign of the dividend.
std::int64_t remainder(std::int64_t a, std::int64_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
}
/// Remainder with the sign of the divisor.
std::int64_t modulo(std::int64_t a, std::int64_t b) {
    const std::int64_t rest = remainder(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <typename T> T floatModulo(T a, T b) {
    const T rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <typename T> T largerOf(T a, T b) {
    return a > b || a != a ? a : b; // NaN wins
}
template <typename T> T smallerOf(T a, T b) {
    return a < b || a != a ? a : b;
}

std::int64_t integerPower(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    std::int64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

bool isWide(const Pair& pair) {
    return pair.dtype == DType::UInt64;
}

/// aten.add and aten.sub scale their second operand.
Pair scaled(const Call& call, Pair pair) {
    const double alpha = call.attributes().number(
        "alpha", static_cast<double>(call.attributes().integer("alpha", 1)));
    if (alpha == 1)
        return pair;
    pair.b = scaledBy(pair.b, alpha);
    return pair;
}

Outputs addition(const Call& call) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    return combine(
        call, scaled(call, *pair), [](auto a, auto b) { return a + b; }, add);
}

Outputs subtraction(const Call& call) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    return combine(
        call, scaled(call, *pair), [](auto a, auto b) { return a - b; }, subtract);
}

Outputs multiplication(const Call& call) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [](auto a, auto b) { return a * b; }, multiply);
}

Outputs division(const Call& call) {
    // Integers divided to a float type: aten's true division.
    auto pair = pairOf(call, ir::isFloat(call.operation.outputType));
    if (!pair)
        return pair.error();
    const std::string mode = call.attributes().text("rounding_mode");
    const bool floors = mode == "floor";
    if (isWide(*pair))
        return combine(
            call, *pair, [](auto a, auto b) { return a / b; },
            [](std::int64_t a, std::int64_t b) {
                return b == 0 ? 0 : static_cast<std::int64_t>(Unsigned(a) / Unsigned(b));
            });
    if (floors)
        return combine(
            call, *pair, [](auto a, auto b) { return std::floor(a / b); },
            [](std::int64_t a, std::int64_t b) {
                const std::int64_t whole = quotient(a, b);
                return b != 0 && remainder(a, b) != 0 && (a < 0) != (b < 0) ? whole - 1 : whole;
            });
    if (mode == "trunc")
        return combine(
            call, *pair, [](auto a, auto b) { return std::trunc(a / b); }, quotient);
    return combine(
        call, *pair, [](auto a, auto b) { return a / b; }, quotient);
}

Outputs moduloOf(const Call& call) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    if (isWide(*pair))
        return combine(
            call, *pair, [](auto a, auto b) { return std::fmod(a, b); },
            [](std::int64_t a, std::int64_t b) {
                return b == 0 ? 0 : static_cast<std::int64_t>(Unsigned(a) % Unsigned(b));
            });
    if (call.attributes().integer("fmod", 0) != 0)
        return combine(
            call, *pair, [](auto a, auto b) { return std::fmod(a, b); }, remainder);
    return combine(
        call, *pair, [](auto a, auto b) { return floatModulo(a, b); }, modulo);
}

/// The result has the base's type, whatever the exponent's.
Outputs power(const Call& call) {
    auto base = call.required(0);
    auto exponent = call.required(1);
    if (!base || !exponent)
        return base ? exponent.error() : base.error();
    const DType dtype = (*base)->dtype();
    const bool isWhole = (*base)->as<std::int64_t>() && (*exponent)->as<std::int64_t>();
    auto pair = pairOf(call, !isWhole);
    if (!pair)
        return pair.error();
    auto result = combine(
        call, *pair,
        [](auto a, auto b) { return b == 2 ? a * a : static_cast<decltype(a)>(std::pow(a, b)); },
        integerPower);
    if (result && !isWhole && !ir::isFloat(call.operation.outputType))
        (*result)[0].tensor = ofType((*result)[0].tensor, dtype, call.evaluation.carrier);
    return result;
}

Outputs arcTangent(const Call& call) {
    auto pair = pairOf(call, true);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [](auto a, auto b) { return std::atan2(a, b); }, add);
}

/// Any number of operands, folded from the left.
template <typename F, typename W> Outputs fold(const Call& call, F f, W whole) {
    auto first = call.required(0);
    if (!first)
        return first.error();
    Tensor sum = **first;
    if (sum.as<std::string>())
        return call.error("it works on numbers, but an operand holds text.");
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        auto next = call.required(i);
        if (!next)
            return next.error();
        auto pair = paired(call, sum, **next, false);
        if (!pair)
            return pair.error();
        auto result = combine(call, *pair, f, whole);
        if (!result)
            return result;
        sum = std::move((*result)[0].tensor);
    }
    return one(std::move(sum));
}

bool hasWideOperands(const Call& call) {
    const Tensor* first = call.input(0);
    return first && first->dtype() == DType::UInt64;
}

Outputs maximum(const Call& call) {
    const auto floats = [](auto a, auto b) { return largerOf(a, b); };
    if (hasWideOperands(call))
        return fold(call, floats,
            [](std::int64_t a, std::int64_t b) { return Unsigned(a) > Unsigned(b) ? a : b; });
    return fold(call, floats, largerOf<std::int64_t>);
}

Outputs minimum(const Call& call) {
    const auto floats = [](auto a, auto b) { return smallerOf(a, b); };
    if (hasWideOperands(call))
        return fold(call, floats,
            [](std::int64_t a, std::int64_t b) { return Unsigned(a) < Unsigned(b) ? a : b; });
    return fold(call, floats, smallerOf<std::int64_t>);
}

Outputs sum(const Call& call) {
    return fold(
        call, [](auto a, auto b) { return a + b; }, add);
}

Outputs mean(const Call& call) {
    auto total = sum(call);
    if (total)
        (*total)[0].tensor =
            scaledBy((*total)[0].tensor, 1.0 / static_cast<double>(call.inputs.size()));
    return total;
}

/// self + value · a · b, or self + value · a ÷ b.
template <bool divides> Outputs addCombined(const Call& call) {
    auto self = call.required(0);
    auto a = call.required(1);
    auto b = call.required(2);
    if (!self || !a || !b)
        return call.error("it needs three operands.");
    auto inner = paired(call, **a, **b, divides);
    if (!inner)
        return inner.error();
    auto product = divides ? combine(
                       call, *inner, [](auto x, auto y) { return x / y; }, quotient)
                           : combine(
                               call, *inner, [](auto x, auto y) { return x * y; }, multiply);
    if (!product)
        return product;
    const double value = call.attributes().number(
        "value", static_cast<double>(call.attributes().integer("value", 1)));
    auto outer = paired(call, **self, scaledBy((*product)[0].tensor, value), false);
    if (!outer)
        return outer.error();
    return combine(
        call, *outer, [](auto x, auto y) { return x + y; }, add);
}

/// start + weight · (end − start); the weight is an operand (aten.lerp).
Outputs interpolation(const Call& call) {
    auto start = call.required(0);
    auto end = call.required(1);
    auto weight = call.required(2);
    if (!start || !end || !weight)
        return call.error("it needs a start, an end and a weight.");
    auto ends = paired(call, **end, **start, true);
    if (!ends)
        return ends.error();
    auto span = combine(
        call, *ends, [](auto x, auto y) { return x - y; }, subtract);
    if (!span)
        return span;
    auto part = paired(call, (*span)[0].tensor, **weight, true);
    if (!part)
        return part.error();
    auto product = combine(
        call, *part, [](auto x, auto y) { return x * y; }, multiply);
    if (!product)
        return product;
    auto outer = paired(call, **start, (*product)[0].tensor, true);
    if (!outer)
        return outer.error();
    return combine(
        call, *outer, [](auto x, auto y) { return x + y; }, add);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Add, addition},
    {Op::Sub, subtraction},
    {Op::Mul, multiplication},
    {Op::Div, division},
    {Op::Mod, moduloOf},
    {Op::Pow, power},
    {Op::Atan2, arcTangent},
    {Op::Max, maximum},
    {Op::Min, minimum},
    {Op::Sum, sum},
    {Op::Mean, mean},
    {Op::AddProduct, addCombined<false>},
    {Op::AddQuotient, addCombined<true>},
    {Op::Lerp, interpolation},
};

} // namespace

KernelTable binaryKernels() {
    return kTable;
}

} // namespace fivefold::numerics
