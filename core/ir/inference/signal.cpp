// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

/// One-sided spectra keep floor(n/2) + 1 bins.
Dim oneSided(const Dim& bins) {
    return floorDiv(bins, Dim(2)) + Dim(1);
}

Dim lengthOperand(NodeContext& context, std::size_t input) {
    const Contents* contents = context.contents(input);
    return contents && contents->size() == 1 ? contents->front() : Dim();
}

/// DFT: the axis is an attribute (17, default 1) or input 2 (20, default −2). One-sided: n/2 + 1
/// bins; the inverse of that is real and has 2·(bins − 1) elements.
void dft(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    MaybeShape out = context.shape(0);
    if (!out)
        return;
    const int rank = static_cast<int>(out->size());
    const bool isNew = context.node().version >= 20 || context.has(2);
    std::int64_t wanted = isNew ? -2 : context.integer("axis", 1);
    if (context.has(2)) {
        const auto given = context.scalar(2);
        if (!given) {
            context.output(0, context.dtype(0), unknownShape(rank));
            return;
        }
        wanted = *given;
    }
    const auto axis = axisOf(context, wanted, rank);
    if (!axis)
        return;
    Dim& bins = (*out)[static_cast<std::size_t>(*axis)];
    const bool isOneSided = context.integer("onesided", 0) != 0;
    const bool isInverse = context.integer("inverse", 0) != 0;
    if (context.has(1))
        bins = lengthOperand(context, 1);
    else if (isOneSided && isInverse)
        bins = (bins - Dim(1)) * Dim(2);
    if (isOneSided && !isInverse)
        bins = oneSided(bins);
    out->back() = Dim(isOneSided && isInverse ? 1 : 2);
    context.output(0, context.dtype(0), std::move(out));
}

/// STFT: (batch, signal, 1|2) to (batch, frames, bins, 2).
void stft(NodeContext& context) {
    const Dim step = lengthOperand(context, 1);
    Dim length = lengthOperand(context, 3);
    if (!context.has(3))
        length = context.dim(2, 0);
    const Dim frames = floorDiv(context.dim(0, 1) - length, step) + Dim(1);
    const bool isOneSided = context.integer("onesided", 1) != 0;
    context.output(0, context.dtype(0),
        Shape{context.dim(0, 0), frames, isOneSided ? oneSided(length) : length, Dim(2)});
}

void window(NodeContext& context) {
    context.output(
        0, dtypeOfCode(context.integer("output_datatype", 1)), Shape{lengthOperand(context, 0)});
}

/// MelWeightMatrix: (DFT length / 2 + 1, mel bins).
void melWeights(NodeContext& context) {
    context.output(0, dtypeOfCode(context.integer("output_datatype", 1)),
        Shape{oneSided(lengthOperand(context, 1)), lengthOperand(context, 0)});
}

} // namespace

void addSignalRules(RuleTable& table) {
    table.set(Op::DFT, dft);
    table.set(Op::STFT, stft);
    table.set({Op::BlackmanWindow, Op::HammingWindow, Op::HannWindow}, window);
    table.set(Op::MelWeightMatrix, melWeights);
}

} // namespace fivefold::ir::inference
