// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/json_stream.h"
#include "core/analysis/play.h"

#include <string>

namespace fivefold::analysis {

/// "MODEL[:KEY=VALUE,…]": MODEL is program_counter, dynamic_dataflow or static_schedule; keys are
/// jitter (0..4), seed, queue (≥ 1), arbitration (oldest_first, round_robin, critical_first) and
/// late (the id of the one transfer that is late). A sentence says what is wrong.
base::Result<schedule::FiringOptions> parseFiringOptions(const std::string& text);

/// A node of the model by its name, all of a scope by its path, or, empty, the whole graph.
/// NotFound where neither is there.
base::Result<PlayRequest> playRequest(
    const ir::Graph& graph, const std::string& block, std::vector<schedule::FiringOptions> models);

/// `firing{block, name, steps[], unknown_steps, length_ps, difference, traces[]{model, arbitration,
/// queue_capacity, jitter, seed, late, length_ps, planned_ps, delayed, late_operands, late_results,
/// wrong, slack_ps, waits{}, queues[], deadlock{}, sentence, firings[], flights[]}}`.
void writeFiring(JsonStream& json, const Result& result, const Play& play);

} // namespace fivefold::analysis
