// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// "The first diverging layer is clone: element 64 of 65 is wrong, …", or why there is none.
std::string headlineOf(const Divergence& divergence);
/// "fp16: |device − recomputed| ≤ 3 u (1 + √K) S + smallest step".
std::string policyText(
    numerics::Format contents, const CompareOptions& options, const Divergence& divergence);
/// One undecided level an origin, with the ladder not given and what would decide, until the
/// origin is run again under the faults.
void addUndecidedLevels(Divergence& divergence);

} // namespace fivefold::compare
