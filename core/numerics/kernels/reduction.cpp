// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/reduce.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Extents picked(const Extents& from, const std::vector<std::size_t>& axes, bool listed) {
    Extents result;
    for (std::size_t i = 0; i < from.size(); ++i)
        if (std::ranges::binary_search(axes, i) == listed)
            result.push_back(from[i]);
    return result;
}

struct Operand {
    Tensor tensor;
    ReducePlan plan;
    Extents shape; ///< of the result
};

base::Result<Operand> operandOf(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    if ((*x)->as<std::string>())
        return call.error("it works on numbers, but its operand holds text.");
    auto axes = reducedAxes(call, (*x)->rank());
    if (!axes)
        return axes.error();
    ReducePlan plan((*x)->shape(), *axes);
    Extents shape = plan.resultShape(call.attributes().integer("keepdims", 1) != 0);
    if (auto error = call.tooLarge(shape))
        return *std::move(error);
    return Operand{**x, std::move(plan), std::move(shape)};
}

/// One number of each group of floats: body(group start, walk) gives it, walk(f) calls f with each
/// element.
template <typename Body> Outputs ofFloats(const Call& call, const Operand& operand, Body&& body) {
    const Tensor x = asFloats(call, operand.tensor);
    const auto run = [&](const auto& list) -> Outputs {
        std::decay_t<decltype(list)> result(static_cast<std::size_t>(operand.plan.groups()));
        using T = typename std::decay_t<decltype(list)>::value_type;
        operand.plan.forGroups([&](std::int64_t number, std::int64_t start) {
            result[static_cast<std::size_t>(number)] = static_cast<T>(body([&](auto&& f) {
                operand.plan.forElements(start, [&](std::int64_t at) {
                    f(static_cast<double>(list[static_cast<std::size_t>(at)]));
                });
            }));
        });
        return one({x.dtype(), operand.shape, std::move(result)});
    };
    if (const auto* list = x.as<float>())
        return run(*list);
    return run(*x.as<double>());
}

template <typename Step>
Outputs ofIntegers(const Operand& operand, std::int64_t initial, Step&& step, DType dtype) {
    const auto& list = *operand.tensor.as<std::int64_t>();
    std::vector<std::int64_t> result(static_cast<std::size_t>(operand.plan.groups()));
    operand.plan.forGroups([&](std::int64_t number, std::int64_t start) {
        std::int64_t value = initial;
        operand.plan.forElements(start,
            [&](std::int64_t at) { value = step(value, list[static_cast<std::size_t>(at)]); });
        result[static_cast<std::size_t>(number)] = wrapped(value, dtype);
    });
    return one({dtype, operand.shape, std::move(result)});
}

std::int64_t addWrapped(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(std::uint64_t(a) + std::uint64_t(b));
}
std::int64_t timesWrapped(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(std::uint64_t(a) * std::uint64_t(b));
}

/// A sum of f of the elements, then g of it. Integers are summed exactly where g is the identity.
template <typename F, typename G, typename W> Outputs sumOf(const Call& call, F f, G g, W whole) {
    auto operand = operandOf(call);
    if (!operand)
        return operand.error();
    if (operand->tensor.as<std::int64_t>() && !std::is_same_v<W, std::nullptr_t>) {
        if constexpr (!std::is_same_v<W, std::nullptr_t>) {
            const DType dtype =
                operand->tensor.dtype() == DType::Bool ? DType::Int64 : operand->tensor.dtype();
            return ofIntegers(
                *operand, 0,
                [&](std::int64_t sum, std::int64_t x) { return addWrapped(sum, whole(x)); }, dtype);
        }
    }
    return withSum(call.evaluation, [&](auto sum) {
        return ofFloats(call, *operand, [&](auto&& walk) {
            sum.reset();
            walk([&](double x) { sum.add(f(x)); });
            return g(sum.value(), operand->plan.count());
        });
    });
}

