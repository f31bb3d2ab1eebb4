// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/sampling.h"

#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

using ir::Op;

double cubicWeight(double distance, double a) {
    const double d = std::abs(distance);
    if (d <= 1)
        return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

void cubicWeights(double t, double a, double weights[4]) {
    for (int i = 0; i < 4; ++i)
        weights[i] = cubicWeight(static_cast<double>(i - 1) - t, a);
}

namespace {

enum class Mode : std::uint8_t { Nearest, Linear, Cubic };
enum class Border : std::uint8_t { Zeros, Edge, Reflect };

/// A sampler of one image plane after another.
struct Sampler {
    Mode mode = Mode::Linear;
    Border border = Border::Zeros;
    bool alignsCorners = false;
    Extents image; ///< spatial extents

    double low() const { return alignsCorners ? 0 : -0.5; }
    double high(std::size_t axis) const {
        return static_cast<double>(image[axis]) - (alignsCorners ? 1 : 0.5);
    }
};

/// Folded back at the borders until it lies between them.
double reflected(double x, double low, double high) {
    const double span = high - low;
    if (span <= 0 || !std::isfinite(x))
        return 0;
    double distance = std::fmod(std::abs(x - low), 2 * span);
    return low + (distance > span ? 2 * span - distance : distance);
}

double placeOf(const Sampler& sampler, double normal, std::size_t axis) {
    const auto size = static_cast<double>(sampler.image[axis]);
    return sampler.alignsCorners ? (normal + 1) / 2 * (size - 1) : ((normal + 1) * size - 1) / 2;
}

double bordered(const Sampler& sampler, double x, std::size_t axis) {
    if (sampler.border == Border::Edge)
        return std::clamp(x, 0.0, static_cast<double>(sampler.image[axis] - 1));
    if (sampler.border == Border::Reflect)
        return std::clamp(reflected(x, sampler.low(), sampler.high(axis)), 0.0,
            static_cast<double>(sampler.image[axis] - 1));
    return x;
}

/// Taps along one axis: place in the image, −1 for a zero outside.
struct AxisTaps {
    std::int64_t index[4] = {0, 0, 0, 0};
    double weight[4] = {1, 0, 0, 0};
    int count = 1;
};

std::int64_t tapAt(const Sampler& sampler, double x, std::size_t axis) {
    x = bordered(sampler, x, axis);
    if (!(x >= 0 && x <= static_cast<double>(sampler.image[axis] - 1)))
        return -1;
    return static_cast<std::int64_t>(x);
}

AxisTaps tapsOf(const Sampler& sampler, double normal, std::size_t axis) {
    AxisTaps taps;
    double x = placeOf(sampler, normal, axis);
    if (std::isnan(x)) {
        taps.index[0] = -1;
        return taps;
    }
    if (sampler.mode == Mode::Nearest) {
        if (sampler.border != Border::Zeros)
            x = bordered(sampler, x, axis);
        taps.index[0] = tapAt(sampler, std::nearbyint(x), axis);
        return taps;
    }
    if (sampler.mode == Mode::Linear) {
        x = bordered(sampler, x, axis);
        const double left = std::floor(x);
        taps.count = 2;
        for (int i = 0; i < 2; ++i)
            taps.index[i] = tapAt(sampler, left + i, axis);
        taps.weight[0] = 1 - (x - left);
        taps.weight[1] = x - left;
        return taps;
    }
    const double left = std::floor(x);
    taps.count = 4;
    for (int i = 0; i < 4; ++i)
        taps.index[i] = tapAt(sampler, left + i - 1, axis);
    cubicWeights(x - left, -0.75, taps.weight);
    return taps;
}

/// Sum over the product of the taps of all axes.
template <typename Value>
double sampled(const std::vector<AxisTaps>& taps, const Extents& strides, Value value) {
    int position[8] = {};
    double sum = 0;
    while (true) {
        double weight = 1;
        std::int64_t at = 0;
        for (std::size_t d = 0; d < taps.size(); ++d) {
            weight *= taps[d].weight[position[d]];
            const std::int64_t index = taps[d].index[position[d]];
            at = index < 0 || at < 0 ? -1 : at + index * strides[d];
        }
        if (at >= 0 && weight != 0)
            sum += weight * value(at);
        std::size_t d = taps.size();
        while (d-- > 0) {
            if (++position[d] < taps[d].count)
                break;
            position[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1))
            return sum;
    }
}

std::optional<Sampler> samplerOf(const Call& call) {
    Sampler sampler;
    const std::string mode = call.attributes().text("mode", "linear");
    const std::string border = call.attributes().text("padding_mode", "zeros");
    if (mode == "nearest")
        sampler.mode = Mode::Nearest;
    else if (mode == "cubic" || mode == "bicubic")
        sampler.mode = Mode::Cubic;
    else if (mode != "linear" && mode != "bilinear")
        return std::nullopt;
    if (border == "border")
        sampler.border = Border::Edge;
    else if (border == "reflection")
        sampler.border = Border::Reflect;
    else if (border != "zeros")
        return std::nullopt;
    sampler.alignsCorners = call.attributes().integer("align_corners", 0) != 0;
    return sampler;
}

/// GridSample: (N, C, spatial…) at (N, places…, axes), the last axis first in a place.
Outputs gridSample(const Call& call) {
    const auto x = call.required(0);
    const auto grid = call.required(1);
    if (!x || !grid)
        return x ? grid.error() : x.error();
    auto sampler = samplerOf(call);
    if (!sampler)
        return call.error("its mode or padding_mode is not known.");
    const Extents& from = (*x)->shape();
    const Extents& places = (*grid)->shape();
    constexpr std::size_t kMostAxes = 8;
    if (from.size() < 3 || places.size() != from.size() || from.size() - 2 > kMostAxes
        || places.back() != std::ssize(from) - 2 || places[0] != from[0])
        return call.error("the grid does not fit the image.");
    const std::size_t axes = from.size() - 2;
    sampler->image.assign(from.begin() + 2, from.end());
    Extents shape{from[0], from[1]};
    shape.insert(shape.end(), places.begin() + 1, places.end() - 1);
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t points = productOf(shape, 2), pixels = productOf(sampler->image);
    const Extents strides = stridesOf(sampler->image);
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)));
    std::vector<AxisTaps> taps(axes);
    for (std::int64_t point = 0; point < from[0] * points; ++point) {
        for (std::size_t d = 0; d < axes; ++d)
            taps[d] = tapsOf(*sampler,
                (*grid)->number(point * static_cast<std::int64_t>(axes)
                    + static_cast<std::int64_t>(axes - 1 - d)),
                d);
        for (std::int64_t c = 0; c < from[1]; ++c) {
            const std::int64_t plane = point / points * from[1] + c;
            values[static_cast<std::size_t>(plane * points + point % points)] = sampled(
                taps, strides, [&](std::int64_t at) { return (*x)->number(plane * pixels + at); });
        }
    }
    return one(tensorOf(call, (*x)->dtype(), std::move(shape), std::move(values)));
}

