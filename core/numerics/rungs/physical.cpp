// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/rung.h"

namespace fivefold::numerics {

base::Result<RungRun> runPhysical(
    const Subject&, Rung, const Inputs&, const RungOptions&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

bool physicalFaultAppliesTo(FaultId, const Subject&, ir::NodeId) {
    return false;
}

} // namespace fivefold::numerics
