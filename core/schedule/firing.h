// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/schedule/interval_index.h"
#include "core/schedule/wait_graph.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fivefold::schedule {

/// Who lets an operation start.
enum class ExecutionModel : std::uint8_t {
    ProgramCounter, ///< one after another in program order; a late operand stops all behind it
    DynamicDataflow, ///< as soon as all operands are there and every output queue has room
    StaticSchedule, ///< at the cycle the compiler fixed, whatever has arrived
};
std::string_view toString(ExecutionModel model); ///< "program_counter"
std::optional<ExecutionModel> parseExecutionModel(std::string_view text);

/// Which of several ready operations gets a resource under dynamic dataflow.
enum class Arbitration : std::uint8_t {
    OldestFirst, ///< the first in program order; while it lacks room, the resource waits
    RoundRobin, ///< of those with room, the next in program order after the one served last, around
    CriticalFirst, ///< of those with room, the one with the longest way to the end of the program
};
std::string_view toString(Arbitration arbitration); ///< "oldest_first"
std::optional<Arbitration> parseArbitration(std::string_view text);

struct FiringOptions {
    static constexpr double kMostJitter = 4;
    static constexpr std::int64_t kMostRoom = 1'000'000;

    ExecutionModel model = ExecutionModel::ProgramCounter;
    Arbitration arbitration = Arbitration::OldestFirst;
    std::int64_t queueCapacity =
        2; ///< steps a unit may be ahead of the next, ≥ 1; dynamic dataflow only
    double jitter = 0; ///< transfers take up to 1 + jitter times as long, 0..kMostJitter
    std::uint64_t seed = 1; ///< the same seed, the same delays under every model
    lowering::EventId
        late; ///< the one transfer that takes 1 + jitter times as long; invalid: all, by the seed
};

/// What an operation that could not start waited for.
enum class WaitKind : std::uint8_t { None, Operand, Resource, QueueRoom, Turn, Slot };
constexpr std::size_t kWaitKinds = 6;
std::string_view toString(WaitKind kind); ///< "operand", "queue_room"

/// One event of the program as it fires.
struct Firing {
    lowering::EventId event;
    base::Picoseconds
        since; ///< it is looked at from here: its first operand is there, or its turn came
    base::Picoseconds ready; ///< all operands there
    base::Picoseconds start, end;
    lowering::EventId lastOperand; ///< whose token came last; invalid without operands
    WaitKind wait = WaitKind::None; ///< between `ready` and `start`
    lowering::EventId waitsFor; ///< the firing whose end or whose room ended the wait
    std::int32_t operands = 0; ///< tokens it needs
    std::int32_t lateOperands = 0; ///< static schedule: those that came after the slot
    bool isLate = false; ///< static schedule: an operand came after the slot, the value is stale
    bool isWrong = false; ///< computed from a stale value, its own operands included
    bool isDelayed = false; ///< a transfer that jitter made longer
};

/// A queue between two units: the first operation of a step on `from` needs room in it to start,
/// and the last operation of the step on `to` makes room by starting.
struct QueueUse {
    lowering::ResourceId from, to;
    std::int64_t peak = 0; ///< tokens at the worst moment, one a step
    std::vector<std::pair<base::Picoseconds, std::int64_t>> changes; ///< tokens from a moment on
    std::int64_t tokensAt(base::Picoseconds at) const; ///< O(log changes)
};

/// An operation that never fires.
struct Stuck {
    lowering::EventId event;
    WaitKind wait = WaitKind::Operand;
    lowering::EventId waitsFor;
};

/// Nothing runs, nothing may start, and operations are left.
struct Deadlock {
    base::Picoseconds at;
    std::vector<Stuck> stuck; ///< program order
    std::vector<WaitFor> waits; ///< who waits for whom
    std::vector<lowering::EventId> cycle; ///< each waits for the next, the last for the first
};

/// What one step makes for another, on its way: out of the producer while the last of its events
/// hands it over, at rest, and into the consumer while the first of its events takes it.
struct Flight {
    lowering::StepId from, to;
    lowering::EventId made, taken; ///< the events that hand it over and take it
    base::Picoseconds leaves, rests; ///< of the event that hands it over: start, end
    base::Picoseconds fetched,
        arrives; ///< of the event that takes it; a stale one is fetched before it rests
    /// How far it is, 0..1; ½ at rest; nullopt before and after.
    std::optional<double> progressAt(base::Picoseconds at) const;
};

