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

/// Whether tensors of a precision have a stick layout; one that is rated and has none cannot be
/// lowered.
bool hasLayout(machines::Precision precision);

/// How Program::mode starts where the public compiler refuses the graph. The times are then what
/// the program would take if what it refuses were replaced, and no measurement stands for them.
constexpr std::string_view kNotCompiled = "not compiled: ";
bool isRefused(const lowering::Program& program);

} // namespace fivefold::families::spyre
