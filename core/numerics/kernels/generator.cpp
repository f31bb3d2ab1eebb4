// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/numerics/kernels/elements.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/random.h"
#include "core/numerics/stored.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

constexpr double kTwoPi = 6.283185307179586;

base::Result<Tensor> stored(const Call& call, ir::TensorId id) {
    if (!call.operation.tensors)
        return call.error("its contents are not given.");
    auto tensor = storedTensor(*call.operation.tensors, id, call.evaluation.carrier);
    if (!tensor)
        return call.error(tensor.error().message);
    return tensor;
}

/// Constant: a tensor, or one of the short forms value_int, value_floats, …
Outputs constant(const Call& call) {
    for (const auto& [name, value] : call.attributes()) {
        if (!name.starts_with("value") && name != "sparse_value")
            continue;
        if (const auto* id = std::get_if<ir::TensorId>(&value)) {
            auto tensor = stored(call, *id);
            return tensor ? one(*std::move(tensor)) : Outputs(tensor.error());
        }
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            return one(Tensor(DType::Int64, {}, Extents{*integer}));
        if (const auto* integers = std::get_if<Extents>(&value))
            return one(Tensor::integers(*integers));
        if (const auto* number = std::get_if<double>(&value))
            return one(tensorOf(call, DType::Float32, {}, {*number}));
        if (const auto* numbers = std::get_if<std::vector<double>>(&value))
            return one(tensorOf(call, DType::Float32, {std::ssize(*numbers)}, *numbers));
        if (const auto* text = std::get_if<std::string>(&value))
            return one(Tensor(DType::String, {}, std::vector<std::string>{*text}));
        if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
            return one(Tensor(DType::String, {std::ssize(*texts)}, *texts));
    }
    return call.error("it has no value.");
}

Outputs constantOfShape(const Call& call) {
    const auto shape = call.integers(0, "shape");
    if (!shape)
        return call.error("the shape is missing.");
    if (std::ranges::any_of(*shape, [](std::int64_t size) { return size < 0; }))
        return call.error("a size is negative.");
    if (const auto error = call.tooLarge(*shape))
        return *error;
    const DType own = call.operation.outputType; // of lowered nodes, which have a number alone
    const double number = call.attributes().number("fill", 0);
    Tensor fill = tensorOf(call,
        call.attributes().has("fill") && own != DType::Undefined ? own : DType::Float32, {},
        {number});
    if (const auto value = call.attributes().tensor("value")) {
        auto tensor = stored(call, *value);
        if (!tensor)
            return tensor.error();
        if (tensor->size() != 1)
            return call.error("its value must be one element.");
        fill = *std::move(tensor);
    }
    return one(strided(fill, *shape, Extents(shape->size(), 0), 0));
}

/// Range: max(ceil((limit − start) / delta), 0) elements; integers exactly.
Outputs range(const Call& call) {
    const Tensor* operands[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const auto operand = call.required(i);
        if (!operand)
            return operand.error();
        if ((*operand)->size() != 1)
            return call.error("start, limit and delta must be scalars.");
        operands[i] = *operand;
    }
    const DType dtype = operands[0]->dtype();
    const double step = operands[2]->number(0);
    if (step == 0 || std::isnan(step))
        return call.error("the step is 0.");
    constexpr double kMost = 1e15;
    const double span = std::ceil((operands[1]->number(0) - operands[0]->number(0)) / step);
    if (!(span < kMost))
        return call.error("the range has no end that can be reached.");
    const auto count = static_cast<std::int64_t>(std::max(0.0, span));
    if (const auto error = call.tooLarge({count}))
        return *error;
    if (ir::isFloat(dtype)) {
        std::vector<double> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = operands[0]->number(0) + static_cast<double>(i) * step;
        return one(tensorOf(call, dtype, {count}, std::move(values)));
    }
    Extents values(static_cast<std::size_t>(count));
    const auto start = static_cast<std::uint64_t>(operands[0]->integer(0));
    const auto delta = static_cast<std::uint64_t>(operands[2]->integer(0));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int64_t>(start + i * delta);
    return one(Tensor(dtype, {count}, std::move(values)));
}

DType typeOf(const Call& call, std::string_view attribute, DType fallback) {
    return ir::inference::dtypeAttribute(call.attributes(), attribute, fallback);
}

/// EyeLike: as large as the input, or of the attribute "shape".
Outputs eyeLike(const Call& call) {
    const Tensor* like = call.input(0);
    const auto given = call.attributes().integers("shape");
    if (!like && !given)
        return call.error("the shape is missing.");
    const Extents shape = like ? like->shape() : *given;
    if (shape.size() != 2)
        return call.error(
            "it makes matrices, not tensors of rank " + std::to_string(shape.size()) + ".");
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t k = call.attributes().integer("k", 0);
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)), 0.0);
    for (std::int64_t row = 0; row < shape[0]; ++row)
        if (row + k >= 0 && row + k < shape[1])
            values[static_cast<std::size_t>(row * shape[1] + row + k)] = 1;
    return one(tensorOf(call, typeOf(call, "dtype", like ? like->dtype() : DType::Float32), shape,
        std::move(values)));
}