constexpr auto kItself = [](double x) { return x; };
constexpr auto kSquare = [](double x) { return x * x; };
constexpr auto kSame = [](double sum, std::int64_t) { return sum; };

Outputs sum(const Call& call) {
    return sumOf(call, kItself, kSame, [](std::int64_t x) { return x; });
}
Outputs sumOfSquares(const Call& call) {
    return sumOf(call, kSquare, kSame, [](std::int64_t x) { return timesWrapped(x, x); });
}
Outputs sumOfMagnitudes(const Call& call) {
    return sumOf(
        call, [](double x) { return std::abs(x); }, kSame,
        [](std::int64_t x) { return x < 0 ? static_cast<std::int64_t>(0 - std::uint64_t(x)) : x; });
}
/// Back to the integer type of the operand, where it has one.
Outputs retyped(const Call& call, Outputs results) {
    const Tensor* x = call.input(0);
    if (results && x && x->as<std::int64_t>() && !ir::isFloat(call.operation.outputType))
        (*results)[0].tensor = ofType((*results)[0].tensor, x->dtype(), call.evaluation.carrier);
    return results;
}
Outputs mean(const Call& call) {
    return retyped(call,
        sumOf(
            call, kItself,
            [](double total, std::int64_t count) { return total / static_cast<double>(count); },
            nullptr));
}
Outputs norm(const Call& call) {
    return retyped(call,
        sumOf(
            call, kSquare, [](double total, std::int64_t) { return std::sqrt(total); }, nullptr));
}
Outputs logSum(const Call& call) {
    return retyped(call,
        sumOf(
            call, kItself, [](double total, std::int64_t) { return std::log(total); }, nullptr));
}

Outputs logSumExp(const Call& call) {
    auto operand = operandOf(call);
    if (!operand)
        return operand.error();
    return withSum(call.evaluation, [&](auto sum) {
        return ofFloats(call, *operand, [&](auto&& walk) {
            double largest = -kInfinity;
            walk([&](double x) { largest = x > largest || std::isnan(x) ? x : largest; });
            if (std::isinf(largest))
                return largest;
            sum.reset();
            walk([&](double x) { sum.add(std::exp(x - largest)); });
            return std::log(sum.value()) + largest;
        });
    });
}

Outputs product(const Call& call) {
    auto operand = operandOf(call);
    if (!operand)
        return operand.error();
    if (operand->tensor.as<std::int64_t>()) {
        const DType dtype =
            operand->tensor.dtype() == DType::Bool ? DType::Int64 : operand->tensor.dtype();
        return ofIntegers(*operand, 1, timesWrapped, dtype);
    }
    return ofFloats(call, *operand, [&](auto&& walk) {
        double value = 1;
        walk([&](double x) { value *= x; });
        return value;
    });
}

/// The largest (sign 1) or smallest (−1); NaN where there is one; of nothing the type's extreme.
template <int sign> Outputs extreme(const Call& call) {
    auto operand = operandOf(call);
    if (!operand)
        return operand.error();
    const DType dtype = operand->tensor.dtype();
    if (operand->tensor.as<std::int64_t>()) {
        if (dtype == DType::UInt64)
            return ofIntegers(
                *operand, sign > 0 ? 0 : -1,
                [](std::int64_t a, std::int64_t b) {
                    const bool isLess = std::uint64_t(a) < std::uint64_t(b);
                    return isLess == (sign > 0) ? b : a;
                },
                dtype);
        const auto [low, high] = integerRange(dtype);
        return ofIntegers(
            *operand, sign > 0 ? low : high,
            [](std::int64_t a, std::int64_t b) {
                return sign > 0 ? std::max(a, b) : std::min(a, b);
            },
            dtype);
    }
    return ofFloats(call, *operand, [&](auto&& walk) {
        double value = -sign * kInfinity;
        walk([&](double x) {
            if (std::isnan(x) || (sign > 0 ? x > value : x < value))
                value = x;
        });
        return value;
    });
}

