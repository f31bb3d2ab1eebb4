// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

DType stashType(NodeContext& context) {
    return dtypeAttribute(context.attributes(), "stash_type", DType::Float32);
}

/// LayerNormalization, RMSNormalization: outputs 1 and 2 are the statistics with the normalised
/// axes as 1.
void layerNormalization(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(0));
    for (const std::size_t i : {std::size_t(1), std::size_t(2)}) // demands that both fit
        if (context.has(i))
            broadcast(context, context.shape(0), context.shape(i));
    MaybeShape statistics = context.shape(0);
    if (statistics) {
        const auto axis =
            axisOf(context, context.integer("axis", -1), static_cast<int>(statistics->size()));
        if (!axis)
            return;
        for (std::size_t i = static_cast<std::size_t>(*axis); i < statistics->size(); ++i)
            (*statistics)[i] = Dim(1);
    }
    context.output(1, stashType(context), statistics);
    context.output(2, stashType(context), statistics);
}

/// BatchNormalization: besides Y the running statistics (and in old operator sets the saved ones),
/// [C].
void batchNormalization(NodeContext& context) {
    const int rank = context.rank(0);
    if (rank == 0) {
        context.reject("BatchNormalization needs an input with a channel axis, not a scalar.");
        return;
    }
    const Dim channels = agree(context.dim(0, rank == 1 ? 0 : 1), context.dim(1, 0));
    context.output(0, context.dtype(0), context.shape(0));
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        context.output(i, context.dtype(3), Shape{channels});
}

/// SkipLayerNormalization (com.microsoft): Y, mean, inverse deviation, and the sum of input and
/// skip.
void skipNormalization(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(0));
    MaybeShape statistics = context.shape(0);
    if (statistics && !statistics->empty())
        statistics->back() = Dim(1);
    context.output(1, DType::Float32, statistics);
    context.output(2, DType::Float32, statistics);
    context.output(3, context.dtype(0), context.shape(0));
}

/// EmbedLayerNormalization (com.microsoft): (batch, seq, hidden), the mask's lengths, the embedding
/// sum.
void embedLayerNormalization(NodeContext& context) {
    const Dim batch = context.dim(0, 0);
    const Dim sequence = context.dim(0, 1);
    const Shape out{batch, sequence, context.dim(2, 1)};
    context.output(0, context.dtype(2), out);
    context.output(1, DType::Int32, Shape{batch});
    context.output(2, context.dtype(2), out);
}

} // namespace

void addNormalisationRules(RuleTable& table) {
    table.set({Op::Softmax, Op::LogSoftmax, Op::Hardmax, Op::GroupNormalization,
                  Op::InstanceNormalization, Op::LpNormalization, Op::LocalResponseNormalization,
                  Op::MeanVarianceNormalization},
        sameAsInput);
    table.set({Op::LayerNormalization, Op::RMSNormalization}, layerNormalization);
    table.set(Op::BatchNormalization, batchNormalization);
    table.set({Op::SkipLayerNormalization, Op::SkipRMSNormalization}, skipNormalization);
    table.set(Op::EmbedLayerNormalization, embedLayerNormalization);
}

} // namespace fivefold::ir::inference