/// Windows of ONNX 17: Hann, Hamming (25/46) and Blackman (0.42, 0.5, 0.08).
Outputs window(const Call& call) {
    const auto size = integerOf(call, 0, "size");
    if (!size || *size < 0)
        return call.error("the size is missing or negative.");
    if (const auto error = call.tooLarge({*size}))
        return *error;
    const bool isPeriodic = call.attributes().integer("periodic", 1) != 0;
    const auto period =
        static_cast<double>(std::max<std::int64_t>(1, isPeriodic ? *size : *size - 1));
    std::vector<double> values(static_cast<std::size_t>(*size));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double angle = kTwoPi * static_cast<double>(i) / period;
        constexpr double kHamming = 25.0 / 46;
        values[i] = call.operation.op == Op::HannWindow ? 0.5 - 0.5 * std::cos(angle)
            : call.operation.op == Op::HammingWindow
            ? kHamming - (1 - kHamming) * std::cos(angle)
            : 0.42 - 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle);
    }
    return one(tensorOf(
        call, typeOf(call, "output_datatype", DType::Float32), {*size}, std::move(values)));
}

/// Random numbers of a shape: the attribute's, or that of the first operand of the *Like forms.
Outputs random(const Call& call) {
    const bool isLike =
        call.operation.op == Op::RandomNormalLike || call.operation.op == Op::RandomUniformLike;
    const Tensor* like = isLike ? call.input(0) : nullptr;
    const auto given = call.attributes().integers("shape");
    if (!like && !given)
        return call.error("the shape is missing.");
    const Extents shape = like ? like->shape() : *given;
    if (const auto error = call.tooLarge(shape))
        return *error;
    const DType dtype = typeOf(call, "dtype", like ? like->dtype() : DType::Float32);
    const bool isNormal =
        call.operation.op == Op::RandomNormal || call.operation.op == Op::RandomNormalLike;
    const double mean = call.attributes().number("mean", 0);
    const double scale = call.attributes().number("scale", 1);
    const double low = call.attributes().number("low", 0);
    const double high = call.attributes().number("high", 1);
    Random generator(streamSeed(call));
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)));
    for (double& value : values) {
        const double drawn =
            isNormal ? mean + scale * generator.normal() : generator.between(low, high);
        value = roundedTo(static_cast<double>(static_cast<float>(drawn)), dtype);
    }
    return one(tensorOf(call, dtype, shape, std::move(values)));
}

Outputs bernoulli(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    Random generator(streamSeed(call));
    std::vector<double> values(static_cast<std::size_t>((*x)->size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = generator.uniform() < (*x)->number(static_cast<std::int64_t>(i)) ? 1 : 0;
    return one(
        tensorOf(call, typeOf(call, "dtype", (*x)->dtype()), (*x)->shape(), std::move(values)));
}

/// Multinomial: samples of classes whose unnormalised log-probabilities the rows hold.
Outputs multinomial(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const std::int64_t samples = call.attributes().integer("sample_size", 1);
    if ((*x)->rank() != 2 || (*x)->shape()[1] < 1 || samples < 0)
        return call.error("it needs a matrix of log-probabilities.");
    const std::int64_t rows = (*x)->shape()[0], classes = (*x)->shape()[1];
    if (const auto error = call.tooLarge({rows, samples}))
        return *error;
    Random generator(streamSeed(call));
    Extents drawn;
    std::vector<double> sums(static_cast<std::size_t>(classes));
    for (std::int64_t row = 0; row < rows; ++row) {
        double largest = (*x)->number(row * classes);
        for (std::int64_t c = 1; c < classes; ++c)
            largest = std::max(largest, (*x)->number(row * classes + c));
        double sum = 0;
        for (std::int64_t c = 0; c < classes; ++c)
            sums[static_cast<std::size_t>(c)] = sum +=
                std::exp((*x)->number(row * classes + c) - largest);
        for (std::int64_t s = 0; s < samples; ++s) {
            const auto at = std::ranges::upper_bound(sums, generator.uniform() * sum);
            drawn.push_back(std::min<std::int64_t>(at - sums.begin(), classes - 1));
        }
    }
    return one(Tensor(typeOf(call, "dtype", DType::Int32), {rows, samples}, std::move(drawn)));
}

Outputs randomSeeds(const Call& call) {
    const Extents shape = call.attributes().integers("shape").value_or(Extents{});
    if (const auto error = call.tooLarge(shape))
        return *error;
    Random generator(streamSeed(call));
    Extents seeds(static_cast<std::size_t>(productOf(shape)));
    for (std::int64_t& seed : seeds)
        seed = static_cast<std::int64_t>(generator.next() >> 1);
    return one(Tensor(DType::Int64, shape, std::move(seeds)));
}

} // namespace

KernelTable generatorKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::Constant, constant},
        {Op::ConstantOfShape, constantOfShape}, {Op::Range, range}, {Op::EyeLike, eyeLike},
        {Op::BlackmanWindow, window}, {Op::HammingWindow, window}, {Op::HannWindow, window},
        {Op::RandomNormal, random}, {Op::RandomNormalLike, random}, {Op::RandomUniform, random},
        {Op::RandomUniformLike, random}, {Op::Bernoulli, bernoulli}, {Op::Multinomial, multinomial},
        {Op::RandomSeeds, randomSeeds}};
    return table;
}

} // namespace fivefold::numerics
