// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

/// Losses: the labels' shape without reduction, else a scalar; SoftmaxCrossEntropyLoss adds the log
/// probabilities.
void loss(NodeContext& context) {
    const bool isElementwise = context.attributes().text("reduction", "mean") == "none";
    context.output(0, context.dtype(0), isElementwise ? context.shape(1) : MaybeShape(Shape()));
    context.output(1, context.dtype(0), context.shape(0));
}

/// Optimisers: R, T, then groups of n tensors (X, G, state …); outputs are new X and new state.
void optimiser(NodeContext& context) {
    const std::size_t groupsIn = context.op() == Op::Adam ? 4 : 3;
    const std::size_t tensors =
        context.inputCount() > 2 ? (context.inputCount() - 2) / groupsIn : 0;
    if (tensors == 0)
        return;
    for (std::size_t o = 0; o < context.outputCount(); ++o) {
        const std::size_t group = o / tensors; // 0: X, later: states, which follow the gradients
        const std::size_t from = 2 + (group == 0 ? 0 : group + 1) * tensors + o % tensors;
        context.output(o, context.dtype(from), context.shape(from));
    }
}

/// Gradient: one output for each of `xs`, which are the first inputs.
void gradient(NodeContext& context) {
    for (std::size_t o = 0; o < context.outputCount(); ++o)
        context.output(o, context.dtype(o), context.shape(o));
}

} // namespace

void addLossAndTrainingRules(RuleTable& table) {
    table.set({Op::NegativeLogLikelihoodLoss, Op::SoftmaxCrossEntropyLoss}, loss);
    table.set({Op::Adagrad, Op::Adam, Op::Momentum}, optimiser);
    table.set(Op::Gradient, gradient);
}

} // namespace fivefold::ir::inference
