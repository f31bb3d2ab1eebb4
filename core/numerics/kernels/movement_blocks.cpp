// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/movement.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <numeric>

namespace fivefold::numerics {

namespace {

enum class Border : std::uint8_t { Constant, Reflect, Edge, Wrap };

/// The element that stands at `at` of an axis continued beyond its ends; −1: the fill.
std::int64_t continued(std::int64_t at, std::int64_t size, Border border) {
    if (at >= 0 && at < size)
        return at;
    switch (border) {
    case Border::Constant:
        return -1;
    case Border::Edge:
        return at < 0 ? 0 : size - 1;
    case Border::Wrap:
        return (at % size + size) % size;
    case Border::Reflect:
        break;
    }
    const std::int64_t period = std::max<std::int64_t>(1, 2 * (size - 1));
    const std::int64_t place = (at % period + period) % period;
    return place < size ? place : period - place;
}

/// Per axis, which element of the tensor each element of the result is; −1: the fill.
using Sources = std::vector<Extents>;

Tensor gathered(const Tensor& from, const Sources& sources, const Tensor* fill) {
    Extents shape;
    for (const Extents& axis : sources)
        shape.push_back(std::ssize(axis));
    const Extents strides = stridesOf(from.shape());
    Walker walker(shape, Extents(shape.size(), 0));
    const auto place = [&](std::size_t) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < sources.size() && at >= 0; ++d) {
            const std::int64_t source = sources[d][static_cast<std::size_t>(walker.index()[d])];
            at = source < 0 ? -1 : at + source * strides[d];
        }
        walker.next();
        return at;
    };
    const auto count = static_cast<std::size_t>(productOf(shape));
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            using List = std::decay_t<decltype(list)>;
            typename List::value_type value{};
            if (fill && fill->size() > 0) {
                if (const auto* own = fill->as<typename List::value_type>())
                    value = own->front();
                else if constexpr (!std::is_same_v<List, std::vector<std::string>>)
                    value = static_cast<typename List::value_type>(fill->number(0));
            }
            List result(count, value);
            for (std::size_t i = 0; i < count; ++i)
                if (const std::int64_t at = place(i); at >= 0)
                    result[i] = list[static_cast<std::size_t>(at)];
            return result;
        },
        from.elements());
    return {from.dtype(), std::move(shape), std::move(elements)};
}

std::optional<Border> borderOf(const std::string& mode) {
    if (mode == "constant" || mode.empty())
        return Border::Constant;
    if (mode == "reflect")
        return Border::Reflect;
    if (mode == "edge")
        return Border::Edge;
    return mode == "wrap" ? std::optional(Border::Wrap) : std::nullopt;
}

struct Margins {
    Extents before, after;
};

base::Result<Margins> marginsOf(const Call& call, std::size_t rank) {
    auto pads = call.integers(1, "pads");
    if (!pads)
        pads = call.attributes().integers("paddings");
    if (!pads)
        return call.error("the pads are missing.");
    Extents axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    axes = call.integers(3, "axes").value_or(axes);
    if (pads->size() != 2 * axes.size())
        return call.error("there are " + std::to_string(pads->size()) + " pads for "
            + std::to_string(axes.size()) + " axes.");
    Margins margins{Extents(rank, 0), Extents(rank, 0)};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = axisIn(axes[i], rank);
        if (!axis)
            return badAxis(call, axes[i], rank);
        margins.before[*axis] = (*pads)[i];
        margins.after[*axis] = (*pads)[i + axes.size()];
    }
    return margins;
}

} // namespace

