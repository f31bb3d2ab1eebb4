// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// Cerebras wafer-scale engines: kernels become rectangles of processing elements on one wafer,
/// tensors are cut in blocks over a rectangle, and what passes between rectangles travels the
/// fabric one hop a cycle. A model whose weights and activations fit the PEs' memories is
/// layer-pipelined; a larger one streams its weights in from MemoryX, a layer at a time.
///
/// Machine figures it reads: peaks, clock, the Scratchpad memory (48 KB a PE), the Device memory
/// (MemoryX), and the parameters listed at Fabric in fabric.h. Settings: "mode" auto,
/// layer_pipelined or weight_streaming.
namespace fivefold::families::cerebras {

const lowering::Family& family();

} // namespace fivefold::families::cerebras
