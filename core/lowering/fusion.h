// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <functional>
#include <span>

namespace fivefold::lowering {

using GroupId = base::Id<struct FusionGroupTag>;

/// Groups of nodes on the way to kernels. Starts with every node on its own; merges keep the groups
/// an acyclic graph: two groups whose union would have a path that leaves and comes back are not
/// merged. The groups' order is always a valid execution order.
class Fusion {
public:
    explicit Fusion(const StageGraph& graph);

    const StageGraph& graph() const { return m_graph; }
    GroupId groupOf(NodeId node) const;
    const std::vector<NodeId>& nodes(GroupId group) const { return m_members[group.index()]; }
    std::vector<GroupId> groups() const; ///< in execution order
    /// Producing groups of the group's inputs, each once.
    std::vector<GroupId> producers(GroupId group) const;
    std::vector<GroupId> consumers(GroupId group) const;

    /// False when the union would be cyclic or larger than maximumNodes, or when the two do not
    /// execute equally often. The same group: true.
    bool canMerge(GroupId a, GroupId b) const;
    bool merge(GroupId a, GroupId b,
        std::string reason = {}); ///< false, and nothing changes, when not canMerge
    const std::string& reason(GroupId group) const { return m_reason[group.index()]; }
    void setReason(GroupId group, std::string reason) {
        m_reason[group.index()] = std::move(reason);
    }

    std::size_t maximumNodes = 4096; ///< of one group
    /// A merge whose check would look at more edges than this is refused: keeps huge graphs
    /// linear.
    std::size_t searchLimit = 4096;

    /// Greedy in execution order: each edge producer → consumer for which `wants` says yes is
    /// merged if it can be. `wants` returns a reason, empty = no. Returns the number of merges.
    using Predicate = std::function<std::string(const Fusion&, NodeId producer, NodeId consumer)>;
    std::size_t mergeEdges(const Predicate& wants);

    /// Name, kind and reason of a kernel.
    struct Label {
        std::string name, kind, reason;
    };
    /// The graph with one kernel a group, nodes reordered so that a kernel's are contiguous; stage
    /// Fused. An empty name is made from the kind and a number, an empty reason taken from the
    /// merges.
    StageGraph finish(
        StageGraph graph, const std::function<Label(const Fusion&, GroupId)>& label) const;

private:
    bool fits(GroupId a, GroupId b) const;
    bool search(GroupId first, GroupId last, std::vector<GroupId>& reachable) const;

    const StageGraph& m_graph;
    std::vector<std::uint32_t> m_group; ///< node → group (its first node's index)
    std::vector<std::vector<NodeId>> m_members;
    std::vector<std::string> m_reason;
    std::vector<std::uint32_t> m_place; ///< group → place in the order
    std::vector<std::uint32_t> m_order; ///< place → group, kInvalid for a gap
    mutable std::vector<std::uint32_t> m_mark; ///< visited stamps of search()
    mutable std::uint32_t m_stamp = 0;
};

/// One kernel a node, in order: what a machine without fusion does, and `--fusion off`.
StageGraph oneKernelEach(StageGraph graph, const std::function<std::string(const Node&)>& kind);

/// What a kernel moves across its border. Each value once, in order of first use.
struct Boundary {
    std::vector<ValueId> inputs; ///< read from outside
    std::vector<ValueId> outputs; ///< written and used outside, or outputs of the model
    std::vector<ValueId> internals; ///< made and used up inside
};
Boundary boundary(const StageGraph& graph, std::span<const NodeId> nodes);
/// For all kernels at once, O(nodes + edges); parallel to graph.kernels.
base::IdVector<KernelId, Boundary> boundaries(const StageGraph& graph);

} // namespace fivefold::lowering
