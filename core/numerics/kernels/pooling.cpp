// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/sums.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"
#include "core/numerics/kernels/windows.h"

#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

struct PoolPlan {
    Tensor x; ///< (N, C, …)
    WindowAxes axes;
    Extents result, in;
    std::int64_t planes = 0, pixels = 0; ///< of the result
};

base::Result<PoolPlan> poolPlan(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    PoolPlan plan;
    plan.x = call.attributes().integer("channels_last", 0) != 0 ? channelsSecond(**x) : **x;
    const auto kernel = call.attributes().integers("kernel_shape");
    const Extents& shape = plan.x.shape();
    // ATen pools images without a batch, too.
    const std::size_t spatial = kernel ? kernel->size() : 0;
    if (!kernel || shape.size() < spatial + 1 || spatial == 0)
        return call.error("its kernel_shape does not fit an input of " + extentsText(shape) + ".");
    plan.in = Extents(shape.end() - static_cast<std::ptrdiff_t>(spatial), shape.end());
    auto axes = windowAxes(call, plan.in, *kernel, true);
    if (!axes)
        return axes.error();
    plan.axes = *std::move(axes);
    plan.result = Extents(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(spatial));
    plan.planes = productOf(plan.result);
    const Extents outs = outputsOf(plan.axes);
    plan.result.insert(plan.result.end(), outs.begin(), outs.end());
    plan.pixels = productOf(outs);
    if (auto error = call.tooLarge(plan.result))
        return *std::move(error);
    return plan;
}

/// Taps of one axis that lie inside the input, for each output.
struct TapRange {
    std::int64_t first = 0, last = -1; ///< taps, both included
    std::int64_t source = 0; ///< where the first reads
    std::int64_t padded = 0; ///< taps inside the input and its padding
};

std::vector<TapRange> tapRanges(const WindowAxis& axis) {
    std::vector<TapRange> ranges(static_cast<std::size_t>(axis.out));
    for (std::int64_t o = 0; o < axis.out; ++o) {
        TapRange& range = ranges[static_cast<std::size_t>(o)];
        const std::int64_t start = axis.source(o, 0);
        const auto up = [&](std::int64_t x) {
            return x <= 0 ? 0 : (x + axis.dilation - 1) / axis.dilation;
        };
        range.first = std::min(axis.kernel, up(-start));
        range.last = std::min(axis.kernel, up(axis.in - start)) - 1;
        range.source = start + range.first * axis.dilation;
        range.padded = std::min(axis.kernel, up(axis.in + axis.after - start));
    }
    return ranges;
}

/// Calls window(output number, padded taps, visit) for each output of a plane; visit(f) calls
/// f(place in the plane) for each tap inside the input.
template <typename Window> void forWindows(const PoolPlan& plan, Window&& window) {
    std::vector<std::vector<TapRange>> ranges;
    for (const WindowAxis& axis : plan.axes)
        ranges.push_back(tapRanges(axis));
    const Extents outs = outputsOf(plan.axes), strides = stridesOf(plan.in);
    const std::size_t rank = plan.axes.size();
    Extents index(rank, 0), counts(rank), steps(rank);
    for (std::int64_t o = 0; o < plan.pixels; ++o, advance(index, outs)) {
        std::int64_t start = 0, padded = 1;
        for (std::size_t d = 0; d < rank; ++d) {
            const TapRange& range = ranges[d][static_cast<std::size_t>(index[d])];
            counts[d] = std::max<std::int64_t>(0, range.last - range.first + 1);
            steps[d] = plan.axes[d].dilation * strides[d];
            start += range.source * strides[d];
            padded *= range.padded;
        }
        const bool isEmpty = productOf(counts) == 0;
        window(o, padded, [&](auto&& f) {
            if (isEmpty)
                return;
            Walker walk(counts, steps, start);
            for (std::int64_t i = productOf(counts); i > 0; --i, walk.next())
                f(walk.at());
        });
    }
}

Outputs ended(const Call& call, Tensor y) {
    return one(call.attributes().integer("channels_last", 0) != 0 ? channelsLast(y) : y);
}

/// Number of an element if the spatial axes were counted from the first on (storage_order 1).
std::int64_t columnMajor(std::int64_t place, const Extents& in) {
    std::int64_t result = 0;
    const Extents strides = stridesOf(in);
    std::int64_t step = 1;
    for (std::size_t d = 0; d < in.size(); ++d) {
        result += place / strides[d] % in[d] * step;
        step *= in[d];
    }
    return result;
}

template <typename T> bool isNotANumber(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isnan(value);
    else
        return false;
}

