// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"

namespace fivefold::analysis {

void writeDivergence(std::ostream&, const numerics::Subject&, const compare::Divergence&) { }

} // namespace fivefold::analysis
