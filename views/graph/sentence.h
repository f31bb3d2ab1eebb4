// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"
#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

/// What the graph shows for the current selection, in one sentence.
QString sentenceOf(const common::ViewState& state, const DisplayGraph* graph);

/// "Laid out for IBM Spyre: 19 OpSpecs in 2 bundles; stage 4 added 1 restickify, because …"
QString stageSentence(const analysis::Result& result, lowering::Stage stage);

/// What a card says about a box.
QStringList cardLines(const analysis::Result& result, const DisplayGraph& graph, int box);

} // namespace fivefold::views::graph
