// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/reduce.h"
#include "core/numerics/kernels/tables.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

struct Normalised {
    Tensor y;
    std::vector<double> means, inverses; ///< of each group: mean, 1 ÷ deviation
};

struct NormOptions {
    double epsilon = 1e-5;
    bool isCentred = true; ///< subtracts the mean
    bool addsToDeviation = false; ///< epsilon after the root instead of under it
};

/// (x − mean) ÷ √(mean of squares + ε) of each group of a plan.
Normalised normalised(
    const Call& call, const Tensor& x, const ReducePlan& plan, const NormOptions& options) {
    Normalised result;
    result.means.resize(static_cast<std::size_t>(plan.groups()));
    result.inverses.resize(result.means.size());
    const auto count = static_cast<double>(plan.count());
    const auto run = [&](auto list, auto sum) -> Tensor {
        using T = typename decltype(list)::value_type;
        plan.forGroups([&](std::int64_t number, std::int64_t start) {
            double mean = 0;
            if (options.isCentred) {
                sum.reset();
                plan.forElements(start, [&](std::int64_t at) {
                    sum.add(static_cast<double>(list[static_cast<std::size_t>(at)]));
                });
                mean = sum.value() / count;
            }
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) {
                const double d = static_cast<double>(list[static_cast<std::size_t>(at)]) - mean;
                sum.add(d * d);
            });
            const double square = sum.value() / count;
            const double inverse = options.addsToDeviation
                ? 1 / (std::sqrt(square) + options.epsilon)
                : 1 / std::sqrt(square + options.epsilon);
            plan.forElements(start, [&](std::int64_t at) {
                T& place = list[static_cast<std::size_t>(at)];
                place = static_cast<T>((static_cast<double>(place) - mean) * inverse);
            });
            result.means[static_cast<std::size_t>(number)] = mean;
            result.inverses[static_cast<std::size_t>(number)] = inverse;
        });
        return {x.dtype(), x.shape(), std::move(list)};
    };
    result.y = withSum(call.evaluation, [&](auto sum) {
        const auto* single = x.as<float>();
        return single ? run(*single, sum) : run(*x.as<double>(), sum);
    });
    return result;
}

base::Result<const Tensor*> floatsAt(const Call& call, std::size_t index) {
    auto x = call.required(index);
    if (x && !(*x)->as<float>() && !(*x)->as<double>())
        return call.error("it works on floats, but its operand holds none.");
    return x;
}

/// y · scale + shift, each where it is there, broadcast from the last axis.
base::Result<Tensor> scaledAndShifted(
    const Call& call, Tensor y, const Tensor* scale, const Tensor* shift) {
    if (scale) {
        auto pair = paired(call, y, *scale, false);
        if (!pair)
            return pair.error();
        auto product = combine(
            call, *pair, [](auto a, auto b) { return a * b; },
            [](std::int64_t a, std::int64_t) { return a; });
        if (!product)
            return product.error();
        y = std::move((*product)[0].tensor);
    }
    return shift ? added(call, y, *shift) : base::Result<Tensor>(y);
}

/// A parameter [C] as [C, 1, …] for a tensor of that rank; null stays null.
std::optional<Tensor> perChannel(const Tensor* parameter, std::size_t rank) {
    if (!parameter)
        return std::nullopt;
    Extents shape(std::max<std::size_t>(rank, 2) - 1, 1);
    shape[0] = parameter->size();
    return parameter->reshaped(std::move(shape));
}
const Tensor* pointerTo(const std::optional<Tensor>& tensor) {
    return tensor ? &*tensor : nullptr;
}

/// Results besides Y: statistics with the normalised axes as 1.
std::vector<Datum> withStatistics(
    const Call& call, Tensor y, const Normalised& n, Extents shape, bool hasMean) {
    const DType dtype = y.dtype() == DType::Float64 ? DType::Float64 : DType::Float32;
    std::vector<Datum> results{std::move(y)};
    if (hasMean)
        results.emplace_back(tensorOf(call, dtype, shape, n.means));
    results.emplace_back(tensorOf(call, dtype, std::move(shape), n.inverses));
    return results;
}

