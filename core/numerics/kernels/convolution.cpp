// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/sums.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/windows.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::Op;

/// Elements of unfolded columns at once: what stays in a second-level cache and above.
constexpr std::int64_t kColumnElements = std::int64_t(1) << 21;

struct ConvPlan {
    WindowAxes axes;
    std::int64_t batch = 0, channels = 0, outChannels = 0, group = 1;
    std::int64_t taps = 1, pixels = 1; ///< of a kernel; of an output image
    Extents result;

    std::int64_t groupChannels() const { return channels / group; }
    std::int64_t groupRows() const { return outChannels / group; }
    std::int64_t depth() const { return groupChannels() * taps; }
    std::int64_t lastOut() const { return axes.empty() ? 1 : axes.back().out; }
    std::int64_t imageSize() const {
        std::int64_t size = 1;
        for (const WindowAxis& axis : axes)
            size *= axis.in;
        return size;
    }
    bool isPointwise() const {
        return taps == 1 && std::ranges::all_of(axes, [](const WindowAxis& axis) {
            return axis.stride == 1 && axis.before == 0 && axis.out == axis.in;
        });
    }
};

base::Result<ConvPlan> convPlan(const Call& call, const Tensor& x, const Tensor& w) {
    const Extents &xs = x.shape(), &ws = w.shape();
    ConvPlan plan;
    plan.group = call.attributes().integer("group", 1);
    if (xs.size() < 3 || ws.size() != xs.size() || plan.group < 1)
        return call.error("data of " + extentsText(xs) + " and weights of " + extentsText(ws)
            + " are no convolution.");
    plan.batch = xs[0];
    plan.channels = xs[1];
    plan.outChannels = ws[0];
    if (plan.channels % plan.group != 0 || plan.outChannels % plan.group != 0
        || plan.groupChannels() != ws[1])
        return call.error("it has " + std::to_string(plan.channels)
            + " input channels, but its weights are made for " + std::to_string(ws[1]) + " in "
            + std::to_string(plan.group) + " groups.");
    auto axes = windowAxes(
        call, Extents(xs.begin() + 2, xs.end()), Extents(ws.begin() + 2, ws.end()), false);
    if (!axes)
        return axes.error();
    plan.axes = *std::move(axes);
    plan.result = outputsOf(plan.axes);
    plan.pixels = productOf(plan.result);
    plan.taps = productOf(ws, 2);
    plan.result.insert(plan.result.begin(), {plan.batch, plan.outChannels});
    if (auto error = call.tooLarge(plan.result))
        return *std::move(error);
    return plan;
}

/// Writes the taps of rows [begin, end) of an output image, a row being its last axis: depth × (end
/// − begin) · last matrices of the channels that begin at `image`.
template <typename T>
void unfold(
    const ConvPlan& plan, const T* image, std::int64_t begin, std::int64_t end, T* columns) {
    const std::size_t outer = plan.axes.size() - 1;
    const WindowAxis& last = plan.axes.back();
    const Extents outs = outputsOf(plan.axes), kernel = kernelOf(plan.axes);
    const Extents rows(outs.begin(), outs.end() - 1);
    Extents in;
    for (const WindowAxis& axis : plan.axes)
        in.push_back(axis.in);
    const Extents strides = stridesOf(in);
    const std::int64_t size = plan.imageSize();
    for (std::int64_t channel = 0; channel < plan.groupChannels(); ++channel) {
        const T* plane = image + channel * size;
        Extents tap(plan.axes.size(), 0);
        do {
            Extents row(outer, 0);
            for (std::int64_t rest = begin, i = static_cast<std::int64_t>(outer) - 1; i >= 0; --i) {
                const auto at = static_cast<std::size_t>(i);
                row[at] = rest % std::max<std::int64_t>(rows[at], 1);
                rest /= std::max<std::int64_t>(rows[at], 1);
            }
            for (std::int64_t r = begin; r < end; ++r, advance(row, rows)) {
                std::int64_t base = 0;
                bool isInside = true;
                for (std::size_t i = 0; i < outer; ++i) {
                    const std::int64_t s = plan.axes[i].source(row[i], tap[i]);
                    isInside = isInside && s >= 0 && s < plan.axes[i].in;
                    base += s * strides[i];
                }
                if (!isInside) {
                    columns = std::fill_n(columns, last.out, T(0));
                    continue;
                }
                std::int64_t s = last.source(0, tap[outer]);
                for (std::int64_t o = 0; o < last.out; ++o, s += last.stride)
                    *columns++ = s >= 0 && s < last.in ? plane[base + s] : T(0);
            }
        } while (advance(tap, kernel));
    }
}

