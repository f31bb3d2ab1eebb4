// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// A small case, run as it should be and with a fault.
struct CaseRun {
    std::vector<std::pair<std::string, numerics::Tensor>> expected; ///< fp64, of the outputs
    std::vector<std::pair<std::string, numerics::Tensor>> device; ///< the machine's numerics
    std::vector<std::pair<std::string, numerics::Tensor>> right; ///< as device, without the fault
    ElementSet wrong; ///< of the first output that the fault changes
    Pattern pattern;
    bool isStuck = false; ///< nothing comes back
    bool fails() const { return isStuck || !wrong.isEmpty(); }
};

/// Runs the captured graph in fp64, and the machine's own numerics with the fault in force (without
/// one: as they are). `wrong`: where the machine with the fault differs from the machine without
/// it, bit for bit.
base::Result<CaseRun> runCase(const numerics::Subject& subject, const numerics::Inputs& inputs,
    const std::optional<numerics::Fault>& fault, const base::Progress& progress);

} // namespace fivefold::compare
