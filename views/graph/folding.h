// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/scope_tree.h"

#include <map>

namespace fivefold::views::graph {

enum class FoldMode { Automatic, Folded, Expanded };

/// What the user wants open. Keys are those of containers, so that it holds across stages and
/// machines.
struct Folding {
    FoldMode mode = FoldMode::Automatic;
    std::map<std::string, bool> isOpen; ///< exceptions from the mode
    std::string last; ///< opened last: wins when not everything fits
    bool operator==(const Folding&) const = default;
};

struct Expansion {
    std::vector<char> isOpen; ///< per container; the root always
    std::vector<int> foldedInto; ///< per container: the outermost closed one that holds it, or −1
    int boxes = 0;
    int foldedCount = 0; ///< closed containers that show as boxes
    bool isLimited = false; ///< something that should be open stays closed for kMaxBoxes
};

/// A first picture has at most so many boxes, whatever the model.
constexpr int kFirstBoxes = 60;
/// No picture has more.
constexpr int kMaxBoxes = 500;

/// Opens what the user opened (the last one first), then by mode: Automatic goes level by level
/// while all containers of a level, or all of one parent, fit into kFirstBoxes; runs and origins
/// stay closed. O(containers).
Expansion expand(const ScopeTree& tree, const Folding& folding);

} // namespace fivefold::views::graph
