// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/spyre_layout.h"

#include "core/layout/arithmetic.h"

#include <algorithm>
#include <numeric>

namespace fivefold::layout {

namespace {

using Extents = std::vector<std::int64_t>;

constexpr int kSparse = -1; ///< entry of an order: one element a stick
/// The public compiler has no rule for unsigned bytes; they are laid out as signed ones.
constexpr const char* kUnsignedNote = " (~ uint8 as int8, an estimate)";

/// Integers of 64 bits are stored as 32, booleans as fp16 (torch-spyre, spyre_tensor_impl.cpp).
ir::DType deviceType(ir::DType dtype) {
    switch (dtype) {
    case ir::DType::Int64:
        return ir::DType::Int32;
    case ir::DType::Bool:
        return ir::DType::Float16;
    default:
        return dtype;
    }
}

Extents contiguousStrides(const Extents& shape) {
    Extents strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = saturatingMultiply(strides[d], shape[d]);
    return strides;
}

bool isContiguous(const Extents& shape, const Extents& strides) {
    const Extents wanted = contiguousStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1 && strides[d] != wanted[d])
            return false;
    }
    return true;
}

base::Error invalid(std::string message) {
    return {base::ErrorCode::InvalidArgument, std::move(message), "Spyre layout"};
}

/// The checked request: defaults filled in.
struct Plan {
    Extents shape;
    Extents strides;
    std::vector<int> order; ///< dimensions; the last is the stick dimension or kSparse
    std::int64_t perStick = 64;
    SpyreLayoutVersion version = SpyreLayoutVersion::V2026_09;

    int stickDimension() const { return order.back(); }
    bool isSparse() const { return order.back() == kSparse; }
    bool isScalar() const { return shape.empty() && order.empty(); }
    std::int64_t extent(int dimension) const {
        if (dimension == kSparse)
            return 1;
        const std::int64_t size = shape[static_cast<std::size_t>(dimension)];
        return dimension == stickDimension() ? ceilDivide(size, perStick) : size;
    }
};

base::Result<base::Done> checkOrder(const Plan& plan) {
    const std::size_t rank = plan.shape.size();
    const bool sparse = plan.isSparse();
    if (plan.order.size() != rank + (sparse ? 1 : 0))
        return invalid("the order names " + std::to_string(plan.order.size()) + " dimensions of a "
            + std::to_string(rank)
            + "-dimensional tensor; name each once, and end in -1 for one element a stick");
    std::vector<bool> seen(rank, false);
    for (std::size_t i = 0; i + (sparse ? 1 : 0) < plan.order.size(); ++i) {
        const int dimension = plan.order[i];
        if (dimension < 0 || static_cast<std::size_t>(dimension) >= rank
            || seen[static_cast<std::size_t>(dimension)])
            return invalid("the order is not a permutation of the dimensions 0 to "
                + std::to_string(rank - 1) + "; only its last entry may be -1");
        seen[static_cast<std::size_t>(dimension)] = true;
    }
    return base::Done{};
}

/// Which dimension each device dimension but the last (the stick) walks, outermost first.
std::vector<int> deviceDimensions(const Plan& plan) {
    std::vector<int> dimensions;
    const auto& order = plan.order;
    if (plan.version == SpyreLayoutVersion::V2025_11) {
        dimensions.push_back(order.back());
        dimensions.insert(dimensions.end(), order.begin(), order.end() - 1);
        return dimensions;
    }
    dimensions.assign(order.begin() + 1, order.end());
    dimensions.push_back(order.front());
    return dimensions;
}

