// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <optional>
#include <string>
#include <string_view>
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
    bool operator==(const EnergyRange&) const = default;
};

/// Arithmetic, or the access to one memory level.
struct EnergyPart {
    std::string name; ///< "bf16 arithmetic", "HBM3", "LX"
    std::optional<std::size_t> level; ///< index into Machine::memories; nullopt: arithmetic
    std::optional<EnergyRange> joules; ///< nullopt: no figure is known
    /// With year and node: "7 nm, Jouppi et al., ISCA 2021". Lives as long as the machine.
    std::string_view source;
    machines::FigureStatus status = machines::FigureStatus::Estimated;
};

/// Energy of one step over all its executions: operations × energy of one + bits × energy of one.
/// What leaks, clocks, refreshes and hosts take is in none of the figures.
struct StepEnergy {
    EnergyRange joules; ///< of the known parts
    bool isAtLeast = false; ///< a part with work has no figure: show "at least"
    std::vector<EnergyPart> parts; ///< arithmetic, then the levels far to near that it uses
};

/// Energy of one useful operation: half a multiply-add. Parameters `energy_mac_<precision>_j`, or
/// `…_low_j` and `…_high_j` where the sources give a range. No value: unknown.
/// Energy of one bit that passes a memory: `energy_bit_<memory's name>_j`, the same with `_low_j`.
struct EnergyFigure {
    std::string name;
    std::optional<std::size_t> level;
    std::optional<EnergyRange> joules;
    std::string_view source;
    machines::FigureStatus status = machines::FigureStatus::Estimated;
};
EnergyFigure operationEnergy(const machines::Machine& machine, machines::Precision precision);
EnergyFigure bitEnergy(const machines::Machine& machine, std::size_t level);

base::IdVector<lowering::StepId, StepEnergy> stepEnergies(const lowering::Program& program,
    const machines::Machine& machine, machines::Precision precision);
/// Adds a step's energy to a sum; parts stay in the order of StepEnergy::parts.
void addEnergy(StepEnergy& sum, const StepEnergy& step);
/// Sum over the steps.
StepEnergy totalEnergy(const base::IdVector<lowering::StepId, StepEnergy>& steps);

} // namespace fivefold::roofline
