// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/state.h"
#include "core/ir/resymbolise_reshape.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fivefold::ir::freeing {

using Place = std::pair<ValueId, std::size_t>; ///< a graph input and one of its axes

/// What has to change in a graph so that an axis is free.
struct Plan {
    std::vector<Place> places; ///< input axes that carry the symbol
    std::map<std::pair<NodeId, std::size_t>, Contents> operands; ///< shapes in expressions
    base::IdVector<ValueId, ValueType> types; ///< of all values, in the symbol
    std::vector<bool> isReached; ///< by value: computed from a freed input
    std::int64_t smallest = 1; ///< that the model takes
    std::int64_t largest = 0; ///< 0: no limit is known
};

/// Finds out what has to follow when the first place is made `symbol`: infers the graph in
/// symbols, gives every size of the file that may have to follow a symbol of its own, and takes
/// what the operators demand of them as equations. An Error's message says which operator stands
/// against it; ErrorCode::Cancelled when cancelled. At most kMostRounds inferences, and two of the
/// file as it is.
base::Result<Plan> planFreeing(const std::shared_ptr<const Graph>& graph, const Place& place,
    const std::string& symbol, const base::Progress& progress);

/// The largest size of a symbol for which every position that a demand names lies in its table,
/// other symbols as in `sizes`; 0: no limit is known, or not even `least` fits.
std::int64_t largestSize(const std::vector<inference::SizeDemand>& demands,
    const std::string& symbol, std::int64_t least, std::map<std::string, std::int64_t> sizes);

/// The graph with a plan carried out: node and value ids are kept, shapes in expressions are new
/// constants at the end.
std::shared_ptr<const Graph> carryOut(
    const Graph& graph, const Plan& plan, const std::string& symbol);

} // namespace fivefold::ir::freeing
