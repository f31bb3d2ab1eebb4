// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::spyre {

/// Scaled dot-product attention as torch-spyre's decompositions.py writes it (August 2026): online
/// softmax over one tile, running maximum and sum in tensors of their own. `queryStrides` are the
/// host strides of the queries, empty where unknown: the result lies like them. False where the
/// operands are not of rank 4 and equally many heads.
bool decomposeTiledAttention(lowering::Rewriter& rewriter, lowering::NodeId id,
    const std::vector<std::int64_t>& queryStrides);

} // namespace fivefold::families::spyre
