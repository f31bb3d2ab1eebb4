// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/graph/display_graph.h"

#include <QColor>

namespace fivefold::views::graph {

/// Colour of each box's band under the current lens, and the letter or word that doubles it.
struct Bands {
    std::vector<QColor> colours;
    std::vector<QString> words; ///< shown in the card; one letter for "decided by"
};
Bands bandsOf(const DisplayGraph& graph, const analysis::Result& result, common::Lens lens);

/// What the colours mean.
common::Legend legendOf(common::Lens lens, bool hasAdded);

} // namespace fivefold::views::graph
