// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ir/graph.h"

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
};

/// The axes of a graph with fixed sizes that may be batch or sequence, each tried: the inputs get
/// the symbol, constants that hold the size where a shape is built (Reshape, Expand, Slice ends)
/// are re-derived, and inference must prove every shape at two other sizes. Nothing is guessed:
/// what fails is listed with the operator that fixes it.
std::vector<FreeAxis> freeAxes(const Graph& graph, const base::Progress& progress = {});

/// The graph with that axis symbolic, equal to `graph` when bound to its old size. An Error for an
/// axis that is not proved.
base::Result<std::shared_ptr<const Graph>> resymbolise(
    const std::shared_ptr<const Graph>& graph, const FreeAxis& axis);

} // namespace fivefold::ir
