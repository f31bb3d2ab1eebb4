// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::tpu {

/// What XLA does with an HLO operator.
enum class OpKind : std::uint8_t {
    Loop, ///< elementwise, broadcast, slice, pad, concatenate, iota: fuses into its readers
    Relayout, ///< reshape, transpose: a bitcast where the bytes agree, else a copy of its own
    Copy, ///< added by the compiler: a physical change of order
    Reduce, ///< reduce, reduce-window, cumulative: takes its producers, not its consumers
    Product, ///< dot, convolution: takes an epilogue and a prologue
    Alone, ///< gather, scatter, sort, fft, custom calls: nothing fuses
    Free, ///< tuples, shapes, control
    Host, ///< no static size or no TPU lowering: the host computes it
    Unsupported,
};

/// Complete: every canonical operator has a kind. XLA HLO operation semantics; XLA:TPU's fusion
/// kinds as its ahead-of-time output shows them.
OpKind kindOf(const lowering::Node& node);

/// HLO names of canonical operators ("dot", "exponential").
const lowering::Words& hloWords();

bool isConvolution(ir::Op op);

/// What would mend an operator that the machine does not run: a sentence.
std::string remedyFor(const lowering::Node& node);

} // namespace fivefold::families::tpu
