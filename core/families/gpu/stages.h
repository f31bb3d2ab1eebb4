// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"
#include "core/lowering/staged_family.h"

/// The stages, one source file each; see lowering::Family for their contract.
namespace fivefold::families::gpu {

/// ATen operators as Inductor's decomposition table leaves them: softmax, norms and activations in
/// elementary operators, the bias of a convolution peeled off, attention patterns collapsed into
/// one fused call.
lowering::RewriteStage decompose;
/// Kernels by iteration domain (numel, rnumel).
lowering::RewriteStage fuse;
/// Row-major layouts, channels-last around convolutions, copies where a library call cannot take
/// the strides.
lowering::RewriteStage layOut;
/// Tiles, waves and k splits of every step; device memory addresses by lifetime.
lowering::AssignStage place;
/// Estimates, and the launch queue's order as events.
lowering::AssignStage schedule;
const lowering::CompilerPipeline& compilerPipeline();

} // namespace fivefold::families::gpu
