// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::gpu {

/// What Inductor says to cutting and joining kernels (scheduler.py, choices.py and
/// codegen/simd.py of torch/_inductor; rules and numbers as in fuse.cpp), and what a Triton block
/// holds in registers.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::gpu
