// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/layout_for.h"

#include "core/layout/family_layouts.h"
#include "core/layout/spyre_layout.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fivefold::layout {

namespace {

base::Error invalid(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), "layout"};
}

base::Result<std::vector<int>> checkedOrder(const LayoutQuery& query) {
    const std::size_t rank = query.shape.size();
    std::vector<int> order = query.order;
    if (order.empty()) {
        order.resize(rank);
        std::iota(order.begin(), order.end(), 0);
    }
    std::vector<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted.size() != rank || sorted[i] != static_cast<int>(i))
            return invalid("the order must name each of the " + std::to_string(rank)
                + " dimensions once; -1 (one element a stick) exists on Spyre only");
    }
    if (order.size() != rank)
        return invalid(
            "the order must name each of the " + std::to_string(rank) + " dimensions once");
    return order;
}

base::Result<TensorLayout> spyre(const LayoutQuery& query) {
    SpyreLayoutRequest request;
    request.shape = query.shape;
    request.dtype = query.dtype;
    request.order = query.order;
    request.strides = query.strides;
    if (!query.version.empty()) {
        const auto version = parseSpyreLayoutVersion(query.version);
        if (!version)
            return invalid("layout version \"" + query.version
                + "\" is unknown; choose 2025-11, 2026-06 or 2026-09");
        request.version = *version;
    }
    return spyreLayout(request);
}

TensorLayout ordered(const LayoutQuery& query, const std::vector<std::int64_t>& shape) {
    if (query.family == "gpu")
        return gpuRowMajor(shape, query.dtype);
    if (query.family == "cerebras")
        return waferBlocked(shape, query.dtype, query.peRows, query.peColumns);
    if (query.family == "groq")
        return groqVectors(shape, query.dtype, query.lanes, query.slices);
    return rowMajor(shape, query.dtype);
}

} // namespace

base::Result<TensorLayout> layoutFor(const LayoutQuery& query) {
    constexpr std::string_view known[] = {"gpu", "tpu", "cerebras", "groq", "spyre", "cpu"};
    if (std::find(std::begin(known), std::end(known), query.family) == std::end(known))
        return invalid("the family \"" + query.family
            + "\" is unknown; choose gpu, tpu, cerebras, groq, spyre or cpu");
    if (std::any_of(query.shape.begin(), query.shape.end(), [](std::int64_t e) { return e < 0; }))
        return invalid("a shape has a negative extent");
    if (query.family == "spyre")
        return spyre(query);
    if (ir::bitWidth(query.dtype) == 0)
        return base::Error{base::ErrorCode::Unsupported,
            "elements of type " + std::string(ir::name(query.dtype))
                + " have no fixed width, so they have no layout",
            "layout"};
    if (!query.strides.empty())
        return invalid("strides are part of the layout on Spyre only; leave them out");
    if (!query.version.empty())
        return invalid("layout versions exist on Spyre only; leave the version out");
    const auto order = checkedOrder(query);
    if (!order)
        return order.error();

    TensorLayout layout;
    if (query.family == "tpu") {
        std::vector<int> minorToMajor(order->rbegin(), order->rend());
        if (query.order.empty())
            minorToMajor = tpuMinorToMajor(query.shape, query.dtype);
        layout = tpuTiled(query.shape, query.dtype, query.tpuGeneration, minorToMajor);
    } else {
        std::vector<std::int64_t> shape;
        for (const int dimension : *order)
            shape.push_back(query.shape[static_cast<std::size_t>(dimension)]);
        layout = ordered(query, shape);
        layout.shape = query.shape;
        for (Axis& axis : layout.axes) {
            if (axis.dimension != kSynthetic)
                axis.dimension = (*order)[static_cast<std::size_t>(axis.dimension)];
        }
    }
    if (deviceBytes(layout) == std::numeric_limits<std::int64_t>::max())
        return base::Error{base::ErrorCode::Limit,
            "the tensor is larger than 2⁶³ bytes; give a smaller shape", "layout"};
    return layout;
}

} // namespace fivefold::layout
