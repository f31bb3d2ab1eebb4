// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_views.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fivefold::families::spyre {

namespace {

/// Axis whose stride is `stride`, the last of several with an extent over 1.
std::optional<std::size_t> axisWithStride(const DeviceLayout& layout, std::int64_t stride) {
    std::optional<std::size_t> found;
    for (std::size_t axis = 0; axis < layout.strideMap.size(); ++axis)
        if (layout.strideMap[axis] == stride && stride > 0
            && (!found || layout.deviceSize[axis] != 1))
            found = axis;
    return found;
}

/// Axis that counts whole sticks; nullopt where a stick holds one element.
std::optional<std::size_t> stickAxis(const DeviceLayout& layout) {
    if (layout.strideMap.empty() || layout.strideMap.back() <= 0)
        return std::nullopt;
    return axisWithStride(layout, layout.strideMap.back() * layout.lanes());
}

/// Axis that a step of `hostStride` elements moves along. Sticks are never cut, so the lanes' own
/// dimension gives the axis of whole sticks.
std::optional<std::size_t> axisOfStride(const DeviceLayout& layout, std::int64_t hostStride) {
    if (!layout.strideMap.empty() && hostStride > 0 && hostStride == layout.strideMap.back())
        return stickAxis(layout);
    return axisWithStride(layout, hostStride);
}

struct Cut {
    std::size_t loop = 0;
    std::int64_t split = 1;
};

} // namespace

std::int64_t CoreView::cores() const {
    std::int64_t product = 1;
    for (const CoreSlice& slice : slices)
        product *= slice.slices;
    return product;
}

std::string CoreView::text() const {
    if (slices.empty())
        return isRepresentable ? "all of it on every core" : "no axis of the device layout";
    std::string text;
    for (const CoreSlice& slice : slices) {
        text += text.empty() ? "axis " : ", axis ";
        text += std::to_string(slice.axis) + " in " + std::to_string(slice.slices) + " (core";
        if (slice.step > 1)
            text += '/' + std::to_string(slice.step);
        text += " mod " + std::to_string(slice.slots) + ')';
    }
    return text;
}

std::vector<std::size_t> coreOrder(const LoopOp& op, LoopOrder order) {
    std::vector<std::size_t> result(op.loops.size());
    std::iota(result.begin(), result.end(), 0);
    if (order == LoopOrder::Emitted && op.emitted.size() == result.size())
        std::ranges::transform(
            op.emitted, result.begin(), [](int loop) { return static_cast<std::size_t>(loop); });
    if (op.isMatmul() && !result.empty() && op.loops[result.back()].split > 1)
        std::ranges::rotate(result, result.end() - 1);
    return result;
}

CoreView coreView(
    const LoopProgram& program, const LoopOp& op, const Access& access, LoopOrder order) {
    CoreView view;
    if (std::ranges::all_of(op.loops, [](const Loop& loop) { return loop.split <= 1; }))
        return view;
    const DeviceLayout& layout = program.buffers[access.buffer].layout;
    const CoreView unrepresentable{{}, false, false};
    if (layout.deviceSize.empty() || op.isTopK())
        return unrepresentable;
    std::map<std::int64_t, Cut> cuts; // by host stride
    for (std::size_t loop = 0; loop < op.loops.size(); ++loop) {
        const std::int64_t split = op.loops[loop].split;
        const std::int64_t stride = access.index.coefficient(static_cast<int>(loop));
        if (split > 1 && op.loops[loop].isReduced)
            view.hasPartialSums = true;
        if (split > 1 && stride != 0)
            cuts[stride] = {loop, split};
    }
    std::vector<std::int64_t> steps(op.loops.size(), 1);
    std::int64_t step = 1;
    for (std::size_t loop : coreOrder(op, order)) {
        steps[loop] = step;
        step *= op.loops[loop].split;
    }
    const auto sticks = stickAxis(layout);
    for (const auto& [stride, cut] : cuts) {
        auto axis = axisOfStride(layout, stride);
        std::int64_t slices = cut.split;
        if (!axis && stride != layout.strideMap.back() && sticks && layout.strideMap[*sticks] > 0
            && stride % layout.strideMap[*sticks] == 0) {
            // One step covers several whole sticks: the cut is that of the stick axis.
            const std::int64_t covered = stride / layout.strideMap[*sticks];
            if (cut.split * covered == layout.deviceSize[*sticks]) {
                axis = sticks;
                slices *= covered;
            }
        }
        const bool isTaken = axis && std::ranges::any_of(view.slices, [&](const CoreSlice& slice) {
            return slice.axis == *axis;
        });
        if (!axis || isTaken || layout.deviceSize[*axis] % slices != 0)
            return unrepresentable;
        view.slices.push_back({*axis, slices, steps[cut.loop], cut.split});
    }
    std::ranges::sort(view.slices, {}, &CoreSlice::axis);
    return view;
}

} // namespace fivefold::families::spyre
