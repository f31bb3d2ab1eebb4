// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <array>
#include <string>

namespace fivefold::roofline {

/// The estimate as it stands once a stage has decided, everything later being ideal.
/// captured, decomposed: each operator alone at max(flops ÷ peak, logical bytes ÷ far bandwidth);
/// fused: each kernel so, with only the bytes across its border; laid out: with padding, and
/// relayouts; placed: with tiles, waves and the traffic of every level; scheduled: the estimate.
struct Rung {
    lowering::Stage stage = lowering::Stage::Captured;
    base::Seconds time;
    base::Seconds added; ///< to the stage before; negative where a stage saves
    base::Flops flops; ///< padded from laid out on
    base::Bytes bytes; ///< at the far level
    std::int64_t operators = 0; ///< nodes, kernels from fused on
    bool isAtLeast = false; ///< something has no known time at this stage
    std::string because; ///< the largest thing that the stage added, a sentence; may be empty
};

struct CostLadder {
    std::array<Rung, lowering::kStageCount> rungs;
    /// The stage that adds most to the one before; Captured where none adds anything or nothing of
    /// the estimate is known.
    lowering::Stage addsMost = lowering::Stage::Captured;
    std::string sentence; ///< "Laying out adds most: 41 of 88.8 µs."
};

/// `peak` in FLOP/s of the precision in force. The last rung is `total`. O(nodes of all stages).
CostLadder costLadder(const lowering::Program& program, const machines::Machine& machine,
    double peak, base::Seconds total);

} // namespace fivefold::roofline
