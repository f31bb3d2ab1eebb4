// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"

namespace fivefold::numerics {

namespace {

using ir::DType;

DType resultType(const Tensor& a, const Tensor& b, bool asFloat) {
    const bool aFloats = ir::isFloat(a.dtype()), bFloats = ir::isFloat(b.dtype());
    if (aFloats || bFloats)
        return aFloats ? a.dtype() : b.dtype();
    if (asFloat)
        return DType::Float32;
    // A tensor decides before a scalar, an integer before a truth value (PyTorch's promotion).
    if (a.dtype() == DType::Bool || (a.rank() == 0 && b.rank() > 0 && b.dtype() != DType::Bool))
        return b.dtype();
    return a.dtype();
}

/// Second operand of operator sets before 7, whose axes begin at `axis` of the first.
Tensor aligned(const Call& call, const Tensor& a, const Tensor& b) {
    if (call.attributes().integer("broadcast", 0) == 0 || !call.attributes().has("axis"))
        return b;
    const auto axis = axisIn(call.attributes().integer("axis", 0), a.rank());
    if (!axis || *axis + b.rank() > a.rank())
        return b;
    Extents shape = b.shape();
    shape.resize(a.rank() - *axis, 1);
    return b.reshaped(std::move(shape));
}

} // namespace

base::Result<Pair> paired(const Call& call, const Tensor& a, const Tensor& b, bool asFloat) {
    if (a.as<std::string>() || b.as<std::string>())
        return call.error("it works on numbers, but an operand holds text.");
    const auto shape = broadcastShape(a.shape(), b.shape());
    if (!shape)
        return call.error("operands of " + extentsText(a.shape()) + " and " + extentsText(b.shape())
            + " do not broadcast to one shape.");
    const DType dtype = resultType(a, b, asFloat);
    const bool isFloat = ir::isFloat(dtype);
    return Pair{isFloat ? asFloats(call, a) : a, isFloat ? asFloats(call, b) : b, dtype, *shape};
}

base::Result<Pair> pairOf(const Call& call, bool asFloat) {
    auto a = call.required(0);
    auto b = call.required(1);
    if (!a || !b)
        return a ? b.error() : a.error();
    return paired(call, **a, aligned(call, **a, **b), asFloat);
}

Tensor scaledBy(const Tensor& tensor, double factor) {
    if (factor == 1)
        return tensor;
    if (const auto* list = tensor.as<float>())
        return {tensor.dtype(), tensor.shape(), mapOne<float>(*list, [=](float x) {
                    return static_cast<float>(static_cast<double>(x) * factor);
                })};
    if (const auto* list = tensor.as<double>())
        return {tensor.dtype(), tensor.shape(),
            mapOne<double>(*list, [=](double x) { return x * factor; })};
    const auto* list = tensor.as<std::int64_t>();
    if (!list)
        return tensor;
    return {tensor.dtype(), tensor.shape(), mapOne<std::int64_t>(*list, [&](std::int64_t x) {
                const Tensor value =
                    Tensor::scalar(ir::DType::Int64, static_cast<double>(x) * factor);
                return wrapped(value.integer(0), tensor.dtype());
            })};
}

} // namespace fivefold::numerics
