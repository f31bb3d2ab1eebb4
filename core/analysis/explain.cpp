// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/explain.h"

namespace fivefold::analysis {

void explain(Result& result) {
    const auto& program = result.program;
    const machines::Machine& machine = result.machine();
    const machines::Precision precision = result.request.settings.precision;
    const roofline::GapAnalysis analysis(program, machine);
    result.traffic = memory::trafficByCause(program, machine, analysis.borders());
    result.causes = roofline::causes(program, analysis);
    result.chargedTo = analysis.charged();
    result.ladder = roofline::costLadder(
        program, machine, machine.peak(precision).value_or(0), result.totals.time);
    result.energy = roofline::stepEnergies(program, machine, precision);
    result.totalEnergy = roofline::totalEnergy(result.energy);
    result.classes = classTable(result);
    result.problems = problems(result);
}

} // namespace fivefold::analysis