/// Pad: operator set 1 to 24 and com.microsoft; negative pads cut.
Outputs runPad(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto border = borderOf(call.attributes().text("mode", "constant"));
    const auto margins = marginsOf(call, (*x)->rank());
    if (!margins)
        return margins.error();
    if (!border)
        return call.error("the mode " + call.attributes().text("mode") + " is not known.");
    Extents shape = (*x)->shape();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0 && *border != Border::Constant
            && (margins->before[d] > 0 || margins->after[d] > 0))
            return call.error("an axis without elements can only be padded with a constant.");
        shape[d] += margins->before[d] + margins->after[d];
        if (shape[d] < 0)
            return call.error("the pads cut more than the tensor has.");
    }
    if (const auto error = call.tooLarge(shape))
        return *error;
    Sources sources(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
        for (std::int64_t i = 0; i < shape[d]; ++i)
            sources[d].push_back(continued(i - margins->before[d], (*x)->shape()[d], *border));
    const Tensor* fill = call.input(2);
    const Tensor attribute =
        tensorOf(call, ir::DType::Float64, {}, {call.attributes().number("value", 0)});
    return one(gathered(**x, sources, fill ? fill : &attribute));
}

Outputs runDepthToSpace(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const std::int64_t block = call.attributes().integer("blocksize", 0);
    const Extents& s = (*x)->shape();
    if (s.size() != 4 || block < 1 || block > (1 << 15) || s[1] % (block * block) != 0)
        return call.error("it needs an image of rank 4 whose channels a block divides.");
    const std::int64_t channels = s[1] / (block * block);
    const bool isColumnRow = call.attributes().text("mode", "DCR") == "CRD";
    const Tensor apart = isColumnRow
        ? transposed((*x)->reshaped({s[0], channels, block, block, s[2], s[3]}), {0, 1, 4, 2, 5, 3})
        : transposed(
            (*x)->reshaped({s[0], block, block, channels, s[2], s[3]}), {0, 3, 4, 1, 5, 2});
    return one(apart.reshaped({s[0], channels, s[2] * block, s[3] * block}));
}

Outputs runSpaceToDepth(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const std::int64_t block = call.attributes().integer("blocksize", 0);
    const Extents& s = (*x)->shape();
    if (s.size() != 4 || block < 1 || block > (1 << 15) || s[2] % block != 0 || s[3] % block != 0)
        return call.error("it needs an image of rank 4 whose sides a block divides.");
    const Tensor apart = transposed(
        (*x)->reshaped({s[0], s[1], s[2] / block, block, s[3] / block, block}), {0, 3, 5, 1, 2, 4});
    return one(apart.reshaped({s[0], s[1] * block * block, s[2] / block, s[3] / block}));
}

Outputs runTrilu(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& shape = (*x)->shape();
    if (shape.size() < 2)
        return call.error("it needs a matrix.");
    const bool isUpper = call.attributes().integer("upper", 1) != 0;
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2];
    // A diagonal beyond the corners is as good as the one behind them.
    const std::int64_t k = std::clamp(integerOf(call, 1, "k").value_or(0), -rows - 1, columns + 1);
    return one(picked(**x, shape, [&](std::size_t i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::int64_t column = at % columns, row = at / columns % rows;
        const bool isKept = isUpper ? column - k >= row : column - k <= row;
        return isKept ? at : -1;
    }));
}

Outputs runReverseSequence(const Call& call) {
    const auto x = call.required(0);
    const auto lengths = call.required(1);
    if (!x || !lengths)
        return x ? lengths.error() : x.error();
    const auto batch = axisOf(call, "batch_axis", 1, (*x)->rank());
    const auto time = axisOf(call, "time_axis", 0, (*x)->rank());
    if (!batch || !time)
        return batch ? time.error() : batch.error();
    const Extents& shape = (*x)->shape();
    if ((*lengths)->size() != shape[*batch])
        return call.error("it needs one length for each row of the batch.");
    const Extents strides = stridesOf(shape);
    Walker walker(shape, strides);
    return one(picked(**x, shape, [&](std::size_t) {
        const std::int64_t step = walker.index()[*time];
        const std::int64_t length =
            std::min((*lengths)->integer(walker.index()[*batch]), shape[*time]);
        const std::int64_t at =
            step < length ? walker.at() + (length - 1 - 2 * step) * strides[*time] : walker.at();
        walker.next();
        return at;
    }));
}