/// Host elements to advance per step of each device dimension, the stick included; −1 where a
/// device dimension has no host counterpart. Lane first, then back to front, as the constructor
/// visits them.
Extents strideMap(const Plan& plan, const std::vector<int>& dimensions, const Extents& device) {
    Extents map(device.size(), -1);
    Extents done(plan.shape.size(), -1);
    const auto visit = [&](int dimension, std::size_t position) {
        if (dimension == kSparse)
            return;
        const auto d = static_cast<std::size_t>(dimension);
        if (plan.shape[d] == 1)
            return;
        map[position] = done[d] >= 0 ? done[d] : plan.strides[d];
        done[d] = saturatingMultiply(map[position], device[position]);
        if (plan.version == SpyreLayoutVersion::V2026_09)
            done[d] = std::min(done[d], saturatingMultiply(plan.strides[d], plan.shape[d]));
    };
    visit(plan.stickDimension(), device.size() - 1);
    for (std::size_t position = dimensions.size(); position-- > 0;)
        visit(dimensions[position], position);
    return map;
}

std::vector<Axis> deviceAxes(
    const Plan& plan, const std::vector<int>& dimensions, const Extents& device) {
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        const int dimension = dimensions[i];
        const bool isStick = dimension == plan.stickDimension();
        const bool isNextToLane = i + 1 == dimensions.size();
        const AxisRole role = isNextToLane && !isStick ? AxisRole::Row : AxisRole::Block;
        if (dimension == kSparse)
            axes.push_back({device[i], kSynthetic, 0, AxisRole::Block});
        else
            axes.push_back({device[i], dimension, isStick ? plan.perStick : 1, role});
    }
    if (plan.isSparse())
        axes.push_back({plan.perStick, kSynthetic, 0, AxisRole::Lane});
    else
        axes.push_back({plan.perStick, plan.stickDimension(), 1, AxisRole::Lane});
    return axes;
}

base::Result<Plan> planFor(const SpyreLayoutRequest& request) {
    const auto perStick = spyreElementsPerStick(request.dtype);
    if (!perStick)
        return base::Error{base::ErrorCode::Unsupported,
            "the device has no format for " + std::string(ir::shortName(request.dtype))
                + "; convert to fp16, bf16, fp32, int8, fp8, int32, int64 or bool first",
            "Spyre layout"};
    Plan plan;
    plan.shape = request.shape;
    plan.perStick = *perStick;
    plan.version = request.version;
    for (const std::int64_t extent : plan.shape) {
        if (extent < 0)
            return invalid("a shape has a negative extent");
    }
    const bool hasStrides = !request.strides.empty();
    if (hasStrides && request.strides.size() != plan.shape.size())
        return invalid("there are " + std::to_string(request.strides.size()) + " strides for "
            + std::to_string(plan.shape.size()) + " dimensions");
    plan.strides = hasStrides ? request.strides : contiguousStrides(plan.shape);
    for (const std::int64_t stride : plan.strides) {
        if (stride < 0)
            return invalid("a stride is negative");
    }
    plan.order = request.order;
    if (plan.order.empty()) {
        plan.order.resize(plan.shape.size());
        std::iota(plan.order.begin(), plan.order.end(), 0);
    }
    return plan;
}

base::Result<base::Done> checkVersion(const Plan& plan) {
    if (plan.version != SpyreLayoutVersion::V2025_11)
        return base::Done{};
    if (plan.isSparse() || !isContiguous(plan.shape, plan.strides))
        return base::Error{base::ErrorCode::Unsupported,
            "layout version 2025-11 knows dense contiguous tensors only; choose 2026-06 or 2026-09",
            "Spyre layout"};
    return base::Done{};
}

base::Result<base::Done> check(const Plan& plan) {
    if (auto checked = checkOrder(plan); !checked)
        return checked;
    return checkVersion(plan);
}

SpyreDeviceShape deviceShape(const Plan& plan, const std::vector<int>& dimensions) {
    SpyreDeviceShape shape;
    shape.size.reserve(dimensions.size() + 1);
    for (const int dimension : dimensions)
        shape.size.push_back(plan.extent(dimension));
    shape.size.push_back(plan.perStick);
    shape.strideMap = strideMap(plan, dimensions, shape.size);
    return shape;
}

bool isTooLarge(const Extents& device, int bits) {
    if (std::ranges::find(device, 0) != device.end())
        return false;
    std::int64_t elements = 1;
    for (const std::int64_t extent : device)
        elements = saturatingMultiply(elements, extent);
    const std::int64_t sticks = ceilDivide(packedBytes(elements, bits), kSpyreStickBytes);
    return saturatingMultiply(sticks, kSpyreStickBytes) == std::numeric_limits<std::int64_t>::max();
}

