// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

// One box as text for the clipboard: its nodes with operator, sources, inputs, outputs, shapes and
// time.
QString asText(const analysis::Result& result, const DisplayGraph& graph, int box);
QString asJson(const analysis::Result& result, const DisplayGraph& graph, int box);
QString asMarkdown(const analysis::Result& result, const DisplayGraph& graph, int box);

} // namespace fivefold::views::graph
