// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/ir/inference.h"
#include "core/lowering/program.h"
#include "core/numerics/evaluate.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fivefold::numerics {

/// Contents of the graph's inputs by name, or by position as text ("0").
using Inputs = std::map<std::string, Datum>;

/// Stored constants of a model as tensors, read on first use and kept. Where a file has no payload
/// (external data absent, an fx text): seeded random of the weight's name, scaled by 1/√(fan-in),
/// ones for scales and zeros for biases of norms; said in `diagnostics`
/// ("numerics.random_weights"). One thread.
class Weights {
public:
    explicit Weights(std::shared_ptr<const ir::Graph> graph, std::uint64_t seed = 1);
    base::Result<Tensor> of(ir::ValueId value, Carrier carrier, base::Diagnostics& diagnostics);
    bool isRandom(ir::ValueId value) const; ///< of those read so far

private:
    std::shared_ptr<const ir::Graph> m_graph;
    std::uint64_t m_seed;
    struct Entry {
        Tensor tensor;
        bool isRandom = false;
    };
    std::map<std::pair<std::uint32_t, Carrier>, Entry> m_entries;
};

/// Random inputs that fit the model's types: seeded by name; integers small and inside the range of
/// what gathers with them; masks of ones.
Inputs randomInputs(const ir::Typed& typed, std::uint64_t seed);

struct RunOptions {
    Carrier carrier = Carrier::Double;
    const Arithmetic* arithmetic = nullptr; ///< as Evaluation::arithmetic
    std::uint64_t seed = 1;
    /// Bytes of values held at once; beyond it the run is an Error that says how much it wanted.
    std::int64_t memoryLimitBytes = std::int64_t(8) << 30;
    /// Values that are kept after their last use; empty function: all. A captured value of a body
    /// holds its last iteration.
    std::function<bool(ir::ValueId)> keeps;
    /// Values that are not computed but taken from here (a device's own inputs of a node).
    std::map<ir::ValueId, Datum> given;
    /// Captured nodes to run; empty: all. Others are skipped.
    std::vector<ir::NodeId> only;
};

/// What a run left: contents by captured value. A value that no run reached is undefined.
struct Run {
    std::map<ir::ValueId, Datum> values;
    std::vector<ir::NodeId> skipped; ///< "not executable here", and what depends on them
    base::Diagnostics diagnostics;
};

/// Runs the captured graph, bodies included, in its own types (float types carried as asked). A
/// node that cannot be executed is a diagnostic that names it, and what needs its results is
/// skipped; wrong shapes of inputs are an Error.
base::Result<Run> run(const ir::Typed& typed, const Inputs& inputs, Weights& weights,
    const RunOptions& options, const base::Progress& progress = {});

} // namespace fivefold::numerics
