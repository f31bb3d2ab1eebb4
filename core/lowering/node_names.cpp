// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/node_names.h"

#include <bit>

namespace fivefold::lowering {

bool hasUniqueNames(const base::IdVector<NodeId, Node>& nodes) {
    struct Slot {
        std::size_t hash = 0;
        NodeId node; ///< invalid: free
    };
    std::vector<Slot> slots(std::bit_ceil(2 * nodes.size() + 1)); // open addressing
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string& name = nodes[NodeId(i)].name;
        const std::size_t hash = std::hash<std::string>()(name);
        std::size_t at = hash & (slots.size() - 1);
        while (slots[at].node.isValid()) {
            if (slots[at].hash == hash && nodes[slots[at].node].name == name)
                return false;
            at = (at + 1) & (slots.size() - 1);
        }
        slots[at] = {hash, NodeId(i)};
    }
    return true;
}

} // namespace fivefold::lowering
