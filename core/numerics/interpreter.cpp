// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"

namespace fivefold::numerics {

base::Result<Run> run(
    const ir::Typed&, const Inputs&, Weights&, const RunOptions&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

Inputs randomInputs(const ir::Typed&, std::uint64_t) {
    return {};
}

} // namespace fivefold::numerics