/// Coordinate of a cell of an axis in −1 … 1.
double gridCoordinate(std::int64_t index, std::int64_t size, bool alignsCorners) {
    if (alignsCorners)
        return size > 1 ? -1 + 2.0 * static_cast<double>(index) / static_cast<double>(size - 1) : 0;
    return (2.0 * static_cast<double>(index) + 1) / static_cast<double>(size) - 1;
}

/// AffineGrid-20: theta (N, d, d + 1) and size (N, C, spatial…) to (N, spatial…, d).
Outputs affineGrid(const Call& call) {
    const auto theta = call.required(0);
    const auto size = call.integers(1, "size");
    if (!theta)
        return theta.error();
    if (!size || size->size() < 4 || size->size() > 5)
        return call.error("it needs a size of four or five axes.");
    const auto axes = std::ssize(*size) - 2;
    if ((*theta)->shape() != Extents{(*size)[0], axes, axes + 1})
        return call.error("theta does not fit the size.");
    Extents shape{(*size)[0]};
    shape.insert(shape.end(), size->begin() + 2, size->end());
    const Extents image(size->begin() + 2, size->end());
    shape.push_back(axes);
    if (const auto error = call.tooLarge(shape))
        return *error;
    const bool alignsCorners = call.attributes().integer("align_corners", 0) != 0;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(productOf(shape)));
    for (std::int64_t n = 0; n < shape[0]; ++n) {
        Walker cell(image, Extents(image.size(), 0));
        for (std::int64_t i = 0; i < productOf(image); ++i, cell.next())
            for (std::int64_t row = 0; row < axes; ++row) {
                const std::int64_t base = (n * axes + row) * (axes + 1);
                double sum = (*theta)->number(base + axes);
                for (std::int64_t k = 0; k < axes; ++k) { // x first: the last axis
                    const auto axis = static_cast<std::size_t>(axes - 1 - k);
                    sum += (*theta)->number(base + k)
                        * gridCoordinate(cell.index()[axis], image[axis], alignsCorners);
                }
                values.push_back(sum);
            }
    }
    return one(tensorOf(call, (*theta)->dtype(), std::move(shape), std::move(values)));
}

