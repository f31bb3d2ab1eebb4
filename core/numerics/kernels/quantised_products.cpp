// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/quantised.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/windows.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// Which way the parameters of an operand run.
enum class Along { Nothing, Rows, Columns, Channels };

/// A parameter shaped so that it broadcasts over its operand.
Tensor shaped(const Tensor& parameter, const Tensor& x, Along along) {
    if (parameter.size() == 1)
        return parameter.reshaped({});
    if (parameter.rank() > 1 || x.rank() == 0)
        return parameter;
    Extents shape(x.rank(), 1);
    if (along == Along::Channels)
        shape[0] = parameter.size();
    else if (along == Along::Rows && x.rank() >= 2)
        shape[x.rank() - 2] = parameter.size();
    else
        shape.back() = parameter.size();
    return parameter.reshaped(std::move(shape));
}

Tensor asDoubles(const Tensor& x) {
    if (x.as<double>())
        return x;
    return {DType::Float64, x.shape(), x.numbers()};
}

/// Integer operands less their zero points, in doubles, which hold all their products exactly.
base::Result<Tensor> shifted(const Call& call, const Tensor& x, const Tensor* zero, Along along) {
    const Tensor wide = asDoubles(x).retyped(DType::Float64);
    if (!zero || zero->size() == 0)
        return wide;
    const Tensor point = shaped(asDoubles(*zero).retyped(DType::Float64), x, along);
    return added(call, wide, scaledBy(point, -1));
}

/// The call without arithmetic, in doubles: sums of integers are exact on every machine.
struct ExactCall {
    Evaluation evaluation;
    Call call;

    explicit ExactCall(const Call& from)
        : evaluation(from.evaluation)
        , call{from.operation, from.inputs, evaluation} {
        evaluation.arithmetic = nullptr;
        evaluation.carrier = Carrier::Double;
    }
    ExactCall(const ExactCall&) = delete;
};

Tensor toInt32(const Tensor& x) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(x.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = wrapped(x.integer(static_cast<std::int64_t>(i)), DType::Int32);
    return {DType::Int32, x.shape(), std::move(values)};
}

Outputs integerProduct(const Call& call) {
    auto a = call.required(0);
    auto b = call.required(1);
    if (!a || !b)
        return a ? b.error() : a.error();
    const ExactCall exact(call);
    auto left = shifted(exact.call, **a, call.input(2), Along::Rows);
    auto right = shifted(exact.call, **b, call.input(3), Along::Columns);
    if (!left || !right)
        return left ? right.error() : left.error();
    auto product = matmul(exact.call, *left, *right);
    return product ? Outputs(one(toInt32(*product))) : product.error();
}

Outputs integerConvolution(const Call& call) {
    auto x = call.required(0);
    auto w = call.required(1);
    if (!x || !w)
        return x ? w.error() : x.error();
    const ExactCall exact(call);
    auto left = shifted(exact.call, **x, call.input(2), Along::Nothing);
    auto right = shifted(exact.call, **w, call.input(3), Along::Channels);
    if (!left || !right)
        return left ? right.error() : left.error();
    auto y = convolve(exact.call, *left, *right);
    return y ? Outputs(one(toInt32(*y))) : y.error();
}

/// round(y · factor) + zero point, held in the type of the zero point.
base::Result<Tensor> requantised(
    const Call& call, const Tensor& y, const Tensor& factors, const Tensor* zero, DType fallback) {
    const DType to = zero ? zero->dtype() : fallback;
    auto pair = paired(call, y, factors, true);
    if (!pair)
        return pair.error();
    auto scaled = combine(
        call, *pair, [](auto a, auto b) { return a * b; },
        [](std::int64_t a, std::int64_t) { return a; });
    if (!scaled)
        return scaled.error();
    const Tensor& values = (*scaled)[0].tensor;
    const double point = zero && zero->size() > 0 ? zero->number(0) : 0;
    if (ir::isFloat(to)) {
        std::vector<double> floats = values.numbers();
        for (double& value : floats)
            value = roundedTo(value + point, to);
        return tensorOf(call, to, values.shape(), std::move(floats));
    }
    std::vector<std::int64_t> result(static_cast<std::size_t>(values.size()));
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] =
            saturated(std::nearbyint(values.number(static_cast<std::int64_t>(i))) + point, to);
    return Tensor(to, values.shape(), std::move(result));
}