/// CenterCropPad-18: rounding as the specification's function body has it.
Outputs runCenterCropPad(const Call& call) {
    const auto x = call.required(0);
    const auto target = call.integers(1, "shape");
    if (!x)
        return x.error();
    if (!target)
        return call.error("the shape is missing.");
    Extents axes((*x)->rank());
    std::iota(axes.begin(), axes.end(), 0);
    axes = call.attributes().integers("axes").value_or(axes);
    if (axes.size() != target->size())
        return call.error("it needs one size for each axis.");
    Sources sources((*x)->rank());
    for (std::size_t d = 0; d < sources.size(); ++d)
        for (std::int64_t i = 0; i < (*x)->shape()[d]; ++i)
            sources[d].push_back(i);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = axisIn(axes[i], (*x)->rank());
        if (!axis)
            return badAxis(call, axes[i], (*x)->rank());
        const std::int64_t size = (*x)->shape()[*axis],
                           wanted = std::max<std::int64_t>(0, (*target)[i]);
        const std::int64_t shift = wanted > size ? -((wanted - size) / 2) : (size - wanted) / 2;
        Extents& list = sources[*axis];
        list.clear();
        for (std::int64_t k = 0; k < wanted; ++k)
            list.push_back(continued(k + shift, size, Border::Constant));
    }
    Extents shape;
    for (const Extents& list : sources)
        shape.push_back(std::ssize(list));
    if (const auto error = call.tooLarge(shape))
        return *error;
    return one(gathered(**x, sources, nullptr));
}

/// Crop (operator set 1, experimental): border is left, top, right, bottom.
Outputs runCrop(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto border = call.attributes().integers("border");
    const auto scale = call.attributes().integers("scale");
    const Extents& s = (*x)->shape();
    if (s.size() != 4 || !border || border->size() != 4)
        return call.error("it needs an image of rank 4 and four borders.");
    const bool isSized = scale && scale->size() == 2;
    const std::int64_t height = isSized ? (*scale)[0] : s[2] - (*border)[1] - (*border)[3];
    const std::int64_t width = isSized ? (*scale)[1] : s[3] - (*border)[0] - (*border)[2];
    if (height < 0 || width < 0 || (*border)[0] < 0 || (*border)[1] < 0
        || (*border)[1] + height > s[2] || (*border)[0] + width > s[3])
        return call.error("the border is larger than the image.");
    return one(sliceOf(sliceOf(**x, 2, (*border)[1], height), 3, (*border)[0], width));
}

namespace {

/// Windows over the spatial axes of an image.
struct Windows {
    Extents kernel, stride, dilation, before, after;
    Extents counts; ///< positions an axis
};

Extents listOr(const Call& call, std::string_view name, std::size_t size, std::int64_t fallback) {
    auto list = call.attributes().integers(name);
    return list && list->size() == size ? *list : Extents(size, fallback);
}

base::Result<Windows> windowsOf(const Call& call, const Extents& image, Extents kernel) {
    const std::size_t axes = kernel.size();
    if (axes == 0 || image.size() != axes)
        return call.error("the kernel does not have the image's axes.");
    Windows w;
    w.kernel = std::move(kernel);
    w.stride = listOr(call, "strides", axes, 1);
    w.dilation = listOr(call, "dilations", axes, 1);
    const Extents pads = listOr(call, "pads", 2 * axes, 0);
    w.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
    w.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
    const std::string mode = call.attributes().text("auto_pad", "NOTSET");
    for (std::size_t d = 0; d < axes; ++d) {
        if (w.stride[d] < 1 || w.dilation[d] < 1 || w.kernel[d] < 1)
            return call.error("kernel, strides and dilations need to be 1 or more.");
        const std::int64_t reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
        if (mode == "VALID")
            w.before[d] = w.after[d] = 0;
        if (mode.starts_with("SAME")) {
            const std::int64_t count = (image[d] + w.stride[d] - 1) / w.stride[d];
            const std::int64_t total =
                std::max<std::int64_t>(0, (count - 1) * w.stride[d] + reach - image[d]);
            w.before[d] = mode == "SAME_LOWER" ? (total + 1) / 2 : total / 2;
            w.after[d] = total - w.before[d];
        }
        const std::int64_t room = image[d] + w.before[d] + w.after[d] - reach;
        w.counts.push_back(room < 0 ? 0 : room / w.stride[d] + 1);
    }
    return w;
}

/// Calls visit(tap, position, place) for all taps and positions, in row-major order of both; place:
/// flat index in the image's spatial axes, −1 in the border.
template <typename Visit> void forEachTap(const Windows& w, const Extents& image, Visit visit) {
    const Extents strides = stridesOf(image);
    const std::int64_t taps = productOf(w.kernel), positions = productOf(w.counts);
    Walker tap(w.kernel, Extents(w.kernel.size(), 0));
    for (std::int64_t t = 0; t < taps; ++t, tap.next()) {
        Walker position(w.counts, Extents(w.counts.size(), 0));
        for (std::int64_t p = 0; p < positions; ++p, position.next()) {
            std::int64_t place = 0;
            for (std::size_t d = 0; d < image.size() && place >= 0; ++d) {
                const std::int64_t at = position.index()[d] * w.stride[d]
                    + tap.index()[d] * w.dilation[d] - w.before[d];
                place = at < 0 || at >= image[d] ? -1 : place + at * strides[d];
            }
            visit(t, p, place);
        }
    }
}

} // namespace

