// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::cerebras {

/// What a PE program does for an operator.
enum class OpKind : std::uint8_t {
    View, ///< other indices for the same block
    Contraction, ///< starts a region of its own
    Reduction, ///< local sums and an all-reduce across the region
    Elementwise, ///< each PE on its own block
    Move, ///< data changes PEs over the fabric
    Unsupported,
};

OpKind kindOf(ir::Op op);
OpKind kindOf(const lowering::Node& node);
/// True for operators whose result shape depends on the data: a wafer program has fixed shapes.
bool isDynamic(ir::Op op);

const lowering::Words& words();

constexpr const char* kFabricMove =
    "fabric_move"; ///< hand-off between regions that are cut differently

} // namespace fivefold::families::cerebras
