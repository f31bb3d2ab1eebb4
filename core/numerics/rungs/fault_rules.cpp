// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/fault_rules.h"

namespace fivefold::numerics {

Rung firstRung(FaultId id) {
    const int n = number(id);
    if (n <= 3)
        return Rung::Captured;
    if (n <= 7)
        return Rung::Decomposed;
    if (n <= 11)
        return Rung::Fused;
    if (n <= 19)
        return Rung::LaidOut;
    if (n <= 21)
        return Rung::Placed;
    if (n <= 27)
        return Rung::Scheduled;
    return n <= 31 ? Rung::Timed : Rung::Numerics;
}

bool isLogicalFault(FaultId id) {
    return number(id) <= 11 || number(id) >= 32;
}

std::vector<const Fault*> activeFaults(const RungOptions& options, Rung rung) {
    std::vector<const Fault*> result;
    const auto add = [&](const Fault* fault) {
        if (fault && firstRung(fault->id) <= rung)
            result.push_back(fault);
    };
    add(options.fault);
    for (const Fault* fault : options.faults)
        add(fault);
    return result;
}

bool appliesTo(FaultId id, const Subject& subject, ir::NodeId node) {
    return isLogicalFault(id) ? logicalFaultAppliesTo(id, subject, node)
                              : physicalFaultAppliesTo(id, subject, node);
}

} // namespace fivefold::numerics
