// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

/// Reports a pooling input without spatial axes.
bool hasSpatialAxes(NodeContext& context) {
    const int rank = context.rank(0);
    if (rank < 0 || rank >= 3)
        return true;
    context.reject(context.opName()
        + " needs an input with spatial axes (rank 3 or more), but it has rank "
        + std::to_string(rank) + ".");
    return false;
}

void pool(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    context.output(1, DType::Int64, std::nullopt);
    if (!context.shape(0) || !hasSpatialAxes(context))
        return;
    Shape out = *context.shape(0);
    const bool isChannelsLast = context.integer("channels_last", 0) != 0;
    const std::size_t firstSpatial = isChannelsLast ? 1 : 2;
    const auto kernel = context.attributes().integers("kernel_shape");
    if (!kernel || kernel->size() + 2 != out.size()) {
        context.reject(
            context.opName() + " has a kernel_shape that does not fit its input's rank.");
        return;
    }
    const auto windows = windowsOf(context, *kernel);
    if (!windows)
        return;
    for (std::size_t i = 0; i < windows->size(); ++i) {
        Dim& dim = out[firstSpatial + i];
        dim = windowCount(dim, (*windows)[i], autoPad(context.attributes()),
            context.integer("ceil_mode", 0) != 0);
        demand(context.state(), SizeDemand::Kind::AtLeast, dim, Dim(1));
    }
    context.output(0, context.dtype(0), out);
    context.output(1, DType::Int64, out);
}

void globalPool(NodeContext& context) {
    MaybeShape out = context.shape(0);
    context.output(0, context.dtype(0), std::nullopt);
    if (!out || !hasSpatialAxes(context))
        return;
    const bool isChannelsLast = context.integer("channels_last", 0) != 0;
    const std::size_t first = isChannelsLast ? 1 : 2;
    for (std::size_t i = first; i < out->size() - (isChannelsLast ? 1 : 0); ++i)
        (*out)[i] = Dim(1);
    context.output(0, context.dtype(0), std::move(out));
}

/// MaxRoiPool: (number of regions, C, pooled…).
void regionPool(NodeContext& context) {
    Shape out{context.dim(1, 0), context.dim(0, 1)};
    if (const auto pooled = context.attributes().integers("pooled_shape"))
        out.insert(out.end(), pooled->begin(), pooled->end());
    context.output(0, context.dtype(0), std::move(out));
}

void regionAlign(NodeContext& context) {
    context.output(0, context.dtype(0),
        Shape{context.dim(1, 0), context.dim(0, 1), Dim(context.integer("output_height", 1)),
            Dim(context.integer("output_width", 1))});
}

/// MaxUnpool: output_shape where given, else (in − 1)·stride + kernel − pads.
void unpool(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    if (context.has(2)) {
        const Contents* shape = context.contents(2);
        context.output(0, context.dtype(0),
            shape                  ? MaybeShape(*shape)
                : context.shape(0) ? MaybeShape(unknownShape(context.rank(0)))
                                   : std::nullopt);
        return;
    }
    const auto kernel = context.attributes().integers("kernel_shape");
    if (!context.shape(0) || !kernel || kernel->size() + 2 != context.shape(0)->size())
        return;
    const auto windows = windowsOf(context, *kernel);
    if (!windows)
        return;
    Shape out = *context.shape(0);
    for (std::size_t i = 0; i < windows->size(); ++i) {
        const Window& w = (*windows)[i];
        out[i + 2] = (out[i + 2] - Dim(1)) * Dim(w.stride) + Dim(w.kernel) - Dim(w.padBefore)
            - Dim(w.padAfter);
    }
    context.output(0, context.dtype(0), std::move(out));
}

} // namespace

void addPoolingRules(RuleTable& table) {
    table.set({Op::AveragePool, Op::MaxPool, Op::LpPool, Op::QLinearAveragePool}, pool);
    table.set(
        {Op::GlobalAveragePool, Op::GlobalMaxPool, Op::GlobalLpPool, Op::QLinearGlobalAveragePool},
        globalPool);
    table.set(Op::MaxRoiPool, regionPool);
    table.set(Op::RoiAlign, regionAlign);
    table.set(Op::MaxUnpool, unpool);
}

} // namespace fivefold::ir::inference
