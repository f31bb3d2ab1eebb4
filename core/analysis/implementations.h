// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <map>

namespace fivefold::analysis {

/// A choice that an operator's implementation leaves open, with what the compiler takes.
struct ImplementationChoice {
    std::string key; ///< "tile", "split", "loop_order", "stick", "attention"
    std::string name; ///< "CTA tile", "work split b·m·n·k"
    std::vector<std::string> values; ///< the machine's candidates, the compiler's own included
    std::string chosen; ///< in this result
    std::string preset; ///< the compiler's
};

/// What may be chosen for a captured matmul, convolution, attention or softmax on this machine;
/// empty for anything else. O(candidates).
std::vector<ImplementationChoice> implementationChoices(const Result& result, ir::NodeId node);

/// One way to run the operator, priced.
struct ImplementationRow {
    std::map<std::string, std::string> choice; ///< key → value
    base::Flops flops; ///< useful work: the same in all rows
    base::Flops paddedFlops;
    std::vector<std::pair<std::size_t, base::Bytes>> bytesByLevel;
    std::int64_t syncs = 0; ///< kernel borders, barriers and reductions across units
    std::int64_t units = 0; ///< that work
    base::Seconds time;
    std::string because;
};

/// The operator under each choice, everything else as in the result. An Error names a choice that
/// the machine does not have.
base::Result<std::vector<ImplementationRow>> compareImplementations(const Result& result,
    ir::NodeId node, const std::vector<std::map<std::string, std::string>>& choices);

} // namespace fivefold::analysis
