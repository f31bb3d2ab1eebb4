// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/windows.h"

#include <algorithm>
#include <numeric>

namespace fivefold::numerics {

namespace {

constexpr std::int64_t kLargest = std::int64_t(1) << 30; ///< of kernels, strides, dilations, pads

/// Also for the least integer, which has no absolute value.
bool isFar(std::int64_t value) {
    return value > kLargest || value < -kLargest;
}

std::int64_t at(const std::optional<Extents>& list, std::size_t i, std::int64_t fallback) {
    return list && i < list->size() ? (*list)[i] : fallback;
}

std::int64_t dividedUp(std::int64_t a, std::int64_t b) {
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}
std::int64_t dividedDown(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Kernel, stride, dilation and explicit pads of each axis, checked.
base::Result<WindowAxes> declared(const Call& call, const Extents& spatial, const Extents& kernel) {
    const auto strides = call.attributes().integers("strides"),
               dilations = call.attributes().integers("dilations"),
               pads = call.attributes().integers("pads");
    WindowAxes axes;
    for (std::size_t i = 0; i < spatial.size(); ++i) {
        WindowAxis axis;
        axis.in = spatial[i];
        axis.kernel = i < kernel.size() ? kernel[i] : 1;
        axis.stride = at(strides, i, 1);
        axis.dilation = at(dilations, i, 1);
        axis.before = at(pads, i, 0);
        axis.after = at(pads, i + spatial.size(), 0);
        const bool isSound = axis.kernel >= 1 && axis.stride >= 1 && axis.dilation >= 1
            && std::max({axis.kernel, axis.stride, axis.dilation, axis.in}) <= kLargest
            && !isFar(axis.before) && !isFar(axis.after);
        if (!isSound)
            return call.error("its window is not sound: sizes, strides and dilations have to be "
                              "between 1 and 2^30.");
        axes.push_back(axis);
    }
    return axes;
}

/// Divides padding so that the odd element lies at the end (SAME_UPPER) or at the beginning.
void spread(WindowAxis& axis, std::int64_t total, bool isUpper) {
    axis.before = isUpper ? total / 2 : total - total / 2;
    axis.after = total - axis.before;
}

} // namespace

base::Result<WindowAxes> windowAxes(
    const Call& call, const Extents& spatial, const Extents& kernel, bool isPooling) {
    auto axes = declared(call, spatial, kernel);
    if (!axes)
        return axes;
    const std::string mode = call.attributes().text("auto_pad", "NOTSET");
    const bool isCeil = isPooling && call.attributes().integer("ceil_mode", 0) != 0;
    for (WindowAxis& axis : *axes) {
        if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
            axis.out = dividedUp(axis.in, axis.stride);
            const std::int64_t needed = (axis.out - 1) * axis.stride + axis.effective() - axis.in;
            spread(axis, std::max<std::int64_t>(0, needed), mode == "SAME_UPPER");
            continue;
        }
        if (mode == "VALID")
            axis.before = axis.after = 0;
        const std::int64_t span = axis.in + axis.before + axis.after - axis.effective();
        axis.out = (isCeil ? dividedUp : dividedDown)(span, axis.stride) + 1;
        if (isCeil && (axis.out - 1) * axis.stride >= axis.in + axis.before)
            --axis.out;
        if (axis.out < 0)
            return call.error("its window is larger than its padded input.");
    }
    return axes;
}

base::Result<WindowAxes> transposedWindowAxes(
    const Call& call, const Extents& spatial, const Extents& kernel) {
    auto axes = declared(call, spatial, kernel);
    if (!axes)
        return axes;
    const auto wanted = call.attributes().integers("output_shape"),
               extra = call.attributes().integers("output_padding");
    const std::string mode = call.attributes().text("auto_pad", "NOTSET");
    const bool isSame = mode == "SAME_UPPER" || mode == "SAME_LOWER";
    for (std::size_t i = 0; i < axes->size(); ++i) {
        WindowAxis& axis = (*axes)[i];
        axis.extraOut = at(extra, i, 0);
        if (mode == "VALID")
            axis.before = axis.after = 0;
        if (isFar(axis.extraOut))
            return call.error("its output padding is not sound: it has to be at most 2^30.");
        const std::int64_t whole = axis.stride * (axis.in - 1) + axis.extraOut + axis.effective();
        if (wanted && wanted->size() >= axes->size())
            axis.out = (*wanted)[wanted->size() - axes->size() + i];
        else
            axis.out = isSame ? axis.in * axis.stride : whole - axis.before - axis.after;
        if (axis.out < 0 || axis.out > kLargest)
            return call.error(
                "its output would have " + std::to_string(axis.out) + " elements along an axis.");
        if ((wanted && wanted->size() >= axes->size()) || isSame)
            spread(axis, std::max<std::int64_t>(0, whole - axis.out), mode == "SAME_UPPER");
    }
    return axes;
}

Extents outputsOf(const WindowAxes& axes) {
    Extents extents;
    for (const WindowAxis& axis : axes)
        extents.push_back(axis.out);
    return extents;
}

Extents kernelOf(const WindowAxes& axes) {
    Extents extents;
    for (const WindowAxis& axis : axes)
        extents.push_back(axis.kernel);
    return extents;
}

bool advance(Extents& index, const Extents& extents) {
    for (std::size_t i = index.size(); i-- > 0;) {
        if (++index[i] < extents[i])
            return true;
        index[i] = 0;
    }
    return false;
}

Tensor channelsSecond(const Tensor& x) {
    std::vector<std::size_t> order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    if (x.rank() > 2)
        std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return transposed(x, order);
}

Tensor channelsLast(const Tensor& x) {
    std::vector<std::size_t> order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    if (x.rank() > 2)
        std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return transposed(x, order);
}

} // namespace fivefold::numerics
