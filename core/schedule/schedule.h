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
/// step's own time: the next tile is read while this one is worked on. Every step takes executions ×
/// estimate.time; the last event ends at the sum of all. Fills events, what they depend on and the
/// times of buffers.
void sequence(lowering::Program& program, const ResourceMap& resources);

/// Sets Event::depends from the graph and the events' resources: an event depends on the parts of
/// its own step that end before it starts; a part without such a one on the last events of the steps
/// that make its operands; and on the event that used its resource before. Every dependency has a
/// smaller index and ends before. Events must come by start time. `graph` null: no operands are known.
/// O(events + edges).
void connect(lowering::Program& program, const lowering::StageGraph* graph);

/// Sets Buffer::first and last from the events of their steps.
void fillBufferTimes(lowering::Program& program);

/// Start and end of a step (over all its events).
struct Span {
    base::Picoseconds start, end;
};
base::IdVector<lowering::StepId, Span> stepSpans(const lowering::Program& program);

/// What an event waited for last.
enum class Hold : std::uint8_t {
    Nothing, ///< it starts the program
    Operand, ///< a step that makes one of its operands
    Step, ///< an earlier part of its own step
    Resource, ///< the event that used its resource before
    Order, ///< none of those: the machine takes steps in program order
};
std::string_view toString(Hold hold); ///< "operand", …

struct Timing {
    Hold hold = Hold::Nothing;
    lowering::EventId heldBy; ///< invalid with Nothing
    /// How much later it may end without the program ending later, all else unchanged. Time between
    /// an event and the one that holds it is fixed overhead and moves with it.
    base::Picoseconds slack;
};
/// Of all events. What holds an event back ends where that starts, wherever there is such an event.
/// O(events + dependencies).
base::IdVector<lowering::EventId, Timing> timing(const lowering::Program& program);

/// The chain of events, each held by the one before, that ends at the makespan; by start time.
std::vector<lowering::EventId> criticalPath(const lowering::Program& program);
std::vector<lowering::EventId> criticalPath(const lowering::Program& program,
    const base::IdVector<lowering::EventId, Timing>& timing);
base::Picoseconds makespan(const lowering::Program& program);
/// Busy share of each resource, 0..1.
base::IdVector<lowering::ResourceId, double> utilisation(const lowering::Program& program);
/// The same of a stretch of time; all 0 for an empty one.
base::IdVector<lowering::ResourceId, double> utilisation(
    const lowering::Program& program, base::Picoseconds from, base::Picoseconds to);

} // namespace fivefold::schedule
