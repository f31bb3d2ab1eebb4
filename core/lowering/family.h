// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/lowering/compiler_pipeline.h"
#include "core/lowering/fusion_edits.h"
#include "core/lowering/implementation.h"
#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <map>
#include <string>
#include <vector>

namespace fivefold::lowering {

/// A layout that a graph input arrives in, in the words of the Spyre compiler.
struct DeviceLayout {
    std::vector<std::int64_t> deviceSize; ///< extents of the device axes, the lane last
    std::vector<std::int64_t> strideMap; ///< host elements a step of each; −1: walks nothing
    bool operator==(const DeviceLayout&) const = default;
};

/// What the user chose for a lowering.
struct Settings {
    machines::Precision precision = machines::Precision::Fp16;
    /// The user asked for that precision. Graphs of fx and HLO text keep their own dtypes unless it
    /// is true; for them `precision` is then only the title's, that of most values (precisionOf).
    bool isPrecisionGiven = false;
    bool isFusionOn = true;
    std::map<std::string, std::string> values; ///< family-specific: `--set cores=16`
    /// Layouts of graph inputs by name; an input without one gets the family's default.
    std::map<std::string, DeviceLayout> inputLayouts;
    /// Changes to the kernels that the family forms, in the order in which they were made.
    std::vector<FusionEdit> fusionEdits;
    /// How a captured operator, by its name, is implemented: key → value ("tile" → "128x64",
    /// "split" → "1,4,8,1"). What the machine does not have is a diagnostic and is left out.
    std::map<std::string, ImplementationValues> implementations;
    /// Memory level that a captured value, by its name, is to be kept in: the level's name.
    std::map<std::string, std::string> placements;
    /// Equivalent operators taken instead: captured operator's name → the substitution's.
    std::map<std::string, std::string> substitutes;
    bool operator==(const Settings&) const = default;
};

/// Everything a stage may look at.
struct Context {
    const ir::Typed& typed;
    const ir::ModelCost& cost;
    const machines::Machine& machine;
    const Settings& settings;
    base::Diagnostics& diagnostics;
    const base::Progress& progress;
};

/// A key that `--set` and the what-if bar may change, with its range.
struct SettingInfo {
    std::string key;
    std::string description;
    std::string defaultValue;
    std::vector<std::string> choices; ///< empty: an integer in [minimum, maximum]
    std::int64_t minimum = 0, maximum = 0;
};

/// What an architecture family does at each stage. Stateless; one instance a family. Each function
/// takes the graph that the stage before left and returns the next one; none may change the order
/// of the stages. They fail only when cancelled: an operator that the machine does not have is a
/// node with support Fallback or Unsupported and a diagnostic.
class Family {
public:
    virtual ~Family() = default;

    virtual std::string_view id() const = 0; ///< "gpu"
    virtual std::string_view name() const = 0; ///< "GPU"
    /// The machine's own word for a kernel, plural form second: {"bundle", "bundles"}.
    virtual std::pair<std::string_view, std::string_view> kernelWord() const = 0;
    virtual std::vector<SettingInfo> settings(const machines::Machine& machine) const = 0;
    /// The real compiler that the stages stand for: its passes in its own order and words.
    virtual const CompilerPipeline& compilerPipeline() const = 0;

    /// From the inlined graph (bodies flattened, constants folded, see inlining.h) to the machine's
    /// operators.
    virtual base::Result<StageGraph> decompose(
        const Context& context, StageGraph inlined) const = 0;
    /// Groups nodes into kernels: every node gets one.
    virtual base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const = 0;
    /// What it says about changes to its kernels, and about their memory.
    virtual FusionRules fusionRules() const { return {}; }
    /// What may be chosen for a matrix product, convolution, attention or softmax of the placed
    /// graph; empty for every other node and where the family leaves no choice.
    virtual std::vector<ImplementationChoice> implementationChoices(
        const Context&, const StageGraph&, NodeId) const {
        return {};
    }
    /// The node under a choice, by the family's own equations; keys that are missing take the
    /// preset. An Error names a key or value that the machine does not have.
    virtual base::Result<ImplementationRow> implementation(
        const Context& context, const StageGraph&, NodeId, const ImplementationValues&) const {
        return base::Error{base::ErrorCode::Unsupported,
            context.machine.name + " leaves no choice for this operator.", {}};
    }
    /// Gives every value a layout; adds relayouts where producer and consumer disagree.
    virtual base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const = 0;
    /// Divides work over units and assigns memories: fills program.steps (without times), buffers,
    /// regions.
    virtual base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const = 0;
    /// Estimates every step and lays events on resources: fills estimates, resources, events,
    /// buffer times.
    virtual base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const = 0;
};

/// Runs all six stages. The stages that come back pass verify(); what fails it is reported as a
/// diagnostic "lowering.verifier". Cancels between stages and inside them.
base::Result<Program> lower(const Family& family, const Context& context);

} // namespace fivefold::lowering