template <bool isCentred> Outputs layerNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    auto axis = axisOf(call, "axis", -1, (*x)->rank());
    if (!axis)
        return axis.error();
    const ReducePlan plan((*x)->shape(), axesFrom(*axis, (*x)->rank()));
    const Normalised n =
        normalised(call, **x, plan, {call.attributes().number("epsilon", 1e-5), isCentred});
    auto y = scaledAndShifted(call, n.y, call.input(1), isCentred ? call.input(2) : nullptr);
    if (!y)
        return y.error();
    return withStatistics(call, *std::move(y), n, plan.resultShape(true), isCentred);
}

/// com.microsoft: input + skip [+ bias] first; the sum is result 4.
template <bool isCentred> Outputs skipNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    auto skip = call.required(1);
    if (!x || !skip)
        return x ? skip.error() : x.error();
    if ((*x)->rank() == 0)
        return call.error("its input is a scalar.");
    const Tensor* scale = call.input(2);
    const Tensor* shift = isCentred ? call.input(3) : nullptr;
    const Tensor* bias = call.input(isCentred ? 4 : 3);
    auto sum = added(call, **x, **skip);
    if (sum && bias)
        sum = added(call, *sum, *bias);
    if (!sum)
        return sum.error();
    const ReducePlan plan(sum->shape(), {sum->rank() - 1});
    const double fallback = isCentred ? 1e-12 : 1e-5; // of the contrib operators
    const Normalised n =
        normalised(call, *sum, plan, {call.attributes().number("epsilon", fallback), isCentred});
    auto y = scaledAndShifted(call, n.y, scale, shift);
    if (!y)
        return y.error();
    std::vector<Datum> results =
        withStatistics(call, *std::move(y), n, plan.resultShape(true), true);
    results.emplace_back(*std::move(sum));
    return results;
}

std::vector<std::size_t> spatialAxes(std::size_t rank) {
    return axesFrom(2, rank);
}

Outputs instanceNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    if ((*x)->rank() < 2)
        return call.error("its input needs a batch and a channel axis.");
    const ReducePlan plan((*x)->shape(), spatialAxes((*x)->rank()));
    const Normalised n = normalised(call, **x, plan, {call.attributes().number("epsilon", 1e-5)});
    const auto scale = perChannel(call.input(1), (*x)->rank());
    const auto shift = perChannel(call.input(2), (*x)->rank());
    auto y = scaledAndShifted(call, n.y, pointerTo(scale), pointerTo(shift));
    return y ? Outputs(one(*std::move(y))) : y.error();
}

/// Channels last to channels second, or back.
Tensor channelsMoved(const Tensor& x, bool toSecond) {
    std::vector<std::size_t> order = axesFrom(0, x.rank());
    if (toSecond)
        std::rotate(order.begin() + 1, order.end() - 1, order.end());
    else
        std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return transposed(x, order);
}

/// The statistics of groups of channels; scale and shift a channel, or a group in the operator's
/// first version.
base::Result<Tensor> groupScaled(const Call& call, const Tensor& y, const Tensor* scale,
    const Tensor* shift, std::int64_t groups) {
    const Extents shape = y.shape();
    const std::int64_t channels = shape[1];
    const bool isPerGroup = scale && scale->size() == groups && groups != channels;
    if (!isPerGroup) {
        const auto s = perChannel(scale, shape.size()), b = perChannel(shift, shape.size());
        return scaledAndShifted(call, y, pointerTo(s), pointerTo(b));
    }
    const auto s = perChannel(scale, 3), b = perChannel(shift, 3);
    auto result = scaledAndShifted(call,
        y.reshaped({shape[0], groups, y.size() / std::max<std::int64_t>(shape[0] * groups, 1)}),
        pointerTo(s), pointerTo(b));
    return result ? base::Result<Tensor>(result->reshaped(shape)) : result;
}

