// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/implementations.h"

namespace fivefold::analysis {

std::vector<ImplementationChoice> implementationChoices(const Result&, ir::NodeId) {
    return {};
}

base::Result<std::vector<ImplementationRow>> compareImplementations(
    const Result&, ir::NodeId, const std::vector<std::map<std::string, std::string>>&) {
    return std::vector<ImplementationRow>{};
}

} // namespace fivefold::analysis
