// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/faults_physical.h"

namespace fivefold::numerics {

/// Checksum of contents: equal for equal bits, NaNs included. O(elements).
std::uint64_t checksum(const Tensor& tensor);

/// Checksums of what a run held, by value of the scheduled stage; 0: not known.
struct Checksums {
    base::IdVector<lowering::ValueId, std::uint64_t> right;
    /// What the place's nodes of a fault saw instead.
    std::map<lowering::ValueId, std::uint64_t> seen;
};

/// Every copy of the program: inputs from the host, operands that a step reads from a memory,
/// results that it writes to one, outputs to the host. With the times of the step's read and write
/// events; without times (all 0) for an untimed rung. What the host moves is in no program's events
/// and has no times. Data that streams under its own step's arithmetic is first read when it is
/// there. Faults of transfers (F28 to F31) show in their own.
std::vector<Transfer> transfersOf(const Subject& subject, const lowering::StageGraph& graph,
    Rung rung, const Checksums& sums, const std::vector<PlantedFault>& planted);

} // namespace fivefold::numerics
