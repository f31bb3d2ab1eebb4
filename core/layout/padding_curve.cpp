// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/padding_curve.h"

#include <algorithm>

namespace fivefold::layout {

namespace {

base::Error invalid(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), "padding curve"};
}

} // namespace

const CurvePoint* PaddingCurve::at(std::int64_t size) const {
    if (points.empty() || size < points.front().size || size > points.back().size)
        return nullptr;
    return &points[static_cast<std::size_t>(size - points.front().size)];
}

base::Result<PaddingCurve> paddingCurve(
    const LayoutQuery& query, int dimension, std::int64_t from, std::int64_t to) {
    const auto rank = static_cast<std::int64_t>(query.shape.size());
    if (rank == 0)
        return invalid("a scalar has no dimension to vary; give a shape");
    const std::int64_t d = dimension < 0 ? rank + dimension : dimension;
    if (d < 0 || d >= rank)
        return invalid("the shape has no dimension " + std::to_string(dimension) + "; choose 0 to "
            + std::to_string(rank - 1));
    if (from < 0 || to < from)
        return invalid("the range of sizes is empty or negative; write it as FROM..TO");
    if (to - from >= kLargestCurve)
        return invalid("the range holds more than " + std::to_string(kLargestCurve)
            + " sizes; give a shorter one");
    if (!query.strides.empty())
        return invalid("host strides belong to one size; leave them out of a curve");

    LayoutQuery varied = query;
    PaddingCurve curve;
    curve.points.reserve(static_cast<std::size_t>(to - from + 1));
    for (std::int64_t size = from; size <= to; ++size) {
        varied.shape[static_cast<std::size_t>(d)] = size;
        const auto layout = layoutFor(varied);
        if (!layout)
            return layout.error();
        curve.points.push_back({size, waste(*layout), fivefold::layout::paddedElements(*layout),
            deviceBytes(*layout)});
    }
    return curve;
}

std::vector<std::int64_t> freeSizes(const PaddingCurve& curve) {
    std::vector<std::int64_t> sizes;
    for (const CurvePoint& point : curve.points)
        if (point.isFree())
            sizes.push_back(point.size);
    return sizes;
}

std::optional<std::int64_t> nextFree(const PaddingCurve& curve, std::int64_t above) {
    for (const CurvePoint& point : curve.points)
        if (point.size > above && point.isFree())
            return point.size;
    return std::nullopt;
}

std::optional<CommonSize> nextCommonSize(std::span<const PaddingCurve> curves, std::int64_t from) {
    std::int64_t last = -1;
    for (const PaddingCurve& curve : curves) {
        if (curve.isEmpty())
            return std::nullopt;
        from = std::max(from, curve.points.front().size);
        last = last < 0 ? curve.points.back().size : std::min(last, curve.points.back().size);
    }
    std::optional<CommonSize> best;
    for (std::int64_t size = from; size <= last; ++size) {
        CommonSize candidate{size, {}};
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (!curves[i].at(size)->isFree())
                candidate.padded.push_back(i);
        if (candidate.isFreeOnAll())
            return candidate;
        if (candidate.padded.size() < (best ? best->padded.size() : curves.size()))
            best = std::move(candidate);
    }
    return best;
}

} // namespace fivefold::layout
