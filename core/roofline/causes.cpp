// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/causes.h"

namespace fivefold::roofline {

std::string_view toString(CauseKind kind) {
    constexpr std::string_view kNames[] = {
        "padding", "relayout", "spill", "stall", "launch", "host"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string Cause::sentence() const {
    return name;
}

std::vector<Cause> causes(const lowering::Program&, const machines::Machine&) {
    return {};
}

base::IdVector<lowering::StepId, lowering::StepId> chargedSteps(const lowering::Program& program) {
    base::IdVector<lowering::StepId, lowering::StepId> charged;
    charged.resize(program.steps.size());
    for (std::size_t s = 0; s < program.steps.size(); ++s)
        charged[lowering::StepId(s)] = lowering::StepId(s);
    return charged;
}

} // namespace fivefold::roofline
