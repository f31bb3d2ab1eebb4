// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/tensor_layout.h"

#include "core/layout/arithmetic.h"

#include <algorithm>
#include <numeric>

namespace fivefold::layout {

namespace {

/// Product of the extents of the axes that `wanted` accepts.
template <typename Predicate>
std::int64_t extentProduct(const TensorLayout& layout, Predicate wanted) {
    std::int64_t product = 1;
    for (const Axis& axis : layout.axes) {
        if (wanted(axis) && axis.extent == 0)
            return 0;
    }
    for (const Axis& axis : layout.axes) {
        if (wanted(axis))
            product = saturatingMultiply(product, axis.extent);
    }
    return product;
}

bool isUnit(const Axis& axis) {
    return axis.role == AxisRole::Unit;
}

/// Axes of one dimension, coarsest step first; among equal steps the listed order holds.
std::vector<std::size_t> axesOfDimension(const TensorLayout& layout, int dimension) {
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < layout.axes.size(); ++i) {
        if (layout.axes[i].dimension == dimension)
            axes.push_back(i);
    }
    std::stable_sort(axes.begin(), axes.end(),
        [&](std::size_t a, std::size_t b) { return layout.axes[a].step > layout.axes[b].step; });
    return axes;
}

std::int64_t productOf(const std::vector<std::int64_t>& extents) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end())
        return 0;
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, saturatingMultiply);
}

/// Number of axis indices, units first, in the order in which device elements are counted.
std::vector<std::size_t> countingOrder(const TensorLayout& layout) {
    std::vector<std::size_t> order(layout.axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(
        order.begin(), order.end(), [&](std::size_t i) { return isUnit(layout.axes[i]); });
    return order;
}

} // namespace

std::string_view toString(AxisRole role) {
    switch (role) {
    case AxisRole::Unit:
        return "unit";
    case AxisRole::Block:
        return "block";
    case AxisRole::Row:
        return "row";
    case AxisRole::Lane:
        return "lane";
    case AxisRole::Pack:
        return "pack";
    }
    return "row";
}

std::int64_t logicalElements(const TensorLayout& layout) {
    return productOf(layout.shape);
}

std::int64_t deviceElements(const TensorLayout& layout) {
    return extentProduct(layout, [](const Axis&) { return true; });
}

std::int64_t paddedElements(const TensorLayout& layout) {
    return std::max<std::int64_t>(0, deviceElements(layout) - logicalElements(layout));
}

std::int64_t unitCount(const TensorLayout& layout) {
    return extentProduct(layout, isUnit);
}

std::int64_t bytesPerUnit(const TensorLayout& layout) {
    const std::int64_t elements =
        extentProduct(layout, [](const Axis& axis) { return !isUnit(axis); });
    const std::int64_t bytes = packedBytes(elements, std::max(0, layout.elementBits));
    const std::int64_t alignment = std::max<std::int64_t>(1, layout.alignmentBytes);
    return saturatingMultiply(ceilDivide(bytes, alignment), alignment);
}

std::int64_t deviceBytes(const TensorLayout& layout) {
    return saturatingMultiply(unitCount(layout), bytesPerUnit(layout));
}

std::int64_t logicalBytes(const TensorLayout& layout) {
    return packedBytes(logicalElements(layout), std::max(0, layout.elementBits));
}

double waste(const TensorLayout& layout) {
    const std::int64_t device = deviceElements(layout);
    return device == 0 ? 0.0
                       : static_cast<double>(paddedElements(layout)) / static_cast<double>(device);
}

std::optional<std::vector<std::int64_t>> coordinates(
    const TensorLayout& layout, const std::vector<std::int64_t>& index) {
    if (index.size() != layout.shape.size())
        return std::nullopt;
    std::vector<std::int64_t> result(layout.axes.size(), 0);
    for (std::size_t d = 0; d < index.size(); ++d) {
        if (index[d] < 0 || index[d] >= layout.shape[d])
            return std::nullopt;
        std::int64_t rest = index[d];
        for (const std::size_t i : axesOfDimension(layout, static_cast<int>(d))) {
            const Axis& axis = layout.axes[i];
            if (axis.step <= 0 || axis.extent <= 0)
                continue;
            result[i] = std::min(rest / axis.step, axis.extent - 1);
            rest -= result[i] * axis.step;
        }
        if (rest != 0)
            return std::nullopt; // the axes do not reach this element
    }
    return result;
}

