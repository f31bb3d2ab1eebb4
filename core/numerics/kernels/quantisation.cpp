// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/quantised.h"

#include "core/ir/inference/arithmetic.h"
#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// Where each element of x finds its scale and zero point.
struct Grid {
    Extents strides; ///< of the parameters, by the axes of x
    std::size_t axis = 0;
    std::int64_t block = 1; ///< elements of that axis that share a parameter
};

base::Result<Grid> gridOf(const Call& call, const Tensor& x, const Tensor& scale) {
    Grid grid{Extents(x.rank(), 0), 0, 1};
    if (scale.size() == 1)
        return grid;
    const auto axis = axisIn(call.attributes().integer("axis", 1), x.rank());
    if (!axis)
        return badAxis(call, call.attributes().integer("axis", 1), x.rank());
    grid.axis = *axis;
    if (scale.rank() <= 1) {
        if (scale.size() != x.shape()[*axis])
            return call.error("it has " + std::to_string(scale.size()) + " scales for "
                + std::to_string(x.shape()[*axis]) + " slices.");
        grid.strides[*axis] = 1;
        return grid;
    }
    if (scale.rank() != x.rank())
        return call.error("its scales of " + extentsText(scale.shape()) + " do not fit a tensor of "
            + extentsText(x.shape()) + ".");
    grid.strides = stridesOf(scale.shape());
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const std::int64_t own = x.shape()[i], other = scale.shape()[i];
        if (i == *axis && other > 0)
            grid.block =
                std::max(call.attributes().integer("block_size", 0), (own + other - 1) / other);
        else if (own != other)
            return call.error("its scales of " + extentsText(scale.shape())
                + " do not fit a tensor of " + extentsText(x.shape()) + ".");
    }
    if (grid.block < 1 || (x.shape()[*axis] + grid.block - 1) / grid.block > scale.shape()[*axis])
        return call.error("its blocks are more than its scales.");
    return grid;
}

/// Calls f(place in x, place in the parameters) for all elements.
template <typename F> void forElements(const Tensor& x, const Grid& grid, F&& f) {
    Extents strides = grid.strides;
    if (grid.block > 1)
        strides[grid.axis] = 0;
    Walker walk(x.shape(), strides);
    const std::int64_t blocked = grid.block > 1 ? grid.strides[grid.axis] : 0;
    for (std::int64_t i = 0; i < x.size(); ++i, walk.next())
        f(i, walk.at() + (blocked ? walk.index()[grid.axis] / grid.block * blocked : 0));
}

Outputs quantize(const Call& call) {
    auto x = call.required(0);
    auto scale = call.required(1);
    if (!x || !scale)
        return x ? scale.error() : x.error();
    const Tensor* zero = call.input(2);
    DType to = ir::inference::dtypeAttribute(call.attributes(), "output_dtype", DType::Undefined);
    if (to == DType::Undefined)
        to = zero ? zero->dtype() : DType::UInt8;
    auto grid = gridOf(call, **x, **scale);
    if (!grid)
        return grid.error();
    if (zero && zero->size() != (*scale)->size())
        return call.error("its scales and zero points differ in number.");
    const bool saturates = call.attributes().integer("saturate", 1) != 0;
    const auto point = [&](std::int64_t at) { return zero ? zero->number(at) : 0.0; };
    if (ir::isFloat(to)) {
        std::vector<double> values(static_cast<std::size_t>((*x)->size()));
        forElements(**x, *grid, [&](std::int64_t i, std::int64_t at) {
            values[static_cast<std::size_t>(i)] =
                roundedTo((*x)->number(i) / (*scale)->number(at) + point(at), to, saturates);
        });
        return one(tensorOf(call, to, (*x)->shape(), std::move(values)));
    }
    std::vector<std::int64_t> values(static_cast<std::size_t>((*x)->size()));
    forElements(**x, *grid, [&](std::int64_t i, std::int64_t at) {
        values[static_cast<std::size_t>(i)] = saturated(
            std::nearbyint(quotientOf(call, (*x)->number(i), (*scale)->number(at))) + point(at),
            to);
    });
    return one({to, (*x)->shape(), std::move(values)});
}

