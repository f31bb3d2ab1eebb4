// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rearrange.h"

#include <algorithm>
#include <limits>

namespace fivefold::numerics {

namespace {

base::Error mismatch(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), {}};
}

/// Carrier of the joined tensor must be one.
bool isSameKind(std::span<const Tensor> parts) {
    return std::ranges::all_of(parts, [&](const Tensor& part) {
        return part.isDefined() && part.elements().index() == parts[0].elements().index();
    });
}

} // namespace

std::int64_t productOf(const Extents& shape, std::size_t first, std::size_t last) {
    std::int64_t product = 1;
    for (std::size_t i = first; i < std::min(last, shape.size()); ++i)
        if (shape[i] == 0)
            return 0;
    for (std::size_t i = first; i < std::min(last, shape.size()); ++i)
        if (__builtin_mul_overflow(product, shape[i], &product))
            return std::numeric_limits<std::int64_t>::max();
    return product;
}

Extents stridesOf(const Extents& shape) {
    Extents strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

std::optional<std::size_t> axisIn(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    axis += axis < 0 ? count : 0;
    if (axis < 0 || axis >= count)
        return std::nullopt;
    return static_cast<std::size_t>(axis);
}

std::string extentsText(const Extents& shape) {
    std::string text;
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? "×" : "") + std::to_string(shape[i]);
    return shape.empty() ? "scalar" : text;
}

Tensor strided(const Tensor& from, Extents shape, Extents strides, std::int64_t start) {
    const std::int64_t count = productOf(shape);
    // The last axis runs in an inner loop.
    const std::int64_t inner = shape.empty() ? 1 : shape.back();
    const std::int64_t step = shape.empty() ? 0 : strides.back();
    Extents outer = shape;
    if (!outer.empty())
        outer.pop_back();
    if (!strides.empty())
        strides.pop_back();
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            std::decay_t<decltype(list)> result;
            result.reserve(static_cast<std::size_t>(count));
            Walker walker(outer, strides, start);
            for (std::int64_t row = 0; inner > 0 && row < count / inner; ++row, walker.next()) {
                const auto* base = list.data() + walker.at();
                if (step == 1) {
                    result.insert(result.end(), base, base + inner);
                    continue;
                }
                for (std::int64_t i = 0; i < inner; ++i)
                    result.push_back(base[i * step]);
            }
            return result;
        },
        from.elements());
    return {from.dtype(), std::move(shape), std::move(elements)};
}

Tensor transposed(const Tensor& from, const std::vector<std::size_t>& order) {
    const Extents own = stridesOf(from.shape());
    Extents shape, strides;
    for (const std::size_t axis : order) {
        shape.push_back(from.shape()[axis]);
        strides.push_back(own[axis]);
    }
    return strided(from, std::move(shape), std::move(strides), 0);
}

Tensor sliceOf(const Tensor& from, std::size_t axis, std::int64_t begin, std::int64_t count) {
    Extents shape = from.shape();
    const Extents strides = stridesOf(shape);
    shape[axis] = count;
    return strided(from, std::move(shape), strides, begin * strides[axis]);
}

Tensor sliceAt(const Tensor& from, std::size_t axis, std::int64_t index) {
    Tensor slice = sliceOf(from, axis, index, 1);
    Extents shape = slice.shape();
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return slice.reshaped(std::move(shape));
}

base::Result<Tensor> joined(std::span<const Tensor> parts, std::size_t axis) {
    if (parts.empty() || !isSameKind(parts))
        return mismatch("tensors of different kinds of elements cannot be joined.");
    Extents shape = parts[0].shape();
    if (axis >= shape.size())
        return mismatch("the tensors have no axis " + std::to_string(axis) + " to join along.");
    shape[axis] = 0;
    for (const Tensor& part : parts) {
        Extents own = part.shape();
        if (own.size() != shape.size())
            return mismatch("tensors of different ranks cannot be joined.");
        const std::int64_t extent = std::exchange(own[axis], shape[axis]);
        if (own != shape)
            return mismatch("tensors of the shapes " + extentsText(parts[0].shape()) + " and "
                + extentsText(part.shape()) + " cannot be joined along axis " + std::to_string(axis)
                + ".");
        shape[axis] += extent;
    }
    const std::int64_t outer = productOf(shape, 0, axis);
    const std::int64_t inner = productOf(shape, axis + 1);
    Elements elements = std::visit(
        [&](const auto& first) -> Elements {
            using List = std::decay_t<decltype(first)>;
            List result;
            result.reserve(static_cast<std::size_t>(productOf(shape)));
            for (std::int64_t row = 0; row < outer; ++row)
                for (const Tensor& part : parts) {
                    const auto& list = std::get<List>(part.elements());
                    const std::int64_t run = part.shape()[axis] * inner;
                    const auto begin = list.begin() + row * run;
                    result.insert(result.end(), begin, begin + run);
                }
            return result;
        },
        parts[0].elements());
    return Tensor(parts[0].dtype(), std::move(shape), std::move(elements));
}

base::Result<Tensor> stacked(std::span<const Tensor> parts, std::size_t axis) {
    std::vector<Tensor> wide;
    for (const Tensor& part : parts) {
        Extents shape = part.shape();
        if (!part.isDefined() || axis > shape.size())
            return mismatch("tensors without axis " + std::to_string(axis) + " cannot be stacked.");
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
        wide.push_back(part.reshaped(std::move(shape)));
    }
    return joined(wide, axis);
}

Tensor zerosLike(const Tensor& like, Extents shape) {
    const auto count = static_cast<std::size_t>(productOf(shape));
    Elements elements = std::visit(
        [&](const auto& list) -> Elements { return std::decay_t<decltype(list)>(count); },
        like.elements());
    return {like.dtype(), std::move(shape), std::move(elements)};
}

} // namespace fivefold::numerics
