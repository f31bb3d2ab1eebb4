// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/level.h"

namespace fivefold::compare {

base::Result<base::Done> nameLevels(
    const numerics::Subject&, const numerics::Inputs&, Divergence&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<LadderRun> climb(const numerics::Subject&, const numerics::Inputs&,
    const std::vector<const numerics::Fault*>&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::compare
