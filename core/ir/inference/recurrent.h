// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

namespace fivefold::ir::inference {

/// Sizes of an LSTM, GRU or RNN node.
struct RecurrentSizes {
    Dim sequence;
    Dim batch;
    Dim input;
    Dim hidden;
    std::int64_t directions = 1;
    std::int64_t gates = 1; ///< 4 LSTM, 3 GRU, 1 RNN
    bool isBatchFirst = false;
};

RecurrentSizes recurrentSizes(const Typed& typed, NodeId node);

} // namespace fivefold::ir::inference
