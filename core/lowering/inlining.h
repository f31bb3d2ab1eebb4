// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::lowering {

/// The captured stage: every captured node one to one, bodies included, in execution order.
StageGraph captured(const Context& context);

/// What every family starts from: bodies of taken branches, loops and function calls flattened into one list in
/// execution order (outer values wired through), nodes whose results are known from constants or
/// shapes alone removed ("constant folded"), branches that are not taken removed. Each node equals one
/// captured node; its dtypes are those of the chosen precision (float tensors take the precision's storage type,
/// unless the file quantises them).
StageGraph inlined(const Context& context);

} // namespace fivefold::lowering
