// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/gap.h"

#include <optional>

namespace fivefold::roofline {

/// The scheduling ceiling of every step in FLOP/s: its work ÷ (its own scheduling time, and under
/// Charge::ToCause the whole time of the relayouts and copies that it asked for), all executions
/// together. nullopt without work, without a known time or without any such time. `chargedTo` is
/// that of chargedSteps(); steps that it lacks pay for themselves. O(steps).
base::IdVector<lowering::StepId, std::optional<double>> schedulingCaps(
    const lowering::Program& program,
    const base::IdVector<lowering::StepId, lowering::StepId>& chargedTo, Charge charge);

} // namespace fivefold::roofline
