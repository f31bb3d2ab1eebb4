// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <algorithm>

namespace fivefold::lowering {

/// The stored value behind every value: nodes for which `isAlias(node)` holds make no copy, their
/// results are their first input under other indices. A value that is stored itself maps to itself.
/// O(nodes + edges).
template <typename Predicate>
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

/// Bytes that a kernel's nodes touch of one value: all of it, unless every reader looks at a part
/// only
/// (`isPart(node, value)`: a slice, a table look-up), whose result then tells how much.
/// `bytesOf(value)` gives the bytes of a value; nullopt where a shape is unknown. O(users).
template <typename IsPart, typename BytesOf>
std::optional<std::int64_t> touchedBytes(const StageGraph& graph, ValueId id, KernelId kernel,
    const IsPart& isPart, const BytesOf& bytesOf) {
    const std::optional<base::Bytes> whole = bytesOf(graph.values[id]);
    if (!whole)
        return std::nullopt;
    std::int64_t touched = 0;
    for (const NodeId user : graph.values[id].users) {
        const Node& node = graph.nodes[user];
        if (node.kernel != kernel)
            continue;
        if (!isPart(node, id))
            return whole->value;
        for (const ValueId output : node.outputs) {
            if (!graph.values.contains(output))
                continue;
            const std::optional<base::Bytes> part = bytesOf(graph.values[output]);
            if (!part)
                return std::nullopt;
            touched += std::min(part->value, whole->value);
            if (touched >= whole->value)
                return whole->value;
        }
    }
    return touched;
}

} // namespace fivefold::lowering