/// Im2Col: (N, C, spatial…) to (N, C·∏kernel, positions), as torch.nn.Unfold.
Outputs runIm2Col(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const auto kernel = call.attributes().integers("kernel_shape");
    const Extents& s = (*x)->shape();
    if (!kernel || s.size() < 3)
        return call.error("it needs an image and a kernel_shape.");
    const Extents image(s.begin() + 2, s.end());
    const auto windows = windowsOf(call, image, *kernel);
    if (!windows)
        return windows.error();
    const std::int64_t taps = productOf(*kernel), positions = productOf(windows->counts);
    const Extents shape{s[0], s[1] * taps, positions};
    if (const auto error = call.tooLarge(shape))
        return *error;
    Extents places(static_cast<std::size_t>(taps * positions));
    forEachTap(*windows, image, [&](std::int64_t t, std::int64_t p, std::int64_t place) {
        places[static_cast<std::size_t>(t * positions + p)] = place;
    });
    const std::int64_t pixels = productOf(image);
    return one(picked(**x, shape, [&](std::size_t i) {
        const std::size_t plane = i / places.size();
        const std::int64_t place = places[i % places.size()];
        return place < 0 ? -1 : static_cast<std::int64_t>(plane) * pixels + place;
    }));
}

/// Col2Im-18: overlapping blocks are added.
Outputs runCol2Im(const Call& call) {
    const auto x = call.required(0);
    const auto image = call.integers(1, "image_shape");
    const auto block = call.integers(2, "block_shape");
    if (!x)
        return x.error();
    if (!image || !block || (*x)->rank() != 3)
        return call.error("it needs columns of rank 3, an image shape and a block shape.");
    const auto windows = windowsOf(call, *image, *block);
    if (!windows)
        return windows.error();
    const std::int64_t taps = productOf(*block), positions = productOf(windows->counts);
    const Extents& s = (*x)->shape();
    if (taps == 0 || s[1] % taps != 0 || s[2] != positions)
        return call.error("the columns do not fit the image.");
    Extents shape{s[0], s[1] / taps};
    shape.insert(shape.end(), image->begin(), image->end());
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t pixels = productOf(*image);
    std::vector<double> sums(static_cast<std::size_t>(productOf(shape)), 0.0);
    const std::int64_t planes = s[0] * (s[1] / taps);
    forEachTap(*windows, *image, [&](std::int64_t t, std::int64_t p, std::int64_t place) {
        for (std::int64_t plane = 0; place >= 0 && plane < planes; ++plane)
            sums[static_cast<std::size_t>(plane * pixels + place)] +=
                (*x)->number((plane * taps + t) * positions + p);
    });
    return one(tensorOf(call, (*x)->dtype(), std::move(shape), std::move(sums)));
}

} // namespace fivefold::numerics
