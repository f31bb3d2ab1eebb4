// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// Groq language processing units: operands stream through functional slices in lockstep, so every
/// cycle is known when compilation ends. Products run on MXM planes of 320×320, elementwise work on
/// the vector unit while the streams pass it, rearrangements on SXM; tensors lie in SRAM slices as
/// vectors of 320 lanes, and a model that exceeds one chip's SRAM is laid over several.
///
/// Machine figures it reads: peaks, clock (or parameter "assumed_clock_hz" where none is
/// published), the Scratchpad memory (a chip's SRAM), the chip links, and the parameters listed at
/// Chip in chip.h.
namespace fivefold::families::groq {

const lowering::Family& family();

} // namespace fivefold::families::groq
