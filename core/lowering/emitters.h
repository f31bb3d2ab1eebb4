// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/decompositions.h"

/// Pieces that several decompositions emit into a sequence of theirs.
namespace fivefold::lowering {

/// Max, sub, exp, sum, div of x along the axes; suffixes with a prefix.
ValueId emitSoftmax(Sequence& sequence, ValueId x, const std::vector<std::int64_t>& axes,
    const SoftmaxStyle& style, const std::string& prefix = {});
/// Mean along the axes.
ValueId emitMean(Sequence& sequence, std::string_view suffix, ValueId x,
    const std::vector<std::int64_t>& axes, bool meanIsSum);
/// x with an operation named by a fused operator's attribute ("Relu", "Tanh", …); x itself for "".
ValueId emitActivation(Sequence& sequence, ValueId x, const std::string& name);
/// y + bias where the bias has one entry a channel (axis 1 of y).
ValueId emitChannelBias(Sequence& sequence, std::string_view suffix, ValueId y, ValueId bias);
/// A parameter [C] as [C, 1, …], to broadcast over tensors of that rank.
ValueId perChannel(Sequence& sequence, std::string_view suffix, ValueId x, std::size_t rank);

/// The input of a node, invalid when omitted.
inline ValueId inputOf(const Node& node, std::size_t index) {
    return index < node.inputs.size() ? node.inputs[index] : ValueId();
}

} // namespace fivefold::lowering
