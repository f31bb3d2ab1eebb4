// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/elements.h"

#include <array>

namespace fivefold::numerics {

/// Multidirectional broadcast of two shapes; nullopt where they contradict.
std::optional<Extents> broadcastShape(const Extents& a, const Extents& b);
/// Of all given tensors; an Error of the call that names the shapes.
base::Result<Extents> broadcastAll(const Call& call, std::span<const Tensor* const> tensors);

/// Strides in elements of an operand of shape `in` seen as `out`: 0 along broadcast axes.
Extents broadcastStrides(const Extents& in, const Extents& out);

/// N operands seen in one shape. Adjacent axes are merged where all operands run straight through,
/// so that the innermost axis is as long as it can be.
template <std::size_t N> struct BroadcastPlan {
    Extents shape; ///< at least one axis
    std::array<Extents, N> strides;

    BroadcastPlan(const Extents& out, const std::array<Extents, N>& given) {
        for (std::size_t axis = 0; axis < out.size(); ++axis) {
            if (out[axis] == 1)
                continue;
            bool merges = !shape.empty();
            for (std::size_t n = 0; n < N; ++n)
                merges = merges && strides[n].back() == given[n][axis] * out[axis];
            if (merges)
                shape.back() *= out[axis];
            else
                shape.push_back(out[axis]);
            for (std::size_t n = 0; n < N; ++n) {
                if (merges)
                    strides[n].back() = given[n][axis];
                else
                    strides[n].push_back(given[n][axis]);
            }
        }
        if (shape.empty()) {
            shape = {1};
            for (Extents& list : strides)
                list = {0};
        }
    }

    /// Calls row(starts of the operands, start of the result, length) for each innermost row.
    template <typename Row> void forRows(Row&& row) const {
        const std::size_t outer = shape.size() - 1;
        const std::int64_t rows = productOf(shape, 0, outer);
        std::array<std::int64_t, N> at{};
        Extents index(outer, 0);
        for (std::int64_t i = 0; i < rows; ++i) {
            row(at, i * shape.back(), shape.back());
            for (std::size_t axis = outer; axis-- > 0;) {
                const bool isInside = ++index[axis] < shape[axis];
                for (std::size_t n = 0; n < N; ++n)
                    at[n] += isInside ? strides[n][axis] : -strides[n][axis] * (shape[axis] - 1);
                if (isInside)
                    break;
                index[axis] = 0;
            }
        }
    }
};

/// result[i] = f(a[i], b[i]) with both broadcast to `out`.
template <typename R, typename T, typename F>
std::vector<R> mapTwo(
    const T* a, const Extents& aShape, const T* b, const Extents& bShape, const Extents& out, F f) {
    std::vector<R> result(static_cast<std::size_t>(productOf(out)));
    if (result.empty())
        return result;
    const BroadcastPlan<2> plan(
        out, {broadcastStrides(aShape, out), broadcastStrides(bShape, out)});
    const std::int64_t aStep = plan.strides[0].back(), bStep = plan.strides[1].back();
    plan.forRows([&](const std::array<std::int64_t, 2>& at, std::int64_t to, std::int64_t count) {
        const T* x = a + at[0];
        const T* y = b + at[1];
        R* r = result.data() + to;
        if (aStep == 1 && bStep == 1) {
            for (std::int64_t i = 0; i < count; ++i)
                r[i] = f(x[i], y[i]);
        } else if (aStep == 1 && bStep == 0) {
            const T fixed = *y;
            for (std::int64_t i = 0; i < count; ++i)
                r[i] = f(x[i], fixed);
        } else if (aStep == 0 && bStep == 1) {
            const T fixed = *x;
            for (std::int64_t i = 0; i < count; ++i)
                r[i] = f(fixed, y[i]);
        } else {
            for (std::int64_t i = 0; i < count; ++i)
                r[i] = f(x[i * aStep], y[i * bStep]);
        }
    });
    return result;
}

/// result[i] = f(a[i]).
template <typename R, typename T, typename F> std::vector<R> mapOne(const std::vector<T>& a, F f) {
    std::vector<R> result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        result[i] = f(a[i]);
    return result;
}

/// A tensor's elements repeated to a shape that it broadcasts to.
Tensor broadcastTo(const Tensor& tensor, const Extents& shape);

} // namespace fivefold::numerics
