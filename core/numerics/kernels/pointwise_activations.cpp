// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/scalar_functions.h"
#include "core/numerics/kernels/tables.h"

#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// A number that fx text may also write as an integer.
double attribute(const Call& call, std::string_view name, double fallback) {
    const ir::AttributeValue* value = call.attributes().find(name);
    if (const auto* whole = value ? std::get_if<std::int64_t>(value) : nullptr)
        return static_cast<double>(*whole);
    return call.attributes().number(name, fallback);
}

Outputs relu(const Call& call) {
    return mapUnary(
        call, [](auto x) { return x < 0 ? decltype(x)(0) : x; },
        [](std::int64_t x) { return std::max<std::int64_t>(x, 0); });
}

Outputs sigmoid(const Call& call) {
    return mapFloats(call, [](auto x) { return scalar::sigmoid(x); });
}

Outputs leakyRelu(const Call& call) {
    const double alpha = attribute(call, "alpha", 0.01);
    return mapFloats(call, [=](auto x) { return x < 0 ? decltype(x)(alpha) * x : x; });
}

/// With the scales of aten.elu: scale · (x > 0 ? x : α·(exp(input_scale · x) − 1)).
Outputs elu(const Call& call) {
    const double alpha = attribute(call, "alpha", 1), scale = attribute(call, "scale", 1),
                 inner = attribute(call, "input_scale", 1);
    return mapFloats(call, [=](auto x) {
        using T = decltype(x);
        return T(scale) * (x > 0 ? x : T(alpha) * std::expm1(T(inner) * x));
    });
}

Outputs celu(const Call& call) {
    const double alpha = attribute(call, "alpha", 1);
    return mapFloats(call, [=](auto x) {
        using T = decltype(x);
        return x > 0 ? x : T(alpha) * std::expm1(x / T(alpha));
    });
}

Outputs selu(const Call& call) { // constants of the operator's definition
    const double alpha = attribute(call, "alpha", 1.67326319217681884765625),
                 gamma = attribute(call, "gamma", 1.05070102214813232421875);
    return mapFloats(call, [=](auto x) {
        using T = decltype(x);
        return T(gamma) * (x > 0 ? x : T(alpha) * std::expm1(x));
    });
}

Outputs hardSigmoid(const Call& call) {
    const double alpha = attribute(call, "alpha", 0.2), beta = attribute(call, "beta", 0.5);
    return mapFloats(call, [=](auto x) { return scalar::hardSigmoid(x, alpha, beta); });
}

Outputs hardSwish(const Call& call) {
    return mapFloats(call, [](auto x) { return x * scalar::hardSigmoid(x, 1.0 / 6, 0.5); });
}

/// aten.softplus has a factor and a threshold beyond which it is x itself.
Outputs softplus(const Call& call) {
    const double beta = attribute(call, "beta", 1);
    const double threshold = attribute(call, "threshold", std::numeric_limits<double>::infinity());
    return mapFloats(call, [=](auto x) {
        using T = decltype(x);
        return x * T(beta) > T(threshold) ? x : scalar::softplus(T(x * T(beta))) / T(beta);
    });
}

Outputs softsign(const Call& call) {
    return mapFloats(call, [](auto x) { return x / (1 + std::abs(x)); });
}

Outputs mish(const Call& call) {
    return mapFloats(call, [](auto x) { return x * std::tanh(scalar::softplus(x)); });
}

Outputs swish(const Call& call) {
    const double alpha = attribute(call, "alpha", 1);
    return mapFloats(call, [=](auto x) { return x * scalar::sigmoid(decltype(x)(alpha) * x); });
}

Outputs quickGelu(const Call& call) {
    constexpr double kAlpha = 1.702; // default of the contrib operator
    const double alpha = attribute(call, "alpha", kAlpha);
    return mapFloats(call, [=](auto x) { return x * scalar::sigmoid(decltype(x)(alpha) * x); });
}

Outputs gelu(const Call& call) {
    if (call.attributes().text("approximate") == "tanh")
        return mapFloats(call, [](auto x) { return scalar::geluByTanh(x); });
    return mapFloats(call, [](auto x) { return scalar::geluByErf(x); });
}

Outputs thresholdedRelu(const Call& call) {
    const double alpha = attribute(call, "alpha", 1);
    return mapFloats(call, [=](auto x) { return x > decltype(x)(alpha) ? x : decltype(x)(0); });
}

Outputs shrink(const Call& call) {
    const double bias = attribute(call, "bias", 0), lambda = attribute(call, "lambd", 0.5);
    const auto f = [=](auto x) {
        const auto v = static_cast<double>(x);
        return v < -lambda ? v + bias : v > lambda ? v - bias : 0.0;
    };
    return mapUnary(
        call, [=](auto x) { return static_cast<decltype(x)>(f(x)); },
        [=](std::int64_t x) { return static_cast<std::int64_t>(f(x)); });
}