/// a · b ÷ c of scales, each a scalar or one an entry.
base::Result<Tensor> factorsOf(
    const Call& call, const Tensor& a, const Tensor& b, const Tensor& c) {
    auto product = paired(call, asDoubles(a), asDoubles(b), true);
    if (!product)
        return product.error();
    auto both = combine(
        call, *product, [](auto x, auto y) { return x * y; },
        [](std::int64_t x, std::int64_t) { return x; });
    if (!both)
        return both.error();
    auto ratio = paired(call, (*both)[0].tensor, asDoubles(c), true);
    if (!ratio)
        return ratio.error();
    auto result = combine(
        call, *ratio, [](auto x, auto y) { return x / y; },
        [](std::int64_t x, std::int64_t) { return x; });
    if (!result)
        return result.error();
    return std::move((*result)[0].tensor);
}

base::Result<base::Done> needs(const Call& call, std::initializer_list<std::size_t> indices) {
    for (const std::size_t index : indices)
        if (auto tensor = call.required(index); !tensor)
            return tensor.error();
    return base::Done{};
}

Outputs quantisedProduct(const Call& call) {
    if (auto done = needs(call, {0, 1, 3, 4, 6}); !done)
        return done.error();
    const Tensor &a = *call.input(0), &b = *call.input(3);
    const ExactCall exact(call);
    auto left = shifted(exact.call, a, call.input(2), Along::Rows);
    auto right = shifted(exact.call, b, call.input(5), Along::Columns);
    if (!left || !right)
        return left ? right.error() : left.error();
    auto product = matmul(exact.call, *left, *right);
    if (!product)
        return product.error();
    auto factors = factorsOf(exact.call, shaped(*call.input(1), a, Along::Rows),
        shaped(*call.input(4), b, Along::Columns), *call.input(6));
    if (!factors)
        return factors.error();
    auto y = requantised(exact.call, *product, *factors, call.input(7), a.dtype());
    return y ? Outputs(one(*std::move(y))) : y.error();
}

Outputs quantisedConvolution(const Call& call) {
    if (auto done = needs(call, {0, 1, 3, 4, 6}); !done)
        return done.error();
    const bool isLast = call.attributes().integer("channels_last", 0) != 0;
    const Tensor x = isLast ? channelsSecond(*call.input(0)) : *call.input(0);
    const Tensor& w = *call.input(3);
    const ExactCall exact(call);
    auto left = shifted(exact.call, x, call.input(2), Along::Nothing);
    auto right = shifted(exact.call, w, call.input(5), Along::Channels);
    if (!left || !right)
        return left ? right.error() : left.error();
    auto y = convolve(exact.call, *left, *right);
    Extents channels(x.rank() > 1 ? x.rank() - 1 : 1, 1);
    if (const Tensor* bias = call.input(8); y && bias) {
        channels[0] = bias->size();
        y = added(exact.call, *y, asDoubles(*bias).retyped(DType::Float64).reshaped(channels));
    }
    if (!y)
        return y.error();
    channels[0] = call.input(4)->size();
    auto factors =
        factorsOf(exact.call, *call.input(1), call.input(4)->reshaped(channels), *call.input(6));
    if (!factors)
        return factors.error();
    auto result = requantised(exact.call, *y, *factors, call.input(7), x.dtype());
    if (!result)
        return result.error();
    return one(isLast ? channelsLast(*result) : *result);
}

/// (x − zero point) · scale
base::Result<Tensor> dequantised(
    const Call& call, std::size_t value, std::size_t scale, std::size_t zero, Along along) {
    auto x = call.required(value);
    auto factor = call.required(scale);
    if (!x || !factor)
        return x ? factor.error() : x.error();
    auto wide = shifted(call, **x, call.input(zero), along);
    if (!wide)
        return wide;
    auto pair = paired(call, *wide, shaped(asDoubles(**factor), **x, along), true);
    if (!pair)
        return pair.error();
    auto result = combine(
        call, *pair, [](auto a, auto b) { return a * b; },
        [](std::int64_t a, std::int64_t) { return a; });
    if (!result)
        return result.error();
    return std::move((*result)[0].tensor);
}

