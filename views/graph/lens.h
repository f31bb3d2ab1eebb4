// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/lens.h"
#include "views/common/verdict.h"
#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

/// Colour of each box's band under the current lens, and the letter or word that doubles it.
struct Bands {
    std::vector<QColor> colours; ///< invalid: not known
    std::vector<QString> words; ///< shown in the card; one letter for "decided by"
    /// Of the verdict lens, by box: fill, border, glyph and "1 of 65"; empty under other lenses,
    /// nullopt for what was not compared.
    std::vector<std::optional<common::VerdictState>> verdicts;
};
/// "1 of 65" of a box with wrong elements; else empty.
QString wrongText(const common::VerdictState& state);
Bands bandsOf(const DisplayGraph& graph, const common::LensColours& lens);

/// What the colours mean, and the marks of what the stage added and replaced where there are some.
common::Legend legendOf(common::Lens lens, const DisplayGraph& graph);

} // namespace fivefold::views::graph
