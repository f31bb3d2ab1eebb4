// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/kernel.h"

namespace fivefold::numerics {

bool isExecutable(ir::Op) {
    return false;
}

base::Result<std::vector<Datum>> evaluate(
    const Operation&, std::span<const Datum>, const Evaluation&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::numerics
