// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference/state.h"

#include <map>
#include <string>

namespace fivefold::ir::inference {

/// Sizes for the symbols of the model's inputs that are still free, from a run that kept them as
/// symbols: axis 0 → 1, the two spatial axes of an image → 224, anything else → 128; then changed
/// where the model demands something else (a table of positions, an axis that a constant fixes).
std::map<std::string, std::int64_t> assumeSizes(const State& symbolic);

} // namespace fivefold::ir::inference
