// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/compare/fault_lab.h"
#include "core/compare/reducer.h"

#include <filesystem>

namespace fivefold::analysis {

/// What numerics and compare run: the result's model and program. `weights`: shared with an earlier
/// subject of the same model; null: new.
numerics::Subject subjectOf(const std::shared_ptr<const Result>& result,
    std::shared_ptr<numerics::Weights> weights = nullptr);
/// The model alone, typed under the bindings that the inputs' shapes and `bindings` fix.
base::Result<numerics::Subject> subjectOf(const std::shared_ptr<const Model>& model,
    const ir::Bindings& bindings, const numerics::Inputs& inputs,
    const base::Progress& progress = {});
/// Lowers a changed graph as `request` lowers its own.
compare::Lowerer lowererOf(const Request& request);

/// Inputs of the model from a dump: keys are input names or positions. What is missing, or does not
/// fit, is an Error that lists what the model takes.
base::Result<numerics::Inputs> inputsOf(const ir::Graph& graph, const compare::Dump& dump);

/// Opens the repeats of one run.
base::Result<compare::Side> openSide(const std::vector<std::filesystem::path>& paths,
    const compare::MatchEdits& edits = {}, const base::Progress& progress = {});
/// inputsOf() of the dump at `path`, or, without one, of inputs.npz beside `run` where it is there.
/// Empty: neither is.
base::Result<numerics::Inputs> openInputs(const ir::Graph& graph, const std::filesystem::path& path,
    const std::filesystem::path& run = {}, const base::Progress& progress = {});

/// A comparison and what it was made for.
struct DebugRequest {
    numerics::Subject subject;
    std::optional<compare::Side> reference; ///< nullopt: computed here in fp64
    compare::Side device;
    numerics::Inputs inputs; ///< empty: unknown, nothing is recomputed from the model's inputs
    compare::CompareOptions options;
    /// The fault lab's program, where the device run is the lab's own: the verdict is then proved.
    std::vector<numerics::Fault> planted;
};
/// compareRuns, then nameLevels or, with `planted`, climb.
base::Result<std::shared_ptr<const compare::Divergence>> debug(
    const DebugRequest& request, const base::Progress& progress = {});

/// The JSON of `fivefold-cli compare` (design contract: first_diverging, origins, layers).
void writeDivergence(
    std::ostream& out, const numerics::Subject& subject, const compare::Divergence& divergence);

} // namespace fivefold::analysis
