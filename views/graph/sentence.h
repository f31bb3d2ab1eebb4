// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/group_card.h"
#include "core/analysis/stage_changes.h"
#include "views/common/view_state.h"
#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

/// What the graph shows for the current selection, in one sentence.
QString sentenceOf(const common::ViewState& state, const DisplayGraph* graph);

/// "Laid out for IBM Spyre: 19 OpSpecs in 2 bundles; stage 4 added 1 restickify, because …"
QString stageSentence(const analysis::Result& result, lowering::Stage stage);

/// "relayout", "copy", "DMA", …
QString movementName(analysis::MovementKind kind);
/// "6 edges added: 4 relayout, 2 copy"; empty where the stage added none.
QString movementWords(const analysis::StageChanges& changes);

/// What a fusion buys and costs, in at most four lines: on the chip already? does the tile fit?
/// bytes saved and paid, the verdict.
QStringList fusionLines(const analysis::GroupCard& card);

/// One box as a line of the list twin.
QString twinText(const analysis::Result& result, const DisplayGraph& graph, int box);

/// What a card says about a box.
QStringList cardLines(const analysis::Result& result, const DisplayGraph& graph, int box);

} // namespace fivefold::views::graph
