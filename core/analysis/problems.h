// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/units.h"
#include "core/ir/graph.h"
#include "core/lowering/family.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::analysis {

struct Result;

/// A change that can be tried as a what-if: what of the request differs. Empty members stay.
struct Remedy {
    std::string text; ///< of the button: "Pad k to 128", "Keep the weight on k"
    std::map<std::string, std::int64_t> binds; ///< symbol or "INPUT.AXIS" → size
    std::map<std::string, std::string> settings; ///< `--set` keys
    std::map<std::string, lowering::DeviceLayout> inputLayouts;
    std::map<std::string, std::map<std::string, std::string>> implementations; ///< node → choices
    std::map<std::string, std::string> placements; ///< value → memory level
    std::map<std::string, std::string> substitutes; ///< captured operator's name → rule
    std::optional<bool> isFusionOn;
    bool isEmpty() const;
};

/// A finding with its price. Sorted by what the whole model would save.
struct Problem {
    base::Severity severity = base::Severity::Info;
    std::string code;
    std::string place; ///< captured node or value by name; empty: the whole model
    ir::NodeId node;
    ir::ValueId value;
    std::string message;
    std::string advice; ///< what would mend it, a sentence; may be empty
    std::int64_t count = 1;
    /// What it costs the whole model: unknown for an operator without a time.
    std::optional<base::Seconds> cost;
    /// The model's time without it.
    std::optional<base::Seconds> without;
    std::vector<Remedy> remedies; ///< to try; may be empty
};

/// Diagnostics, refusals and the dearest causes (padding, relayout, spill, host, badly filled
/// units) of a result as one list by falling cost; what has no price follows by severity.
std::vector<Problem> problems(const Result& result);

} // namespace fivefold::analysis