/// Dequantises the operands, runs the plain operator and quantises its result.
struct QuantisedForm {
    Op op, plain;
    int operands; ///< of value, scale and zero point each; the result's scale and zero point follow
};
constexpr QuantisedForm kForms[] = {
    {Op::QLinearAdd, Op::Add, 2},
    {Op::QLinearMul, Op::Mul, 2},
    {Op::QLinearSigmoid, Op::Sigmoid, 1},
    {Op::QLinearLeakyRelu, Op::LeakyRelu, 1},
    {Op::QLinearSoftmax, Op::Softmax, 1},
    {Op::QLinearAveragePool, Op::AveragePool, 1},
    {Op::QLinearGlobalAveragePool, Op::GlobalAveragePool, 1},
};

Outputs throughFloats(const Call& call) {
    const auto form = std::ranges::find(kForms, call.operation.op, &QuantisedForm::op);
    const ExactCall exact(call);
    std::vector<Datum> operands;
    for (int i = 0; i < form->operands; ++i) {
        const auto at = static_cast<std::size_t>(3 * i);
        auto operand = dequantised(exact.call, at, at + 1, at + 2, Along::Nothing);
        if (!operand)
            return operand.error();
        operands.emplace_back(*std::move(operand));
    }
    Operation plain = call.operation;
    plain.op = form->plain;
    plain.outputType = DType::Undefined;
    plain.version = 0;
    auto y = evaluate(plain, operands, exact.evaluation);
    if (!y)
        return y;
    const auto last = static_cast<std::size_t>(3 * form->operands);
    auto scale = call.required(last);
    if (!scale)
        return scale.error();
    const Tensor one1 = Tensor::scalar(DType::Float64, 1);
    auto factors = factorsOf(exact.call, one1, one1, **scale);
    if (!factors)
        return factors.error();
    auto result = requantised(
        exact.call, (*y)[0].tensor, *factors, call.input(last + 1), call.input(0)->dtype());
    return result ? Outputs(one(*std::move(result))) : result.error();
}

/// Scale and zero point of the result, then value, scale and zero point of each part.
Outputs quantisedConcat(const Call& call) {
    const ExactCall exact(call);
    std::vector<Tensor> parts;
    for (std::size_t i = 2; i + 1 < call.inputs.size(); i += 3) {
        auto part = dequantised(exact.call, i, i + 1, i + 2, Along::Nothing);
        if (!part)
            return part.error();
        parts.push_back(*std::move(part));
    }
    auto scale = call.required(0);
    if (!scale || parts.empty())
        return scale ? call.error("it joins nothing.") : scale.error();
    auto axis = axisOf(call, "axis", 0, parts[0].rank());
    if (!axis)
        return axis.error();
    auto whole = joined(parts, *axis);
    if (!whole)
        return call.error(whole.error().message);
    const Tensor unit = Tensor::scalar(DType::Float64, 1);
    auto factors = factorsOf(exact.call, unit, unit, **scale);
    if (!factors)
        return factors.error();
    auto result = requantised(exact.call, *whole, *factors, call.input(1), call.input(2)->dtype());
    return result ? Outputs(one(*std::move(result))) : result.error();
}

base::Result<Tensor> withBias(const Call& call, base::Result<Tensor> y, std::size_t index) {
    const Tensor* bias = call.input(index);
    return y && bias ? added(call, *y, *bias) : y;
}

/// A of floats quantised by its range, times integer weights (com.microsoft).
Outputs dynamicProduct(const Call& call) {
    if (auto done = needs(call, {0, 1, 2}); !done)
        return done.error();
    const Quantised a = dynamicallyQuantised(call, *call.input(0));
    const ExactCall exact(call);
    const Tensor point = Tensor(DType::UInt8, {}, std::vector<std::int64_t>{a.zeroPoint});
    auto left = shifted(exact.call, a.values, &point, Along::Nothing);
    auto right = shifted(exact.call, *call.input(1), call.input(3), Along::Columns);
    if (!left || !right)
        return left ? right.error() : left.error();
    auto product = matmul(exact.call, *left, *right);
    if (!product)
        return product.error();
    auto pair = paired(exact.call, scaledBy(*product, a.scale),
        shaped(asDoubles(*call.input(2)), *call.input(1), Along::Columns), true);
    if (!pair)
        return pair.error();
    auto y = combine(
        exact.call, *pair, [](auto x, auto s) { return x * s; },
        [](std::int64_t x, std::int64_t) { return x; });
    if (!y)
        return y;
    const Tensor* bias = call.input(4);
    auto result = bias ? added(exact.call, (*y)[0].tensor, asDoubles(*bias))
                       : base::Result<Tensor>((*y)[0].tensor);
    return result ? Outputs(one(result->retyped(DType::Float32))) : result.error();
}

