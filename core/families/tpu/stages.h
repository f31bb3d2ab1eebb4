// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/staged_family.h"

/// The stages, one source file each; see lowering::Family for their contract.
namespace fivefold::families::tpu {

/// HLO operators: composite ones in elementary operators, means as sums, recurrent cells as while
/// loops.
lowering::RewriteStage decompose;
/// Loop fusions, reductions with their producers, products with epilogue and prologue (at most one
/// a kernel).
lowering::RewriteStage fuse;
/// Tiled layouts of least padding; bitcasts where bytes agree, copies where a kernel wants another
/// order.
lowering::RewriteStage layOut;
/// Folds of every product; internal results in VMEM where they fit, the rest in HBM.
lowering::AssignStage place;
/// Estimates, and the program order as events.
lowering::AssignStage schedule;
const lowering::CompilerPipeline& compilerPipeline();

} // namespace fivefold::families::tpu
