// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/rung.h"

#include <cstdint>
#include <vector>

namespace fivefold::numerics {

/// Where the execution of a stage stands: one iteration of one loop, inside of another or none.
struct Frame {
    std::uint32_t loop = 0; ///< of LoopPlan::loops
    std::int64_t iteration = 0;
    std::uint32_t parent = 0; ///< frame 0 is outside of all loops
};

/// A loop whose body the stage holds once.
struct StageLoop {
    struct State {
        std::vector<lowering::ValueId> starts;
        lowering::ValueId carries; ///< invalid: the state stays as it is, or its value was lost
    };
    ir::NodeId owner;
    std::int64_t trips = 1;
    std::vector<State> states;
    std::vector<lowering::NodeId> nodes; ///< inner loops included; empty: it runs once
    /// A value that starts two states, which a body that is held once cannot tell apart.
    bool isAmbiguous = false;
};

/// The stage's execution order with its loops unrolled. O(nodes + turns).
struct LoopPlan {
    static constexpr std::size_t kMostTurns = 4'000'000;

    LoopPlan(const Subject& subject, const lowering::StageGraph& graph);

    std::vector<StageLoop> loops;
    std::vector<Frame> frames; ///< frame 0 first
    std::vector<Turn> turns;
    bool isTooLong = false; ///< beyond kMostTurns: the turns end early
};

/// Whether the operator's steps are a loop that lowering may open.
bool isRecurrent(ir::Op op);

} // namespace fivefold::numerics
