// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

/// What lies in LPDDR5 and where: arguments of the bundles, and for each bundle a pool of the
/// intermediates that LX did not take (torch-spyre hbm_pool_planning.py, August 2026;
/// docs/source/compiler/hbm_pool_planning.md).
namespace fivefold::families::spyre {

/// Places every buffer that is not in LX; expects bundles. An intermediate whose value is written
/// and read inside one bundle goes to that bundle's pool (HbmPool, byte offset from its start), all
/// else is an argument (Hbm, position in the argument list of the first bundle that has it: what
/// the bundle only reads by first read, then what it writes by first write).
///
/// The pool gives out blocks by first write: the first free block that is large enough, in the
/// order the blocks were freed, the rest of it freed last; else new space at the end. A block is
/// free again once its last read is over. A buffer that several operations write takes a block for
/// each of its values and keeps the last. O(n · free blocks).
void planHbm(LoopProgram& program);

} // namespace fivefold::families::spyre
