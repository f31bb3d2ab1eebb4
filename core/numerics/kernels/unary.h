// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>

/// Kernels of one operand from functions of one element.
namespace fivefold::numerics {

/// A float tensor of the carrier: itself, or integers converted to Float32.
inline Tensor asFloats(const Call& call, const Tensor& tensor) {
    return tensor.as<std::int64_t>() ? ofType(tensor, ir::DType::Float32, call.evaluation.carrier)
                                     : tensor;
}

/// f on floats of either carrier; `whole` on integers, which keep their type and wrap in it.
template <typename F, typename W> Outputs mapUnary(const Call& call, F f, W whole) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor& tensor = **x;
    if (auto error = call.tooLarge(tensor.shape()))
        return *std::move(error);
    const ir::DType dtype = tensor.dtype();
    if (const auto* list = tensor.as<float>())
        return one({dtype, tensor.shape(), mapOne<float>(*list, f)});
    if (const auto* list = tensor.as<double>())
        return one({dtype, tensor.shape(), mapOne<double>(*list, f)});
    if (const auto* list = tensor.as<std::int64_t>())
        return one({dtype, tensor.shape(),
            mapOne<std::int64_t>(*list, [&](std::int64_t v) { return wrapped(whole(v), dtype); })});
    return call.error("it works on numbers, but its operand holds text.");
}

/// f on floats; integers are converted first.
template <typename F> Outputs mapFloats(const Call& call, F f) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    if (auto error = call.tooLarge((*x)->shape()))
        return *std::move(error);
    const Tensor tensor = asFloats(call, **x);
    if (const auto* list = tensor.as<float>())
        return one({tensor.dtype(), tensor.shape(), mapOne<float>(*list, f)});
    if (const auto* list = tensor.as<double>())
        return one({tensor.dtype(), tensor.shape(), mapOne<double>(*list, f)});
    return call.error("it works on numbers, but its operand holds text.");
}

/// A test of each float; the result is Bool.
template <typename F> Outputs testUnary(const Call& call, F f) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor tensor = asFloats(call, **x);
    const auto test = [&](auto v) { return std::int64_t(f(v)); };
    if (const auto* list = tensor.as<float>())
        return one({ir::DType::Bool, tensor.shape(), mapOne<std::int64_t>(*list, test)});
    if (const auto* list = tensor.as<double>())
        return one({ir::DType::Bool, tensor.shape(), mapOne<std::int64_t>(*list, test)});
    return call.error("it works on numbers, but its operand holds text.");
}

} // namespace fivefold::numerics
