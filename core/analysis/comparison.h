// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <span>

namespace fivefold::analysis {

/// One machine's answer for the whole graph or a selection: a row of the five panel.
struct ComparisonRow {
    std::string family, machine; ///< ids
    std::string programs; ///< "6 kernels", "2 bundles", in the machine's own word
    std::string detail; ///< "3 library, 3 generated"
    std::int64_t kernels = 0;
    /// Captured nodes that the kernels hold beside the selected ones; 0 for the whole graph.
    std::int64_t others = 0;
    /// Of the tensors that are kept between steps, in excess of their logical size.
    base::Bytes padding;
    std::string paddingDetail; ///< unit of the worst one: "lanes of 320"; may be empty
    std::string paddingMost; ///< tensor with the most of it; empty without padding
    std::vector<std::pair<std::size_t, base::Bytes>>
        bytesByLevel; ///< far to near, levels that move bytes
    std::optional<base::Seconds> time, low, high; ///< time nullopt: unknown
    bool isAtLeast = false; ///< steps without a time are not in it
    std::string validation; ///< "±12.8 % on 49 points", "errors 8–19 % by kernel", "not validated"
    bool isValidated = false; ///< then low and high are known
    lowering::Bound bound = lowering::Bound::Unknown; ///< with the largest share of the time
    double boundShare = 0; ///< 0..1
    std::size_t boundLevel = 0; ///< of Memory: level with the most time
    std::int64_t unsupported = 0; ///< captured operators that are refused or run on the host
    std::vector<std::string> unsupportedNames; ///< of the first few of them
    /// The selected nodes left nothing in the program: removed or folded.
    bool isRemoved = false;
    std::string because; ///< one sentence why
};

/// The steps that a comparison is about, in program order: all of them, or those that hold one of
/// the captured nodes.
std::vector<lowering::StepId> comparedSteps(
    const Result& result, std::span<const ir::NodeId> nodes);

/// The row of a result; `nodes` empty: the whole graph, else the steps that hold these captured
/// nodes. O(steps + values).
ComparisonRow compare(const Result& result, std::span<const ir::NodeId> nodes);

/// The sentence of a row that is filled otherwise: what takes most of the time, with figures, and
/// the dearest cause beside it.
std::string comparisonSentence(const Result& result, const ComparisonRow& row,
    std::span<const ir::NodeId> nodes, std::span<const lowering::StepId> steps);

/// One thing that a schedule does, on the clock of its own lane.
struct RaceEvent {
    lowering::EventId event;
    std::size_t resource = 0; ///< index into RaceLane::resources
    base::Picoseconds start, end;
};

/// A schedule as a race runs it. Of a selection only its steps: where others ran in between, the
/// clock stands still.
struct RaceLane {
    std::vector<lowering::ResourceId> resources; ///< that have events, as they are first used
    std::vector<RaceEvent> events; ///< by start
    base::Picoseconds length; ///< largest end
    bool isAtLeast = false; ///< steps without a time are not in it
};

/// O(events log events).
RaceLane raceLane(const Result& result, std::span<const ir::NodeId> nodes);

} // namespace fivefold::analysis
