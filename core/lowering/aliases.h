// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::lowering {

/// The stored value behind every value: nodes for which `isAlias(node)` holds make no copy, their results are
/// their first input under other indices. A value that is stored itself maps to itself. O(nodes + edges).
template<typename Predicate>
base::IdVector<ValueId, ValueId> storedValues(const StageGraph& graph, const Predicate& isAlias) {
    base::IdVector<ValueId, ValueId> stored;
    stored.reserve(graph.values.size());
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        stored.add(ValueId(i));
    for (const Node& node : graph.nodes) {
        if (node.inputs.empty() || !graph.values.contains(node.inputs.front()) || !isAlias(node))
            continue;
        for (const ValueId output : node.outputs)
            if (graph.values.contains(output))
                stored[output] = stored[node.inputs.front()];
    }
    return stored;
}

} // namespace fivefold::lowering
