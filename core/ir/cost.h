// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"
#include "core/ir/inference.h"

#include <optional>

namespace fivefold::ir {

/// The work of one execution of one node, before any machine touches it. Unknown is nullopt, never 0.
struct NodeCost {
    /// Multiply-accumulates of Conv, ConvTranspose, MatMul, Gemm, Einsum, attention and recurrent cells, without
    /// bias; 0 for other known operators.
    std::optional<std::int64_t> macs;
    /// 2·macs + 1 per output element of other arithmetic.
    std::optional<double> flops;
    std::optional<base::Bytes> bytesIn; ///< all inputs that are not weights, each distinct value once
    std::optional<base::Bytes> bytesWeight; ///< initialisers and other constants read
    std::optional<base::Bytes> bytesOut;

    bool isKnown() const { return macs && flops; }
    bool operator==(const NodeCost&) const = default;
};

/// Cost of one execution of the node. Control flow: the sum over its taken body's nodes × their
/// executions relative to this node. Call: the sum over the body.
NodeCost cost(const Typed& typed, NodeId node);

/// Costs of all nodes, and totals over the model weighted by Typed::executions (control nodes and calls
/// count through their bodies, not twice).
struct ModelCost {
    base::IdVector<NodeId, NodeCost> nodes;
    std::optional<std::int64_t> macs; ///< nullopt when a contraction has unknown cost
    std::optional<double> flops;
    std::int64_t unknownNodes = 0; ///< nodes of unknown cost that are executed
};
ModelCost modelCost(const Typed& typed);

} // namespace fivefold::ir
