// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/noise.h"

#include "core/compare/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::compare {

using ir::Op;
using numerics::Datum;
using numerics::Tensor;

namespace {

using Noise = std::vector<double>;

template <std::size_t N> bool isAmong(Op op, const std::array<Op, N>& list) {
    return std::ranges::find(list, op) != list.end();
}

bool isFloatTensor(const Datum& datum) {
    return datum.kind == Datum::Kind::Tensor && datum.tensor.isDefined()
        && ir::isFloat(datum.tensor.dtype());
}

std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ull; // SplitMix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

template <typename Function> Tensor mapped(const Tensor& tensor, Function function) {
    const Numbers from(tensor);
    std::vector<double> to(static_cast<std::size_t>(from.size()));
    for (std::int64_t i = 0; i < from.size(); ++i)
        to[static_cast<std::size_t>(i)] = function(from[i], i);
    return {tensor.dtype(), tensor.shape(), std::move(to)};
}

/// Products of two operands, plus what is added: the noise is a root of squares.
bool isSumOfProducts(Op op) {
    constexpr std::array kOps{Op::MatMul, Op::Gemm, Op::Conv, Op::ConvTranspose, Op::Einsum,
        Op::Linear, Op::BatchGemm, Op::FusedMatMul, Op::ReduceSum, Op::CumSum};
    return isAmong(op, kOps);
}

ir::Attributes squaredFactors(const ir::Attributes& attributes) {
    ir::Attributes result;
    for (const auto& [name, value] : attributes) {
        if (name == "alpha" || name == "beta") {
            const double factor = attributes.number(name, 1.0);
            result.set(name, factor * factor);
        } else {
            result.set(name, value);
        }
    }
    return result;
}

std::optional<Noise> ofSums(const ir::Attributes& attributes, std::span<const Datum> operands,
    double unit, const Evaluator& evaluate) {
    std::vector<Datum> squares;
    for (const Datum& datum : operands)
        squares.push_back(isFloatTensor(datum) ? Datum(squared(datum.tensor)) : datum);
    const ir::Attributes factors = squaredFactors(attributes);
    const auto result = evaluate(squares, &factors);
    if (!result || result->empty() || !(*result)[0].tensor.isDefined())
        return std::nullopt;
    Noise noise = (*result)[0].tensor.numbers();
    for (double& value : noise)
        value = unit * std::sqrt(std::max(value, 0.0));
    return noise;
}

std::optional<Noise> ofMean(const ir::Attributes& attributes, std::span<const Datum> operands,
    const Tensor& result, double unit, const Evaluator& evaluate) {
    auto noise = ofSums(attributes, operands, unit, evaluate);
    if (noise && result.size() > 0) {
        const double depth =
            static_cast<double>(operands[0].tensor.size()) / static_cast<double>(result.size());
        for (double& value : *noise)
            value /= std::sqrt(std::max(depth, 1.0));
    }
    return noise;
}

/// Elementwise: what each operand moved by one unit does, added up.
std::optional<Noise> ofDifferences(
    std::span<const Datum> operands, const Tensor& result, double unit, const Evaluator& evaluate) {
    Noise noise(static_cast<std::size_t>(result.size()), 0.0);
    const Numbers centre(result);
    std::vector<Datum> moved(operands.begin(), operands.end());
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (!isFloatTensor(operands[i]))
            continue;
        moved[i] = scaled(operands[i].tensor, 1 + unit);
        const auto values = evaluate(moved, nullptr);
        if (!values || values->empty() || (*values)[0].tensor.size() != result.size())
            return std::nullopt;
        const Numbers there((*values)[0].tensor);
        for (std::size_t k = 0; k < noise.size(); ++k) {
            const auto at = static_cast<std::int64_t>(k);
            const double change = std::abs(there[at] - centre[at]);
            noise[k] += std::isfinite(change) ? change : 0.0;
        }
        moved[i] = operands[i];
    }
    return noise;
}

std::vector<Noise> ofSamples(Op op, std::span<const Datum> operands, std::span<const Datum> results,
    double unit, const Evaluator& evaluate) {
    constexpr double kFlipUnits = 4; // flips of a step function need the inputs near its edge
    std::vector<std::vector<Datum>> runs;
    for (int run = 0; run < (isDiscontinuous(op) ? 4 : 2); ++run) {
        std::vector<Datum> moved(operands.begin(), operands.end());
        for (std::size_t i = 0; i < moved.size(); ++i) {
            if (!isFloatTensor(operands[i]))
                continue;
            const auto seed = static_cast<std::uint64_t>(run) * 977 + i + 1;
            if (run < 2)
                moved[i] = perturb(operands[i].tensor, unit, seed);
            else if (i == 0)
                moved[i] =
                    scaled(operands[i].tensor, 1 + (run == 2 ? kFlipUnits : -kFlipUnits) * unit);
        }
        if (auto values = evaluate(moved, nullptr))
            runs.push_back(*std::move(values));
    }
    std::vector<Noise> noise;
    for (std::size_t k = 0; k < results.size(); ++k) {
        std::vector<Tensor> samples;
        for (const auto& values : runs) {
            if (k < values.size() && values[k].tensor.size() == results[k].tensor.size())
                samples.push_back(values[k].tensor);
        }
        noise.push_back(spread(results[k].tensor, samples));
    }
    return noise;
}

} // namespace

