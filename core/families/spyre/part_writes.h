// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::spyre {

/// Concatenations and pads as the compiler has them: a tensor is allocated, and one identity writes
/// each part of it (torch-spyre decompositions.py, lowering.py: overwrite). The parts are a chain
/// of nodes, each with the tensor so far as an input; attributes as in loops.h. False where shapes
/// or pads are unknown, or a pad is not constant.
bool splitConcat(lowering::Rewriter& rewriter, lowering::NodeId id);
bool splitPad(lowering::Rewriter& rewriter, lowering::NodeId id);

/// The right operand of a product whose k does not fill its last stick must have zeros there (a
/// left operand need not): torch-spyre padding.py, insert_bmm_padding.
bool padsRightOperand(const lowering::StageGraph& graph, const lowering::Node& node);
/// Elements that k is padded to.
std::int64_t paddedK(std::int64_t k);

} // namespace fivefold::families::spyre
