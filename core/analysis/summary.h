// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/base/progress.h"

#include <iosfwd>

namespace fivefold::analysis {

/// A model by itself, before any machine: counts under bindings and assumptions, types as far as
/// they are known without assumptions.
struct Summary {
    std::shared_ptr<const ir::Graph> graph;
    std::int64_t nodes = 0; ///< of the file: bodies and constants included
    std::int64_t parameters = 0;
    std::optional<std::int64_t> macs;
    std::optional<double> flops;
    std::int64_t unknownCostNodes = 0;
    std::map<std::string, std::int64_t> assumed; ///< what the counts assume
    std::shared_ptr<const ir::Typed> typed; ///< without assumptions
    base::Diagnostics diagnostics;
};

base::Result<Summary> summarize(
    const Model& model, const ir::InferenceOptions& options, const base::Progress& progress = {});

/// The form of `fivefold-cli summary --json`.
void writeSummaryJson(std::ostream& out, const Summary& summary);
/// The same for people: counts, inputs, outputs, problems.
void writeSummaryText(std::ostream& out, const Summary& summary);

} // namespace fivefold::analysis
