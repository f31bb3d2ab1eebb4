// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// A GPU under torch.compile: Inductor groups ATen operators into Triton kernels, matrix products,
/// convolutions and attention are library calls, a stream (or a CUDA graph) launches one kernel
/// after another.
///
/// Settings (`--set KEY=VALUE`): `cuda_graph` on|off, `sdpa` on|off, `channels_last` on|off, `tile`
/// auto|ROWSxCOLUMNS. Machine figures: see device.h.
namespace fivefold::families::gpu {

const lowering::Family& family();

} // namespace fivefold::families::gpu
