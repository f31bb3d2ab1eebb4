// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <string>
#include <vector>

namespace fivefold::views::graph {

/// What a box or frame of the graph view can hold together.
enum class ContainerKind {
    Root,
    Scope, ///< a module of the model
    Control, ///< an If, Loop, Scan or call with its bodies
    Branch, ///< one of several bodies of a control node
    Run, ///< neighbours of the same structure: "layers.0–31 ×32"
    Chunk, ///< a stretch of a long list without modules
    Origin, ///< the operators that one captured operator became in one kernel
};

/// A child: a node of the stage or another container.
struct Item {
    bool isNode = true;
    int index = 0;
    bool operator==(const Item&) const = default;
};

struct Container {
    ContainerKind kind = ContainerKind::Root;
    std::string key; ///< the same for the same thing at every stage, machine and setting
    std::string label;
    std::string prefix; ///< of Origin: name of the one-operator module around it, or empty
    int parent = -1;
    std::vector<Item> items; ///< in execution order
    int nodeCount = 0; ///< nodes below, at all depths
    std::size_t hash = 0; ///< equal for containers of equal operators, shapes and inner edges
    ir::NodeId owner; ///< of Control, Branch and Origin: the captured node
    bool isUntaken = false; ///< a branch that does not run
    bool isInsideUntaken = false;
};

/// The nodes of one stage by module, control flow and origin. Immutable; shared between threads.
struct ScopeTree {
    std::vector<Container>
        containers; ///< 0 is the root; parents stand before their children in `order`
    std::vector<int> order; ///< all containers, parents first
    std::vector<int> containerOf; ///< stage node → innermost container
    std::vector<std::string>
        prefixOf; ///< stage node → name of the one-operator module around it, or empty
    /// Stage node → it is a constant, or at the captured stage computed from stored values alone.
    /// Such nodes are in no container's items: they take no room until they are asked for.
    std::vector<char> isConstant;

    bool isBelow(int container, int ancestor) const;
};

/// Lists longer than this are cut into chunks where the fewest values cross.
constexpr std::size_t kLongList = 100;
constexpr std::size_t kChunk = 32;
/// So many neighbours of equal structure become a run.
constexpr std::size_t kRunFrom = 3;

/// O(nodes + edges) but for the cutting, which is O(items · chunk).
ScopeTree buildScopeTree(const analysis::Result& result, lowering::Stage stage);

namespace detail {
/// Fills nodeCount and hash of all containers; `tree.order` must be set.
void summarise(ScopeTree& tree, const lowering::StageGraph& graph);
/// Parents first; drops containers that hold nothing.
void sortParentsFirst(ScopeTree& tree);
void foldRuns(ScopeTree& tree);
void cutLongLists(ScopeTree& tree, const lowering::StageGraph& graph);
} // namespace detail

} // namespace fivefold::views::graph
