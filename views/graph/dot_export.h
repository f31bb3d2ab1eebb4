// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <QString>

namespace fivefold::views::graph {

/// The graph of a stage in Graphviz's language: a node an operator, a cluster a kernel, shapes on
/// the edges. Every name is quoted. Empty when the stage is missing.
QString toDot(const analysis::Result& result, lowering::Stage stage);

} // namespace fivefold::views::graph
