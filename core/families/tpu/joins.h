// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::tpu {

/// What XLA says to cutting and joining fusions, and what a fusion's windows take of VMEM.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::tpu
