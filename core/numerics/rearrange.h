// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/numerics/tensor.h"

#include <optional>
#include <span>
#include <vector>

namespace fivefold::numerics {

using Extents = std::vector<std::int64_t>;

/// Product of the extents in [first, last); saturates at INT64_MAX.
std::int64_t productOf(
    const Extents& shape, std::size_t first = 0, std::size_t last = std::size_t(-1));
/// Row-major strides in elements.
Extents stridesOf(const Extents& shape);
/// 0 … rank − 1 from −rank … rank − 1.
std::optional<std::size_t> axisIn(std::int64_t axis, std::size_t rank);
/// "2×65"; "scalar".
std::string extentsText(const Extents& shape);

/// Walks all indices of a shape in row-major order, with the flat place that given strides lead to:
/// one addition a step.
class Walker {
public:
    Walker(const Extents& shape, Extents strides, std::int64_t start = 0)
        : m_shape(shape)
        , m_strides(std::move(strides))
        , m_index(shape.size(), 0)
        , m_at(start) { }

    std::int64_t at() const { return m_at; }
    const Extents& index() const { return m_index; }
    void next() {
        for (std::size_t i = m_shape.size(); i-- > 0;) {
            m_at += m_strides[i];
            if (++m_index[i] < m_shape[i])
                return;
            m_at -= m_strides[i] * m_shape[i];
            m_index[i] = 0;
        }
    }

private:
    const Extents& m_shape;
    Extents m_strides;
    Extents m_index;
    std::int64_t m_at;
};

/// A tensor of that shape whose element i is element index(i) of `from`; a negative index gives a
/// default element (0, empty text).
template <typename Index> Tensor picked(const Tensor& from, Extents shape, Index&& index) {
    const auto count = static_cast<std::size_t>(productOf(shape));
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            std::decay_t<decltype(list)> result(count);
            for (std::size_t i = 0; i < count; ++i)
                if (const std::int64_t at = index(i); at >= 0)
                    result[i] = list[static_cast<std::size_t>(at)];
            return result;
        },
        from.elements());
    return {from.dtype(), std::move(shape), std::move(elements)};
}

/// The elements that strides (in elements, 0 and negative allowed) and a start lead to.
Tensor strided(const Tensor& from, Extents shape, Extents strides, std::int64_t start);
Tensor transposed(const Tensor& from, const std::vector<std::size_t>& order);
/// The slice at one index of an axis; the axis goes away.
Tensor sliceAt(const Tensor& from, std::size_t axis, std::int64_t index);
/// Indices [begin, begin + count) of an axis.
Tensor sliceOf(const Tensor& from, std::size_t axis, std::int64_t begin, std::int64_t count);
/// Joined along an axis. Fails with a sentence when shapes or kinds of elements differ. At least
/// one part.
base::Result<Tensor> joined(std::span<const Tensor> parts, std::size_t axis);
/// Joined along a new axis.
base::Result<Tensor> stacked(std::span<const Tensor> parts, std::size_t axis);
/// A tensor of zeros (empty texts) with the carrier of `like`.
Tensor zerosLike(const Tensor& like, Extents shape);

} // namespace fivefold::numerics
