// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/problem_costs.h"

/// What can be tried against a finding as a what-if. A remedy is only offered where lowering can
/// follow it: nothing is promised that `analyze` would refuse.
namespace fivefold::analysis {

/// The request with the remedy on top.
Request applied(Request request, const Remedy& remedy);

/// A symbol that a padded dimension grows with: extent = factor · symbol + rest.
struct DimensionSymbol {
    std::string symbol; ///< as `--bind` takes it
    std::int64_t factor = 1, rest = 0;
    std::int64_t value = 0; ///< at present
    /// Size of the symbol for an extent; nullopt where there is none above 0.
    std::optional<std::int64_t> sizeFor(std::int64_t extent) const;
};
/// The symbol behind a padded dimension, where the model has one free.
std::optional<DimensionSymbol> symbolOf(const Result& result, const PaddedDimension& dimension);

/// Sizes without padding next to the present one: the smaller, then the larger.
std::vector<Remedy> paddingRemedies(const Result& result, const PaddedDimension& dimension);
/// Input layouts (Spyre) that spare relayouts of graph inputs: one for all the steps of a group.
std::vector<Remedy> relayoutRemedies(const Result& result, const CostGroup& group);
/// The buffer in the far memory, so that the others fit.
std::vector<Remedy> occupantRemedies(const Result& result, const Occupant& occupant);
/// Equivalent operators for one that the machine does not run.
std::vector<Remedy> substituteRemedies(const Result& result, ir::NodeId node);
/// Fusion, where the user switched it off.
std::vector<Remedy> launchRemedies(const Result& result);

} // namespace fivefold::analysis
