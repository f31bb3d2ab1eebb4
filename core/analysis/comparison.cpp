// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/comparison.h"

namespace fivefold::analysis {

ComparisonRow compare(const Result& result, std::span<const ir::NodeId>) {
    ComparisonRow row;
    row.family = result.machine().family;
    row.machine = result.machine().id;
    return row;
}

} // namespace fivefold::analysis