Outputs productToFloat(const Call& call) {
    const ExactCall exact(call);
    auto a = dequantised(exact.call, 0, 2, 4, Along::Rows);
    auto b = dequantised(exact.call, 1, 3, 5, Along::Columns);
    if (!a || !b)
        return a ? b.error() : a.error();
    auto product = matmul(exact.call, *a, *b);
    const Tensor* bias = call.input(6);
    if (product && bias)
        product = added(exact.call, *product, asDoubles(*bias));
    return product ? Outputs(one(product->retyped(DType::Float32))) : product.error();
}

Outputs packedProduct(const Call& call) {
    auto a = call.required(0);
    auto w = unpackedWeights(call, 1, 2, 3);
    if (!a || !w)
        return a ? w.error() : a.error();
    auto y = withBias(call, matmul(call, **a, *w, false, true), 5);
    return y ? Outputs(one(*std::move(y))) : y.error();
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::MatMulInteger, integerProduct},
    {Op::ConvInteger, integerConvolution},
    {Op::QLinearMatMul, quantisedProduct},
    {Op::QLinearConv, quantisedConvolution},
    {Op::QLinearAdd, throughFloats},
    {Op::QLinearMul, throughFloats},
    {Op::QLinearSigmoid, throughFloats},
    {Op::QLinearLeakyRelu, throughFloats},
    {Op::QLinearSoftmax, throughFloats},
    {Op::QLinearAveragePool, throughFloats},
    {Op::QLinearGlobalAveragePool, throughFloats},
    {Op::QLinearConcat, quantisedConcat},
    {Op::DynamicQuantizeMatMul, dynamicProduct},
    {Op::MatMulIntegerToFloat, productToFloat},
    {Op::MatMulNBits, packedProduct},
};

} // namespace

base::Result<Tensor> unpackedWeights(
    const Call& call, std::size_t weights, std::size_t scales, std::size_t zeroPoints) {
    auto packed = call.required(weights);
    auto scale = call.required(scales);
    if (!packed || !scale)
        return packed ? scale.error() : packed.error();
    const std::int64_t n = call.attributes().integer("N", 0), k = call.attributes().integer("K", 0),
                       bits = call.attributes().integer("bits", 4),
                       block = call.attributes().integer("block_size", 32);
    if (n < 1 || k < 1 || block < 1 || (bits != 2 && bits != 4 && bits != 8))
        return call.error("its attributes N, K, bits or block_size are not sound.");
    if (auto error = call.tooLarge({n, k}))
        return *std::move(error);
    const std::int64_t blocks = (k - 1) / block + 1, perByte = 8 / bits;
    const std::int64_t rowBytes = blocks * ((block - 1) / perByte + 1),
                       zeroBytes = (blocks - 1) / perByte + 1;
    const Tensor* zero = call.input(zeroPoints);
    const bool isZeroPacked = zero && zero->as<std::int64_t>();
    if ((*packed)->size() < n * rowBytes || (*scale)->size() < n * blocks
        || (zero && zero->size() < n * (isZeroPacked ? zeroBytes : blocks)))
        return call.error("its weights, scales or zero points are too few.");
    const std::int64_t mask = (1 << bits) - 1;
    const auto field = [&](const Tensor& from, std::int64_t start, std::int64_t i) {
        return from.integer(start + i / perByte) >> (i % perByte * bits) & mask;
    };
    std::vector<double> values(static_cast<std::size_t>(n * k));
    const std::int64_t blockBytes = rowBytes / blocks;
    for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t b = i / block;
            const auto q =
                static_cast<double>(field(**packed, row * rowBytes + b * blockBytes, i % block));
            double point = static_cast<double>(std::int64_t(1) << (bits - 1));
            if (isZeroPacked)
                point = static_cast<double>(field(*zero, row * zeroBytes, b));
            else if (zero)
                point = zero->number(row * blocks + b);
            values[static_cast<std::size_t>(row * k + i)] =
                (q - point) * (*scale)->number(row * blocks + b);
        }
    return tensorOf(call, (*scale)->dtype(), {n, k}, std::move(values));
}

KernelTable quantisedProductKernels() {
    return kTable;
}

} // namespace fivefold::numerics
