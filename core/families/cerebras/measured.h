// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/measured_operator.h"

namespace fivefold::families::cerebras {

/// The equation that predicts the row on one of the family's machines, or null where none was
/// measured. The pointer lives as long as the program. O(equations).
const roofline::MeasuredEquation* measuredEquation(
    const machines::Machine& machine, const roofline::MeasuredOperator& row);

} // namespace fivefold::families::cerebras
