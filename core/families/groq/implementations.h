// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

namespace fivefold::families::groq {

/// Matrix products: `planes` (MXM planes that hold different tiles; the others share the rows);
/// softmax and attention: roofline/operator_forms.h.
lowering::ImplementationRules implementationRules();

} // namespace fivefold::families::groq
