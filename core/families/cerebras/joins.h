// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::cerebras {

/// What may share a rectangle of PEs: one product with what follows it, within a PE's code memory.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::cerebras