template <typename T>
base::Result<Tensor> convolveAs(
    const Call& call, const ConvPlan& plan, const Tensor& x, const Tensor& w) {
    const std::vector<T>& image = *x.as<T>();
    const std::vector<T>& weights = *w.as<T>();
    std::vector<T> result(static_cast<std::size_t>(productOf(plan.result)));
    if (result.empty() || plan.depth() == 0)
        return Tensor(x.dtype(), plan.result, std::move(result));
    const std::int64_t size = plan.imageSize(), depth = plan.depth();
    const std::int64_t rows = plan.pixels / plan.lastOut();
    const std::int64_t most =
        std::clamp<std::int64_t>(kColumnElements / depth / plan.lastOut(), 1, rows);
    if (auto error = call.tooLarge({depth, most, plan.lastOut()}))
        return *std::move(error);
    std::vector<T> columns, part;
    for (std::int64_t n = 0; n < plan.batch; ++n)
        for (std::int64_t g = 0; g < plan.group; ++g) {
            const std::int64_t from = (n * plan.channels + g * plan.groupChannels()) * size;
            const std::int64_t to = (n * plan.outChannels + g * plan.groupRows()) * plan.pixels;
            const std::int64_t weight = g * plan.groupRows() * depth;
            if (plan.isPointwise()) {
                const ProductPlace place{weight, from, to};
                multiply(call.evaluation, weights, image, result,
                    {plan.groupRows(), plan.pixels, depth}, std::span(&place, 1));
                continue;
            }
            for (std::int64_t begin = 0; begin < rows; begin += most) {
                if (auto error = call.tooLarge({}))
                    return *std::move(error); // cancelled
                const std::int64_t end = std::min(rows, begin + most);
                const std::int64_t width = (end - begin) * plan.lastOut();
                columns.resize(static_cast<std::size_t>(depth * width));
                part.resize(static_cast<std::size_t>(plan.groupRows() * width));
                unfold(plan, image.data() + from, begin, end, columns.data());
                const ProductPlace place{weight, 0, 0};
                multiply(call.evaluation, weights, columns, part, {plan.groupRows(), width, depth},
                    std::span(&place, 1));
                for (std::int64_t m = 0; m < plan.groupRows(); ++m)
                    std::copy_n(part.begin() + m * width, width,
                        result.begin() + to + m * plan.pixels + begin * plan.lastOut());
            }
        }
    return Tensor(x.dtype(), plan.result, std::move(result));
}

/// y + bias of each channel.
base::Result<Tensor> channelBiased(const Call& call, Tensor y, std::size_t index) {
    const Tensor* bias = call.input(index);
    if (!bias)
        return y;
    Extents shape(y.rank() - 1, 1);
    shape[0] = bias->size();
    return added(call, y, bias->reshaped(std::move(shape)));
}

struct Images {
    Tensor x, w;
    bool isChannelsLast = false;
};

base::Result<Images> imagesOf(const Call& call) {
    auto x = call.required(0);
    auto w = call.required(1);
    if (!x || !w)
        return x ? w.error() : x.error();
    if ((*x)->as<std::string>() || (*w)->as<std::string>())
        return call.error("it works on numbers, but an operand holds text.");
    Images images{asFloats(call, **x), asFloats(call, **w),
        call.attributes().integer("channels_last", 0) != 0};
    if (images.isChannelsLast)
        images.x = channelsSecond(images.x);
    return images;
}

/// Conv, and FusedConv with a tensor added and an activation.
Outputs convolution(const Call& call) {
    auto images = imagesOf(call);
    if (!images)
        return images.error();
    auto y = convolve(call, images->x, images->w);
    if (y)
        y = channelBiased(call, *y, 2);
    const Tensor* sum = call.operation.op == Op::FusedConv ? call.input(3) : nullptr;
    if (y && sum)
        y = added(call, *y, images->isChannelsLast ? channelsSecond(*sum) : *sum);
    if (y)
        y = activated(call, *y);
    if (!y)
        return y.error();
    return one(images->isChannelsLast ? channelsLast(*y) : *y);
}

/// Adds the columns of a transposed product to where their taps lie.
template <typename T>
void fold(const ConvPlan& plan, const Rounder& rounder, const T* columns, T* image) {
    // Here `in` and `out` of the axes have changed places: the taps go to the output.
    const Extents ins = outputsOf(plan.axes), kernel = kernelOf(plan.axes);
    Extents out;
    for (const WindowAxis& axis : plan.axes)
        out.push_back(axis.in);
    const Extents strides = stridesOf(out);
    const std::int64_t size = productOf(out);
    for (std::int64_t channel = 0; channel < plan.groupRows(); ++channel) {
        T* plane = image + channel * size;
        Extents tap(kernel.size(), 0);
        do {
            Extents index(ins.size(), 0);
            for (std::int64_t i = 0; i < plan.pixels; ++i, ++columns, advance(index, ins)) {
                std::int64_t at = 0;
                bool isInside = true;
                for (std::size_t d = 0; d < index.size(); ++d) {
                    const std::int64_t s = plan.axes[d].source(index[d], tap[d]);
                    isInside = isInside && s >= 0 && s < plan.axes[d].in;
                    at += s * strides[d];
                }
                if (isInside)
                    plane[at] = static_cast<T>(rounder(static_cast<double>(plane[at] + *columns)));
            }
        } while (advance(tap, kernel));
    }
}