template <typename T> Outputs maxPoolAs(const Call& call, const PoolPlan& plan) {
    const auto& list = *plan.x.as<T>();
    std::vector<T> result(static_cast<std::size_t>(plan.planes * plan.pixels));
    std::vector<std::int64_t> places(call.operation.outputs > 1 ? result.size() : 0);
    const std::int64_t size = productOf(plan.in);
    const bool isColumnMajor = call.attributes().integer("storage_order", 0) != 0;
    const bool isAten = call.operation.version == 0; // counts within a plane
    T lowest = std::numeric_limits<T>::lowest();
    if constexpr (std::is_floating_point_v<T>)
        lowest = -std::numeric_limits<T>::infinity();
    else
        lowest = integerRange(plan.x.dtype()).first;
    forWindows(plan, [&](std::int64_t o, std::int64_t, auto&& visit) {
        for (std::int64_t p = 0; p < plan.planes; ++p) {
            const T* plane = list.data() + p * size;
            T best = lowest;
            std::int64_t at = -1;
            visit([&](std::int64_t place) {
                const T v = plane[place];
                if (at < 0 || v > best || isNotANumber(v)) {
                    best = v;
                    at = place;
                }
            });
            const auto to = static_cast<std::size_t>(p * plan.pixels + o);
            result[to] = best;
            if (!places.empty())
                places[to] = (isAten ? 0 : p * size)
                    + (isColumnMajor && at >= 0 ? columnMajor(at, plan.in) : at);
        }
    });
    const bool hasPlaces = !places.empty();
    auto results = ended(call, {plan.x.dtype(), plan.result, std::move(result)});
    if (results && hasPlaces)
        results->push_back(*ended(call, {DType::Int64, plan.result, std::move(places)})->begin());
    return results;
}

Outputs maxPool(const Call& call) {
    auto plan = poolPlan(call);
    if (!plan)
        return plan.error();
    if (plan->x.as<float>())
        return maxPoolAs<float>(call, *plan);
    if (plan->x.as<double>())
        return maxPoolAs<double>(call, *plan);
    if (plan->x.as<std::int64_t>())
        return maxPoolAs<std::int64_t>(call, *plan);
    return call.error("it works on numbers, but its operand holds text.");
}

/// Sums f over each window and turns them into results by g(sum, padded taps, taps inside).
template <typename F, typename G> Outputs sumPool(const Call& call, F f, G g) {
    auto plan = poolPlan(call);
    if (!plan)
        return plan.error();
    plan->x = asFloats(call, plan->x);
    const std::int64_t size = productOf(plan->in);
    return withSum(call.evaluation, [&](auto sum) -> Outputs {
        const auto run = [&](const auto& list) -> Outputs {
            std::decay_t<decltype(list)> result(
                static_cast<std::size_t>(plan->planes * plan->pixels));
            using T = typename std::decay_t<decltype(list)>::value_type;
            forWindows(*plan, [&](std::int64_t o, std::int64_t padded, auto&& visit) {
                for (std::int64_t p = 0; p < plan->planes; ++p) {
                    sum.reset();
                    std::int64_t count = 0;
                    visit([&](std::int64_t at) {
                        sum.add(
                            f(static_cast<double>(list[static_cast<std::size_t>(p * size + at)])));
                        ++count;
                    });
                    result[static_cast<std::size_t>(p * plan->pixels + o)] =
                        static_cast<T>(g(sum.value(), padded, count));
                }
            });
            return ended(call, {plan->x.dtype(), plan->result, std::move(result)});
        };
        if (const auto* list = plan->x.as<float>())
            return run(*list);
        if (const auto* list = plan->x.as<double>())
            return run(*list);
        return call.error("it works on numbers, but its operand holds text.");
    });
}

Outputs averagePool(const Call& call) {
    const bool countsPadding = call.attributes().integer("count_include_pad", 0) != 0;
    const std::int64_t divisor = call.attributes().integer("divisor_override", 0);
    return sumPool(
        call, [](double x) { return x; },
        [=](double sum, std::int64_t padded, std::int64_t inside) {
            const std::int64_t count = divisor != 0 ? divisor : countsPadding ? padded : inside;
            return sum / static_cast<double>(count);
        });
}

Outputs lpPool(const Call& call) {
    const auto p = static_cast<double>(call.attributes().integer("p", 2));
    return sumPool(
        call, [=](double x) { return std::pow(std::abs(x), p); },
        [=](double sum, std::int64_t, std::int64_t) { return std::pow(sum, 1 / p); });
}

/// The same over whole planes: a window of the size of the input.
template <typename Pool> Outputs global(const Call& call, Pool pool) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const bool isLast = call.attributes().integer("channels_last", 0) != 0;
    const Extents& shape = (*x)->shape();
    // ATen pools the last two axes, whether there is a batch or not.
    const auto size = call.attributes().integers("output_size");
    const std::size_t spatial = size ? size->size() : shape.size() < 3 ? 0 : shape.size() - 2;
    if (spatial == 0 || shape.size() < spatial + 1)
        return call.error("its input of " + extentsText(shape) + " has no spatial axes.");
    Extents kernel(shape.end() - static_cast<std::ptrdiff_t>(spatial), shape.end());
    if (isLast)
        kernel = Extents(shape.begin() + 1, shape.end() - 1);
    for (const std::int64_t extent : kernel)
        if (extent == 0)
            return call.error("its planes are empty.");
    ir::Attributes attributes;
    attributes.set("kernel_shape", kernel);
    attributes.set("channels_last", std::int64_t(isLast));
    attributes.set("p", call.attributes().integer("p", 2));
    Operation operation = call.operation;
    operation.attributes = &attributes;
    operation.outputs = 1;
    return pool(Call{operation, call.inputs, call.evaluation});
}
Outputs globalAverage(const Call& call) {
    return global(call, averagePool);
}
Outputs globalMax(const Call& call) {
    return global(call, maxPool);
}
Outputs globalLp(const Call& call) {
    return global(call, lpPool);
}

