// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"

namespace fivefold::compare {

std::string_view toString(Verdict) {
    return {};
}
std::string_view toString(HowKnown) {
    return {};
}
base::Result<Divergence> compareRuns(const numerics::Subject&, const Side*, const Side&,
    const numerics::Inputs&, const CompareOptions&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<Divergence> compareDumps(
    const Side&, const Side&, const CompareOptions&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::compare