template <bool isAny> Outputs truth(const Call& call) {
    auto operand = operandOf(call);
    if (!operand)
        return operand.error();
    operand->tensor = ofType(operand->tensor, DType::Bool, call.evaluation.carrier);
    return ofIntegers(
        *operand, isAny ? 0 : 1,
        [](std::int64_t a, std::int64_t b) {
            return isAny ? std::int64_t(a || b) : std::int64_t(a && b);
        },
        DType::Bool);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::ReduceSum, sum},
    {Op::ReduceSumSquare, sumOfSquares},
    {Op::ReduceL1, sumOfMagnitudes},
    {Op::ReduceL2, norm},
    {Op::ReduceMean, mean},
    {Op::ReduceLogSum, logSum},
    {Op::ReduceLogSumExp, logSumExp},
    {Op::ReduceProd, product},
    {Op::ReduceMax, extreme<1>},
    {Op::ReduceMin, extreme<-1>},
    {Op::ReduceAny, truth<true>},
    {Op::ReduceAll, truth<false>},
};

} // namespace

ReducePlan::ReducePlan(const Extents& shape, const std::vector<std::size_t>& axes)
    : m_shape(shape)
    , m_axes(axes)
    , m_kept(picked(shape, axes, false), {picked(stridesOf(shape), axes, false)})
    , m_reduced(picked(shape, axes, true), {picked(stridesOf(shape), axes, true)})
    , m_groups(productOf(picked(shape, axes, false)))
    , m_count(productOf(picked(shape, axes, true))) { }

Extents ReducePlan::resultShape(bool keepsAxes) const {
    if (!keepsAxes)
        return picked(m_shape, m_axes, false);
    Extents shape = m_shape;
    for (const std::size_t axis : m_axes)
        shape[axis] = 1;
    return shape;
}

base::Result<std::vector<std::size_t>> sortedAxes(
    const Call& call, const std::vector<std::int64_t>& axes, std::size_t rank) {
    std::vector<std::size_t> result;
    for (const std::int64_t axis : axes) {
        const auto at = axisIn(axis, rank);
        if (!at && !(rank == 0 && (axis == 0 || axis == -1)))
            return badAxis(call, axis, rank);
        if (at)
            result.push_back(*at);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<std::size_t> axesFrom(std::size_t first, std::size_t rank) {
    std::vector<std::size_t> axes(rank > first ? rank - first : 0);
    std::iota(axes.begin(), axes.end(), first);
    return axes;
}

base::Result<std::vector<std::size_t>> reducedAxes(const Call& call, std::size_t rank) {
    const auto given = call.integers(1, "axes");
    if (given && !given->empty())
        return sortedAxes(call, *given, rank);
    if (call.attributes().integer("noop_with_empty_axes", 0) != 0)
        return std::vector<std::size_t>();
    return axesFrom(0, rank);
}

Tensor sumOver(const Call& call, const Tensor& x, const std::vector<std::int64_t>& axes) {
    std::vector<std::size_t> sorted(axes.begin(), axes.end());
    std::ranges::sort(sorted);
    const ReducePlan plan(x.shape(), sorted);
    const Operand operand{x, plan, plan.resultShape(false)};
    if (x.as<std::int64_t>())
        return std::move((*ofIntegers(operand, 0, addWrapped, x.dtype()))[0].tensor);
    return withSum(call.evaluation, [&](auto total) {
        auto result = ofFloats(call, operand, [&](auto&& walk) {
            total.reset();
            walk([&](double value) { total.add(value); });
            return total.value();
        });
        return std::move((*result)[0].tensor);
    });
}

KernelTable reductionKernels() {
    static const KernelList list = joinedTables({kTable, softmaxKernels(), statisticsKernels()});
    return list;
}

} // namespace fivefold::numerics
