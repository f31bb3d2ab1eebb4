// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/staged_family.h"

/// The stages, one source file each; see lowering::Family for their contract.
namespace fivefold::families::cerebras {

/// Operators of the kernel library; composite ones in products, all-reduces and elementwise work.
lowering::RewriteStage decompose;
/// One region a layer: a product with the elementwise work behind it, or a norm with its
/// all-reduces.
lowering::RewriteStage formRegions;
/// Blocks over the PEs of a region, and moves where two regions cut a tensor differently.
lowering::RewriteStage layOut;
/// Rectangles on the wafer, and addresses in the PEs' memories.
lowering::AssignStage place;
/// Cycles of every region and of the fabric between them.
lowering::AssignStage schedule;
const lowering::CompilerPipeline& compilerPipeline();

} // namespace fivefold::families::cerebras
