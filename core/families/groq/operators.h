// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

namespace fivefold::families::groq {

/// Kernel kind and operator of a tensor that crosses from one chip to another.
constexpr const char* kTransfer = "transfer";
constexpr const char* kTransferOp = "c2c_transfer";

/// The functional slices that do an operator.
enum class OpKind : std::uint8_t {
    View, ///< other addresses for the same vectors
    Matrix, ///< MXM
    Vector, ///< VXM, while the streams pass
    Reduction, ///< SXM and VXM
    Shift, ///< SXM
    Lookup, ///< MEM by address: gather
    Unsupported,
};

OpKind kindOf(ir::Op op);
/// A reshape that keeps the last dimension is a view, one that changes it moves lanes.
OpKind kindOf(const lowering::StageGraph& graph, const lowering::Node& node);
const lowering::Words& words();

} // namespace fivefold::families::groq
