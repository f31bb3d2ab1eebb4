// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ir/graph.h"
#include "core/ir/inference.h"

#include <memory>
#include <string>
#include <vector>

namespace fivefold::ir {

/// A size that every consistent occurrence of may be changed together: batch or sequence.
struct FreeAxis {
    std::string
        symbol; ///< the graph's own, or the name given on making it free ("batch", "sequence")
    std::vector<std::pair<ValueId, std::size_t>> inputs; ///< input values and axes that carry it
    std::int64_t size = 0; ///< as the file fixes it
    bool isProved = false; ///< inference with the symbol gives the file's shapes at that size
    std::string reason; ///< why not, a sentence; empty when proved
    std::int64_t smallest = 1; ///< that the model takes: a position it reads by number
    std::int64_t largest = 0; ///< that the model takes: the rows of a table; 0: no limit is known
};

/// The axes of a graph with fixed sizes that may be batch (the first of its data) or
/// sequence (the second of token ids or of rows of features), not tried yet.
std::vector<FreeAxis> freeAxisCandidates(const Graph& graph);

/// The graph's own free symbols, proved by the file, with the largest size that its tables take.
std::vector<FreeAxis> ownAxes(
    const std::shared_ptr<const Graph>& graph, const base::Progress& progress = {});

/// The candidates, each tried: the inputs get the symbol, constants that hold the size where a
/// shape is built (Reshape, Expand, Slice ends, Range, …) are re-derived from the shape of their
/// data and from what later operators demand, and inference must give the file's shapes at the old
/// size and consistent ones at two others. Nothing is guessed: what fails is listed with the
/// operator that fixes it. At most about twelve inferences an axis; what is left is missing from
/// the list when cancelled.
std::vector<FreeAxis> freeAxes(
    const std::shared_ptr<const Graph>& graph, const base::Progress& progress = {});

/// One axis, tried.
FreeAxis tryAxis(const std::shared_ptr<const Graph>& graph, FreeAxis candidate,
    const base::Progress& progress = {});

/// The graph with that axis symbolic, equal to `graph` when bound to its old size: same node and
/// value ids, new shape constants at the end of the values. An Error for an axis that is not
/// proved, also where it is not any more since another axis of the graph was made free.
base::Result<std::shared_ptr<const Graph>> resymbolise(const std::shared_ptr<const Graph>& graph,
    const FreeAxis& axis, const base::Progress& progress = {});

/// A graph and what its symbols are bound to.
struct BoundGraph {
    std::shared_ptr<const Graph> graph;
    Bindings bindings;
};

/// As addBinding for each text; "batch=8", "sequence=64" and "INPUT.AXIS=N" also for a size that
/// the file fixes, which is made free. An Error says which operator stands against it.
base::Result<BoundGraph> bindSizes(const std::shared_ptr<const Graph>& graph,
    const std::vector<std::string>& texts, const base::Progress& progress = {});

} // namespace fivefold::ir
