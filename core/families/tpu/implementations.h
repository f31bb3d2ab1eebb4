// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

namespace fivefold::families::tpu {

/// Matrix products: `block` (rows × columns × depth held in VMEM, in elements) and `order` (which
/// operand stays); softmax and attention: roofline/operator_forms.h.
lowering::ImplementationRules implementationRules();

} // namespace fivefold::families::tpu
