// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/lens.h"
#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

/// Colour of each box's band under the current lens, and the letter or word that doubles it.
struct Bands {
    std::vector<QColor> colours; ///< invalid: not known
    std::vector<QString> words; ///< shown in the card; one letter for "decided by"
};
Bands bandsOf(const DisplayGraph& graph, const common::LensColours& lens);

/// What the colours mean, and the marks of what the stage added and replaced where there are some.
common::Legend legendOf(common::Lens lens, const DisplayGraph& graph);

} // namespace fivefold::views::graph
