// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs.h"
#include "core/numerics/rungs/fault_rules.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fivefold::numerics {

/// LaidOut, Placed, Scheduled and Timed. Also Numerics when one of F12–F31 is planted: then as
/// Timed, with the evaluator's arithmetic. Preconditions are runRung's, already checked.
base::Result<RungRun> runPhysical(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress);
/// Decomposed, Fused, Numerics: the stage's nodes in their order on logical tensors.
base::Result<RungRun> runLogical(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress);

/// The captured graph in fp64, with the faults of capture.
base::Result<RungRun> runCaptured(const Subject& subject, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress);

/// Contents of what no node of a stage makes: inputs, weights, constants, fills, recipes. Floats
/// are carried as double. Keeps what it made; one thread.
class StageValues {
public:
    /// All references outlive the object.
    StageValues(const Subject& subject, const lowering::StageGraph& graph, const Inputs& inputs,
        const RungOptions& options);
    ~StageValues();

    /// Of a value without a producer, in its own shape. RungOptions::given comes first. An Error
    /// (NotFound) names a value whose contents nothing says.
    base::Result<Datum> of(lowering::ValueId value);
    /// A captured value that depends on constants, weights and inputs alone, computed on the
    /// captured graph in fp64.
    base::Result<Datum> captured(ir::ValueId value);

    base::Diagnostics diagnostics; ///< "numerics.random_weights"

private:
    class State;
    std::unique_ptr<State> m_state;
};

/// One execution of one node. Nodes of a loop's body come once an iteration.
struct Turn {
    lowering::NodeId node;
    std::uint32_t frame = 0; ///< of NodeEvaluator; 0 outside of loops
};

/// Executes nodes of a stage on logical tensors: what both kinds of rungs share. Loops, planted
/// logical faults (F01–F11, F32–F35) and the machine's arithmetic (at Numerics) are inside, so that
/// a caller only moves values: for each turn in order, the contents of node.inputs go in and those
/// of node.outputs come out.
class NodeEvaluator {
public:
    /// All references outlive the object.
    NodeEvaluator(const Subject& subject, const lowering::StageGraph& graph, Rung rung,
        const RungOptions& options, StageValues& values, const base::Progress& progress);
    ~NodeEvaluator();

    /// The stage's execution order with loops unrolled. A caller with an order of its own keeps
    /// turns of one loop in this order.
    const std::vector<Turn>& turns() const;
    /// False: RungOptions::only leaves the node out (its results are `given`, or nobody's).
    bool isWanted(lowering::NodeId node) const;

    /// Positional inputs, undefined where omitted; a state of a loop is replaced inside by what the
    /// iteration before left. Results in the order of node.outputs, in the shapes of the stage
    /// where these are known. An Error names the node: not executable here, or an operand that
    /// contradicts it.
    base::Result<std::vector<Datum>> evaluate(const Turn& turn, std::span<const Datum> inputs);

    /// The machine's arithmetic at Numerics, null before.
    const Arithmetic* arithmetic() const;
    Format storageFormat() const; ///< Fp64 before Numerics

private:
    class State;
    std::unique_ptr<State> m_state;
};

/// Collects what a run leaves: values by captured identity or, for those that lowering made, by
/// name; frees the rest by RungOptions::keeps. Adds nothing for undefined contents.
void record(RungRun& run, const lowering::StageGraph& graph, const RungOptions& options,
    lowering::ValueId value, const Datum& contents);

} // namespace fivefold::numerics
