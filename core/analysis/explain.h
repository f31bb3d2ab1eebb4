// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

namespace fivefold::analysis {

/// Fills what a result says beyond its times: traffic by cause, causes, ladder, energy, classes and
/// problems. Program, points and totals must be there.
void explain(Result& result);

} // namespace fivefold::analysis