base::Error tooLarge() {
    return {base::ErrorCode::Limit, "the tensor is larger than 2⁶³ bytes; give a smaller shape",
        "Spyre layout"};
}

TensorLayout scalarLayout(std::int64_t perStick) {
    TensorLayout layout;
    layout.axes = {{1, kSynthetic, 0, AxisRole::Block}, {perStick, kSynthetic, 0, AxisRole::Lane}};
    layout.deviceSize = {1, perStick};
    layout.strideMap = {-1, -1};
    layout.notation = "one stick";
    return layout;
}

} // namespace

std::string_view toString(SpyreLayoutVersion version) {
    switch (version) {
    case SpyreLayoutVersion::V2025_11:
        return "2025-11";
    case SpyreLayoutVersion::V2026_06:
        return "2026-06";
    case SpyreLayoutVersion::V2026_09:
        return "2026-09";
    }
    return "2026-09";
}

std::optional<SpyreLayoutVersion> parseSpyreLayoutVersion(std::string_view text) {
    for (const auto version : {SpyreLayoutVersion::V2025_11, SpyreLayoutVersion::V2026_06,
             SpyreLayoutVersion::V2026_09}) {
        if (text == toString(version))
            return version;
    }
    return std::nullopt;
}

std::optional<std::int64_t> spyreElementsPerStick(ir::DType dtype) {
    switch (dtype) {
    case ir::DType::Float16:
    case ir::DType::BFloat16:
    case ir::DType::Bool:
        return 64;
    case ir::DType::Float32:
    case ir::DType::Int32:
    case ir::DType::Int64:
        return 32;
    case ir::DType::Int8:
    case ir::DType::UInt8:
    case ir::DType::Float8E4M3FN:
    case ir::DType::Float8E5M2:
        return 128;
    default:
        return std::nullopt;
    }
}

base::Result<SpyreDeviceShape> spyreDeviceShape(const SpyreLayoutRequest& request) {
    auto planned = planFor(request);
    if (!planned)
        return planned.error();
    const Plan& plan = *planned;
    SpyreDeviceShape shape{{1, plan.perStick}, {-1, -1}};
    if (!plan.isScalar()) {
        if (auto checked = check(plan); !checked)
            return checked.error();
        shape = deviceShape(plan, deviceDimensions(plan));
    }
    if (isTooLarge(shape.size, ir::bitWidth(deviceType(request.dtype))))
        return tooLarge();
    return shape;
}

base::Result<TensorLayout> spyreLayout(const SpyreLayoutRequest& request) {
    auto planned = planFor(request);
    if (!planned)
        return planned.error();
    const Plan& plan = *planned;

    TensorLayout layout;
    if (plan.isScalar()) {
        layout = scalarLayout(plan.perStick);
    } else {
        if (auto checked = check(plan); !checked)
            return checked.error();
        const auto dimensions = deviceDimensions(plan);
        SpyreDeviceShape shape = deviceShape(plan, dimensions);
        layout.axes = deviceAxes(plan, dimensions, shape.size);
        layout.deviceSize = std::move(shape.size);
        layout.strideMap = std::move(shape.strideMap);
        layout.notation = plan.isSparse() ? "one element a stick"
                                          : "stick d" + std::to_string(plan.stickDimension());
    }
    if (request.dtype == ir::DType::UInt8)
        layout.notation += kUnsignedNote;
    layout.shape = plan.shape;
    layout.dtype = deviceType(request.dtype);
    layout.elementBits = ir::bitWidth(layout.dtype);
    layout.alignmentBytes = kSpyreStickBytes;
    if (isTooLarge(layout.deviceSize, layout.elementBits))
        return tooLarge();
    return layout;
}

std::int64_t spyreSticks(const TensorLayout& layout) {
    return deviceBytes(layout) / kSpyreStickBytes;
}

} // namespace fivefold::layout
