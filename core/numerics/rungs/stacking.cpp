// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/stacking.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using Extents = std::vector<std::int64_t>;

struct Around {
    std::int64_t outer = 1, inner = 1;
};

Around around(const Extents& shape, std::size_t axis) {
    Around result;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != axis)
            (i < axis ? result.outer : result.inner) *= shape[i];
    return result;
}

/// Elements of a carrier, chosen and ordered by flat index.
template <typename Index> Tensor gathered(const Tensor& from, Extents shape, const Index& index) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return std::visit(
        [&](const auto& elements) {
            std::decay_t<decltype(elements)> result;
            result.reserve(static_cast<std::size_t>(count));
            for (std::int64_t i = 0; i < count; ++i)
                result.push_back(elements[static_cast<std::size_t>(index(i))]);
            return Tensor(from.dtype(), std::move(shape), Elements(std::move(result)));
        },
        from.elements());
}

} // namespace

std::optional<Tensor> partAt(const Tensor& tensor, std::int64_t axis, std::int64_t at) {
    const auto rank = static_cast<std::int64_t>(tensor.rank());
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return std::nullopt;
    Extents shape = tensor.shape();
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    at += at < 0 ? extent : 0;
    if (at < 0 || at >= extent)
        return std::nullopt;
    const Around a = around(shape, static_cast<std::size_t>(axis));
    shape.erase(shape.begin() + axis);
    return gathered(tensor, std::move(shape),
        [&](std::int64_t i) { return (i / a.inner * extent + at) * a.inner + i % a.inner; });
}

std::optional<Tensor> stack(const std::vector<Tensor>& parts, std::int64_t axis) {
    if (parts.empty() || !parts[0].isDefined())
        return std::nullopt;
    for (const Tensor& part : parts)
        if (!part.isDefined() || part.shape() != parts[0].shape()
            || part.elements().index() != parts[0].elements().index())
            return std::nullopt;
    const auto rank = static_cast<std::int64_t>(parts[0].rank());
    axis += axis < 0 ? rank + 1 : 0;
    if (axis < 0 || axis > rank)
        return std::nullopt;
    Extents shape = parts[0].shape();
    std::int64_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(axis); i < shape.size(); ++i)
        inner *= shape[i];
    const std::int64_t outer = inner == 0 ? 0 : parts[0].size() / inner;
    shape.insert(shape.begin() + axis, static_cast<std::int64_t>(parts.size()));
    return std::visit(
        [&](const auto& first) {
            using List = std::decay_t<decltype(first)>;
            List result;
            result.reserve(first.size() * parts.size());
            for (std::int64_t o = 0; o < outer; ++o)
                for (const Tensor& part : parts) {
                    const List& from = std::get<List>(part.elements());
                    result.insert(
                        result.end(), from.begin() + o * inner, from.begin() + (o + 1) * inner);
                }
            return Tensor(parts[0].dtype(), shape, Elements(std::move(result)));
        },
        parts[0].elements());
}

std::optional<Tensor> movedAxis(const Tensor& tensor, std::size_t from, std::size_t to) {
    const Extents& old = tensor.shape();
    if (from >= old.size() || to >= old.size())
        return std::nullopt;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < old.size(); ++i)
        if (i != from)
            order.push_back(i);
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    Extents strides(old.size(), 1);
    for (std::size_t i = old.size(); i-- > 1;)
        strides[i - 1] = strides[i] * old[i];
    Extents shape;
    for (const std::size_t axis : order)
        shape.push_back(old[axis]);
    const Extents extents = shape;
    return gathered(tensor, std::move(shape), [&](std::int64_t i) {
        std::int64_t flat = 0;
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            flat += i % extents[axis] * strides[order[axis]];
            i /= extents[axis];
        }
        return flat;
    });
}

} // namespace fivefold::numerics