/// The slope of ATen has one element a channel, axis 1; that of ONNX broadcasts from the end.
Outputs prelu(const Call& call) {
    auto x = call.required(0);
    auto slope = call.required(1);
    if (!x || !slope)
        return x ? slope.error() : x.error();
    Tensor s = **slope;
    const bool isPerChannel = s.rank() == 1 && (*x)->rank() > 1 && s.size() == (*x)->shape()[1]
        && (*x)->shape().back() != s.size();
    if (isPerChannel) {
        Extents shape((*x)->rank() - 1, 1);
        shape[0] = s.size();
        s = s.reshaped(std::move(shape));
    }
    auto pair = paired(call, **x, s, false);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [](auto v, auto a) { return v < 0 ? a * v : v; },
        [](std::int64_t v, std::int64_t a) {
            return v < 0 ? static_cast<std::int64_t>(std::uint64_t(a) * std::uint64_t(v)) : v;
        });
}

/// x + bias of the last axis, where there is one.
base::Result<Tensor> biased(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    if (!call.input(1))
        return asFloats(call, **x);
    auto pair = pairOf(call, true);
    if (!pair)
        return pair.error();
    auto sum = combine(
        call, *pair, [](auto a, auto b) { return a + b; },
        [](std::int64_t a, std::int64_t) { return a; });
    if (!sum)
        return sum.error();
    return std::move((*sum)[0].tensor);
}

template <typename F> Outputs onBiased(const Call& call, F f) {
    auto sum = biased(call);
    if (!sum)
        return sum.error();
    const Datum datum(*sum);
    return mapFloats(Call{call.operation, std::span(&datum, 1), call.evaluation}, f);
}

Outputs biasGelu(const Call& call) {
    return onBiased(call, [](auto x) { return scalar::geluByErf(x); });
}

Outputs fastGelu(const Call& call) {
    return onBiased(call, [](auto x) { return scalar::geluByTanh(x); });
}

/// x + bias [+ skip]
Outputs biasAdd(const Call& call) {
    auto sum = biased(call);
    if (!sum)
        return sum.error();
    const Tensor* skip = call.input(2);
    if (!skip)
        return one(*std::move(sum));
    auto pair = paired(call, *sum, *skip, true);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [](auto a, auto b) { return a + b; },
        [](std::int64_t a, std::int64_t) { return a; });
}

/// Left half of the last axis times f of the right one, or f of the left times the right.
template <typename F> Outputs gated(const Call& call, const Tensor& x, bool gatesLeft, F f) {
    if (x.rank() == 0 || x.shape().back() % 2 != 0)
        return call.error("its last axis has to have an even length to be halved.");
    const std::int64_t half = x.shape().back() / 2;
    const Tensor left = sliceOf(x, x.rank() - 1, 0, half);
    const Tensor right = sliceOf(x, x.rank() - 1, half, half);
    auto pair = paired(call, gatesLeft ? left : right, gatesLeft ? right : left, true);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [&](auto gate, auto value) { return f(gate) * value; },
        [](std::int64_t a, std::int64_t) { return a; });
}

Outputs biasSplitGelu(const Call& call) {
    auto sum = biased(call);
    if (!sum)
        return sum.error();
    return gated(call, *sum, false, [](auto x) { return scalar::geluByErf(x); });
}

/// x · σ(x) of the gate times the other half, or the other operand.
Outputs swiGlu(const Call& call) {
    const auto swish = [](auto x) { return x * scalar::sigmoid(x); };
    auto x = call.required(0);
    if (!x)
        return x.error();
    if (!call.input(1))
        return gated(call, **x, true, swish);
    auto pair = pairOf(call, true);
    if (!pair)
        return pair.error();
    return combine(
        call, *pair, [&](auto gate, auto value) { return swish(gate) * value; },
        [](std::int64_t a, std::int64_t) { return a; });
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Relu, relu},
    {Op::Sigmoid, sigmoid},
    {Op::LeakyRelu, leakyRelu},
    {Op::Elu, elu},
    {Op::Celu, celu},
    {Op::Selu, selu},
    {Op::HardSigmoid, hardSigmoid},
    {Op::HardSwish, hardSwish},
    {Op::Softplus, softplus},
    {Op::Softsign, softsign},
    {Op::Mish, mish},
    {Op::Swish, swish},
    {Op::QuickGelu, quickGelu},
    {Op::Gelu, gelu},
    {Op::ThresholdedRelu, thresholdedRelu},
    {Op::Shrink, shrink},
    {Op::PRelu, prelu},
    {Op::BiasGelu, biasGelu},
    {Op::FastGelu, fastGelu},
    {Op::BiasAdd, biasAdd},
    {Op::BiasSplitGelu, biasSplitGelu},
    {Op::SwiGlu, swiGlu},
};

} // namespace

KernelTable activationKernels() {
    return kTable;
}

} // namespace fivefold::numerics
