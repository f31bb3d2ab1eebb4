// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/rules.h"

namespace fivefold::ir::inference {

/// Number of elements that start:end:step takes from an axis of `size` (ONNX Slice: both ends
/// clamped, negative ones counted from the end). `firstIndex` gets the first element's index where
/// known.
Dim sliceCount(State& state, const Dim& size, const Dim& start, const Dim& end, std::int64_t step,
    Dim& firstIndex);

void slice(NodeContext& context);

} // namespace fivefold::ir::inference
