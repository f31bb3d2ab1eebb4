// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

namespace fivefold::schedule {

/// Which resources a step's parts occupy, in a sequential schedule.
struct ResourceMap {
    lowering::ResourceId compute; ///< array
    lowering::ResourceId vector; ///< for steps without a contraction; may equal compute
    lowering::ResourceId read; ///< from the far memory
    lowering::ResourceId write; ///< to the far memory
    lowering::ResourceId launch; ///< invalid when the machine has no launch
    lowering::ResourceId host; ///< for fallback steps
    std::size_t farLevel = 0; ///< memory level whose traffic is read/write
};

/// Lays the steps one after another: launch, then reading, computing and writing overlapped inside the
/// step's own time. Every step takes executions × estimate.time; the last event ends at the sum of all.
/// Fills events and the times of buffers.
void sequence(lowering::Program& program, const ResourceMap& resources);

/// Sets Buffer::first and last from the events of their steps.
void fillBufferTimes(lowering::Program& program);

/// Start and end of a step (over all its events).
struct Span {
    base::Picoseconds start, end;
};
base::IdVector<lowering::StepId, Span> stepSpans(const lowering::Program& program);

/// Events on the longest dependency chain that ends at the makespan, by start time.
std::vector<lowering::EventId> criticalPath(const lowering::Program& program);
base::Picoseconds makespan(const lowering::Program& program);
/// Busy share of each resource, 0..1.
base::IdVector<lowering::ResourceId, double> utilisation(const lowering::Program& program);

} // namespace fivefold::schedule
