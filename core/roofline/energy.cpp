// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/energy.h"

#include <algorithm>

namespace fivefold::roofline {

using machines::Figure;

namespace {

/// The figure of `stem` + "_j", or the range of `stem` + "_low_j" and "_high_j", times `factor`.
EnergyFigure figureOf(
    const machines::Machine& machine, std::string name, const std::string& stem, double factor) {
    EnergyFigure out;
    out.name = std::move(name);
    const Figure* low = machine.parameter(stem + "_j");
    const Figure* high = low;
    if (!low) {
        low = machine.parameter(stem + "_low_j");
        high = machine.parameter(stem + "_high_j");
    }
    if (!low || !high || !low->isKnown() || !high->isKnown())
        return out;
    out.joules = EnergyRange{*low->value * factor, *high->value * factor};
    out.source = low->source;
    out.status = std::max(low->status, high->status);
    return out;
}

void add(StepEnergy& energy, const EnergyFigure& figure, double count) {
    if (!(count > 0))
        return;
    EnergyPart part{figure.name, figure.level, std::nullopt, figure.source, figure.status};
    if (figure.joules) {
        part.joules = EnergyRange{figure.joules->low * count, figure.joules->high * count};
        energy.joules += *part.joules;
    } else {
        energy.isAtLeast = true;
    }
    energy.parts.push_back(std::move(part));
}

} // namespace

EnergyFigure operationEnergy(const machines::Machine& machine, machines::Precision precision) {
    const std::string type(machines::toString(precision));
    return figureOf(machine, type + " arithmetic", "energy_mac_" + type, 0.5);
}

EnergyFigure bitEnergy(const machines::Machine& machine, std::size_t level) {
    const std::string& name = machine.memories[level].name;
    EnergyFigure figure = figureOf(machine, name, "energy_bit_" + name, 1);
    figure.level = level;
    return figure;
}

base::IdVector<lowering::StepId, StepEnergy> stepEnergies(const lowering::Program& program,
    const machines::Machine& machine, machines::Precision precision) {
    const EnergyFigure operation = operationEnergy(machine, precision);
    std::vector<EnergyFigure> bits;
    for (std::size_t level = 0; level < machine.memories.size(); ++level)
        bits.push_back(bitEnergy(machine, level));
    base::IdVector<lowering::StepId, StepEnergy> energies;
    energies.resize(program.steps.size());
    std::vector<double> moved(bits.size());
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const lowering::Step& step = program.steps[lowering::StepId(s)];
        StepEnergy& energy = energies[lowering::StepId(s)];
        const auto times = static_cast<double>(step.executions);
        energy.isAtLeast = !step.estimate.isKnown;
        energy.parts.reserve(1 + step.estimate.traffic.size());
        add(energy, operation, step.estimate.flops.value * times);
        std::fill(moved.begin(), moved.end(), 0);
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level < moved.size())
                moved[traffic.level] += static_cast<double>(traffic.total().value);
        for (std::size_t level = 0; level < bits.size(); ++level)
            add(energy, bits[level], moved[level] * 8 * times);
    }
    return energies;
}

void addEnergy(StepEnergy& sum, const StepEnergy& step) {
    sum.joules += step.joules;
    sum.isAtLeast = sum.isAtLeast || step.isAtLeast;
    for (const EnergyPart& part : step.parts) {
        const auto place = std::lower_bound(sum.parts.begin(), sum.parts.end(), part,
            [](const EnergyPart& a, const EnergyPart& b) { return a.level < b.level; });
        if (place == sum.parts.end() || place->level != part.level)
            sum.parts.insert(place, part);
        else if (place->joules && part.joules)
            *place->joules += *part.joules;
    }
}

StepEnergy totalEnergy(const base::IdVector<lowering::StepId, StepEnergy>& steps) {
    StepEnergy total;
    for (const StepEnergy& step : steps)
        addEnergy(total, step);
    return total;
}

} // namespace fivefold::roofline
