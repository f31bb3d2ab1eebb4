// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::spyre {

/// What torch-spyre says to cutting and joining bundles: consecutive device operators, in June 2026
/// at most six tensors that are not their own. LX holds nothing between bundles.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::spyre