struct WaitSum {
    std::int64_t count = 0;
    base::Picoseconds time;
};

struct FiringTrace {
    FiringOptions options;
    std::vector<Firing> firings; ///< by start, then event
    base::IdVector<lowering::EventId, std::size_t> indexOf; ///< into firings; kNotFired
    static constexpr std::size_t kNotFired = static_cast<std::size_t>(-1);
    base::Picoseconds length; ///< a static schedule's never changes: transfers may end after it
    base::Picoseconds planned; ///< what the compiler planned: no jitter, program order
    std::array<WaitSum, kWaitKinds> waits; ///< by kind, of ready operations
    std::int64_t lateOperands = 0; ///< stale values of a static schedule
    std::int64_t lateResults = 0; ///< results of the program that a static schedule reads too early
    std::int64_t wrong = 0; ///< firings computed from a stale value
    std::int64_t delayed = 0; ///< transfers that jitter made longer
    base::Picoseconds slack; ///< what a static schedule must leave so that nothing is late
    std::vector<QueueUse> queues; ///< dynamic dataflow
    std::optional<Deadlock> deadlock;
    std::string sentence; ///< "Dynamic dataflow ends 12 % later than planned: …"

    std::vector<Flight> flights; ///< by the time they leave; between the steps that are played

    IntervalIndex running, waiting; ///< of firings, for stateAt
    IntervalIndex flying; ///< of flights
    std::vector<std::size_t> furthest; ///< firings before which none of a later event started

    const Firing* firingOf(lowering::EventId event) const; ///< null when it never fires here
};

/// Plays the program's events under a model, each once. `block`: the steps to play alone, their
/// inputs at hand; empty: all.
///
/// Operands: inside a step as the program says, and where it lets two events overlap, the second
/// starts as long before the end of the first as the program planned (data comes piece by piece).
/// Between steps the tokens of the scheduled graph (what the program declares, where the graph does
/// not know a step). Tensors between steps lie in memory and take no queue; the units of a step are
/// coupled by queues.
/// A resource serves as many events at once as it does in the program. Time in which the program
/// has nothing running (a step's fixed time) counts with the event that it precedes.
///
/// Without jitter program counter and static schedule end at the makespan or earlier. Dynamic
/// dataflow is greedy: an operation that may start does, and can so hold a resource that a more
/// urgent one needs a moment later; it can end later than planned (Graham's anomaly), or never, in
/// a deadlock. Deterministic. O(events · log events).
FiringTrace fire(const lowering::Program& program, const FiringOptions& options,
    std::span<const lowering::StepId> block = {});

/// Whether an event is a transfer, which jitter can delay: a read, a write, or anything on a link.
bool isTransfer(const lowering::Program& program, lowering::EventId event);

/// Why a firing may start, or what a waiting one lacks at a moment: "all 3 operands are there and
/// every output queue has room".
std::string ruleOf(const lowering::Program& program, const FiringTrace& trace, std::size_t firing);
std::string waitOf(const lowering::Program& program, const FiringTrace& trace, std::size_t firing,
    base::Picoseconds at);
/// How it ends, in percent of what was planned, and why.
std::string sentenceOf(const lowering::Program& program, const FiringTrace& trace);
/// "read of /attn/MatMul".
std::string eventName(const lowering::Program& program, lowering::EventId event);

/// Operations that are running, and those that are looked at but cannot start, at a moment.
/// O(log firings + answer · log firings).
struct FiringState {
    std::vector<std::size_t> running, blocked; ///< indices into FiringTrace::firings
    std::size_t fired = 0; ///< that have ended
};
FiringState stateAt(const FiringTrace& trace, base::Picoseconds at);

/// Flights that are under way, as indices. O(log flights + answer · log flights).
std::vector<std::size_t> flightsAt(const FiringTrace& trace, base::Picoseconds at);

/// Moments at which an operation starts or ends, each once, in order: what a step goes through.
std::vector<base::Picoseconds> momentsOf(const FiringTrace& trace);

/// The moment of the program's own time axis that is as far: the furthest event that has started,
/// as far as it has come. Never falls as `at` grows.
base::Picoseconds programTime(
    const lowering::Program& program, const FiringTrace& trace, base::Picoseconds at);

} // namespace fivefold::schedule