Outputs groupNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    const bool isLast = call.attributes().integer("channels_last", 0) != 0;
    if ((*x)->rank() < 2)
        return call.error("its input needs a batch and a channel axis.");
    const Tensor tensor = isLast ? channelsMoved(**x, true) : **x;
    const std::int64_t groups =
        call.attributes().integer("num_groups", call.attributes().integer("groups", 1));
    const Extents& shape = tensor.shape();
    if (groups < 1 || shape[1] % groups != 0)
        return call.error("its channels do not divide into " + std::to_string(groups) + " groups.");
    const std::int64_t inner =
        shape[0] == 0 ? 0 : tensor.size() / std::max<std::int64_t>(shape[0] * groups, 1);
    const Tensor grouped = tensor.reshaped({shape[0], groups, inner});
    const ReducePlan plan(grouped.shape(), {2});
    const Normalised n =
        normalised(call, grouped, plan, {call.attributes().number("epsilon", 1e-5)});
    auto y = groupScaled(call, n.y.reshaped(shape), call.input(1), call.input(2), groups);
    if (!y)
        return y.error();
    Tensor result = isLast ? channelsMoved(*y, false) : *y;
    if (isLast && call.attributes().integer("activation", 0) == 1) { // SiLU of the contrib operator
        ir::Attributes none;
        Operation swish;
        swish.op = Op::Swish;
        swish.attributes = &none;
        const Datum input(result);
        auto activated = evaluate(swish, std::span(&input, 1), call.evaluation);
        if (!activated)
            return activated;
        result = (*activated)[0].tensor;
    }
    return withStatistics(call, std::move(result), n, {shape[0], groups}, true);
}

struct ChannelStatistics {
    std::vector<double> means, variances;
};

ChannelStatistics statisticsOf(const Call& call, const Tensor& x) {
    std::vector<std::size_t> axes = axesFrom(0, x.rank());
    axes.erase(axes.begin() + (x.rank() > 1 ? 1 : 0));
    const ReducePlan plan(x.shape(), axes);
    ChannelStatistics result;
    const auto count = static_cast<double>(plan.count());
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t, std::int64_t start) {
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) { sum.add(x.number(at)); });
            const double mean = sum.value() / count;
            sum.reset();
            plan.forElements(start,
                [&](std::int64_t at) { sum.add((x.number(at) - mean) * (x.number(at) - mean)); });
            result.means.push_back(mean);
            result.variances.push_back(sum.value() / count);
        });
    });
    return result;
}

std::vector<double> numbersOr(const Tensor* tensor, std::size_t count, double fallback) {
    return tensor && tensor->size() == static_cast<std::int64_t>(count)
        ? tensor->numbers()
        : std::vector<double>(count, fallback);
}

/// Results 2 and 3 of training: running statistics in ONNX; in ATen the saved mean and inverse
/// deviation.
void addRunning(const Call& call, const ChannelStatistics& now, std::vector<Datum>& results) {
    const std::size_t channels = now.means.size();
    const Extents shape{static_cast<std::int64_t>(channels)};
    const DType dtype = call.input(0)->dtype();
    const bool isAten = call.operation.version == 0;
    std::vector<double> first = now.means, second = now.variances;
    if (isAten) {
        for (double& value : second)
            value = 1 / std::sqrt(value + call.attributes().number("epsilon", 1e-5));
    } else {
        const double momentum = call.attributes().number("momentum", 0.9);
        const auto oldMeans = numbersOr(call.input(3), channels, 0),
                   oldVariances = numbersOr(call.input(4), channels, 1);
        for (std::size_t i = 0; i < channels; ++i) {
            first[i] = oldMeans[i] * momentum + first[i] * (1 - momentum);
            second[i] = oldVariances[i] * momentum + second[i] * (1 - momentum);
        }
    }
    results.emplace_back(tensorOf(call, dtype, shape, std::move(first)));
    results.emplace_back(tensorOf(call, dtype, shape, std::move(second)));
}

