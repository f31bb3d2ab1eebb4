// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/fusion_edits.h"

namespace fivefold::families::groq {

/// What may be one chain of streams: one product, and no more vector work than the ALUs of a lane.
lowering::FusionRules fusionRules();

} // namespace fivefold::families::groq
