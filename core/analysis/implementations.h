// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

namespace fivefold::analysis {

/// What may be chosen for the captured operator on this machine; empty for anything else.
std::vector<lowering::ImplementationChoice> implementationChoices(
    const Result& result, ir::NodeId node);

/// The operator under each choice by the family's equations, everything else as in the result. An
/// Error names a choice that the machine does not have. O(choices).
base::Result<std::vector<lowering::ImplementationRow>> compareImplementations(const Result& result,
    ir::NodeId node, const std::vector<lowering::ImplementationValues>& choices);

/// All values of one key, the others as chosen: rows by the order of the choice's values; those
/// that the machine cannot run carry their reason.
std::vector<lowering::ImplementationRow> sweepImplementation(
    const Result& result, ir::NodeId node, const std::string& key);

} // namespace fivefold::analysis
