// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::spyre {

/// Turns views into clones where ATen makes a copy: a reshape across dimensions that do not lie one
/// behind another (aten.reshape), and an output of the model that is a permuted view. For graphs
/// whose exporter left that open; fx graphs say it. O(nodes + edges).
void materialiseViews(lowering::Rewriter& rewriter);

} // namespace fivefold::families::spyre
