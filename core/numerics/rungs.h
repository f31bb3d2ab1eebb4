// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/faults.h"
#include "core/numerics/interpreter.h"
#include "core/schedule/firing.h"

#include <limits>

namespace fivefold::numerics {

/// The nine executables of the ladder. Up to Timed they compute in fp64, so that number formats
/// cannot blur what came before.
enum class Rung : std::uint8_t {
    Source, ///< the user's program: only where its artefact is given
    Captured,
    Decomposed,
    Fused,
    LaidOut, ///< physical lanes, padding included; private buffers, one after another
    Placed, ///< real addresses: what overlaps overwrites
    Scheduled, ///< real order, pipeline buffers and queues, untimed
    Timed, ///< transfers take their time: what is read too early is old
    Numerics, ///< the machine's formats and accumulation rules
};
constexpr std::size_t kRungs = 9;
std::string_view toString(Rung rung); ///< "laid_out"
std::optional<Rung> parseRung(std::string_view text);
/// The stage whose graph the rung executes: Scheduled for Timed and Numerics, Captured for Source.
lowering::Stage stageOf(Rung rung);

/// What is executed: a model typed under its bindings and its lowered program on one machine.
struct Subject {
    std::shared_ptr<const ir::Typed> typed;
    std::shared_ptr<const lowering::Program> program; ///< null: the captured graph alone
    std::shared_ptr<const machines::Machine> machine; ///< null likewise
    machines::Precision precision = machines::Precision::Fp32;
    std::shared_ptr<Weights> weights; ///< shared by all runs of the subject

    const ir::Graph& graph() const { return *typed->graph; }
};

/// One copy from memory to memory, of the rungs Scheduled and Timed.
struct Transfer {
    lowering::ValueId value; ///< of the scheduled stage
    std::string from, to; ///< memory levels; "host" for inputs and outputs
    std::int64_t address = 0; ///< bytes, in `to`
    std::int64_t bytes = 0; ///< declared
    std::int64_t copied = 0; ///< moved
    std::uint64_t sourceSum = 0, targetSum = 0; ///< checksums after the declared conversion
    base::Picoseconds issued, completed, firstRead;
    std::optional<base::Picoseconds> deadline; ///< set for one that can time out
    bool isClean() const {
        return bytes == copied && sourceSum == targetSum && completed <= firstRead;
    }
};

/// A value in the machine's own lanes.
struct Lanes {
    layout::TensorLayout layout;
    std::vector<double> values; ///< in device order of one unit after another (coordinatesOf)
    std::vector<std::uint8_t> isWritten; ///< 0: still what the memory held before
    /// Coordinates that the compiled loops cover, one [begin, end) a device axis, where they say
    /// so.
    std::vector<std::pair<std::int64_t, std::int64_t>> loopRange;
};

/// A run of one rung. Values in logical order by captured value; those that a stage removed (fused
/// away, folded) are not there.
struct RungRun {
    Rung rung = Rung::Captured;
    std::map<ir::ValueId, Datum> values;
    /// Intermediate values that lowering made, by name: what one captured node was split into.
    std::map<std::string, Tensor> inner;
    std::map<ir::ValueId, Lanes> lanes; ///< from LaidOut on, when RungOptions::keepsLanes
    std::vector<Transfer> transfers; ///< from Scheduled on
    std::optional<schedule::Deadlock>
        deadlock; ///< lost progress: what is not computed is not in `values`
    std::string deadlockSentence; ///< who waits for whom
    std::int64_t lostTokens = 0;
    base::Diagnostics diagnostics;
};

struct RungOptions {
    const Fault* fault = nullptr; ///< null: as it should be
    std::vector<const Fault*> faults; ///< further ones, planted together
    std::uint64_t seed = 1;
    /// What uninitialised memory holds: NaN by default; race and padding tests run with two.
    double poison = std::numeric_limits<double>::quiet_NaN();
    bool keepsLanes = false;
    std::int64_t memoryLimitBytes = std::int64_t(8) << 30;
    std::map<ir::ValueId, Datum> given; ///< as RunOptions::given
    std::vector<ir::NodeId>
        only; ///< captured nodes to run, empty: all; what else they need is `given`
    std::function<bool(ir::ValueId)> keeps; ///< as RunOptions::keeps
};

/// Runs a rung. Without a fault every rung up to Timed gives what Captured gives, to fp64 rounding;
/// a program that does not (a fault of the lowering itself) is what the ladder finds. Source
/// without an artefact, and rungs past Captured without a program, are an Error (NotFound, "not
/// given").
base::Result<RungRun> runRung(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options = {}, const base::Progress& progress = {});

} // namespace fivefold::numerics
