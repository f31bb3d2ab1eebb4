// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/matching.h"
#include "core/compare/metrics.h"
#include "core/compare/pattern.h"
#include "core/numerics/rungs.h"

namespace fivefold::compare {

enum class Verdict : std::uint8_t {
    Clean,
    Benign, ///< differs, and `reason` says why that is no bug
    Inherited, ///< fine given its inputs: a carrier
    Origin, ///< wrong given its inputs
    Healed, ///< its inputs are wrong, it is not
    Unmatched, ///< no counterpart in the model or in the other dump
    Missing, ///< not in the device's dump
};
std::string_view toString(Verdict verdict); ///< "clean", …

enum class HowKnown : std::uint8_t {
    Undecided, ///< `decides` names the artefact that would
    Matched, ///< the origin re-run under a fault gives the same wrong elements
    Proved, ///< the rung ran the user's own artefact, or the fault lab's program
};
std::string_view toString(HowKnown how);

/// One compared value: a row of the layers list.
struct Layer {
    ir::NodeId node; ///< captured producer; invalid for inputs, parameters and unmatched keys
    ir::ValueId value; ///< invalid when unmatched
    std::string nodeName;
    std::string key; ///< of the device dump; the reference's where the device has none
    MatchRule rule = MatchRule::None;
    std::vector<std::int64_t> shape;
    ir::DType dtype = ir::DType::Undefined; ///< of the device's tensor
    Verdict verdict = Verdict::Missing;
    ErrorFigures global; ///< device against reference
    std::optional<ErrorFigures>
        local; ///< device against the node recomputed from the device's inputs
    Tolerance tolerance; ///< of the comparison that decided (allowance dropped)
    ElementSet unstable; ///< that vary between the device's repeats: point to races
    Pattern pattern; ///< of an origin; else None
    std::string reason; ///< a sentence: why this verdict
    bool isAmplified = false; ///< benign by the conditioning guard
};

/// What is checked before any layer.
struct Precondition {
    std::string name; ///< "input x", "parameters", "transfer floor of the 1-6-9 format"
    std::optional<bool> holds; ///< nullopt: cannot be checked
    std::string sentence; ///< "65 of 65 equal on the device"
};

/// A rung's state in the ladder, for the origin's values.
struct RungState {
    enum class Kind : std::uint8_t { NotGiven, Equal, Differs, Same } kind = Kind::NotGiven;
    ElementSet wrong; ///< against the rung before the first that differs
    std::string words; ///< "65 equal", "1 differs", "same 1", "not given"
};

/// Why a level is to blame, or is not.
struct LevelReason {
    enum class State : std::uint8_t { Unknown, Cleared, Blamed } state = State::Unknown;
    std::string sentence;
};

/// Which level, and how that is known.
struct LevelVerdict {
    std::optional<numerics::Level> level;
    HowKnown how = HowKnown::Undecided;
    std::optional<numerics::Fault> fault; ///< that explains it, when matched or planted
    std::int64_t explained = 0, wrong = 0; ///< "F12 explains 63 of 63"
    std::string sentence; ///< "Level 4 of 8, layout, is to blame: …"
    std::string proof; ///< line 3 of the banner
    std::string decides; ///< when undecided: the artefact that would decide
    std::array<RungState, numerics::kRungs> ladder;
    std::array<LevelReason, numerics::kLevels> reasons;
    std::vector<numerics::Transfer> transfers; ///< of the origin, where a rung moved data
    /// The origin's value in the machine's lanes at the first rung that differs, where that rung
    /// laid it out: what the compiled loops cover and what they left unwritten.
    std::optional<numerics::Lanes> lanes;
    std::optional<schedule::Deadlock> deadlock;
    std::string deadlockSentence;
};

/// With partial dumps: where the first divergence must lie, and what to capture next.
struct CapturePlan {
    std::vector<std::size_t> interval; ///< indices into `layers`: suspects, in order
    std::vector<ir::ValueId> next; ///< the k values to capture
    std::int64_t bytes = 0; ///< of these
    int rounds = 0; ///< at most, until one suspect is left
    std::string script; ///< Python: forward hooks that save `next` as .npz
};

/// The whole comparison. Immutable; what the panels draw and the command line prints.
struct Divergence {
    std::string referenceName, deviceName; ///< "ref_fp32.npz", "computed here (fp64)"
    std::vector<Layer> layers; ///< topological order of the captured graph; inputs first
    std::vector<std::size_t> origins; ///< indices into layers: an antichain, in order
    std::optional<std::size_t> worst; ///< the layer of largest global error
    std::vector<Precondition> before;
    /// One per origin; the first is the headline's. Empty where nothing diverges.
    std::vector<LevelVerdict> levels;
    std::optional<CapturePlan> capture;
    std::vector<std::string> notes; ///< random weights, values not executable here, unmatched keys
    std::string policy; ///< the declared numerics that tolerances come from
    std::string headline; ///< "The first diverging layer is clone: element 64 of 65 is wrong, …"
    /// Contents for the panels: device, reference, expected (recomputed) of a layer, where they are
    /// in memory. Keyed by index into layers.
    struct Contents {
        numerics::Tensor device, reference, expected;
    };
    std::map<std::size_t, Contents> contents; ///< of the origins, and of what was small
};

/// One side of a comparison: repeats of a run, for one or several sets of inputs.
struct Side {
    std::vector<std::shared_ptr<const Dump>> repeats; ///< same inputs; ≥ 1
    MatchEdits edits;
};

struct CompareOptions {
    /// Of the device: what tolerances and benign verdicts go by. Nullopt: by the dump's own dtypes.
    std::optional<numerics::Arithmetic> arithmetic;
    std::int64_t memoryLimitBytes = std::int64_t(8) << 30;
    std::int64_t captureBudgetBytes = std::int64_t(64) << 20;
    int captureCount = 3; ///< tensors a round
    std::int64_t largestKept = std::int64_t(1) << 22; ///< elements of contents that are kept
    bool isLocalised =
        true; ///< recompute nodes from the device's own inputs where weights are there
};

/// Everything but the level: matching, errors, verdicts, origins, patterns, capture plan. A
/// reference of null is computed here (fp64) from `inputs`. O(elements of both dumps).
base::Result<Divergence> compareRuns(const numerics::Subject& subject, const Side* reference,
    const Side& device, const numerics::Inputs& inputs, const CompareOptions& options,
    const base::Progress& progress = {});

/// Two dumps without a model: pairs by name, order of the reference's file, verdicts clean, benign,
/// origin (the first that differs) and inherited.
base::Result<Divergence> compareDumps(const Side& reference, const Side& device,
    const CompareOptions& options, const base::Progress& progress = {});

} // namespace fivefold::compare
