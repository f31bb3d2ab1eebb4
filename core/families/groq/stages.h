// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

/// The stages, one source file each; see lowering::Family for their contract.
namespace fivefold::families::groq {

/// Operators of the functional slices.
lowering::RewriteStage decompose;
/// Chains: elementwise work joins the streams that carry its operand.
lowering::RewriteStage chain;
/// Vectors of 320 lanes.
lowering::RewriteStage layOut;
/// Weights over as many chips as they need, activations above them.
lowering::AssignStage place;
/// Cycles of every slice; each event is decided by the compiler.
lowering::AssignStage schedule;
const lowering::CompilerPipeline& compilerPipeline();

} // namespace fivefold::families::groq
