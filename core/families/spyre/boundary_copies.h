// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"
#include "core/lowering/rewriter.h"

namespace fivefold::families::spyre {

/// Makes nodes of the copies that scratchpad planning added to the program: `graph` is the one that
/// the program was read from. Graph outputs that are copied out are the copies from then on.
lowering::StageGraph withCopies(lowering::StageGraph graph, const LoopProgram& program);

} // namespace fivefold::families::spyre