/// CropAndResize (com.microsoft): boxes (y1, x1, y2, x2) in 0 … 1 of the image.
Outputs cropAndResize(const Call& call) {
    const auto x = call.required(0);
    const auto boxes = call.required(1);
    const auto batches = call.required(2);
    const auto size = call.integers(3, "crop_size");
    for (const auto* operand : {&x, &boxes, &batches})
        if (!*operand)
            return operand->error();
    const Extents& s = (*x)->shape();
    if (!size || size->size() != 2 || s.size() != 4 || (*boxes)->rank() != 2
        || (*boxes)->shape()[1] != 4 || (*batches)->size() != (*boxes)->shape()[0])
        return call.error("image, boxes, batch indices and crop size do not fit together.");
    const Extents shape{(*boxes)->shape()[0], s[1], (*size)[0], (*size)[1]};
    if (const auto error = call.tooLarge(shape))
        return *error;
    const bool isNearest = call.attributes().text("mode", "bilinear") == "nearest";
    const double outside = call.attributes().number("extrapolation_value", 0);
    const auto placeOn = [&](std::int64_t box, std::int64_t axis, std::int64_t at) {
        const double from = (*boxes)->number(box * 4 + axis),
                     to = (*boxes)->number(box * 4 + 2 + axis);
        const auto last = static_cast<double>(s[static_cast<std::size_t>(2 + axis)] - 1);
        const std::int64_t count = (*size)[static_cast<std::size_t>(axis)];
        return count > 1 ? from * last
                + static_cast<double>(at) * (to - from) * last / static_cast<double>(count - 1)
                         : (from + to) / 2 * last;
    };
    std::vector<double> values;
    for (std::int64_t box = 0; box < shape[0]; ++box) {
        const std::int64_t batch = (*batches)->integer(box);
        if (batch < 0 || batch >= s[0])
            return call.error("a batch index is outside the batch.");
        for (std::int64_t i = 0; i < productOf(shape, 1); ++i) {
            const std::int64_t channel = i / (shape[2] * shape[3]);
            const double v = placeOn(box, 0, i / shape[3] % shape[2]);
            const double u = placeOn(box, 1, i % shape[3]);
            if (!(v >= 0 && u >= 0 && v <= static_cast<double>(s[2] - 1)
                    && u <= static_cast<double>(s[3] - 1))) {
                values.push_back(outside);
                continue;
            }
            const auto pixel = [&](double row, double column) {
                return (*x)->number(
                    ((batch * s[1] + channel) * s[2] + static_cast<std::int64_t>(row)) * s[3]
                    + static_cast<std::int64_t>(column));
            };
            if (isNearest) {
                values.push_back(pixel(std::round(v), std::round(u)));
                continue;
            }
            const double top = std::floor(v), left = std::floor(u);
            const double upper =
                pixel(top, left) + (pixel(top, std::ceil(u)) - pixel(top, left)) * (u - left);
            const double lower = pixel(std::ceil(v), left)
                + (pixel(std::ceil(v), std::ceil(u)) - pixel(std::ceil(v), left)) * (u - left);
            values.push_back(upper + (lower - upper) * (v - top));
        }
    }
    return one(tensorOf(call, (*x)->dtype(), shape, std::move(values)));
}

} // namespace

KernelTable samplingKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::Resize, runResize},
        {Op::Upsample, runUpsample}, {Op::GridSample, gridSample}, {Op::AffineGrid, affineGrid},
        {Op::CropAndResize, cropAndResize}};
    return table;
}

} // namespace fivefold::numerics
