// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/sums.h"

/// Walks over some axes of a tensor for each index of the others.
namespace fivefold::numerics {

class ReducePlan {
public:
    /// `axes`: sorted, each once, inside the rank.
    ReducePlan(const Extents& shape, const std::vector<std::size_t>& axes);

    std::int64_t groups() const { return m_groups; } ///< elements of the result
    std::int64_t count() const { return m_count; } ///< elements that make one of them
    /// Shape of the result, the axes kept as 1 or gone.
    Extents resultShape(bool keepsAxes) const;

    /// Calls group(number, start) for each element of the result in row-major order.
    template <typename Group> void forGroups(Group&& group) const {
        if (m_groups == 0)
            return;
        const std::int64_t step = m_kept.strides[0].back();
        m_kept.forRows(
            [&](const std::array<std::int64_t, 1>& at, std::int64_t to, std::int64_t count) {
                for (std::int64_t i = 0; i < count; ++i)
                    group(to + i, at[0] + i * step);
            });
    }
    /// Calls element(place) for each element of the group that begins there, in row-major order.
    template <typename Element> void forElements(std::int64_t start, Element&& element) const {
        if (m_count == 0)
            return;
        const std::int64_t step = m_reduced.strides[0].back();
        m_reduced.forRows(
            [&](const std::array<std::int64_t, 1>& at, std::int64_t, std::int64_t count) {
                for (std::int64_t i = 0; i < count; ++i)
                    element(start + at[0] + i * step);
            });
    }

private:
    Extents m_shape;
    std::vector<std::size_t> m_axes;
    BroadcastPlan<1> m_kept, m_reduced;
    std::int64_t m_groups = 0, m_count = 0;
};

/// Axes of a reduction by input 2 or the attribute `axes`, sorted; all without them, none with
/// empty ones and noop_with_empty_axes.
base::Result<std::vector<std::size_t>> reducedAxes(const Call& call, std::size_t rank);
/// Sorted distinct axes from ones in −rank … rank − 1.
base::Result<std::vector<std::size_t>> sortedAxes(
    const Call& call, const std::vector<std::int64_t>& axes, std::size_t rank);
/// Axes from one to the last.
std::vector<std::size_t> axesFrom(std::size_t first, std::size_t rank);

/// Sum over axes that then go away, in the evaluation's accumulation; integers wrap.
Tensor sumOver(const Call& call, const Tensor& x, const std::vector<std::int64_t>& axes);

} // namespace fivefold::numerics
