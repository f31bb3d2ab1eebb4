// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

namespace fivefold::families::cerebras {

/// Matrix products: `algorithm` (mesh, summa, gemv_tree, gemv_pipeline: the published equations)
/// and `side` (PEs along one side of the square); softmax and attention: roofline/operator_forms.h.
lowering::ImplementationRules implementationRules();

} // namespace fivefold::families::cerebras
