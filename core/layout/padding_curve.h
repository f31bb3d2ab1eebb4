// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/layout_for.h"

#include <span>

namespace fivefold::layout {

/// What one size of the varied dimension costs.
struct CurvePoint {
    std::int64_t size = 0;
    double waste = 0; ///< share of the device elements that is padding, 0..1
    std::int64_t paddedElements = 0;
    std::int64_t bytes = 0; ///< of the whole tensor on the device, padding included
    bool isFree() const { return paddedElements == 0; }
    bool operator==(const CurvePoint&) const = default;
};

/// Padding over the sizes of one dimension, ascending, one point a size.
struct PaddingCurve {
    std::vector<CurvePoint> points;

    bool isEmpty() const { return points.empty(); }
    /// The point of a size; null outside the range.
    const CurvePoint* at(std::int64_t size) const;
};

constexpr std::int64_t kLargestCurve = 1'000'000; ///< points of one curve

/// The padding of `query`'s tensor as the extent of `dimension` runs from `from` to `to`, both
/// included; everything else stays as the query says. A negative dimension counts from the end.
/// Fails where layoutFor() fails for any of the sizes, on a dimension that the tensor does not
/// have, on an empty or oversized range, and on strides, which belong to one size only. O(sizes).
base::Result<PaddingCurve> paddingCurve(
    const LayoutQuery& query, int dimension, std::int64_t from, std::int64_t to);

/// Sizes of a curve that cost no padding, ascending.
std::vector<std::int64_t> freeSizes(const PaddingCurve& curve);
/// The smallest size above `above` without padding, inside the curve.
std::optional<std::int64_t> nextFree(const PaddingCurve& curve, std::int64_t above);

/// A size and the curves on which it costs no padding.
struct CommonSize {
    std::int64_t size = 0;
    std::vector<std::size_t> padded; ///< curves that pad it; empty: free on all
    bool isFreeOnAll() const { return padded.empty(); }
    bool operator==(const CommonSize&) const = default;
};
/// The size from `from` on that is free on the most curves; the smallest such. So the next size
/// without padding on all of them where there is one in their common range. Nullopt when the curves
/// share no size from there on, or none is free on any. O(curves · sizes).
std::optional<CommonSize> nextCommonSize(std::span<const PaddingCurve> curves, std::int64_t from);

} // namespace fivefold::layout
