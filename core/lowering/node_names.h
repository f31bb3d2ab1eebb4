// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::lowering {

/// Whether no two nodes have the same name. O(nodes), without a copy of the names.
bool hasUniqueNames(const base::IdVector<NodeId, Node>& nodes);

} // namespace fivefold::lowering
