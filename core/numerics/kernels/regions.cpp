// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fivefold::numerics {

namespace {

using ir::Op;

constexpr std::int64_t kMostSamples = 1 << 16; ///< along one side of one bin

struct Regions {
    const Tensor* x; ///< (N, C, H, W)
    const Tensor* boxes;
    std::int64_t channels, height, width;
    std::int64_t rows, columns; ///< of the result
    Extents result;
};

base::Result<Regions> regionsOf(
    const Call& call, std::int64_t boxWidth, std::int64_t rows, std::int64_t columns) {
    auto x = call.required(0);
    auto boxes = call.required(1);
    if (!x || !boxes)
        return x ? boxes.error() : x.error();
    if ((*x)->rank() != 4 || (*boxes)->rank() != 2 || (*boxes)->shape()[1] != boxWidth || rows < 1
        || columns < 1)
        return call.error("it needs images (N, C, H, W) and regions of " + std::to_string(boxWidth)
            + " numbers.");
    const Extents& shape = (*x)->shape();
    Regions r{*x, *boxes, shape[1], shape[2], shape[3], rows, columns,
        {(*boxes)->shape()[0], shape[1], rows, columns}};
    if (auto error = call.tooLarge(r.result))
        return *std::move(error);
    return r;
}

/// Largest element of each bin of a region, edges rounded to pixels (Girshick, Fast R-CNN).
Outputs maxRegionPool(const Call& call) {
    const auto pooled = call.attributes().integers("pooled_shape");
    if (!pooled || pooled->size() != 2)
        return call.error("it needs the attribute pooled_shape.");
    auto regions = regionsOf(call, 5, (*pooled)[0], (*pooled)[1]);
    if (!regions)
        return regions.error();
    const Regions& r = *regions;
    const double scale = call.attributes().number("spatial_scale", 1);
    std::vector<double> result;
    for (std::int64_t box = 0; box < r.result[0]; ++box) {
        const std::int64_t image = r.boxes->integer(box * 5);
        if (image < 0 || image >= r.x->shape()[0])
            return call.error(
                "region " + std::to_string(box) + " names an image that is not there.");
        const auto edge = [&](std::int64_t i) {
            return std::clamp(std::round(r.boxes->number(box * 5 + i) * scale), -1e9, 1e9);
        };
        const double left = edge(1), top = edge(2);
        const double height = std::max(edge(4) - top + 1, 1.0) / static_cast<double>(r.rows),
                     width = std::max(edge(3) - left + 1, 1.0) / static_cast<double>(r.columns);
        const auto bounded = [](double v, std::int64_t most) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(v), 0, most);
        };
        for (std::int64_t c = 0; c < r.channels; ++c)
            for (std::int64_t i = 0; i < r.rows; ++i)
                for (std::int64_t j = 0; j < r.columns; ++j) {
                    const auto di = static_cast<double>(i), dj = static_cast<double>(j);
                    const std::int64_t y0 = bounded(std::floor(di * height) + top, r.height),
                                       y1 = bounded(std::ceil((di + 1) * height) + top, r.height),
                                       x0 = bounded(std::floor(dj * width) + left, r.width),
                                       x1 = bounded(std::ceil((dj + 1) * width) + left, r.width);
                    const bool isEmpty = y1 <= y0 || x1 <= x0;
                    double best = isEmpty ? 0 : -std::numeric_limits<double>::infinity();
                    for (std::int64_t y = y0; y < y1; ++y)
                        for (std::int64_t x = x0; x < x1; ++x)
                            best = std::max(best,
                                r.x->number(
                                    ((image * r.channels + c) * r.height + y) * r.width + x));
                    result.push_back(best);
                }
    }
    return one(tensorOf(call, r.x->dtype(), r.result, std::move(result)));
}

/// The four pixels around a point and their weights; all zero outside the image.
struct Sample {
    std::array<std::int64_t, 4> places{};
    std::array<double, 4> weights{};
};

