// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

namespace fivefold::ir::inference {

/// Work of one execution of a block, as far as it is known: what decides which branch is the dearer
/// one. Uses takenBranch and trips of the bodies inside.
double blockWork(const Typed& typed, BlockId block);

} // namespace fivefold::ir::inference
