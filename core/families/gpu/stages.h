// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"

/// The five steps of the GPU lowering; see lowering::Family for their contract.
namespace fivefold::families::gpu {

/// ATen operators as Inductor's decomposition table leaves them: softmax, norms and activations in
/// elementary operators, the bias of a convolution peeled off, attention patterns collapsed into
/// one fused call.
base::Result<lowering::StageGraph> decompose(
    const lowering::Context& context, const Device& device, lowering::StageGraph inlined);

/// Kernels by iteration domain (numel, rnumel).
base::Result<lowering::StageGraph> fuse(
    const lowering::Context& context, const Device& device, lowering::StageGraph decomposed);

/// Row-major layouts, channels-last around convolutions, copies where a library call cannot take
/// the strides.
base::Result<lowering::StageGraph> layOut(
    const lowering::Context& context, const Device& device, lowering::StageGraph fused);

/// Tiles, waves and k splits of every step; device memory addresses by lifetime.
base::Result<lowering::StageGraph> place(const lowering::Context& context, const Device& device,
    lowering::StageGraph laidOut, lowering::Program& program);

/// Estimates, and the launch queue's order as events.
base::Result<lowering::StageGraph> schedule(const lowering::Context& context, const Device& device,
    lowering::StageGraph placed, lowering::Program& program);

} // namespace fivefold::families::gpu
