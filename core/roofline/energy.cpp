// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/energy.h"

namespace fivefold::roofline {

base::IdVector<lowering::StepId, StepEnergy> stepEnergies(
    const lowering::Program& program, const machines::Machine&, machines::Precision) {
    base::IdVector<lowering::StepId, StepEnergy> energies;
    energies.resize(program.steps.size());
    return energies;
}

StepEnergy totalEnergy(const base::IdVector<lowering::StepId, StepEnergy>&) {
    return {};
}

} // namespace fivefold::roofline