Outputs batchNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    const Tensor& tensor = **x;
    if (tensor.rank() == 0)
        return call.error("its input is a scalar.");
    const std::size_t channelAxis = tensor.rank() > 1 ? 1 : 0;
    const auto channels = static_cast<std::size_t>(tensor.shape()[channelAxis]);
    const bool isTraining = call.attributes().integer("training_mode", 0) != 0;
    ChannelStatistics now;
    if (isTraining)
        now = statisticsOf(call, tensor);
    else
        now = {numbersOr(call.input(3), channels, 0), numbersOr(call.input(4), channels, 1)};
    const double epsilon = call.attributes().number("epsilon", 1e-5);
    const auto scale = numbersOr(call.input(1), channels, 1),
               bias = numbersOr(call.input(2), channels, 0);
    std::vector<double> factors(channels), shifts(channels);
    for (std::size_t i = 0; i < channels; ++i) {
        factors[i] = scale[i] / std::sqrt(now.variances[i] + epsilon);
        shifts[i] = bias[i] - now.means[i] * factors[i];
    }
    const std::int64_t inner = productOf(tensor.shape(), channelAxis + 1);
    const auto run = [&](auto list) -> Tensor {
        using T = typename decltype(list)::value_type;
        std::size_t at = 0;
        while (at < list.size())
            for (std::size_t c = 0; c < channels; ++c)
                for (std::int64_t i = 0; i < inner; ++i, ++at)
                    list[at] =
                        static_cast<T>(static_cast<double>(list[at]) * factors[c] + shifts[c]);
        return {tensor.dtype(), tensor.shape(), std::move(list)};
    };
    std::vector<Datum> results =
        one(tensor.as<float>() ? run(*tensor.as<float>()) : run(*tensor.as<double>()));
    if (isTraining)
        addRunning(call, now, results);
    else if (call.operation.version == 0)
        for (int i = 0; i < 2; ++i) // ATen saves nothing in inference
            results.emplace_back(tensorOf(call, tensor.dtype(), {0}, {}));
    return results;
}

/// x ÷ its p-norm along an axis; zero where the norm is.
Outputs lpNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    auto axis = axisOf(call, "axis", -1, (*x)->rank());
    if (!axis)
        return axis.error();
    const bool isL1 = call.attributes().integer("p", 2) == 1;
    const ReducePlan plan((*x)->shape(), {*axis});
    std::vector<double> values = (*x)->numbers();
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t, std::int64_t start) {
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) {
                const double v = values[static_cast<std::size_t>(at)];
                sum.add(isL1 ? std::abs(v) : v * v);
            });
            const double norm = isL1 ? sum.value() : std::sqrt(sum.value());
            plan.forElements(start, [&](std::int64_t at) {
                double& v = values[static_cast<std::size_t>(at)];
                v = norm == 0 ? 0 : v / norm;
            });
        });
    });
    return one(tensorOf(call, (*x)->dtype(), (*x)->shape(), std::move(values)));
}

Outputs meanVarianceNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    std::vector<std::int64_t> wanted{0, 2, 3};
    if (const auto given = call.attributes().integers("axes"))
        wanted = *given;
    std::erase_if(
        wanted, [&](std::int64_t axis) { return axis >= static_cast<std::int64_t>((*x)->rank()); });
    auto axes = sortedAxes(call, wanted, (*x)->rank());
    if (!axes)
        return axes.error();
    constexpr double kEpsilon = 1e-9; // of the operator's own definition
    const ReducePlan plan((*x)->shape(), *axes);
    return one(normalised(call, **x, plan, {kEpsilon, true, true}).y);
}

/// x ÷ (bias + alpha ÷ size · sum of squares over neighbouring channels)^beta
Outputs localResponse(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    const Extents& shape = (*x)->shape();
    const std::int64_t size = call.attributes().integer("size", 1);
    if (shape.size() < 2 || size < 1)
        return call.error("it needs a channel axis and a size of at least 1.");
    const double alpha = call.attributes().number("alpha", 1e-4),
                 beta = call.attributes().number("beta", 0.75),
                 bias = call.attributes().number("bias", 1);
    const std::int64_t inner = productOf(shape, 2), channels = shape[1];
    const std::int64_t before = (size - 1) / 2, after = size / 2;
    std::vector<double> values((*x)->numbers());
    const std::vector<double> from = values;
    withSum(call.evaluation, [&](auto sum) {
        for (std::int64_t at = 0; at < (*x)->size(); ++at) {
            const std::int64_t channel = at / inner % channels;
            sum.reset();
            for (std::int64_t c = std::max<std::int64_t>(0, channel - before);
                 c <= std::min(channels - 1, after > channels ? channels : channel + after); ++c) {
                const double v = from[static_cast<std::size_t>(at + (c - channel) * inner)];
                sum.add(v * v);
            }
            values[static_cast<std::size_t>(at)] /=
                std::pow(bias + alpha / static_cast<double>(size) * sum.value(), beta);
        }
    });
    return one(tensorOf(call, (*x)->dtype(), shape, std::move(values)));
}