/// x (N, C, …), w (C, M ÷ group, …).
base::Result<ConvPlan> transposedPlan(const Call& call, const Tensor& x, const Tensor& w) {
    const Extents &xs = x.shape(), &ws = w.shape();
    ConvPlan plan;
    plan.group = call.attributes().integer("group", 1);
    if (xs.size() < 3 || ws.size() != xs.size() || plan.group < 1 || ws[0] != xs[1]
        || xs[1] % plan.group != 0)
        return call.error("data of " + extentsText(xs) + " and weights of " + extentsText(ws)
            + " are no transposed convolution.");
    plan.batch = xs[0];
    plan.channels = xs[1];
    if (__builtin_mul_overflow(ws[1], plan.group, &plan.outChannels))
        return call.error("it has too many channels.");
    auto axes = transposedWindowAxes(
        call, Extents(xs.begin() + 2, xs.end()), Extents(ws.begin() + 2, ws.end()));
    if (!axes)
        return axes.error();
    plan.axes = *std::move(axes);
    plan.result = outputsOf(plan.axes);
    plan.result.insert(plan.result.begin(), {plan.batch, plan.outChannels});
    if (auto error = call.tooLarge(plan.result))
        return *std::move(error);
    plan.pixels = productOf(xs, 2);
    plan.taps = productOf(ws, 2);
    for (WindowAxis& axis : plan.axes)
        std::swap(axis.in, axis.out);
    if (auto error = call.tooLarge({plan.groupRows(), plan.taps, plan.pixels}))
        return *std::move(error);
    return plan;
}

template <typename T>
Tensor transposedAs(const Call& call, const ConvPlan& plan, const Tensor& x, const Tensor& w) {
    std::vector<T> result(static_cast<std::size_t>(productOf(plan.result)));
    const std::int64_t outPixels = plan.imageSize();
    const std::int64_t rows = plan.groupRows() * plan.taps;
    std::vector<T> columns(static_cast<std::size_t>(rows * plan.pixels));
    const Arithmetic* arithmetic = call.evaluation.arithmetic;
    const Rounder rounder = arithmetic ? Rounder(arithmetic->accumulate, *arithmetic) : Rounder();
    for (std::int64_t n = 0; n < plan.batch && !columns.empty(); ++n)
        for (std::int64_t g = 0; g < plan.group; ++g) {
            const ProductPlace place{g * plan.groupChannels() * rows,
                (n * plan.channels + g * plan.groupChannels()) * plan.pixels, 0};
            multiply(call.evaluation, *w.as<T>(), *x.as<T>(), columns,
                {rows, plan.pixels, plan.groupChannels(), true, false}, std::span(&place, 1));
            fold(plan, rounder, columns.data(),
                result.data() + (n * plan.outChannels + g * plan.groupRows()) * outPixels);
        }
    return {x.dtype(), plan.result, std::move(result)};
}

Outputs transposedConvolution(const Call& call) {
    auto images = imagesOf(call);
    if (!images)
        return images.error();
    auto plan = transposedPlan(call, images->x, images->w);
    if (!plan)
        return plan.error();
    Tensor y = images->x.as<float>() ? transposedAs<float>(call, *plan, images->x, images->w)
                                     : transposedAs<double>(call, *plan, images->x, images->w);
    auto result = channelBiased(call, std::move(y), 2);
    return result ? Outputs(one(*std::move(result))) : result.error();
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Conv, convolution},
    {Op::FusedConv, convolution},
    {Op::ConvTranspose, transposedConvolution},
};

} // namespace

base::Result<Tensor> convolve(const Call& call, const Tensor& x, const Tensor& w) {
    auto plan = convPlan(call, x, w);
    if (!plan)
        return plan.error();
    if (x.as<float>() && w.as<float>())
        return convolveAs<float>(call, *plan, x, w);
    if (x.as<double>() && w.as<double>())
        return convolveAs<double>(call, *plan, x, w);
    return call.error("its operands are no floats.");
}

KernelTable convolutionKernels() {
    return kTable;
}

} // namespace fivefold::numerics
