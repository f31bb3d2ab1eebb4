// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/sticks.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <limits>

namespace fivefold::families::spyre {

using Extents = std::vector<std::int64_t>;

std::int64_t lanesOf(ir::DType dtype) {
    return layout::spyreElementsPerStick(dtype).value_or(64);
}

DeviceLayout makeLayout(const Extents& shape, const Extents& strides, ir::DType dtype,
    const std::vector<int>& order, layout::SpyreLayoutVersion version) {
    layout::SpyreLayoutRequest request{shape, dtype, order, strides, version};
    if (!layout::spyreElementsPerStick(dtype))
        request.dtype = ir::DType::Float16;
    auto made = layout::spyreDeviceShape(request);
    if (!made && version == layout::SpyreLayoutVersion::V2025_11) {
        request.version = layout::SpyreLayoutVersion::V2026_06;
        made = layout::spyreDeviceShape(request);
    }
    if (!made)
        return {{1, lanesOf(dtype)}, {-1, -1}, Arrangement::Standard};
    return {std::move(made->size), std::move(made->strideMap), Arrangement::Standard};
}

std::vector<int> dimensionOrder(int stick, const std::vector<Coordinate>& coordinates) {
    std::vector<int> order;
    for (const bool stands : {false, true})
        for (int d = 0; d < static_cast<int>(coordinates.size()); ++d)
            if (d != stick && coordinates[static_cast<std::size_t>(d)].isZero() == stands)
                order.push_back(d);
    order.push_back(stick);
    return order;
}

bool areCompatible(const std::vector<Coordinate>& a, const std::vector<Coordinate>& b) {
    int stick = -1;
    for (const auto* tensor : {&a, &b})
        for (const CoordinateTerm& term : tensor->back().terms) {
            if (stick >= 0 && term.variable != stick)
                return false;
            stick = term.variable;
        }
    if (stick < 0)
        return true;
    for (const auto* tensor : {&a, &b}) {
        if (tensor->back().uses(stick))
            continue; // its own stick loop may count its sticks
        for (std::size_t d = 0; d + 1 < tensor->size(); ++d)
            if ((*tensor)[d].uses(stick))
                return false;
    }
    return true;
}

std::optional<DeviceLayout> restickified(const DeviceLayout& layout, const Buffer& host,
    const Coordinate& stick, const std::vector<Coordinate>& ic,
    const std::vector<Coordinate>& idc) {
    const bool isToOne = stick.terms.empty();
    std::optional<std::size_t> to;
    if (isToOne) {
        const auto one = std::ranges::find(host.shape, 1);
        if (one != host.shape.end())
            to = static_cast<std::size_t>(one - host.shape.begin());
    } else {
        to = matchingDimension(ic, stick);
    }
    const auto from = matchingDimension(ic, idc.back());
    if (!to || !from)
        return std::nullopt;
    const std::size_t outer = idc.size() - 1;
    const auto firstOf = [&](const auto& predicate) {
        for (std::size_t j = 0; j < outer; ++j)
            if (predicate(idc[j]))
                return j;
        return outer;
    };
    const int oldLoop = idc.back().terms.front().variable;
    const auto isIdle = [](const Coordinate& c) { return c.isZero(); };
    std::size_t oldOuter = firstOf([oldLoop](const Coordinate& c) { return c.uses(oldLoop); });
    if (oldOuter == outer)
        oldOuter = firstOf(isIdle);
    std::size_t newOuter = outer;
    if (isToOne) {
        newOuter = firstOf(isIdle);
    } else {
        const int newLoop = stick.terms.front().variable;
        newOuter = firstOf([newLoop](const Coordinate& c) { return c.uses(newLoop); });
    }
    if (oldOuter == outer || newOuter == outer)
        return std::nullopt;
    const std::int64_t lanes = lanesOf(host.dtype);
    const std::int64_t newStride = isToOne ? -1 : host.strides[*to];
    DeviceLayout out{layout.deviceSize, layout.strideMap, Arrangement::Standard};
    out.deviceSize.back() = lanes;
    out.deviceSize[oldOuter] = lowering::ceilDiv(host.shape[*to], lanes);
    out.deviceSize[newOuter] = host.shape[*from];
    out.strideMap.back() = newStride;
    out.strideMap[oldOuter] = newStride < 0 ? -1 : newStride * lanes;
    out.strideMap[newOuter] = host.strides[*from];
    return out;
}

double Restickify::cost(const DeviceLayout& from) const {
    if (!isNeeded)
        return 0;
    return target ? static_cast<double>(from.elements()) : std::numeric_limits<double>::infinity();
}

Restickify restickifyFor(const DeviceLayout& have, const Buffer& host, const Index& index,
    const DeviceCoordinates& idc, const DeviceCoordinates& out, const Index& wantedIndex,
    const Extents& extents) {
    if (!idc || !out)
        return {true, std::nullopt};
    const bool isFree = isOffsetFree(idc->back(), have.lanes());
    if (isFree && areCompatible(*idc, *out))
        return {};
    const auto ic = coordinatesOf(host.shape, host.strides, extents, index);
    if (!ic)
        return {true, std::nullopt};
    Coordinate stick = out->back();
    if (stick.isZero() && !isFree) {
        // Nothing of the result carries the stick: the reduced loop takes it.
        for (const int v : index.variables())
            if (!wantedIndex.uses(v)) {
                stick.terms.resize(1);
                stick.terms.front() = {v, 1, have.lanes(), 1};
                break;
            }
    }
    return {true, restickified(have, host, stick, *ic, *idc)};
}

layout::TensorLayout tensorLayout(
    const DeviceLayout& device, const Extents& shape, const Extents& strides, ir::DType dtype) {
    layout::TensorLayout out;
    out.shape = shape;
    out.dtype = dtype == ir::DType::Int64 ? ir::DType::Int32
        : dtype == ir::DType::Bool        ? ir::DType::Float16
                                          : dtype;
    out.elementBits = ir::bitWidth(out.dtype);
    out.alignmentBytes = layout::kSpyreStickBytes;
    out.deviceSize = device.deviceSize;
    out.strideMap = device.strideMap;
    const std::size_t axes = device.deviceSize.size();
    int stick = -1;
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t step = device.strideMap[i];
        int dimension = layout::kSynthetic;
        for (std::size_t d = 0; d < shape.size() && step > 0; ++d)
            if (shape[d] > 1 && strides[d] > 0 && strides[d] <= step && step % strides[d] == 0
                && (dimension < 0 || strides[d] > strides[static_cast<std::size_t>(dimension)]))
                dimension = static_cast<int>(d);
        const bool isLane = i + 1 == axes;
        if (isLane)
            stick = dimension;
        layout::Axis axis{device.deviceSize[i], dimension, 0,
            isLane              ? layout::AxisRole::Lane
                : i + 2 == axes ? layout::AxisRole::Row
                                : layout::AxisRole::Block};
        if (dimension >= 0)
            axis.step = step / strides[static_cast<std::size_t>(dimension)];
        out.axes.push_back(axis);
    }
    if (axes > 1 && out.axes[axes - 2].dimension == stick)
        out.axes[axes - 2].role = layout::AxisRole::Block;
    out.notation = shape.empty() ? "one stick"
        : stick < 0              ? "one element a stick"
                                 : "stick d" + std::to_string(stick);
    return out;
}

} // namespace fivefold::families::spyre
