// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs.h"

namespace fivefold::numerics {

std::string_view toString(Rung) {
    return {};
}
std::optional<Rung> parseRung(std::string_view) {
    return {};
}
lowering::Stage stageOf(Rung) {
    return {};
}
base::Result<RungRun> runRung(
    const Subject&, Rung, const Inputs&, const RungOptions&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::numerics
