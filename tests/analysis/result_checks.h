// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <string>
#include <vector>

namespace fivefold::tests {

/// What every Result must hold, whatever the model and the machine: sound stages, finite and
/// non-negative numbers, shares that add up, a timeline that ends at the total, bytes within
/// capacities, a report that is JSON. Returns sentences; empty = sound.
std::vector<std::string> unsoundIn(const analysis::Result& result);

} // namespace fivefold::tests
