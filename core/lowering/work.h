// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::lowering {

using Values = base::IdVector<ValueId, Value>;
using KnownShape = std::optional<std::vector<std::int64_t>>;

/// Product of the extents; 1 for a scalar, nullopt when it leaves int64 or an extent is negative.
std::optional<std::int64_t> elements(const std::vector<std::int64_t>& shape);
std::optional<std::int64_t> elements(const KnownShape& shape);

/// Size of one execution of a node from its operator, attributes and shapes; isKnown is false where
/// a shape that it depends on is unknown or a product leaves int64, never 0 as if it were known.
/// - MatMul and its kin: batch × m × n × k of the broadcast product.
/// - Gemm: m × n × k after transA, transB. MatMulNBits: n and k from the attributes N and K.
/// - Conv as im2col: m = batch · output pixels, n = output channels ÷ group, k = input channels ÷
/// group ·
///   kernel taps, batch = group. ConvTranspose: m = batch · input pixels, n = output channels ÷
///   group · taps, k = input channels ÷ group, batch = group.
/// - Attention: macs of Q·Kᵀ and P·V; batch = batch · heads, m = query length, n = key length, k =
/// head size.
/// - Recurrent cells: batch = steps · directions, m = batch, n = gates · hidden, k = input +
/// hidden.
/// - Reductions and pools: outElements results of `reduced` inputs each; softmax and norms run over
/// their
///   input and reduce along their axes.
/// flops = 2·macs for a contraction, one per result of other
/// arithmetic, 0 for movement.
Work workOf(const Values& values, const Node& node);

/// batch × m × n × k multiply-accumulates; isKnown is false when the product leaves int64.
Work contraction(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k);

/// The shape that broadcasting gives; nullopt when one is unknown or they do not agree.
KnownShape broadcast(const KnownShape& a, const KnownShape& b);

/// Axes that an operator reduces along (attribute axes, axis, or the operator's default), each in
/// [0, rank), sorted, each once. Softmax and the like: their axis. Norms: axis to the last one.
std::vector<std::int64_t> reducedAxes(const Node& node, std::size_t rank);

} // namespace fivefold::lowering
