// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::numerics {

namespace {

enum class Mode : std::uint8_t { Nearest, Linear, Cubic };

/// How one axis is sampled (ONNX Resize-19; names are those of the attributes).
struct AxisPlan {
    std::int64_t in = 1, out = 1;
    double scale = 1;
    double roiStart = 0, roiEnd = 1;
};

struct ResizePlan {
    Mode mode = Mode::Nearest;
    std::string coordinates = "half_pixel";
    std::string nearest = "round_prefer_floor";
    double cubicA = -0.75;
    bool excludesOutside = false;
    bool isAntialiased = false;
    double extrapolation = 0;
    std::vector<AxisPlan> axes;
};

/// Elements that one result reads along an axis, and their weights.
struct Taps {
    std::vector<std::int64_t> index;
    std::vector<double> weight;
    bool isOutside = false; ///< tf_crop_and_resize: the extrapolation value stands here
};

double placeOf(const ResizePlan& plan, const AxisPlan& axis, std::int64_t x) {
    const auto at = static_cast<double>(x);
    const auto in = static_cast<double>(axis.in);
    const double out = axis.scale * in;
    if (plan.coordinates == "align_corners")
        return out == 1 ? 0 : at * (in - 1) / (out - 1);
    if (plan.coordinates == "asymmetric")
        return at / axis.scale;
    if (plan.coordinates == "tf_half_pixel_for_nn")
        return (at + 0.5) / axis.scale;
    if (plan.coordinates == "tf_crop_and_resize") {
        const double span = (axis.roiEnd - axis.roiStart) * (in - 1);
        return axis.roiStart * (in - 1) + (out == 1 ? span / 2 : at * span / (out - 1));
    }
    if (plan.coordinates == "pytorch_half_pixel" && out == 1)
        return -0.5;
    double offset = 0;
    if (plan.coordinates == "half_pixel_symmetric")
        offset = in / 2 * (1 - static_cast<double>(axis.out) / out);
    return offset + (at + 0.5) / axis.scale - 0.5;
}

/// Weights of elements from `first` on, relative to the element left of the place; `ratio` is in
/// (0, 1].
std::vector<double> weightsOf(
    const ResizePlan& plan, double ratio, double scale, std::int64_t& first) {
    if (plan.mode == Mode::Nearest) {
        first = 0;
        const bool isRight = ratio == 1 || plan.nearest == "ceil"
            || (plan.nearest == "round_prefer_ceil" && ratio >= 0.5)
            || (plan.nearest == "round_prefer_floor" && ratio > 0.5);
        return {isRight ? 0.0 : 1.0, isRight ? 1.0 : 0.0};
    }
    const double shrink = plan.isAntialiased ? std::min(scale, 1.0) : 1.0;
    const double reach = plan.mode == Mode::Linear ? 1 : 2;
    first = static_cast<std::int64_t>(std::floor(-reach / shrink)) + 1;
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t i = first; i < 2 - first; ++i) {
        const double distance = (static_cast<double>(i) - ratio) * shrink;
        weights.push_back(plan.mode == Mode::Linear ? std::clamp(1 - std::abs(distance), 0.0, 1.0)
                                                    : cubicWeight(distance, plan.cubicA));
        sum += weights.back();
    }
    for (double& weight : weights)
        weight /= plan.isAntialiased ? sum : 1;
    return weights;
}

Taps tapsOf(const ResizePlan& plan, const AxisPlan& axis, std::int64_t x) {
    Taps taps;
    const double place = placeOf(plan, axis, x);
    if (plan.coordinates == "tf_crop_and_resize"
        && (place < 0 || place > static_cast<double>(axis.in - 1))) {
        taps.isOutside = true;
        taps.index = {0};
        taps.weight = {0};
        return taps;
    }
    const double left = std::ceil(place) - 1;
    std::int64_t first = 0;
    taps.weight = weightsOf(plan, place - left, axis.scale, first);
    double sum = 0;
    for (std::size_t i = 0; i < taps.weight.size(); ++i) {
        const std::int64_t at =
            static_cast<std::int64_t>(left) + first + static_cast<std::int64_t>(i);
        if (plan.excludesOutside && (at < 0 || at >= axis.in))
            taps.weight[i] = 0;
        sum += taps.weight[i];
        taps.index.push_back(std::clamp<std::int64_t>(at, 0, axis.in - 1));
    }
    for (double& weight : taps.weight)
        weight /= plan.excludesOutside ? sum : 1;
    return taps;
}

