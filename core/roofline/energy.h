// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::roofline {

/// Joules between two bounds; equal where the source gives one figure.
struct EnergyRange {
    double low = 0, high = 0;
    EnergyRange& operator+=(const EnergyRange& other) {
        low += other.low;
        high += other.high;
        return *this;
    }
};

/// Arithmetic, or the access to one memory level.
struct EnergyPart {
    std::string name; ///< "bf16 multiply-add", "HBM3", "LX"
    std::optional<EnergyRange> joules; ///< nullopt: no figure is known
    std::string source; ///< with year and node: "7 nm, Jouppi 2021"
    machines::FigureStatus status = machines::FigureStatus::Estimated;
};

/// Energy of one step over all its executions: operations × energy of one + bits × energy of one.
struct StepEnergy {
    EnergyRange joules; ///< of the known parts
    bool isAtLeast = false; ///< a part with work has no figure: show "at least"
    std::vector<EnergyPart> parts; ///< arithmetic, then the levels far to near that it uses
};

base::IdVector<lowering::StepId, StepEnergy> stepEnergies(const lowering::Program& program,
    const machines::Machine& machine, machines::Precision precision);
/// Sum over the steps.
StepEnergy totalEnergy(const base::IdVector<lowering::StepId, StepEnergy>& steps);

} // namespace fivefold::roofline
