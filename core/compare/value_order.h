// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/inference.h"

namespace fivefold::compare {

/// Nodes of the whole model, producers before users, bodies before the node that owns them.
std::vector<ir::NodeId> nodeOrder(const ir::Graph& graph);
/// Graph inputs, then initialisers, then node outputs in the order above.
std::vector<ir::ValueId> valueOrder(const ir::Graph& graph);

} // namespace fivefold::compare
