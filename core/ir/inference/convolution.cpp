// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <string>

namespace fivefold::ir::inference {

namespace {

/// Where a convolution's operands stand: quantised forms have scales and zero points between.
struct ConvOperands {
    std::size_t data = 0;
    std::size_t weight = 1;
    DType result = DType::Undefined;
};

ConvOperands operandsOf(NodeContext& context) {
    switch (context.op()) {
    case Op::QLinearConv:
        return {0, 3, context.dtype(7) == DType::Undefined ? context.dtype(0) : context.dtype(7)};
    case Op::ConvInteger:
        return {0, 1, DType::Int32};
    default:
        return {0, 1, context.dtype(0)};
    }
}

/// kernel_shape where given, else the weight's trailing sizes; nullopt when neither is known.
std::optional<std::vector<std::int64_t>> kernelSizes(
    NodeContext& context, const MaybeShape& weight) {
    auto kernel = context.attributes().integers("kernel_shape");
    if (kernel && !kernel->empty())
        return kernel;
    if (!weight || weight->size() < 2)
        return std::nullopt;
    return knownShape(Shape(weight->begin() + 2, weight->end()));
}

/// The rank that the operands agree on (spatial axes + 2); 0 when it is not known, −1 when it is
/// wrong.
int convolutionRank(NodeContext& context, const ConvOperands& at) {
    const int dataRank = context.rank(at.data);
    const int weightRank = context.rank(at.weight);
    if ((dataRank >= 0 && dataRank < 3) || (weightRank >= 0 && weightRank < 3)
        || (dataRank > 0 && weightRank > 0 && dataRank != weightRank)) {
        const auto text = [&](std::size_t i) {
            return context.shape(i) ? toText(*context.shape(i)) : std::string("unknown");
        };
        context.reject(context.opName() + " needs data and weights of one rank, 3 or more, but has "
            + text(at.data) + " and " + text(at.weight) + ".");
        return -1;
    }
    return dataRank > 0 ? dataRank : weightRank > 0 ? weightRank : 0;
}

bool checkChannels(NodeContext& context, const Dim& data, const Dim& weight) {
    demand(context.state(), SizeDemand::Kind::Equal, data, weight);
    if (!data.isKnown() || !weight.isKnown() || data.value() == weight.value())
        return true;
    context.reject(context.opName() + " has " + data.text()
        + " input channels, but its weights are made for " + weight.text() + ".");
    return false;
}

/// The data's dim in the order (N, C, spatial…), whatever the order it is stored in.
Dim dataDim(NodeContext& context, const ConvOperands& at, int axis) {
    if (context.integer("channels_last", 0) == 0 || axis == 0)
        return context.dim(at.data, axis);
    return context.dim(at.data, axis == 1 ? -1 : axis - 1);
}

void outputConvolution(NodeContext& context, DType dtype, Shape out) {
    if (context.integer("channels_last", 0) != 0 && out.size() > 2)
        std::rotate(out.begin() + 1, out.begin() + 2, out.end());
    context.output(0, dtype, std::move(out));
}

void convolution(NodeContext& context) {
    const ConvOperands at = operandsOf(context);
    context.output(0, at.result, std::nullopt);
    const int rank = convolutionRank(context, at);
    if (rank <= 0)
        return;
    const std::int64_t group = context.integer("group", 1);
    if (group < 1) {
        context.reject(context.opName() + " has a group count below 1.");
        return;
    }
    if (!checkChannels(context, dataDim(context, at, 1), context.dim(at.weight, 1) * Dim(group)))
        return;
    Shape out = unknownShape(rank);
    out[0] = context.dim(at.data, 0);
    out[1] = context.dim(at.weight, 0);
    const auto kernel = kernelSizes(context, context.shape(at.weight));
    if (kernel && kernel->size() + 2 != out.size()) {
        context.reject(
            context.opName() + " has a kernel_shape that does not fit its input's rank.");
        return;
    }
    if (kernel) {
        const auto windows = windowsOf(context, *kernel);
        if (!windows)
            return;
        for (std::size_t i = 0; i < windows->size(); ++i) {
            out[i + 2] = windowCount(dataDim(context, at, static_cast<int>(i) + 2), (*windows)[i],
                autoPad(context.attributes()), false);
            demand(context.state(), SizeDemand::Kind::AtLeast, out[i + 2], Dim(1));
        }
    }
    outputConvolution(context, at.result, std::move(out));
}

/// ConvTranspose: stride·(in − 1) + output_padding + effective kernel − pads; in·stride for SAME.
void transposedConvolution(NodeContext& context) {
    const ConvOperands at{0, 1, context.dtype(0)};
    context.output(0, at.result, std::nullopt);
    const int rank = convolutionRank(context, at);
    if (rank <= 0)
        return;
    if (!checkChannels(context, context.dim(0, 1), context.dim(1, 0)))
        return;
    Shape out = unknownShape(rank);
    out[0] = context.dim(0, 0);
    out[1] = context.dim(1, 1) * Dim(context.integer("group", 1));
    const std::size_t spatial = out.size() - 2;
    const auto fixed = context.attributes().integers("output_shape");
    const auto kernel = kernelSizes(context, context.shape(1));
    const auto extra = context.attributes().integers("output_padding");
    if (fixed && fixed->size() >= spatial) {
        for (std::size_t i = 0; i < spatial; ++i)
            out[i + 2] = Dim((*fixed)[fixed->size() - spatial + i]);
    } else if (kernel && kernel->size() == spatial) {
        const auto windows = windowsOf(context, *kernel);
        if (!windows)
            return;
        for (std::size_t i = 0; i < spatial; ++i) {
            const Window& w = (*windows)[i];
            const Dim in = context.dim(0, static_cast<int>(i) + 2);
            const std::int64_t more = extra && i < extra->size() ? (*extra)[i] : 0;
            const AutoPad pad = autoPad(context.attributes());
            const bool isPadded = pad == AutoPad::Explicit;
            const Dim pads = isPadded ? Dim(w.padBefore) + Dim(w.padAfter) : Dim(0);
            out[i + 2] = pad == AutoPad::Same
                ? in * Dim(w.stride)
                : Dim(w.stride) * (in - Dim(1)) + Dim(more) + Dim(w.effective()) - pads;
        }
    }
    context.output(0, at.result, std::move(out));
}

/// Col2Im: (N, C·∏block, L) to (N, C, image…).
void columnsToImage(NodeContext& context) {
    const Contents* image = context.contents(1);
    const Contents* block = context.contents(2);
    context.output(0, context.dtype(0), std::nullopt);
    const Dim spatial = context.dim(1, 0);
    if (!image && !spatial.isKnown())
        return;
    Shape out{context.dim(0, 0), Dim()};
    if (block)
        out[1] = floorDiv(context.dim(0, 1), elementCount(*block));
    if (image)
        out.insert(out.end(), image->begin(), image->end());
    else
        out.resize(2 + static_cast<std::size_t>(std::min<std::int64_t>(spatial.value(), 16)));
    context.output(0, context.dtype(0), std::move(out));
}

} // namespace

void addConvolutionRules(RuleTable& table) {
    table.set(
        {Op::Conv, Op::ConvInteger, Op::QLinearConv, Op::FusedConv, Op::DeformConv}, convolution);
    table.set(Op::ConvTranspose, transposedConvolution);
    table.set(Op::Col2Im, columnsToImage);
}

} // namespace fivefold::ir::inference
