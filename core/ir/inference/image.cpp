// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <cmath>

namespace fivefold::ir::inference {

namespace {

/// Where Resize keeps its operands: opset 10 has (X, scales), later ones (X, roi, scales, sizes).
struct ResizeOperands {
    std::size_t scales = 1;
    std::size_t sizes = 3;
};

/// floor(size · scale) (ONNX Resize and Upsample); exact for symbols where the scale is whole or
/// 1/whole.
Dim scaled(const Dim& size, double scale) {
    constexpr double kLargest = 1e15;
    if (size.isKnown()) {
        const double result = std::floor(static_cast<double>(size.value()) * scale);
        return result >= 0 && result < kLargest ? Dim(static_cast<std::int64_t>(result)) : Dim();
    }
    if (!(scale > 0 && scale < kLargest))
        return Dim();
    if (scale == std::floor(scale))
        return size * Dim(static_cast<std::int64_t>(scale));
    const double inverse = 1 / scale;
    if (inverse == std::floor(inverse) && inverse < kLargest)
        return floorDiv(size, Dim(static_cast<std::int64_t>(inverse)));
    return Dim();
}

/// keep_aspect_ratio_policy of Resize-18: one scale for the named axes, sizes rounded half up.
void keepAspectRatio(NodeContext& context, Shape& out, const std::vector<int>& axes) {
    const std::string policy = context.attributes().text("keep_aspect_ratio_policy", "stretch");
    if (policy == "stretch" || policy.empty())
        return;
    const Shape& in = *context.shape(0);
    double best = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto at = static_cast<std::size_t>(axes[i]);
        if (!in[at].isKnown() || !out[at].isKnown() || in[at].value() <= 0) {
            for (const int axis : axes)
                out[static_cast<std::size_t>(axis)] = Dim();
            return;
        }
        const double scale =
            static_cast<double>(out[at].value()) / static_cast<double>(in[at].value());
        best = i == 0                ? scale
            : policy == "not_larger" ? std::min(best, scale)
                                     : std::max(best, scale);
    }
    for (const int axis : axes) {
        Dim& dim = out[static_cast<std::size_t>(axis)];
        const double size = std::floor(
            best * static_cast<double>(in[static_cast<std::size_t>(axis)].value()) + 0.5);
        dim = Dim(static_cast<std::int64_t>(size));
    }
}

void resize(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    MaybeShape out = context.shape(0);
    if (!out)
        return;
    const int rank = static_cast<int>(out->size());
    const bool isOld = context.inputCount() == 2 && context.node().version < 11;
    const ResizeOperands at{isOld ? std::size_t(1) : std::size_t(2), 3};
    std::vector<int> axes;
    if (const auto given = context.attributes().integers("axes")) {
        for (const std::int64_t axis : *given) {
            const auto normal = axisOf(context, axis, rank);
            if (!normal)
                return;
            axes.push_back(*normal);
        }
    } else {
        for (int i = 0; i < rank; ++i)
            axes.push_back(i);
    }
    const auto setUnknown = [&] {
        for (const int axis : axes)
            (*out)[static_cast<std::size_t>(axis)] = Dim();
    };
    const bool hasSizes = context.has(at.sizes)
        && !(context.shape(at.sizes) && elementCount(*context.shape(at.sizes)).is(0));
    if (hasSizes) {
        const auto sizes = wholeContents(context, at.sizes);
        if (sizes && sizes->size() == axes.size()) {
            for (std::size_t i = 0; i < axes.size(); ++i)
                (*out)[static_cast<std::size_t>(axes[i])] = (*sizes)[i];
            keepAspectRatio(context, *out, axes);
        } else {
            setUnknown();
        }
    } else {
        const Numbers* scales = context.numbers(at.scales);
        if (scales && scales->size() == axes.size()) {
            for (std::size_t i = 0; i < axes.size(); ++i) {
                Dim& dim = (*out)[static_cast<std::size_t>(axes[i])];
                dim = scaled(dim, (*scales)[i]);
            }
        } else {
            setUnknown();
        }
    }
    context.output(0, context.dtype(0), std::move(out));
}

/// Upsample: scales as attribute (7, also height_scale/width_scale in 1) or as input (9).
void upsample(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    MaybeShape out = context.shape(0);
    if (!out)
        return;
    std::optional<Numbers> scales = context.attributes().numbers("scales");
    if (!scales && context.attributes().has("height_scale") && out->size() == 4)
        scales = Numbers{1, 1, context.attributes().number("height_scale", 1),
            context.attributes().number("width_scale", 1)};
    if (!scales && context.numbers(1))
        scales = *context.numbers(1);
    for (std::size_t i = 0; i < out->size(); ++i)
        (*out)[i] =
            scales && scales->size() == out->size() ? scaled((*out)[i], (*scales)[i]) : Dim();
    context.output(0, context.dtype(0), std::move(out));
}

/// GridSample: (N, C) of the image with the spatial sizes of the grid.
void gridSample(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& grid = context.shape(1);
    const int rank = grid ? static_cast<int>(grid->size()) : context.rank(0);
    if (rank < 3)
        return;
    Shape out{agree(context.dim(0, 0), context.dim(1, 0)), context.dim(0, 1)};
    for (int i = 1; i + 1 < rank; ++i)
        out.push_back(grid ? (*grid)[static_cast<std::size_t>(i)] : Dim());
    context.output(0, context.dtype(0), std::move(out));
}

/// AffineGrid: size (N, C, [D,] H, W) to (N, [D,] H, W, axes).
void affineGrid(NodeContext& context) {
    const Contents* size = context.contents(1);
    const Dim rank = size ? Dim(static_cast<std::int64_t>(size->size())) : context.dim(1, 0);
    context.output(0, context.dtype(0), std::nullopt);
    if (!rank.isKnown() || rank.value() < 3 || rank.value() > 8)
        return;
    Shape out(static_cast<std::size_t>(rank.value()));
    out.back() = rank - Dim(2);
    if (size) {
        out[0] = (*size)[0];
        for (std::size_t i = 2; i < size->size(); ++i)
            out[i - 1] = (*size)[i];
    }
    context.output(0, context.dtype(0), std::move(out));
}

void imageDecoder(NodeContext& context) {
    const bool isGrey = context.attributes().text("pixel_format", "RGB") == "Grayscale";
    context.output(0, DType::UInt8, Shape{Dim(), Dim(), Dim(isGrey ? 1 : 3)});
}

/// Crop: border (left, top, right, bottom) removed, or `scale` (height, width) kept from it.
void crop(NodeContext& context) {
    MaybeShape out = context.shape(0);
    context.output(0, context.dtype(0), std::nullopt);
    const auto border = context.attributes().integers("border");
    if (!out || out->size() != 4 || !border || border->size() != 4)
        return;
    const auto scale = context.attributes().integers("scale");
    if (scale && scale->size() == 2) {
        (*out)[2] = Dim((*scale)[0]);
        (*out)[3] = Dim((*scale)[1]);
    } else {
        (*out)[2] = (*out)[2] - Dim((*border)[1]) - Dim((*border)[3]);
        (*out)[3] = (*out)[3] - Dim((*border)[0]) - Dim((*border)[2]);
    }
    context.output(0, context.dtype(0), std::move(out));
}

void cropAndResize(NodeContext& context) {
    Shape out{context.dim(1, 0), context.dim(0, 1), Dim(), Dim()};
    if (const Contents* size = context.contents(3); size && size->size() == 2) {
        out[2] = (*size)[0];
        out[3] = (*size)[1];
    }
    context.output(0, context.dtype(0), std::move(out));
}

} // namespace

void addImageRules(RuleTable& table) {
    table.set(Op::Resize, resize);
    table.set(Op::Upsample, upsample);
    table.set(Op::GridSample, gridSample);
    table.set(Op::AffineGrid, affineGrid);
    table.set(Op::ImageDecoder, imageDecoder);
    table.set(Op::Crop, crop);
    table.set(Op::CropAndResize, cropAndResize);
}

} // namespace fivefold::ir::inference
