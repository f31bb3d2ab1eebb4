// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::lowering {

/// The user's choice for the first operator that the node came from and that has one; null without
/// any.
const ImplementationValues* chosenImplementation(const Context& context, const Node& node);

/// Fills in the presets of the keys that are missing. An Error names an unknown key or value and
/// lists what there is.
base::Result<ImplementationValues> completeChoice(const std::vector<ImplementationChoice>& choices,
    const ImplementationValues& values, const std::string& machine);

} // namespace fivefold::lowering
