// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/reduce.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// All axes for `all_axes`, which fx text has where ATen flattens; else the axis.
base::Result<std::vector<std::size_t>> axesOf(
    const Call& call, std::int64_t fallback, std::size_t rank) {
    if (rank == 0 || call.attributes().integer("all_axes", 0) != 0)
        return axesFrom(0, rank);
    auto axis = axisOf(call, "axis", fallback, rank);
    if (!axis)
        return axis.error();
    return std::vector{*axis};
}

/// Whether `a` is beyond `b` in the direction: 1 greater, −1 less. NaN is beyond everything.
bool isBeyond(const Tensor& x, std::int64_t a, std::int64_t b, int sign) {
    if (const auto* list = x.as<std::int64_t>()) {
        const std::int64_t p = (*list)[static_cast<std::size_t>(a)],
                           q = (*list)[static_cast<std::size_t>(b)];
        if (x.dtype() == DType::UInt64)
            return sign > 0 ? std::uint64_t(p) > std::uint64_t(q)
                            : std::uint64_t(p) < std::uint64_t(q);
        return sign > 0 ? p > q : p < q;
    }
    const double p = x.number(a), q = x.number(b);
    if (std::isnan(p) || std::isnan(q))
        return std::isnan(p) && !std::isnan(q);
    return sign > 0 ? p > q : p < q;
}

/// Flat place of the extreme of each group, and its number within the group.
struct Extremes {
    std::vector<std::int64_t> places, numbers;
};

base::Result<Extremes> extremes(
    const Call& call, const Tensor& x, const ReducePlan& plan, int sign, bool takesLast) {
    if (plan.count() == 0 && plan.groups() > 0)
        return call.error("there is no extreme of no elements.");
    Extremes found;
    found.places.resize(static_cast<std::size_t>(plan.groups()));
    found.numbers.resize(found.places.size());
    plan.forGroups([&](std::int64_t number, std::int64_t start) {
        std::int64_t best = -1, bestNumber = 0, i = 0;
        plan.forElements(start, [&](std::int64_t at) {
            if (best < 0 || isBeyond(x, at, best, sign)
                || (takesLast && !isBeyond(x, best, at, sign))) {
                best = at;
                bestNumber = i;
            }
            ++i;
        });
        found.places[static_cast<std::size_t>(number)] = best;
        found.numbers[static_cast<std::size_t>(number)] = bestNumber;
    });
    return found;
}

template <int sign, bool hasValue> Outputs position(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    auto axes = axesOf(call, hasValue ? -1 : 0, (*x)->rank());
    if (!axes)
        return axes.error();
    const ReducePlan plan((*x)->shape(), *axes);
    auto found =
        extremes(call, **x, plan, sign, call.attributes().integer("select_last_index", 0) != 0);
    if (!found)
        return found.error();
    const Extents shape =
        plan.resultShape(call.attributes().integer("keepdims", hasValue ? 0 : 1) != 0);
    Tensor numbers(DType::Int64, shape, std::move(found->numbers));
    if (!hasValue)
        return one(std::move(numbers));
    return std::vector<Datum>{
        picked(**x, shape, [&](std::size_t i) { return found->places[i]; }), numbers};
}

/// Variance with a correction of the count (Bessel's 1 unless said otherwise), its root, and the
/// mean.
Outputs variance(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor tensor = asFloats(call, **x);
    auto axes = reducedAxes(call, tensor.rank());
    if (!axes)
        return axes.error();
    const ReducePlan plan(tensor.shape(), *axes);
    const double correction = call.attributes().number(
        "correction", static_cast<double>(call.attributes().integer("correction", 1)));
    const auto count = static_cast<double>(plan.count());
    std::vector<double> spreads(static_cast<std::size_t>(plan.groups())), means(spreads.size());
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t number, std::int64_t start) {
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) { sum.add(tensor.number(at)); });
            const double mean = sum.value() / count;
            sum.reset();
            plan.forElements(start, [&](std::int64_t at) {
                const double distance = tensor.number(at) - mean;
                sum.add(distance * distance);
            });
            const double spread = sum.value() / std::max(count - correction, 0.0);
            const auto at = static_cast<std::size_t>(number);
            spreads[at] = call.operation.op == Op::StandardDeviation ? std::sqrt(spread) : spread;
            means[at] = mean;
        });
    });
    const Extents shape = plan.resultShape(call.attributes().integer("keepdims", 0) != 0);
    std::vector<Datum> results{tensorOf(call, tensor.dtype(), shape, std::move(spreads))};
    if (call.operation.op == Op::VarianceMean)
        results.emplace_back(tensorOf(call, tensor.dtype(), shape, std::move(means)));
    return results;
}

/// Running sums or products along one axis.
template <bool multiplies> Outputs cumulative(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor& tensor = **x;
    if (tensor.rank() == 0)
        return one(tensor);
    const auto given = integerOf(call, 1, "axis");
    const auto axis = axisIn(given.value_or(0), tensor.rank());
    if (!axis)
        return badAxis(call, given.value_or(0), tensor.rank());
    const bool excludes = call.attributes().integer("exclusive", 0) != 0;
    const bool reverses = call.attributes().integer("reverse", 0) != 0;
    const ReducePlan plan(tensor.shape(), {*axis});
    const std::int64_t length = tensor.shape()[*axis];
    const std::int64_t stride = stridesOf(tensor.shape())[*axis];
    const auto run = [&](auto list, auto initial, auto step) -> Outputs {
        plan.forGroups([&](std::int64_t, std::int64_t start) {
            auto total = initial;
            for (std::int64_t i = 0; i < length; ++i) {
                auto& place = list[static_cast<std::size_t>(
                    start + (reverses ? length - 1 - i : i) * stride)];
                const auto next = step(total, place);
                place = excludes ? total : next;
                total = next;
            }
        });
        return one({tensor.dtype(), tensor.shape(), std::move(list)});
    };
    if (const auto* list = tensor.as<std::int64_t>())
        return run(*list, std::int64_t(multiplies), [&](std::int64_t a, std::int64_t b) {
            const std::uint64_t value = multiplies ? std::uint64_t(a) * std::uint64_t(b)
                                                   : std::uint64_t(a) + std::uint64_t(b);
            return wrapped(static_cast<std::int64_t>(value), tensor.dtype());
        });
    if (const auto* list = tensor.as<float>())
        return run(
            *list, float(multiplies), [](float a, float b) { return multiplies ? a * b : a + b; });
    if (!tensor.as<double>())
        return call.error("it works on numbers, but its operand holds text.");
    const Evaluation& evaluation = call.evaluation;
    const Rounder rounder = evaluation.arithmetic
        ? Rounder(evaluation.arithmetic->accumulate, *evaluation.arithmetic)
        : Rounder();
    return run(*tensor.as<double>(), double(multiplies),
        [&](double a, double b) { return rounder(multiplies ? a * b : a + b); });
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::ArgMax, position<1, false>},
    {Op::ArgMin, position<-1, false>},
    {Op::MaxWithIndex, position<1, true>},
    {Op::MinWithIndex, position<-1, true>},
    {Op::Variance, variance},
    {Op::StandardDeviation, variance},
    {Op::VarianceMean, variance},
    {Op::CumSum, cumulative<false>},
    {Op::CumProd, cumulative<true>},
};

} // namespace

KernelTable statisticsKernels() {
    return kTable;
}

} // namespace fivefold::numerics