/// One axis after the other; each result is a weighted sum of its taps.
std::vector<double> resampled(
    std::vector<double> values, Extents shape, std::size_t axis, const std::vector<Taps>& taps) {
    const std::int64_t outer = productOf(shape, 0, axis), inner = productOf(shape, axis + 1);
    const std::int64_t in = shape[axis], out = std::ssize(taps);
    std::vector<double> result(static_cast<std::size_t>(outer * out * inner), 0.0);
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t x = 0; x < out; ++x) {
            const Taps& own = taps[static_cast<std::size_t>(x)];
            double* to = result.data() + (o * out + x) * inner;
            for (std::size_t t = 0; t < own.index.size(); ++t) {
                if (own.weight[t] == 0)
                    continue; // an infinity beside the place does not spoil it
                const double* from = values.data() + (o * in + own.index[t]) * inner;
                for (std::int64_t e = 0; e < inner; ++e)
                    to[e] += own.weight[t] * from[e];
            }
        }
    return result;
}

Tensor nearestOf(
    const Tensor& x, const Extents& shape, const std::vector<std::vector<Taps>>& taps) {
    const Extents strides = stridesOf(x.shape());
    std::vector<Extents> places(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
        for (std::int64_t i = 0; i < shape[d]; ++i) {
            const Taps* own = taps[d].empty() ? nullptr : &taps[d][static_cast<std::size_t>(i)];
            const std::size_t chosen = own && own->weight.size() > 1 && own->weight[1] > 0 ? 1 : 0;
            places[d].push_back((own ? own->index[chosen] : i) * strides[d]);
        }
    Walker walker(shape, Extents(shape.size(), 0));
    return picked(x, shape, [&](std::size_t) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
            at += places[d][static_cast<std::size_t>(walker.index()[d])];
        walker.next();
        return at;
    });
}

/// Where tf_crop_and_resize looks outside the image, the extrapolation value stands.
void fillOutside(std::vector<double>& values, const Extents& shape,
    const std::vector<std::vector<Taps>>& taps, double value) {
    Walker walker(shape, Extents(shape.size(), 0));
    for (double& element : values) {
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (!taps[d].empty() && taps[d][static_cast<std::size_t>(walker.index()[d])].isOutside)
                element = value;
        walker.next();
    }
}

Outputs resized(const Call& call, const Tensor& x, const ResizePlan& plan) {
    Extents shape;
    for (const AxisPlan& axis : plan.axes)
        shape.push_back(axis.out);
    if (const auto error = call.tooLarge(shape))
        return *error;
    if (productOf(shape) == 0 || x.size() == 0)
        return productOf(shape) == 0
            ? one(zerosLike(x, shape))
            : Outputs(call.error("an image without elements cannot be enlarged."));
    std::vector<std::vector<Taps>> taps(shape.size());
    bool isAnyOutside = false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const AxisPlan& axis = plan.axes[d];
        const bool isWhole = axis.roiStart == 0 && axis.roiEnd == 1;
        if (axis.out == axis.in && axis.scale == 1
            && (isWhole || plan.coordinates != "tf_crop_and_resize"))
            continue;
        for (std::int64_t i = 0; i < axis.out; ++i) {
            taps[d].push_back(tapsOf(plan, axis, i));
            isAnyOutside = isAnyOutside || taps[d].back().isOutside;
        }
    }
    if (plan.mode == Mode::Nearest && !isAnyOutside)
        return one(nearestOf(x, shape, taps));
    if (x.as<std::string>())
        return call.error("texts cannot be mixed; use mode nearest.");
    std::vector<double> values = x.numbers();
    Extents current = x.shape();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (taps[d].empty())
            continue;
        values = resampled(std::move(values), current, d, taps[d]);
        current[d] = shape[d];
    }
    if (isAnyOutside)
        fillOutside(values, shape, taps, plan.extrapolation);
    return one(tensorOf(call, x.dtype(), std::move(shape), std::move(values)));
}

std::optional<Mode> modeOf(const std::string& text) {
    if (text == "nearest" || text.empty())
        return Mode::Nearest;
    if (text == "linear" || text == "bilinear" || text == "trilinear")
        return Mode::Linear;
    return text == "cubic" || text == "bicubic" ? std::optional(Mode::Cubic) : std::nullopt;
}

/// Axes that are resized, in the order that roi, scales and sizes name them.
base::Result<std::vector<std::size_t>> resizedAxes(const Call& call, std::size_t rank) {
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    if (const auto given = call.attributes().integers("axes")) {
        axes.clear();
        for (const std::int64_t axis : *given) {
            const auto at = axisIn(axis, rank);
            if (!at)
                return badAxis(call, axis, rank);
            axes.push_back(*at);
        }
    }
    return axes;
}

