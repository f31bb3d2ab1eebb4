// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/execution_order.h"
#include "core/numerics/interpreter.h"

#include <unordered_map>

namespace fivefold::numerics {

/// True for what holds something: a defined tensor, a sequence, an optional (empty ones too).
inline bool isAvailable(const Datum& datum) {
    return datum.kind != Datum::Kind::Tensor || datum.tensor.isDefined();
}

/// One run of a captured graph: the values that are alive, and which node is next. Bodies run in
/// place, at most kMostNested deep.
class Executor {
public:
    static constexpr int kMostNested = 300; ///< as deep as readers let bodies nest
    /// Trips after which a Loop counts as endless.
    static constexpr std::int64_t kMostTrips = 1'000'000;

    Executor(const ir::Typed& typed, Weights& weights, const RunOptions& options,
        const base::Progress& progress);

    /// `inputs`: by graph input, checked.
    base::Result<Run> run(const std::map<ir::ValueId, Datum>& inputs);

private:
    using Step = base::Result<base::Done>;
    using Values = std::vector<Datum>;

    // Planning: orders of blocks, and after which node each value is no longer needed.
    void planReleases();
    void noteUse(ir::ValueId value, ir::NodeId user);
    void planSelection();

    Step runSelected();
    Step runBlock(ir::BlockId block, int depth);
    Step runNode(ir::NodeId id, int depth);
    Step evaluateNode(ir::NodeId id, const Values& inputs);
    void reportFailure(ir::NodeId id, const base::Error& error);
    void skip(ir::NodeId id);
    void report();

    // Bodies.
    Step runBodies(ir::NodeId id, const Values& inputs, int depth);
    Step runIf(ir::NodeId id, const Values& inputs, int depth);
    Step runCall(ir::NodeId id, const Values& inputs, int depth);
    Step runLoop(ir::NodeId id, const Values& inputs, int depth);
    Step runScan(ir::NodeId id, const Values& inputs, int depth);
    Step runSequenceMap(ir::NodeId id, const Values& inputs, int depth);
    struct ScanPlan;
    base::Result<Values> scanOnce(ir::NodeId id, const ScanPlan& plan, Values states,
        const std::vector<Tensor>& scanned, int depth);
    Step batchedScan(ir::NodeId id, ScanPlan plan, const Values& inputs, int depth);
    Step fail(ir::NodeId id, std::string message);
    void enter(ir::BlockId body, std::size_t input, Datum datum);
    Datum leave(ir::BlockId body, std::size_t output);
    void releaseBody(ir::BlockId body);
    void outputs(ir::NodeId id, Values values);
    Datum emptyScan(ir::BlockId body, std::size_t output, std::size_t axis) const;

    // Values.
    Datum read(ir::ValueId id);
    void put(ir::ValueId id, Datum datum);
    void hold(const Datum& datum, int change);
    Step checkMemory(const std::string& node) const;

    const ir::Typed& m_typed;
    const ir::Graph& m_graph;
    Weights& m_weights;
    const RunOptions& m_options;
    const base::Progress& m_progress;
    Evaluation m_evaluation;

    base::IdVector<ir::BlockId, ir::inference::BlockOrder> m_orders;
    base::IdVector<ir::NodeId, std::uint32_t> m_position; ///< in its block's order
    base::IdVector<ir::ValueId, ir::NodeId> m_lastUser; ///< standing in the value's own block
    base::IdVector<ir::NodeId, std::vector<ir::ValueId>> m_releases;
    base::IdVector<ir::NodeId, std::uint8_t> m_isSelected; ///< empty: all
    base::IdVector<ir::NodeId, std::uint8_t> m_isSkipped;
    base::IdVector<ir::ValueId, std::uint8_t> m_isGiven;
    base::IdVector<ir::ValueId, std::uint8_t> m_isKept;
    base::IdVector<ir::ValueId, Datum> m_values;

    struct Holding {
        std::int64_t references = 0;
        std::int64_t bytes = 0;
    };
    std::unordered_map<const Elements*, Holding> m_holdings;
    std::int64_t m_heldBytes = 0;
    std::size_t m_finished = 0; ///< nodes of the main graph
    Run m_run;
};

} // namespace fivefold::numerics
