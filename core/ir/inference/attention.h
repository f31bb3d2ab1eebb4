// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

namespace fivefold::ir::inference {

/// The sizes of one attention operator, whichever of its forms it has. Unknown where not known.
struct AttentionSizes {
    Dim batch;
    Dim heads; ///< of the query
    Dim kvHeads;
    Dim sequence; ///< of the query
    Dim newKeys; ///< keys given to this call
    Dim past; ///< cached keys before it
    Dim total; ///< all keys attended to
    Dim headSize; ///< of query and key
    Dim valueSize; ///< of a value head
    bool isRank4 = false; ///< query as (batch, heads, sequence, size)
    bool isProjecting =
        false; ///< multiplies its input by Q/K/V weights first (com.microsoft Attention)
    Dim inputSize; ///< width of that input
};

AttentionSizes attentionSizes(const Typed& typed, NodeId node);

} // namespace fivefold::ir::inference
