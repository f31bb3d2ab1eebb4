// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/unary.h"

/// Two operands of an elementwise operator, and what is computed from them.
namespace fivefold::numerics {

struct Pair {
    Tensor a, b; ///< of one carrier
    ir::DType dtype = ir::DType::Undefined; ///< of the result: a float type where one is, else the
                                            ///< first operand's that is not Bool
    Extents shape;
};

/// Brings two operands to one carrier (`asFloat`: floats even where both are integers) and their
/// common shape. Fails for texts and for shapes that do not broadcast.
base::Result<Pair> paired(const Call& call, const Tensor& a, const Tensor& b, bool asFloat);
/// Operands 1 and 2 of the call. `axis` and `broadcast` of operator sets before 7 say which axes of
/// the first operand the second one stands for.
base::Result<Pair> pairOf(const Call& call, bool asFloat = false);
/// The tensor times a factor, in its own type.
Tensor scaledBy(const Tensor& tensor, double factor);

/// f on floats, `whole` on integers; the result in the pair's type.
template <typename F, typename W>
Outputs combine(const Call& call, const Pair& pair, F f, W whole) {
    if (auto error = call.tooLarge(pair.shape))
        return *std::move(error);
    const auto& as = pair.a.shape();
    const auto& bs = pair.b.shape();
    if (const auto* a = pair.a.as<float>())
        return one({pair.dtype, pair.shape,
            mapTwo<float>(a->data(), as, pair.b.as<float>()->data(), bs, pair.shape,
                [&](float x, float y) { return static_cast<float>(f(x, y)); })});
    if (const auto* a = pair.a.as<double>())
        return one({pair.dtype, pair.shape,
            mapTwo<double>(a->data(), as, pair.b.as<double>()->data(), bs, pair.shape,
                [&](double x, double y) { return static_cast<double>(f(x, y)); })});
    const auto* a = pair.a.as<std::int64_t>();
    std::vector<std::int64_t> result = mapTwo<std::int64_t>(
        a->data(), as, pair.b.as<std::int64_t>()->data(), bs, pair.shape, whole);
    if (ir::bitWidth(pair.dtype) < 64)
        for (std::int64_t& value : result)
            value = wrapped(value, pair.dtype);
    return one({pair.dtype, pair.shape, std::move(result)});
}

/// A test of each pair of elements; the result is Bool.
template <typename F, typename W> Outputs test(const Call& call, const Pair& pair, F f, W whole) {
    if (auto error = call.tooLarge(pair.shape))
        return *std::move(error);
    const auto& as = pair.a.shape();
    const auto& bs = pair.b.shape();
    const auto run = [&](const auto& a, const auto& b, auto function) {
        using T = typename std::decay_t<decltype(a)>::value_type;
        return one({ir::DType::Bool, pair.shape,
            mapTwo<std::int64_t>(a.data(), as, b.data(), bs, pair.shape,
                [&](const T& x, const T& y) { return std::int64_t(function(x, y)); })});
    };
    if (const auto* a = pair.a.as<float>())
        return run(*a, *pair.b.as<float>(), f);
    if (const auto* a = pair.a.as<double>())
        return run(*a, *pair.b.as<double>(), f);
    return run(*pair.a.as<std::int64_t>(), *pair.b.as<std::int64_t>(), whole);
}

} // namespace fivefold::numerics
