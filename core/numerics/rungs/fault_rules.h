// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs.h"

#include <vector>

namespace fivefold::numerics {

/// The rung from which on a fault changes what is computed: Captured for F01–F03, Decomposed to
/// F07, Fused to F11, LaidOut to F19, Placed for F20 and F21, Scheduled for F22 to F27, Timed to
/// F31, Numerics to F35.
Rung firstRung(FaultId id);
/// F01–F11 and F32–F35: changes of values that NodeEvaluator makes. The others befall memory, order
/// and transfers.
bool isLogicalFault(FaultId id);
/// Faults of the options that are active at the rung.
std::vector<const Fault*> activeFaults(const RungOptions& options, Rung rung);

/// Whether the fault can befall that captured node of the subject so that its mechanism acts (a
/// mask to drop, a broadcast to lose); contents decide whether the result differs.
bool appliesTo(FaultId id, const Subject& subject, ir::NodeId node);
bool logicalFaultAppliesTo(
    FaultId id, const Subject& subject, ir::NodeId node); ///< faults_logical.cpp
bool physicalFaultAppliesTo(FaultId id, const Subject& subject, ir::NodeId node); ///< F12–F31

} // namespace fivefold::numerics