bool isDiscontinuous(Op op) {
    constexpr std::array kOps{Op::Floor, Op::Ceil, Op::Round, Op::Trunc, Op::Frac, Op::Mod,
        Op::Sign, Op::ArgMax, Op::ArgMin, Op::TopK, Op::Hardmax, Op::Equal, Op::NotEqual,
        Op::Greater, Op::GreaterOrEqual, Op::Less, Op::LessOrEqual, Op::NonZero, Op::Unique,
        Op::NonMaxSuppression, Op::QuantizeLinear, Op::DynamicQuantizeLinear, Op::MaxWithIndex,
        Op::MinWithIndex, Op::ThresholdedRelu, Op::Shrink, Op::Binarizer, Op::IsInf};
    return isAmong(op, kOps);
}

bool isRandomOperator(Op op) {
    constexpr std::array kOps{Op::RandomNormal, Op::RandomNormalLike, Op::RandomUniform,
        Op::RandomUniformLike, Op::Multinomial, Op::Bernoulli, Op::RandomSeeds};
    return isAmong(op, kOps);
}

bool isCopying(Op op) {
    constexpr std::array kComputing{Op::BlackmanWindow, Op::HammingWindow, Op::HannWindow,
        Op::AffineGrid, Op::GridSample, Op::MelWeightMatrix, Op::Resize, Op::Upsample,
        Op::CropAndResize, Op::Range, Op::Col2Im, Op::Inverse, Op::GatherBlockQuantized,
        Op::ScatterElements, Op::ScatterND, Op::Scatter, Op::IndexPut, Op::ImageDecoder,
        Op::NonZero, Op::Unique, Op::NonMaxSuppression};
    constexpr std::array kSelecting{Op::Identity, Op::Neg, Op::Abs, Op::Relu, Op::Where, Op::Max,
        Op::Min, Op::Clip, Op::MaxPool, Op::GlobalMaxPool, Op::ReduceMax, Op::ReduceMin};
    if (isRandomOperator(op) || isAmong(op, kComputing))
        return false;
    return ir::opClass(op) == ir::OpClass::Movement || ir::isView(op) || isAmong(op, kSelecting);
}

Tensor perturb(const Tensor& tensor, double unit, std::uint64_t seed) {
    return mapped(tensor, [&](double value, std::int64_t at) {
        const bool isUp = mixed(seed * 0x2545f4914f6cdd1dull + static_cast<std::uint64_t>(at)) & 1;
        return value * (isUp ? 1 + unit : 1 - unit);
    });
}

Tensor scaled(const Tensor& tensor, double factor) {
    return mapped(tensor, [&](double value, std::int64_t) { return value * factor; });
}

Tensor squared(const Tensor& tensor) {
    return mapped(tensor,
        [](double value, std::int64_t) { return std::isfinite(value) ? value * value : 0.0; });
}

std::vector<double> spread(const Tensor& result, std::span<const Tensor> samples) {
    const std::int64_t total = result.size();
    Noise noise(static_cast<std::size_t>(total), 0.0);
    if (samples.empty() || total == 0)
        return samples.empty() ? Noise() : noise;
    const Numbers centre(result);
    const std::int64_t row =
        result.rank() == 0 ? 1 : std::max<std::int64_t>(1, result.shape().back());
    for (const Tensor& sample : samples) {
        const Numbers there(sample);
        for (std::int64_t begin = 0; begin < total; begin += row) {
            const std::int64_t end = std::min(total, begin + row);
            double squares = 0, relative = 0;
            for (std::int64_t i = begin; i < end; ++i) {
                double change = std::abs(there[i] - centre[i]);
                if (!std::isfinite(change))
                    change = 0;
                auto& own = noise[static_cast<std::size_t>(i)];
                own = std::max(own, change);
                squares += change * change;
                if (centre[i] != 0 && std::isfinite(centre[i]))
                    relative += std::min(1.0, change / std::abs(centre[i]))
                        * std::min(1.0, change / std::abs(centre[i]));
            }
            // One element's sample may be small by chance: neighbours say what is usual.
            const double usual = 0.5 * std::sqrt(squares / static_cast<double>(end - begin));
            const double share = std::sqrt(relative / static_cast<double>(end - begin));
            for (std::int64_t i = begin; i < end; ++i) {
                auto& own = noise[static_cast<std::size_t>(i)];
                own = std::max(
                    {own, usual, share * std::abs(std::isfinite(centre[i]) ? centre[i] : 0.0)});
            }
        }
    }
    return noise;
}

std::vector<Noise> operandNoise(Op op, const ir::Attributes& attributes,
    std::span<const Datum> operands, std::span<const Datum> results, double unit,
    const Evaluator& evaluate) {
    std::vector<Noise> none(results.size());
    if (isCopying(op) || results.empty() || unit <= 0 || operands.empty()
        || std::ranges::none_of(operands, isFloatTensor))
        return none;
    const bool isPlain = results.size() == 1 && isFloatTensor(results[0]);
    std::optional<Noise> noise;
    if (isPlain && isSumOfProducts(op))
        noise = ofSums(attributes, operands, unit, evaluate);
    else if (isPlain && op == Op::ReduceMean)
        noise = ofMean(attributes, operands, results[0].tensor, unit, evaluate);
    else if (isPlain && ir::opClass(op) == ir::OpClass::Pointwise && !isDiscontinuous(op))
        noise = ofDifferences(operands, results[0].tensor, unit, evaluate);
    if (noise && noise->size() == static_cast<std::size_t>(results[0].tensor.size())) {
        none[0] = *std::move(noise);
        return none;
    }
    return ofSamples(op, operands, results, unit, evaluate);
}

} // namespace fivefold::compare
