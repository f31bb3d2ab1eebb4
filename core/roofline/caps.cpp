// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/caps.h"

#include <algorithm>

namespace fivefold::roofline {

using lowering::StepId;

base::IdVector<StepId, std::optional<double>> schedulingCaps(const lowering::Program& program,
    const base::IdVector<StepId, StepId>& chargedTo, Charge charge) {
    const std::size_t count = program.steps.size();
    const auto executions = [&](StepId step) {
        return static_cast<double>(std::max<std::int64_t>(1, program.steps[step].executions));
    };
    base::IdVector<StepId, double> asked(count, 0.0);
    if (charge == Charge::ToCause)
        for (std::size_t s = 0; s < count; ++s) {
            const StepId step(s);
            const lowering::Estimate& estimate = program.steps[step].estimate;
            if (!chargedTo.contains(step) || !estimate.isKnown)
                continue;
            const StepId payer = chargedTo[step];
            if (payer != step && program.steps.contains(payer))
                asked[payer] += estimate.time.value * executions(step);
        }
    base::IdVector<StepId, std::optional<double>> caps(count, std::nullopt);
    for (std::size_t s = 0; s < count; ++s) {
        const StepId step(s);
        const lowering::Estimate& estimate = program.steps[step].estimate;
        const double time = estimate.schedulingShare.value * executions(step) + asked[step];
        if (estimate.isKnown && estimate.flops.value > 0 && time > 0)
            caps[step] = estimate.flops.value * executions(step) / time;
    }
    return caps;
}

} // namespace fivefold::roofline
