// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <limits>
#include <numbers>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

template <typename T> T sign(T x) {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x; // keeps NaN and the sign of zero
}

/// Nearest even, at a decimal digit where asked (aten.round.decimals).
template <typename T> T rounded(T x, std::int64_t decimals) {
    if (decimals == 0)
        return std::nearbyint(x);
    const double scale = std::pow(10.0, std::abs(static_cast<double>(decimals)));
    const auto value = static_cast<double>(x);
    return static_cast<T>(decimals > 0 ? std::nearbyint(value * scale) / scale
                                       : std::nearbyint(value / scale) * scale);
}

/// Inverse error function: the approximation of Winitzki (2008), then Newton's steps, which double
/// its digits each.
double inverseErf(double y) {
    if (!(std::abs(y) < 1))
        return std::abs(y) == 1 ? std::copysign(std::numeric_limits<double>::infinity(), y)
                                : std::numeric_limits<double>::quiet_NaN();
    constexpr double kA = 0.147;
    const double log = std::log1p(-y * y);
    const double middle = 2 / (std::numbers::pi * kA) + log / 2;
    double x = std::copysign(std::sqrt(std::sqrt(middle * middle - log / kA) - middle), y);
    for (int step = 0; step < 4; ++step) {
        const double error = std::abs(y) > 0.5
            ? std::copysign((1 - std::abs(y)) - std::erfc(std::abs(x)), y)
            : std::erf(x) - y;
        x -= error * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x);
    }
    return x;
}

Outputs round(const Call& call) {
    const std::int64_t decimals =
        std::clamp<std::int64_t>(call.attributes().integer("decimals", 0), -300, 300);
    return mapUnary(
        call, [=](auto x) { return rounded(x, decimals); }, [](std::int64_t x) { return x; });
}

Outputs isInfinite(const Call& call) {
    const bool negative = call.attributes().integer("detect_negative", 1) != 0;
    const bool positive = call.attributes().integer("detect_positive", 1) != 0;
    return testUnary(call, [=](auto x) { return std::isinf(x) && (x < 0 ? negative : positive); });
}

Outputs isNan(const Call& call) {
    return testUnary(call, [](auto x) { return std::isnan(x); });
}

Outputs logicalNot(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    std::vector<std::int64_t> result(static_cast<std::size_t>((*x)->size()));
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = (*x)->number(static_cast<std::int64_t>(i)) == 0;
    return one(Tensor(DType::Bool, (*x)->shape(), std::move(result)));
}

Outputs bitwiseNot(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const auto* list = (*x)->as<std::int64_t>();
    if (!list)
        return call.error("it works on integers, but its operand is no integer tensor.");
    const DType dtype = (*x)->dtype();
    return one(Tensor(dtype, (*x)->shape(), mapOne<std::int64_t>(*list, [=](std::int64_t v) {
        return dtype == DType::Bool ? std::int64_t(v == 0) : wrapped(~v, dtype);
    })));
}

#define FIVEFOLD_FUNCTION(op, expression)                                                          \
    std::pair<Op, Kernel> {                                                                        \
        Op::op,                                                                                    \
            [](const Call& call) { return mapFloats(call, [](auto x) { return expression; }); }    \
    }
/// With a second form for integers, which stay integers.
#define FIVEFOLD_FUNCTION_OF_BOTH(op, expression, whole)                                           \
    std::pair<Op, Kernel> {                                                                        \
        Op::op, [](const Call& call) {                                                             \
            return mapUnary(                                                                       \
                call, [](auto x) { return expression; },                                           \
                [](std::int64_t x) -> std::int64_t { return whole; });                             \
        }                                                                                          \
    }

constexpr std::pair<Op, Kernel> kTable[] = {
    FIVEFOLD_FUNCTION_OF_BOTH(Abs, std::abs(x), x < 0 ? std::int64_t(0 - std::uint64_t(x)) : x),
    FIVEFOLD_FUNCTION_OF_BOTH(Neg, -x, std::int64_t(0 - std::uint64_t(x))),
    FIVEFOLD_FUNCTION_OF_BOTH(Sign, sign(x), (x > 0) - (x < 0)),
    FIVEFOLD_FUNCTION_OF_BOTH(Floor, std::floor(x), x),
    FIVEFOLD_FUNCTION_OF_BOTH(Ceil, std::ceil(x), x),
    FIVEFOLD_FUNCTION_OF_BOTH(Trunc, std::trunc(x), x),
    {Op::Round, round},
    FIVEFOLD_FUNCTION(Frac, x - std::trunc(x)),
    FIVEFOLD_FUNCTION(Reciprocal, 1 / x),
    FIVEFOLD_FUNCTION(Sqrt, std::sqrt(x)),
    FIVEFOLD_FUNCTION(Rsqrt, 1 / std::sqrt(x)),
    FIVEFOLD_FUNCTION(Exp, std::exp(x)),
    FIVEFOLD_FUNCTION(Exp2, std::exp2(x)),
    FIVEFOLD_FUNCTION(Expm1, std::expm1(x)),
    FIVEFOLD_FUNCTION(Log, std::log(x)),
    FIVEFOLD_FUNCTION(Log2, std::log2(x)),
    FIVEFOLD_FUNCTION(Log10, std::log10(x)),
    FIVEFOLD_FUNCTION(Log1p, std::log1p(x)),
    FIVEFOLD_FUNCTION(Sin, std::sin(x)),
    FIVEFOLD_FUNCTION(Cos, std::cos(x)),
    FIVEFOLD_FUNCTION(Tan, std::tan(x)),
    FIVEFOLD_FUNCTION(Asin, std::asin(x)),
    FIVEFOLD_FUNCTION(Acos, std::acos(x)),
    FIVEFOLD_FUNCTION(Atan, std::atan(x)),
    FIVEFOLD_FUNCTION(Sinh, std::sinh(x)),
    FIVEFOLD_FUNCTION(Cosh, std::cosh(x)),
    FIVEFOLD_FUNCTION(Tanh, std::tanh(x)),
    FIVEFOLD_FUNCTION(Asinh, std::asinh(x)),
    FIVEFOLD_FUNCTION(Acosh, std::acosh(x)),
    FIVEFOLD_FUNCTION(Atanh, std::atanh(x)),
    FIVEFOLD_FUNCTION(Erf, std::erf(x)),
    FIVEFOLD_FUNCTION(Erfc, std::erfc(x)),
    FIVEFOLD_FUNCTION(ErfInv, static_cast<decltype(x)>(inverseErf(static_cast<double>(x)))),
    {Op::IsInf, isInfinite},
    {Op::IsNaN, isNan},
    {Op::Not, logicalNot},
    {Op::BitwiseNot, bitwiseNot},
};

} // namespace

KernelTable unaryKernels() {
    return kTable;
}

} // namespace fivefold::numerics
