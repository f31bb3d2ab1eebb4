// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/schedule/firing.h"

#include <string>
#include <string_view>
#include <vector>

namespace fivefold::analysis {

/// How much of the program is played.
enum class PlayBlock : std::uint8_t {
    Selection, ///< the steps of some captured nodes
    Scope, ///< all steps of the scope that the first of them stands in
    Graph, ///< the whole program
};
std::string_view toString(PlayBlock block); ///< "selection", "scope", "graph"

struct PlayRequest {
    PlayBlock block = PlayBlock::Graph;
    std::vector<ir::NodeId> nodes; ///< ids out of range are left out
    std::vector<schedule::FiringOptions> models; ///< one trace each
};

/// One block of one program under one or more execution models, on one clock.
struct Play {
    PlayRequest request;
    PlayBlock block = PlayBlock::Graph; ///< as played: the whole program where nothing was selected
    std::string blockName; ///< "the whole graph", "/attn", "/attn/MatMul", "3 operators"
    std::vector<lowering::StepId> steps; ///< played, in program order
    std::int64_t unknownSteps = 0; ///< of those: no known time, they take none here
    std::vector<schedule::FiringTrace> traces; ///< as PlayRequest::models
    base::Picoseconds length; ///< of the longest trace
    std::string
        difference; ///< what the first two traces do differently, a sentence; empty: one trace
};

/// Pure; O(events · log events) a model. A cancelled play has fewer traces than models.
Play play(const Result& result, const PlayRequest& request, const base::Progress& progress = {});

/// How the machine's family lets operations start, and where that is said: "program_counter".
struct OwnModel {
    schedule::ExecutionModel model = schedule::ExecutionModel::ProgramCounter;
    std::string because; ///< a sentence with its source; an estimate where nobody says
};
OwnModel ownModel(std::string_view family);

/// What to set against it: dynamic dataflow, or the program counter for a dataflow machine.
schedule::ExecutionModel otherModel(schedule::ExecutionModel model);

} // namespace fivefold::analysis
