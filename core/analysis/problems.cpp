// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/problems.h"

#include "core/analysis/result.h"

namespace fivefold::analysis {

bool Remedy::isEmpty() const {
    return binds.empty() && settings.empty() && inputLayouts.empty() && implementations.empty()
        && placements.empty() && substitutes.empty() && !isFusionOn;
}

std::vector<Problem> problems(const Result&) {
    return {};
}

} // namespace fivefold::analysis
