// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/product.h"

#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/sums.h"

#include <Eigen/Core>

#include <algorithm>

namespace fivefold::numerics {

namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using Map = Eigen::Map<const Matrix<T>>;

template <typename T> void multiplyOne(const T* a, const T* b, T* c, const ProductShape& s) {
    Eigen::Map<Matrix<T>> result(c, s.rows, s.columns);
    const Map<T> left(a, s.isATransposed ? s.depth : s.rows, s.isATransposed ? s.rows : s.depth);
    const Map<T> right(
        b, s.isBTransposed ? s.columns : s.depth, s.isBTransposed ? s.depth : s.columns);
    if (s.isATransposed && s.isBTransposed)
        result.noalias() = left.transpose() * right.transpose();
    else if (s.isATransposed)
        result.noalias() = left.transpose() * right;
    else if (s.isBTransposed)
        result.noalias() = left * right.transpose();
    else
        result.noalias() = left * right;
}

bool isCancelled(const Evaluation& evaluation) {
    return evaluation.progress && evaluation.progress->isCancelled();
}

template <typename T>
void multiplyAll(const Evaluation& evaluation, const T* a, const T* b, T* c,
    const ProductShape& shape, std::span<const ProductPlace> places) {
    for (const ProductPlace& place : places) {
        if (isCancelled(evaluation))
            return;
        multiplyOne(a + place.a, b + place.b, c + place.c, shape);
    }
}

/// Term by term, so that each addition can be rounded.
template <typename Sum>
void multiplyStepwise(const double* a, const double* b, double* c, const ProductShape& s, Sum sum) {
    const std::int64_t aRow = s.isATransposed ? 1 : s.depth, aStep = s.isATransposed ? s.rows : 1;
    const std::int64_t bColumn = s.isBTransposed ? s.depth : 1,
                       bStep = s.isBTransposed ? 1 : s.columns;
    for (std::int64_t i = 0; i < s.rows; ++i)
        for (std::int64_t j = 0; j < s.columns; ++j) {
            sum.reset();
            const double* x = a + i * aRow;
            const double* y = b + j * bColumn;
            for (std::int64_t k = 0; k < s.depth; ++k)
                sum.add(x[k * aStep] * y[k * bStep]);
            c[i * s.columns + j] = sum.value();
        }
}

template <typename To>
std::vector<To> roundedFactors(const std::vector<double>& from, const Rounder& rounder) {
    std::vector<To> result(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        result[i] = static_cast<To>(rounder(from[i]));
    return result;
}

/// Double carrier under an arithmetic.
void multiplyRounded(const Evaluation& evaluation, const std::vector<double>& a,
    const std::vector<double>& b, std::vector<double>& c, const ProductShape& shape,
    std::span<const ProductPlace> places) {
    const Rounder rounder = factorRounder(evaluation);
    // Products of two fp32 numbers do not fit fp32 sums exactly: those are rounded with the sum.
    if (sumKind(evaluation) == SumKind::Single) {
        const std::vector<float> x = roundedFactors<float>(a, rounder),
                                 y = roundedFactors<float>(b, rounder);
        std::vector<float> z(c.size());
        multiplyAll(evaluation, x.data(), y.data(), z.data(), shape, places);
        const auto size = static_cast<std::size_t>(shape.rows * shape.columns);
        for (const ProductPlace& place : places) {
            const auto begin = static_cast<std::size_t>(place.c);
            std::copy(z.begin() + static_cast<std::ptrdiff_t>(begin),
                z.begin() + static_cast<std::ptrdiff_t>(begin + size),
                c.begin() + static_cast<std::ptrdiff_t>(begin));
        }
        return;
    }
    const std::vector<double> x = roundedFactors<double>(a, rounder),
                              y = roundedFactors<double>(b, rounder);
    if (sumKind(evaluation) == SumKind::Wide) {
        multiplyAll(evaluation, x.data(), y.data(), c.data(), shape, places);
        return;
    }
    withSum(evaluation, [&](auto sum) {
        for (const ProductPlace& place : places) {
            if (isCancelled(evaluation))
                return;
            multiplyStepwise(
                x.data() + place.a, y.data() + place.b, c.data() + place.c, shape, sum);
        }
    });
}

void multiplyIntegers(
    const std::int64_t* a, const std::int64_t* b, std::int64_t* c, const ProductShape& s) {
    for (std::int64_t i = 0; i < s.rows; ++i)
        for (std::int64_t j = 0; j < s.columns; ++j) {
            std::uint64_t sum = 0; // wraps
            for (std::int64_t k = 0; k < s.depth; ++k)
                sum += static_cast<std::uint64_t>(
                           a[s.isATransposed ? k * s.rows + i : i * s.depth + k])
                    * static_cast<std::uint64_t>(
                        b[s.isBTransposed ? j * s.depth + k : k * s.columns + j]);
            c[i * s.columns + j] = static_cast<std::int64_t>(sum);
        }
}

/// The axes of a product: what each operand contributes.
struct MatmulPlan {
    Tensor a, b; ///< of rank 2 and more
    ProductShape shape;
    Extents result;
    std::vector<ProductPlace> places;
};

base::Result<MatmulPlan> planned(
    const Call& call, const Tensor& a, const Tensor& b, bool isATransposed, bool isBTransposed) {
    if (a.rank() == 0 || b.rank() == 0)
        return call.error("a factor of a matrix product is a scalar.");
    MatmulPlan plan{a, b, {}, {}, {}};
    if (a.rank() == 1)
        plan.a = a.reshaped({1, a.shape()[0]}), isATransposed = false;
    if (b.rank() == 1)
        plan.b = b.reshaped({b.shape()[0], 1}), isBTransposed = false;
    const Extents &as = plan.a.shape(), &bs = plan.b.shape();
    const Extents aLead(as.begin(), as.end() - 2), bLead(bs.begin(), bs.end() - 2);
    ProductShape& s = plan.shape;
    s.isATransposed = isATransposed;
    s.isBTransposed = isBTransposed;
    s.rows = as[as.size() - (isATransposed ? 1 : 2)];
    s.depth = as[as.size() - (isATransposed ? 2 : 1)];
    s.columns = bs[bs.size() - (isBTransposed ? 2 : 1)];
    const auto lead = broadcastShape(aLead, bLead);
    if (!lead || bs[bs.size() - (isBTransposed ? 1 : 2)] != s.depth)
        return call.error("matrices of " + extentsText(a.shape()) + " and " + extentsText(b.shape())
            + " cannot be multiplied.");
    plan.result = *lead;
    if (a.rank() > 1)
        plan.result.push_back(s.rows);
    if (b.rank() > 1)
        plan.result.push_back(s.columns);
    if (auto error = call.tooLarge(plan.result))
        return *std::move(error);
    // All rows of a batch times one matrix are one product.
    if (productOf(bLead) == 1 && !isATransposed) {
        s.rows *= productOf(aLead);
        plan.places.push_back({});
        return plan;
    }
    const Extents aStrides = broadcastStrides(aLead, *lead),
                  bStrides = broadcastStrides(bLead, *lead);
    const std::int64_t count = productOf(*lead);
    Walker aWalk(*lead, aStrides), bWalk(*lead, bStrides);
    for (std::int64_t i = 0; i < count; ++i, aWalk.next(), bWalk.next())
        plan.places.push_back({aWalk.at() * s.rows * s.depth, bWalk.at() * s.depth * s.columns,
            i * s.rows * s.columns});
    return plan;
}

} // namespace

template <typename T>
void multiply(const Evaluation& evaluation, const std::vector<T>& a, const std::vector<T>& b,
    std::vector<T>& c, const ProductShape& shape, std::span<const ProductPlace> places) {
    if (shape.rows == 0 || shape.columns == 0)
        return;
    if (shape.depth == 0) {
        for (const ProductPlace& place : places)
            std::fill_n(c.begin() + place.c, shape.rows * shape.columns, T(0));
        return;
    }
    if constexpr (std::is_same_v<T, std::int64_t>) {
        for (const ProductPlace& place : places)
            multiplyIntegers(a.data() + place.a, b.data() + place.b, c.data() + place.c, shape);
    } else {
        if constexpr (std::is_same_v<T, double>)
            if (evaluation.arithmetic && !evaluation.arithmetic->isExact()) {
                multiplyRounded(evaluation, a, b, c, shape, places);
                return;
            }
        multiplyAll(evaluation, a.data(), b.data(), c.data(), shape, places);
    }
}

template void multiply<float>(const Evaluation&, const std::vector<float>&,
    const std::vector<float>&, std::vector<float>&, const ProductShape&,
    std::span<const ProductPlace>);
template void multiply<double>(const Evaluation&, const std::vector<double>&,
    const std::vector<double>&, std::vector<double>&, const ProductShape&,
    std::span<const ProductPlace>);
template void multiply<std::int64_t>(const Evaluation&, const std::vector<std::int64_t>&,
    const std::vector<std::int64_t>&, std::vector<std::int64_t>&, const ProductShape&,
    std::span<const ProductPlace>);

base::Result<Tensor> matmul(
    const Call& call, const Tensor& a, const Tensor& b, bool isATransposed, bool isBTransposed) {
    if (a.as<std::string>() || b.as<std::string>())
        return call.error("it works on numbers, but a factor holds text.");
    auto pair = paired(call, a.reshaped({a.size()}), Tensor::scalar(b.dtype(), 0), false);
    if (!pair)
        return pair.error();
    const bool isFloat = ir::isFloat(pair->dtype);
    auto plan = planned(call, isFloat ? asFloats(call, a) : a, isFloat ? asFloats(call, b) : b,
        isATransposed, isBTransposed);
    if (!plan)
        return plan.error();
    const auto run = [&](const auto& left, const auto& right) -> Tensor {
        std::decay_t<decltype(left)> result(static_cast<std::size_t>(productOf(plan->result)));
        multiply(call.evaluation, left, right, result, plan->shape, plan->places);
        if constexpr (std::is_same_v<std::decay_t<decltype(left)>, std::vector<std::int64_t>>)
            for (std::int64_t& value : result)
                value = wrapped(value, pair->dtype);
        return {pair->dtype, plan->result, std::move(result)};
    };
    if (const auto* left = plan->a.as<float>())
        return run(*left, *plan->b.as<float>());
    if (const auto* left = plan->a.as<double>())
        return run(*left, *plan->b.as<double>());
    return run(*plan->a.as<std::int64_t>(), *plan->b.as<std::int64_t>());
}

base::Result<Tensor> added(const Call& call, const Tensor& a, const Tensor& b) {
    auto pair = paired(call, a, b, false);
    if (!pair)
        return pair.error();
    auto sum = combine(
        call, *pair, [](auto x, auto y) { return x + y; },
        [](std::int64_t x, std::int64_t y) {
            return static_cast<std::int64_t>(std::uint64_t(x) + std::uint64_t(y));
        });
    if (!sum)
        return sum.error();
    return std::move((*sum)[0].tensor);
}

base::Result<Tensor> activated(const Call& call, Tensor x) {
    const std::string name = call.attributes().text("activation");
    if (name.empty())
        return x;
    const auto op = ir::findOp(name);
    if (!op || !ir::isPointwise(*op))
        return call.error("its activation \"" + name.substr(0, 40) + "\" is unknown.");
    ir::Attributes attributes;
    constexpr std::string_view kNames[] = {"alpha", "beta"};
    const auto list = call.attributes().numbers("activation_params");
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        const std::string own = "activation_" + std::string(kNames[i]);
        if (call.attributes().has(own))
            attributes.set(std::string(kNames[i]), call.attributes().number(own, 0));
        else if (list && i < list->size())
            attributes.set(std::string(kNames[i]), (*list)[i]);
    }
    Operation operation;
    operation.op = *op;
    operation.name = call.operation.name;
    operation.attributes = &attributes;
    const Datum input(std::move(x));
    auto result = evaluate(operation, std::span(&input, 1), call.evaluation);
    if (!result)
        return result.error();
    return std::move((*result)[0].tensor);
}

} // namespace fivefold::numerics
