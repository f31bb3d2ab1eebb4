// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// Inputs, parameters and the transfer floor of the device's format, before any layer (facts,
/// section 1.5).
std::vector<Precondition> preconditions(
    const numerics::Subject& subject, const numerics::Inputs& inputs, const Divergence& divergence);

} // namespace fivefold::compare
