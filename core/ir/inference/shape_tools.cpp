// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

std::optional<int> normalAxis(std::int64_t axis, int rank) {
    if (axis < -rank || axis >= rank)
        return std::nullopt;
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::optional<int> axisOf(NodeContext& context, std::int64_t axis, int rank) {
    const auto normal = normalAxis(axis, rank);
    if (!normal)
        context.reject(context.opName() + " names axis " + std::to_string(axis)
            + " of a tensor of rank " + std::to_string(rank) + ".");
    return normal;
}

std::optional<std::vector<int>> axesOf(
    NodeContext& context, const std::vector<std::int64_t>& axes, int rank) {
    std::vector<int> normal;
    for (const std::int64_t axis : axes) {
        const auto one = axisOf(context, axis, rank);
        if (!one)
            return std::nullopt;
        normal.push_back(*one);
    }
    std::sort(normal.begin(), normal.end());
    normal.erase(std::unique(normal.begin(), normal.end()), normal.end());
    return normal;
}

std::optional<Dim> broadcastDim(const Dim& a, const Dim& b) {
    if (a.is(1))
        return b;
    if (b.is(1) || isSame(a, b))
        return a;
    if (a.isKnown() && b.isKnown())
        return std::nullopt;
    if (a.isKnown())
        return a;
    if (b.isKnown())
        return b;
    return dimMax(a, b);
}

MaybeShape broadcast(NodeContext& context, const MaybeShape& a, const MaybeShape& b) {
    if (!a || !b)
        return std::nullopt;
    const Shape& longer = a->size() >= b->size() ? *a : *b;
    const Shape& shorter = a->size() >= b->size() ? *b : *a;
    Shape result = longer;
    const std::size_t offset = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        const Dim& left = longer[offset + i];
        const Dim& right = shorter[i];
        demand(context.state(), SizeDemand::Kind::Broadcast, left, right);
        const auto dim = broadcastDim(left, right);
        if (!dim) {
            context.reject(context.opName() + " cannot combine the shapes " + toText(*a) + " and "
                    + toText(*b) + ".",
                "Sizes must be equal or 1, counted from the last axis.");
            return std::nullopt;
        }
        result[offset + i] = *dim;
    }
    return result;
}

MaybeShape broadcastInputs(NodeContext& context, std::size_t first, std::size_t count) {
    MaybeShape result = Shape();
    for (std::size_t i = first; i < first + count && i < context.inputCount(); ++i) {
        if (!context.has(i))
            continue;
        result = broadcast(context, result, context.shape(i));
        if (!result)
            return std::nullopt;
    }
    return result;
}

Dim agree(const Dim& a, const Dim& b) {
    if (a.isKnown())
        return a;
    if (b.isKnown() || a.isUnknown())
        return b;
    return a;
}

Shape unknownShape(int rank) {
    return Shape(static_cast<std::size_t>(std::max(0, rank)));
}

Dim productOf(const Shape& shape, std::size_t first, std::size_t last) {
    first = std::min(first, shape.size());
    last = std::min(std::max(first, last), shape.size());
    return elementCount(Shape(shape.begin() + static_cast<std::ptrdiff_t>(first),
        shape.begin() + static_cast<std::ptrdiff_t>(last)));
}

Dim sumOf(const std::vector<Dim>& dims) {
    Dim sum(0);
    for (const Dim& dim : dims)
        sum = sum + dim;
    return sum;
}

std::int64_t Window::effective() const {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(dilation, kernel - 1, &result)
        || __builtin_add_overflow(result, std::int64_t(1), &result))
        return INT64_MAX;
    return result;
}

AutoPad autoPad(const Attributes& attributes) {
    const std::string mode = attributes.text("auto_pad", "NOTSET");
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER")
        return AutoPad::Same;
    return mode == "VALID" ? AutoPad::Valid : AutoPad::Explicit;
}

Dim windowCount(const Dim& in, const Window& window, AutoPad pad, bool isCeil) {
    if (window.stride < 1)
        return Dim();
    if (pad == AutoPad::Same)
        return ceilDiv(in, Dim(window.stride));
    const Dim before(pad == AutoPad::Valid ? 0 : window.padBefore);
    const Dim after(pad == AutoPad::Valid ? 0 : window.padAfter);
    const Dim span = in + before + after - Dim(window.effective());
    if (!isCeil)
        return floorDiv(span, Dim(window.stride)) + Dim(1);
    Dim count = ceilDiv(span, Dim(window.stride)) + Dim(1);
    // A last window that would start in the padding after the end is dropped.
    if (count.isKnown() && in.isKnown() && (count - Dim(1)).isKnown()) {
        const Dim start = (count - Dim(1)) * Dim(window.stride);
        const Dim end = in + before;
        if (start.isKnown() && end.isKnown() && start.value() >= end.value())
            count = count - Dim(1);
    }
    return count;
}

std::optional<std::vector<Window>> windowsOf(
    NodeContext& context, const std::vector<std::int64_t>& kernel) {
    const std::size_t rank = kernel.size();
    const auto strides = context.attributes().integers("strides");
    const auto dilations = context.attributes().integers("dilations");
    const auto pads = context.attributes().integers("pads");
    const auto fits = [&](const auto& list, std::size_t size) {
        return !list || list->empty() || list->size() == size;
    };
    if (!fits(strides, rank) || !fits(dilations, rank) || !fits(pads, 2 * rank)) {
        context.reject(context.opName() + " has strides, dilations or pads that do not fit its "
            + std::to_string(rank) + " spatial axes.");
        return std::nullopt;
    }
    std::vector<Window> windows(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        Window& w = windows[i];
        w.kernel = kernel[i];
        w.stride = strides && !strides->empty() ? (*strides)[i] : 1;
        w.dilation = dilations && !dilations->empty() ? (*dilations)[i] : 1;
        w.padBefore = pads && !pads->empty() ? (*pads)[i] : 0;
        w.padAfter = pads && !pads->empty() ? (*pads)[rank + i] : 0;
        if (w.stride < 1 || w.dilation < 1 || w.kernel < 1) {
            context.reject(context.opName() + " has a kernel size, stride or dilation below 1.");
            return std::nullopt;
        }
    }
    return windows;
}

void sameAsInput(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(0));
}

} // namespace fivefold::ir::inference
