// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"
#include "core/families/spyre/views.h"

/// Views as maps from the element of the result to the element of the operand.
namespace fivefold::families::spyre {

/// One index a dimension of an operand of `shape` under broadcasting to the indices `at`: extents
/// of 1 do not move.
std::vector<Index> broadcastTo(const std::vector<Index>& at, const Extents& shape);

/// The element of the view's input that its element `at` is. The output tells the parts of a split
/// apart.
std::vector<Index> throughView(const lowering::StageGraph& graph, const lowering::Node& node,
    lowering::ValueId output, std::vector<Index> at, const Extents& to, const Extents& from,
    const Extents& extents);

} // namespace fivefold::families::spyre