void setBySizes(const Call& call, ResizePlan& plan, const std::vector<std::size_t>& axes,
    const Extents& sizes) {
    const std::string policy = call.attributes().text("keep_aspect_ratio_policy", "stretch");
    double common = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        AxisPlan& axis = plan.axes[axes[i]];
        axis.out = sizes[i];
        axis.scale = static_cast<double>(sizes[i]) / static_cast<double>(axis.in);
        common = i == 0              ? axis.scale
            : policy == "not_larger" ? std::min(common, axis.scale)
                                     : std::max(common, axis.scale);
    }
    if (policy == "stretch" || policy.empty())
        return;
    for (const std::size_t at : axes) {
        AxisPlan& axis = plan.axes[at];
        axis.scale = common;
        axis.out =
            static_cast<std::int64_t>(std::floor(common * static_cast<double>(axis.in) + 0.5));
    }
}

bool setByScales(
    ResizePlan& plan, const std::vector<std::size_t>& axes, const std::vector<double>& scales) {
    constexpr double kMost = 1e9;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        AxisPlan& axis = plan.axes[axes[i]];
        if (!(scales[i] > 0 && scales[i] < kMost))
            return false;
        axis.scale = scales[i];
        axis.out = static_cast<std::int64_t>(std::floor(static_cast<double>(axis.in) * scales[i]));
    }
    return true;
}

void readAttributes(const Call& call, ResizePlan& plan, bool isOld) {
    const ir::Attributes& attributes = call.attributes();
    plan.coordinates =
        attributes.text("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel");
    plan.nearest = attributes.text("nearest_mode", isOld ? "floor" : "round_prefer_floor");
    plan.cubicA = attributes.number("cubic_coeff_a", -0.75);
    plan.excludesOutside = attributes.integer("exclude_outside", 0) != 0;
    plan.isAntialiased = attributes.integer("antialias", 0) != 0;
    plan.extrapolation = attributes.number("extrapolation_value", 0);
}

} // namespace

/// Resize, operator sets 10 (X, scales) and 11 to 19 (X, roi, scales, sizes).
Outputs runResize(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const int version = call.operation.version;
    const bool isOld = version > 0 && version < 11;
    ResizePlan plan;
    const auto mode = modeOf(call.attributes().text("mode", "nearest"));
    const auto axes = resizedAxes(call, (*x)->rank());
    if (!mode || !axes)
        return mode ? Outputs(axes.error()) : Outputs(call.error("its mode is not known."));
    plan.mode = *mode;
    readAttributes(call, plan, isOld);
    for (const std::int64_t size : (*x)->shape())
        plan.axes.push_back({size, size, 1, 0, 1});
    const auto roi = isOld ? std::nullopt : numbersOf(call, 1);
    if (roi && roi->size() == 2 * axes->size())
        for (std::size_t i = 0; i < axes->size(); ++i) {
            plan.axes[(*axes)[i]].roiStart = (*roi)[i];
            plan.axes[(*axes)[i]].roiEnd = (*roi)[i + axes->size()];
        }
    const auto sizes = isOld ? std::nullopt : call.integers(3, "sizes");
    auto scales = numbersOf(call, isOld ? 1 : 2);
    if (!scales)
        scales = call.attributes().numbers("scales");
    if (sizes && sizes->size() == axes->size()
        && std::ranges::none_of(*sizes, [](std::int64_t size) { return size < 0; }))
        setBySizes(call, plan, *axes, *sizes);
    else if (!scales || scales->size() != axes->size() || !setByScales(plan, *axes, *scales))
        return call.error("it needs one size or one positive scale for each axis.");
    return resized(call, **x, plan);
}

/// Upsample, operator sets 1 (height_scale, width_scale), 7 (scales) and 9 (an input).
Outputs runUpsample(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    ResizePlan plan;
    const auto mode = modeOf(call.attributes().text("mode", "nearest"));
    if (!mode)
        return call.error("its mode is not known.");
    plan.mode = *mode;
    readAttributes(call, plan, true);
    auto scales = numbersOf(call, 1);
    if (!scales)
        scales = call.attributes().numbers("scales");
    if (!scales && (*x)->rank() == 4)
        scales = {1, 1, call.attributes().number("height_scale", 1),
            call.attributes().number("width_scale", 1)};
    for (const std::int64_t size : (*x)->shape())
        plan.axes.push_back({size, size, 1, 0, 1});
    std::vector<std::size_t> axes((*x)->rank());
    std::iota(axes.begin(), axes.end(), 0);
    if (!scales || scales->size() != axes.size() || !setByScales(plan, axes, *scales))
        return call.error("it needs one positive scale for each axis.");
    return resized(call, **x, plan);
}

} // namespace fivefold::numerics
