// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/display_graph.h"

#include <string_view>
#include <unordered_set>

namespace fivefold::views::graph::detail {

/// A picture while it grows. The steps run in the order of their declaration below.
struct Picture {
    const analysis::Result& result;
    const lowering::StageGraph& graph;
    const ScopeTree& tree;
    const PresentOptions& options;
    DisplayGraph out;
    std::unordered_set<std::string_view> before; ///< names of the stage before; empty at captured
    std::vector<int>
        boxOfNode; ///< stage node → box; hidden constants: the box that reads them; else −1
    std::vector<char> isHidden; ///< stage node is a constant that is not drawn
    std::vector<int> boxOfContainer; ///< closed container → box, or −1
    base::IdVector<lowering::ValueId, int> pillOf; ///< value → its input or constant pill, or −1
    base::IdVector<ir::NodeId, int> removedBox; ///< captured node → box of a removed node, or −1

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    int boxOfProducer(lowering::ValueId value) const;
};

void addBoxes(Picture& picture); ///< operators and closed containers
void addPills(Picture& picture); ///< model inputs and outputs, constants on request
void addRemoved(Picture& picture);
void addTimes(Picture& picture);
void addEdges(Picture& picture); ///< with labels and stubs; output pills included
void addGroups(Picture& picture); ///< kernels and open scopes
void addIndex(Picture& picture); ///< boxesOf and its sisters

} // namespace fivefold::views::graph::detail
