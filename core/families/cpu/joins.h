// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::cpu {

/// The library has one call an operator; nothing is fused.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::cpu