/// Packed weights of MatMulNBits (N, blocks, bytes) as (N, K), which lowering unpacks by a
/// DequantizeLinear with the attributes of that operator.
Outputs dequantize(const Call& call) {
    if (call.attributes().integer("N", 0) > 0 && call.attributes().integer("K", 0) > 0) {
        auto weights = unpackedWeights(call, 0, 1, 2);
        return weights ? Outputs(one(*std::move(weights))) : weights.error();
    }
    auto x = call.required(0);
    auto scale = call.required(1);
    if (!x || !scale)
        return x ? scale.error() : x.error();
    const Tensor* zero = call.input(2);
    auto grid = gridOf(call, **x, **scale);
    if (!grid)
        return grid.error();
    if (zero && zero->size() != (*scale)->size() && zero->size() != 1)
        return call.error("its scales and zero points differ in number.");
    if (auto error = call.tooLarge((*x)->shape()))
        return *std::move(error);
    DType to = ir::inference::dtypeAttribute(call.attributes(), "output_dtype", DType::Undefined);
    if (to == DType::Undefined)
        to = ir::isFloat((*scale)->dtype()) ? (*scale)->dtype() : DType::Float32;
    std::vector<double> values(static_cast<std::size_t>((*x)->size()));
    forElements(**x, *grid, [&](std::int64_t i, std::int64_t at) {
        const double point = zero ? zero->number(zero->size() == 1 ? 0 : at) : 0.0;
        values[static_cast<std::size_t>(i)] = ((*x)->number(i) - point) * (*scale)->number(at);
    });
    return one(tensorOf(call, to, (*x)->shape(), std::move(values)));
}

/// To 8 bits by the range of the data, zero included.
Outputs dynamicQuantize(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Quantised q = dynamicallyQuantised(call, **x);
    return std::vector<Datum>{q.values, tensorOf(call, DType::Float32, {}, {q.scale}),
        Tensor(DType::UInt8, {}, std::vector<std::int64_t>{q.zeroPoint})};
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::QuantizeLinear, quantize},
    {Op::DequantizeLinear, dequantize},
    {Op::DynamicQuantizeLinear, dynamicQuantize},
};

} // namespace

double quotientOf(const Call& call, double x, double scale) {
    return call.isDouble() ? x / scale
                           : static_cast<double>(static_cast<float>(x) / static_cast<float>(scale));
}

std::int64_t saturated(double value, DType dtype) {
    const auto [low, high] = integerRange(dtype);
    if (std::isnan(value))
        return 0;
    return static_cast<std::int64_t>(
        std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
}

Quantised dynamicallyQuantised(const Call& call, const Tensor& x) {
    double low = 0, high = 0;
    for (std::int64_t i = 0; i < x.size(); ++i) {
        low = std::min(low, x.number(i));
        high = std::max(high, x.number(i));
    }
    constexpr double kSteps = 255;
    Quantised q;
    // The operator is defined in single precision, whose rounding decides ties.
    q.scale = static_cast<double>(static_cast<float>((high - low) / kSteps));
    if (q.scale == 0)
        q.scale = 1;
    q.zeroPoint = saturated(std::nearbyint(-low / q.scale), DType::UInt8);
    std::vector<std::int64_t> values(static_cast<std::size_t>(x.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = saturated(
            std::nearbyint(quotientOf(call, x.number(static_cast<std::int64_t>(i)), q.scale))
                + static_cast<double>(q.zeroPoint),
            DType::UInt8);
    q.values = Tensor(DType::UInt8, x.shape(), std::move(values));
    return q;
}

KernelTable quantisationKernels() {
    static const KernelList list = joinedTables({kTable, quantisedProductKernels()});
    return list;
}

} // namespace fivefold::numerics