/// Windows from ⌊o·in ÷ out⌋ to ⌈(o + 1)·in ÷ out⌉ (aten.adaptive_avg_pool).
Outputs adaptiveAverage(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const auto outs = call.attributes().integers("output_size");
    const Tensor tensor = asFloats(call, **x);
    if (!outs || outs->empty() || outs->size() >= tensor.rank() + 1)
        return call.error("its output_size does not fit its input.");
    const auto spatial = static_cast<std::ptrdiff_t>(outs->size());
    const Extents in(tensor.shape().end() - spatial, tensor.shape().end());
    Extents shape(tensor.shape().begin(), tensor.shape().end() - spatial);
    const std::int64_t planes = productOf(shape), size = productOf(in);
    shape.insert(shape.end(), outs->begin(), outs->end());
    if (auto error = call.tooLarge(shape))
        return *std::move(error);
    const Extents strides = stridesOf(in);
    std::vector<double> result;
    withSum(call.evaluation, [&](auto sum) {
        for (std::int64_t p = 0; p < planes; ++p) {
            Extents index(outs->size(), 0);
            for (std::int64_t o = productOf(*outs); o > 0; --o, advance(index, *outs)) {
                Extents counts;
                std::int64_t start = p * size;
                for (std::size_t d = 0; d < in.size(); ++d) {
                    const std::int64_t first = index[d] * in[d] / (*outs)[d];
                    const std::int64_t last =
                        ((index[d] + 1) * in[d] + (*outs)[d] - 1) / (*outs)[d];
                    counts.push_back(last - first);
                    start += first * strides[d];
                }
                sum.reset();
                Walker walk(counts, strides, start);
                for (std::int64_t i = productOf(counts); i > 0; --i, walk.next())
                    sum.add(tensor.number(walk.at()));
                result.push_back(sum.value() / static_cast<double>(productOf(counts)));
            }
        }
    });
    return one(tensorOf(call, tensor.dtype(), std::move(shape), std::move(result)));
}

/// Puts elements back where MaxPool took them from; zero elsewhere.
Outputs maxUnpool(const Call& call) {
    auto x = call.required(0);
    auto places = call.required(1);
    if (!x || !places)
        return x ? places.error() : x.error();
    const auto kernel = call.attributes().integers("kernel_shape");
    const Extents& shape = (*x)->shape();
    if (!kernel || shape.size() != kernel->size() + 2 || (*places)->shape() != shape)
        return call.error("its kernel_shape or indices do not fit its input.");
    auto axes = transposedWindowAxes(call, Extents(shape.begin() + 2, shape.end()), *kernel);
    if (!axes)
        return axes.error();
    Extents natural = outputsOf(*axes);
    natural.insert(natural.begin(), {shape[0], shape[1]});
    Extents result = natural;
    if (const Tensor* wanted = call.input(2)) {
        result.clear();
        for (std::int64_t i = 0; i < wanted->size(); ++i)
            result.push_back(wanted->integer(i));
    }
    if (result.size() != shape.size())
        return call.error("its output shape has another rank than its input.");
    if (auto error = call.tooLarge(result))
        return *std::move(error);
    // Indices count in the natural shape; a larger one puts them where its own axes say.
    const Extents strides = stridesOf(natural), to = stridesOf(result);
    std::vector<double> values(static_cast<std::size_t>(productOf(result)), 0.0);
    for (std::int64_t i = 0; i < (*x)->size(); ++i) {
        const std::int64_t place = (*places)->integer(i);
        std::int64_t at = 0;
        bool isInside = place >= 0 && place < productOf(natural);
        for (std::size_t d = 0; isInside && d < natural.size(); ++d) {
            const std::int64_t index = place / strides[d] % natural[d];
            isInside = index < result[d];
            at += index * to[d];
        }
        if (!isInside)
            return call.error("index " + std::to_string(place) + " is beyond its output.");
        values[static_cast<std::size_t>(at)] = (*x)->number(i);
    }
    return one(tensorOf(call, (*x)->dtype(), std::move(result), std::move(values)));
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::MaxPool, maxPool},
    {Op::AveragePool, averagePool},
    {Op::LpPool, lpPool},
    {Op::GlobalAveragePool, globalAverage},
    {Op::GlobalMaxPool, globalMax},
    {Op::GlobalLpPool, globalLp},
    {Op::AdaptiveAveragePool, adaptiveAverage},
    {Op::MaxUnpool, maxUnpool},
};

} // namespace

KernelTable poolingKernels() {
    static const KernelList list = joinedTables({kTable, regionKernels()});
    return list;
}

} // namespace fivefold::numerics
