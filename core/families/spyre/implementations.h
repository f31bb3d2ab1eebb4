// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

namespace fivefold::families::spyre {

/// Matrix products: `split` (cores along batch, rows, columns, k) and `stick` (the dimension of the
/// second operand that its sticks lie along; k costs a restickify first); softmax and attention:
/// roofline/operator_forms.h.
lowering::ImplementationRules implementationRules();

} // namespace fivefold::families::spyre
