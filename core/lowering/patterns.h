// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

/// Composite operators that exporters write out in elementary ones.
namespace fivefold::lowering {

enum class PatternKind : std::uint8_t {
    LayerNorm, ///< ReduceMean, Sub, Pow|Mul, ReduceMean, Add, Sqrt, Div, [Mul, [Add]]
    RmsNorm, ///< Pow|Mul, ReduceMean, Add, Sqrt, Div|Reciprocal+Mul, [Mul]
    GeluErf, ///< Div|Mul, Erf, Add, Mul, Mul in the orders that exporters use
    GeluTanh, ///< the tanh form
    Swish, ///< Mul(x, Sigmoid(x))
    HardSwish, ///< Mul(x, HardSigmoid(x)) and Mul(x, Clip(x + 3, 0, 6)) ÷ 6
    Softmax, ///< [ReduceMax, Sub,] Exp, ReduceSum, Div
    Attention, ///< MatMul, [Mul|Div,] [Add|Where mask,] Softmax, [Dropout,] MatMul
};
std::string_view toString(PatternKind kind);

/// One occurrence. Its nodes are in execution order; results of all but the last (`root`) are used
/// inside only.
struct Match {
    PatternKind kind = PatternKind::LayerNorm;
    std::vector<NodeId> nodes;
    NodeId root;
    ValueId input; ///< x; for attention the queries as the first product reads them
    ValueId scale, bias; ///< norms; invalid where there is none
    ValueId keys, values, mask; ///< attention; keys as the product reads them
    bool areKeysTransposed = false; ///< the product is q · keys with keys [.., size, length]
    NodeId softmax; ///< attention: the softmax node (or the last one of a softmax pattern)
    std::int64_t axis = -1; ///< first normalised axis, or the softmax axis
    double epsilon = 1e-5;
    std::optional<double> factor; ///< attention: what the scores are multiplied by
};

/// All matches of the kinds, disjoint within a kind; an Attention may contain a Softmax match. A
/// constant whose contents are not stored matches any value. O(nodes + edges); order of the roots.
std::vector<Match> findPatterns(const StageGraph& graph, std::span<const PatternKind> kinds);

/// Replaces an occurrence by one node of the canonical set: LayerNormalization, RMSNormalization,
/// Gelu, Swish, HardSwish, Softmax, or Attention in its 4-D form with the attribute `scale` and,
/// where the product read the keys as […, size, length], `keys_transposed` = 1. Invalid, and
/// nothing changes, where it cannot be expressed so.
NodeId collapse(Rewriter& rewriter, const Match& match, std::string rule);

/// A scalar that the value is known to hold everywhere; nullopt otherwise.
std::optional<double> scalarOf(const StageGraph& graph, ValueId value);

} // namespace fivefold::lowering