Sample sampleAt(double y, double x, std::int64_t height, std::int64_t width) {
    Sample s;
    if (!(y >= -1 && y <= static_cast<double>(height) && x >= -1
            && x <= static_cast<double>(width)))
        return s;
    y = std::max(y, 0.0);
    x = std::max(x, 0.0);
    const std::int64_t y0 = std::min(static_cast<std::int64_t>(y), height - 1),
                       x0 = std::min(static_cast<std::int64_t>(x), width - 1);
    const std::int64_t y1 = std::min(y0 + 1, height - 1), x1 = std::min(x0 + 1, width - 1);
    const double fy = y0 == height - 1 ? 0 : y - static_cast<double>(y0),
                 fx = x0 == width - 1 ? 0 : x - static_cast<double>(x0);
    s.places = {y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1};
    s.weights = {(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx};
    return s;
}

/// One bin: mean or maximum of bilinear samples.
double binOf(
    const Regions& r, std::int64_t plane, const std::vector<Sample>& samples, bool takesMax) {
    double sum = 0, best = -std::numeric_limits<double>::infinity();
    for (const Sample& s : samples) {
        double value = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const double term = s.weights[k]
                * (s.weights[k] == 0 ? 0 : r.x->number(plane * r.height * r.width + s.places[k]));
            best = std::max(best, term);
            value += term;
        }
        sum += value;
    }
    return takesMax ? best : sum / static_cast<double>(std::max<std::size_t>(samples.size(), 1));
}

/// He et al., Mask R-CNN.
Outputs alignRegions(const Call& call) {
    auto regions = regionsOf(call, 4, call.attributes().integer("output_height", 1),
        call.attributes().integer("output_width", 1));
    auto images = call.required(2);
    if (!regions || !images)
        return regions ? images.error() : regions.error();
    const Regions& r = *regions;
    if ((*images)->size() != r.result[0] || r.height < 1 || r.width < 1)
        return call.error("its regions and batch indices do not fit together.");
    // Before operator set 16 there was no half pixel.
    const bool isOld = call.operation.version > 0 && call.operation.version < 16;
    const std::string transform = call.attributes().text(
        "coordinate_transformation_mode", isOld ? "output_half_pixel" : "half_pixel");
    const double shift = transform == "half_pixel" ? 0.5 : 0;
    const double scale = call.attributes().number("spatial_scale", 1);
    const bool takesMax = call.attributes().text("mode", "avg") == "max";
    const std::int64_t ratio = call.attributes().integer("sampling_ratio", 0);
    std::vector<double> result(static_cast<std::size_t>(productOf(r.result)));
    std::size_t to = 0;
    for (std::int64_t box = 0; box < r.result[0]; ++box) {
        const std::int64_t image = (*images)->integer(box);
        if (image < 0 || image >= r.x->shape()[0])
            return call.error(
                "region " + std::to_string(box) + " names an image that is not there.");
        const auto edge = [&](std::int64_t i) {
            return r.boxes->number(box * 4 + i) * scale - shift;
        };
        double width = edge(2) - edge(0), height = edge(3) - edge(1);
        if (shift == 0) {
            width = std::max(width, 1.0);
            height = std::max(height, 1.0);
        }
        const double binHeight = height / static_cast<double>(r.rows),
                     binWidth = width / static_cast<double>(r.columns);
        const auto count = [&](double size) {
            return ratio > 0 ? std::min(ratio, kMostSamples)
                             : static_cast<std::int64_t>(std::clamp(
                                 std::ceil(size), 1.0, static_cast<double>(kMostSamples)));
        };
        const std::int64_t ySamples = count(binHeight), xSamples = count(binWidth);
        if (auto error = call.tooLarge({ySamples, xSamples, 8}))
            return *std::move(error);
        for (std::int64_t i = 0; i < r.rows; ++i)
            for (std::int64_t j = 0; j < r.columns; ++j) {
                std::vector<Sample> samples;
                for (std::int64_t a = 0; a < ySamples; ++a)
                    for (std::int64_t b = 0; b < xSamples; ++b)
                        samples.push_back(sampleAt(edge(1) + static_cast<double>(i) * binHeight
                                + (static_cast<double>(a) + 0.5) * binHeight
                                    / static_cast<double>(ySamples),
                            edge(0) + static_cast<double>(j) * binWidth
                                + (static_cast<double>(b) + 0.5) * binWidth
                                    / static_cast<double>(xSamples),
                            r.height, r.width));
                for (std::int64_t c = 0; c < r.channels; ++c)
                    result[to + static_cast<std::size_t>((c * r.rows + i) * r.columns + j)] =
                        binOf(r, image * r.channels + c, samples, takesMax);
            }
        to += static_cast<std::size_t>(r.channels * r.rows * r.columns);
    }
    return one(tensorOf(call, r.x->dtype(), r.result, std::move(result)));
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::MaxRoiPool, maxRegionPool},
    {Op::RoiAlign, alignRegions},
};

} // namespace

KernelTable regionKernels() {
    return kTable;
}

} // namespace fivefold::numerics