std::optional<std::vector<std::int64_t>> indexAt(
    const TensorLayout& layout, const std::vector<std::int64_t>& coordinates) {
    if (coordinates.size() != layout.axes.size())
        return std::nullopt;
    std::vector<std::int64_t> index(layout.shape.size(), 0);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const Axis& axis = layout.axes[i];
        const std::int64_t coordinate = coordinates[i];
        if (coordinate < 0 || coordinate >= axis.extent)
            return std::nullopt;
        if (axis.dimension < 0) {
            if (coordinate != 0)
                return std::nullopt;
            continue;
        }
        const auto d = static_cast<std::size_t>(axis.dimension);
        if (d >= index.size())
            return std::nullopt;
        const std::int64_t walked = saturatingMultiply(coordinate, axis.step);
        if (__builtin_add_overflow(index[d], walked, &index[d]) || index[d] >= layout.shape[d])
            return std::nullopt;
    }
    for (const std::int64_t extent : layout.shape) {
        if (extent == 0)
            return std::nullopt;
    }
    return index;
}

Location locationOf(const TensorLayout& layout, const std::vector<std::int64_t>& coordinates) {
    Location location;
    std::int64_t element = 0;
    for (std::size_t i = 0; i < layout.axes.size() && i < coordinates.size(); ++i) {
        const Axis& axis = layout.axes[i];
        std::int64_t* counter = &location.row;
        switch (axis.role) {
        case AxisRole::Unit:
            counter = &location.unit;
            break;
        case AxisRole::Block:
            counter = &location.block;
            break;
        case AxisRole::Row:
            break;
        case AxisRole::Lane:
            counter = &location.lane;
            break;
        case AxisRole::Pack:
            counter = &location.pack;
            break;
        }
        *counter = saturatingMultiply(*counter, axis.extent) + coordinates[i];
        if (!isUnit(axis))
            element = saturatingMultiply(element, axis.extent) + coordinates[i];
    }
    location.bitAddress = saturatingMultiply(element, layout.elementBits);
    return location;
}

std::optional<Location> locate(const TensorLayout& layout, const std::vector<std::int64_t>& index) {
    const auto place = coordinates(layout, index);
    if (!place)
        return std::nullopt;
    return locationOf(layout, *place);
}

std::vector<std::int64_t> coordinatesOf(const TensorLayout& layout, std::int64_t device) {
    std::vector<std::int64_t> result(layout.axes.size(), 0);
    const auto order = countingOrder(layout);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const std::int64_t extent = std::max<std::int64_t>(1, layout.axes[*it].extent);
        result[*it] = device % extent;
        device /= extent;
    }
    return result;
}

std::int64_t flatten(
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& index) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < shape.size() && d < index.size(); ++d) {
        flat = saturatingMultiply(flat, shape[d]);
        if (__builtin_add_overflow(flat, index[d], &flat))
            return std::numeric_limits<std::int64_t>::max();
    }
    return flat;
}

std::vector<std::int64_t> unflatten(const std::vector<std::int64_t>& shape, std::int64_t flat) {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 0;) {
        const std::int64_t extent = std::max<std::int64_t>(1, shape[d]);
        index[d] = flat % extent;
        flat /= extent;
    }
    return index;
}

TensorLayout rowMajor(const std::vector<std::int64_t>& shape, ir::DType dtype) {
    TensorLayout layout;
    layout.shape = shape;
    layout.dtype = dtype;
    layout.elementBits = ir::bitWidth(dtype);
    layout.notation = "row-major";
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool isLast = d + 1 == shape.size();
        layout.axes.push_back(
            {shape[d], static_cast<int>(d), 1, isLast ? AxisRole::Lane : AxisRole::Block});
    }
    if (shape.empty())
        layout.axes.push_back({1, kSynthetic, 0, AxisRole::Lane});
    return layout;
}

} // namespace fivefold::layout
