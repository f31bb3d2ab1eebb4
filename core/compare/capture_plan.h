// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// Where the first divergence of a partial dump must lie, and what to capture to halve that.
/// Nullopt where the origin's inputs are all in the dump.
std::optional<CapturePlan> capturePlan(
    const numerics::Subject& subject, const Divergence& divergence, const CompareOptions& options);

/// Python that runs a module and saves the wanted values as `capture.npz`.
std::string hookScript(const ir::Graph& graph, const std::vector<ir::ValueId>& values);

} // namespace fivefold::compare
