// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/physical_lanes.h"
#include "core/numerics/rungs/rung.h"

#include <optional>

namespace fivefold::numerics {

/// Where a fault of one captured node acts in a stage.
struct FaultPlace {
    std::vector<lowering::NodeId> nodes; ///< that do the captured node's arithmetic, in order
    lowering::NodeId entry; ///< the first of them
    lowering::NodeId exit; ///< that makes the captured node's result
    std::vector<lowering::NodeId> exits; ///< exit, and those that compute it again elsewhere
    lowering::ValueId result; ///< of exit: equals the captured result
    /// The largest float operand from outside, before copies and conversions that the compiler
    /// added for these nodes alone; invalid: none.
    lowering::ValueId operand;
    std::vector<lowering::NodeId> feeders; ///< those copies and conversions
    ir::ValueId input; ///< a graph input that the captured node reads; invalid: none
    bool isSound() const { return exit.isValid(); }
    bool holds(lowering::NodeId node) const; ///< of `nodes`
    bool reads(lowering::NodeId node) const; ///< of `nodes` or `feeders`
};
/// Not sound where no stage value equals the captured node's result (it was fused away).
FaultPlace placeOf(const lowering::StageGraph& graph, const ir::Graph& captured, ir::NodeId node);

/// Steps by node of the scheduled (or placed) stage; invalid where a node is in none.
base::IdVector<lowering::NodeId, lowering::StepId> stepsOfNodes(
    const lowering::Program& program, std::size_t nodes);

/// A value written while another one is held that nobody has read yet.
struct Intruder {
    lowering::ValueId value; ///< the other tensor, with a captured identity
    lowering::BufferId buffer, victim; ///< its buffer and the place's, at one level
};
/// Values that could be put on top of the place's result: made after it and before its first
/// reader, with a captured identity and in the same memory. In order of their making.
std::vector<Intruder> intrudersOf(
    const lowering::Program& program, const lowering::StageGraph& graph, const FaultPlace& place);

} // namespace fivefold::numerics