/// exx2 of torch-spyre: scale · Σx² and scale · Σx of each row, packed into one element. Here the
/// element is what the two are for, the variance scale · Σx² − (scale · Σx)²; NormApply takes the
/// mean from x itself.
Outputs moments(const Call& call) {
    auto x = floatsAt(call, 0);
    if (!x)
        return x.error();
    if ((*x)->rank() == 0)
        return call.error("its input is a scalar.");
    const ReducePlan plan((*x)->shape(), {(*x)->rank() - 1});
    const double scale =
        call.attributes().number("scale", 1 / std::max(static_cast<double>(plan.count()), 1.0));
    const bool isZeroMean = call.attributes().integer("zero_mean", 0) != 0;
    std::vector<double> result(static_cast<std::size_t>(plan.groups()));
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t number, std::int64_t start) {
            double mean = 0;
            if (!isZeroMean) {
                sum.reset();
                plan.forElements(start, [&](std::int64_t at) { sum.add((*x)->number(at)); });
                mean = scale * sum.value();
            }
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) {
                sum.add(((*x)->number(at) - mean) * ((*x)->number(at) - mean));
            });
            result[static_cast<std::size_t>(number)] = scale * sum.value();
        });
    });
    return one(tensorOf(call, (*x)->dtype(), plan.resultShape(false), std::move(result)));
}

/// 1 ÷ √(variance + ε) of the moments.
Outputs momentScale(const Call& call) {
    const double epsilon = call.attributes().number("epsilon", 1e-5);
    return mapFloats(call, [=](auto x) {
        using T = decltype(x);
        return 1 / std::sqrt(std::max(x, T(0)) + T(epsilon));
    });
}

/// (x − mean) · scale · weight + bias, the mean being that of each row of x.
Outputs applyNorm(const Call& call) {
    auto x = floatsAt(call, 0);
    auto scale = call.required(2);
    if (!x || !scale)
        return x ? scale.error() : x.error();
    if ((*x)->rank() == 0)
        return call.error("its input is a scalar.");
    const ReducePlan plan((*x)->shape(), {(*x)->rank() - 1});
    std::vector<double> values = (*x)->numbers();
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t, std::int64_t start) {
            sum.reset();
            plan.forElements(
                start, [&](std::int64_t at) { sum.add(values[static_cast<std::size_t>(at)]); });
            const double mean = sum.value() / static_cast<double>(plan.count());
            plan.forElements(
                start, [&](std::int64_t at) { values[static_cast<std::size_t>(at)] -= mean; });
        });
    });
    const Tensor centred = tensorOf(call, (*x)->dtype(), (*x)->shape(), std::move(values));
    Tensor factors = **scale;
    if (factors.rank() + 1 == (*x)->rank()) {
        Extents shape = factors.shape();
        shape.push_back(1);
        factors = factors.reshaped(std::move(shape));
    }
    auto y = scaledAndShifted(call, centred, &factors, nullptr);
    if (y)
        y = scaledAndShifted(call, *y, call.input(3), call.input(4));
    return y ? Outputs(one(*std::move(y))) : y.error();
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::LayerNormalization, layerNorm<true>},
    {Op::RMSNormalization, layerNorm<false>},
    {Op::SkipLayerNormalization, skipNorm<true>},
    {Op::SkipRMSNormalization, skipNorm<false>},
    {Op::InstanceNormalization, instanceNorm},
    {Op::GroupNormalization, groupNorm},
    {Op::BatchNormalization, batchNorm},
    {Op::LpNormalization, lpNorm},
    {Op::MeanVarianceNormalization, meanVarianceNorm},
    {Op::LocalResponseNormalization, localResponse},
    {Op::NormMoments, moments},
    {Op::NormScale, momentScale},
    {Op::NormApply, applyNorm},
};

} // namespace

KernelTable normalisationKernels() {
    return kTable;
}

} // namespace fivefold::numerics
