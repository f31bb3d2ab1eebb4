// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// IBM Spyre as the public compiler front end torch-spyre drives it: operators become OpSpecs,
/// consecutive OpSpecs one bundle, tensors 128-byte sticks, work is divided over 1 to 32 cores,
/// intermediates go to LX where the rules allow it and to a pool in LPDDR5 where they do not.
///
/// Machine figures it reads: peaks, memories of kind Device (LPDDR5) and Scratchpad (LX, an
/// instance a core), the host link, and the parameters listed at Constants in times.h; each has the
/// published value as fallback. Settings: "cores" 1…32 and "layout", the compiler generation
/// 2025-11, 2026-06 or 2026-09.
namespace fivefold::families::spyre {

const lowering::Family& family();

} // namespace fivefold::families::spyre
