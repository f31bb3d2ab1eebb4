// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// A Google TPU under XLA: HLO operators fuse into loops and into the epilogue of one matrix
/// product, arrays lie in (8,128) tiles with padding, internal results stay in VMEM when they fit,
/// a sequential program feeds systolic arrays.
///
/// Settings (`--set KEY=VALUE`): `dispatch` on|off, `vmem` on|off, `recompute` on|off. Machine
/// figures: see device.h.
namespace fivefold::families::tpu {

const lowering::Family& family();

} // namespace fivefold::families::tpu
