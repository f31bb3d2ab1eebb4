// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"

#include <string>
#include <vector>

namespace fivefold::schedule {

/// Who lets an operation start.
enum class ExecutionModel : std::uint8_t {
    ProgramCounter, ///< one after another in program order; a late operand stops all behind it
    DynamicDataflow, ///< as soon as all operands are there and every output queue has room
    StaticSchedule, ///< at the cycle the compiler fixed, whatever has arrived
};
std::string_view toString(ExecutionModel model);

/// Which of several ready operations gets a resource under dynamic dataflow.
enum class Arbitration : std::uint8_t { OldestFirst, RoundRobin, CriticalFirst };
std::string_view toString(Arbitration arbitration);

struct FiringOptions {
    ExecutionModel model = ExecutionModel::ProgramCounter;
    Arbitration arbitration = Arbitration::OldestFirst;
    std::int64_t queueCapacity = 2; ///< tokens an edge holds, ≥ 1; dynamic dataflow only
    double jitter = 0; ///< transfers take up to 1 + jitter times as long, 0..4
    std::uint64_t seed = 1; ///< the same seed, the same delays under every model
};

/// What an operation that could not start waited for.
enum class WaitKind : std::uint8_t { None, Operand, Resource, QueueRoom, Turn, Slot };

/// One event of the program as it fires.
struct Firing {
    lowering::EventId event;
    base::Picoseconds ready; ///< all operands there
    base::Picoseconds start, end;
    WaitKind wait = WaitKind::None;
    lowering::EventId waitsFor; ///< the firing whose end or whose room ended the wait
    std::string rule; ///< why it may start: "all 3 operands are there and the queue has room"
    bool isLate = false; ///< static schedule: an operand came after the slot, the value is stale
};

struct FiringTrace {
    FiringOptions options;
    std::vector<Firing> firings; ///< by start, then event
    base::IdVector<lowering::EventId, std::size_t> indexOf; ///< into firings
    base::Picoseconds length;
    std::int64_t lateOperands = 0; ///< wrong results of a static schedule
    base::Picoseconds slack; ///< what a static schedule must leave so that nothing is late
    std::string sentence; ///< "Dynamic dataflow ends 12 % later: 3 transfers came late…"
};

/// Plays the program's events under a model. Without jitter and with queues of any length every
/// model ends at the program's makespan or earlier. Deterministic. O(events · log events).
FiringTrace fire(const lowering::Program& program, const FiringOptions& options);

/// Operations that are running, and those that are ready but wait, at a moment. O(log firings +
/// answer).
struct FiringState {
    std::vector<std::size_t> running, blocked; ///< indices into FiringTrace::firings
    std::size_t fired = 0;
};
FiringState stateAt(const FiringTrace& trace, base::Picoseconds at);

} // namespace fivefold::schedule
