// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/json_stream.h"
#include "core/lowering/program.h"
#include "core/memory/address_map.h"

/// Parts of the report that say where work and data lie; what the Layout panel shows.
namespace fivefold::analysis {

/// How hardware deals the pieces of a step to the units; null where it does not.
Json wavesJson(const lowering::Program& program, const lowering::Step& step);
/// Rectangles of PEs by kernel, and what the regions hand to each other.
Json regionsJson(const lowering::Program& program);
Json handOffsJson(const lowering::Program& program);

} // namespace fivefold::analysis
