// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/reduce.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"

#include <limits>

namespace fivefold::numerics {

namespace {

using ir::Op;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The axes that one distribution runs over: the attribute `axes`; before operator set 13 all from
/// `axis` on; else one axis.
base::Result<std::vector<std::size_t>> axesOf(const Call& call, std::size_t rank) {
    if (const auto axes = call.attributes().integers("axes"))
        return sortedAxes(call, *axes, rank);
    const int version = call.operation.version;
    const bool isOld = version > 0 && version < 13;
    if (rank == 0)
        return std::vector<std::size_t>();
    const std::int64_t given = call.attributes().integer("axis", isOld ? 1 : -1);
    if (isOld && given == static_cast<std::int64_t>(rank))
        return std::vector<std::size_t>();
    auto axis = axisOf(call, "axis", isOld ? 1 : -1, rank);
    if (!axis)
        return axis.error();
    if (isOld)
        return axesFrom(*axis, rank);
    return std::vector{*axis};
}

/// Rewrites each distribution in place: body(row) gets its elements as doubles.
template <typename Body> Outputs onRows(const Call& call, Body&& body) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor tensor = asFloats(call, **x);
    if (tensor.as<std::string>())
        return call.error("it works on numbers, but its operand holds text.");
    auto axes = axesOf(call, tensor.rank());
    if (!axes)
        return axes.error();
    const ReducePlan plan(tensor.shape(), *axes);
    const auto run = [&](auto list) -> Outputs {
        using T = typename decltype(list)::value_type;
        std::vector<double> row(static_cast<std::size_t>(plan.count()));
        plan.forGroups([&](std::int64_t, std::int64_t start) {
            std::size_t i = 0;
            plan.forElements(start, [&](std::int64_t at) {
                row[i++] = static_cast<double>(list[static_cast<std::size_t>(at)]);
            });
            body(row);
            i = 0;
            plan.forElements(start, [&](std::int64_t at) {
                list[static_cast<std::size_t>(at)] = static_cast<T>(row[i++]);
            });
        });
        return one({tensor.dtype(), tensor.shape(), std::move(list)});
    };
    if (const auto* list = tensor.as<float>())
        return run(*list);
    return run(*tensor.as<double>());
}

double largestOf(const std::vector<double>& row) {
    double largest = -kInfinity;
    for (const double x : row)
        largest = x > largest || std::isnan(x) ? x : largest;
    return largest;
}

Outputs softmax(const Call& call) {
    // The carrier of single precision takes the exponential in it.
    const bool isSingle = !call.isDouble();
    return withSum(call.evaluation, [&](auto sum) {
        return onRows(call, [&](std::vector<double>& row) {
            const double largest = largestOf(row);
            sum.reset();
            for (double& x : row) {
                x = isSingle ? static_cast<double>(std::exp(static_cast<float>(x - largest)))
                             : std::exp(x - largest);
                sum.add(x);
            }
            const double total = sum.value();
            for (double& x : row)
                x /= total;
        });
    });
}

Outputs logSoftmax(const Call& call) {
    return withSum(call.evaluation, [&](auto sum) {
        return onRows(call, [&](std::vector<double>& row) {
            const double largest = largestOf(row);
            sum.reset();
            for (const double x : row)
                sum.add(std::exp(x - largest));
            const double total = std::log(sum.value());
            for (double& x : row)
                x = x - largest - total;
        });
    });
}

/// 1 at the first largest element, else 0.
Outputs hardmax(const Call& call) {
    return onRows(call, [](std::vector<double>& row) {
        std::size_t at = 0;
        for (std::size_t i = 1; i < row.size(); ++i)
            at = row[i] > row[at] ? i : at;
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = i == at ? 1 : 0;
    });
}

/// The maximum along an axis and the sum of exp(x − maximum), the axis kept as 1.
Outputs statistics(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor tensor = asFloats(call, **x);
    const bool isWhole = tensor.rank() == 0 || call.attributes().integer("all_axes", 0) != 0;
    auto axes = isWhole ? axesFrom(0, tensor.rank()) : axesOf(call, tensor.rank());
    if (!axes)
        return axes.error();
    const ReducePlan plan(tensor.shape(), *axes);
    std::vector<double> maxima(static_cast<std::size_t>(plan.groups())), sums(maxima.size());
    withSum(call.evaluation, [&](auto sum) {
        plan.forGroups([&](std::int64_t number, std::int64_t start) {
            double largest = -kInfinity;
            plan.forElements(start, [&](std::int64_t at) {
                const double value = tensor.number(at);
                largest = value > largest || std::isnan(value) ? value : largest;
            });
            sum.reset();
            plan.forElements(
                start, [&](std::int64_t at) { sum.add(std::exp(tensor.number(at) - largest)); });
            maxima[static_cast<std::size_t>(number)] = largest;
            sums[static_cast<std::size_t>(number)] = sum.value();
        });
    });
    const Extents shape = plan.resultShape(true);
    return std::vector<Datum>{tensorOf(call, tensor.dtype(), shape, std::move(maxima)),
        tensorOf(call, tensor.dtype(), shape, std::move(sums))};
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Softmax, softmax},
    {Op::LogSoftmax, logSoftmax},
    {Op::Hardmax, hardmax},
    {Op::SoftmaxStatistics, statistics},
};

} // namespace

KernelTable softmaxKernels() {
    return kTable;
}

} // namespace fivefold::numerics
