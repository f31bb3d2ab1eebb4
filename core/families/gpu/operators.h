// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

#include <string_view>

namespace fivefold::families::gpu {

/// What Inductor does with an ATen operator.
enum class OpKind : std::uint8_t {
    View, ///< changes indices only; no kernel of its own
    Pointwise, ///< one result from the elements at its own index; inlined into its readers
    Indirect, ///< pointwise in its result, reads through an index or a mask: gather, pad, concat
    Window, ///< pooling and interpolation: pointwise in its result, overlapping reads
    Reduction, ///< statistics along axes, scans
    Library, ///< a call into cuBLAS, cuDNN, FlashAttention or an ATen kernel; fused with nothing
    Host, ///< no kernel on the device: data goes to the host and comes back
    Free, ///< bookkeeping of the host program: sequences, optionals, shapes
    Unsupported, ///< neither Inductor nor ATen has it
};

/// The class of an operator that decomposition left. Complete: every canonical operator has one.
/// Source: torch/_inductor/lowering.py (register_lowering, make_fallback) as of torch 2.14.
OpKind kindOf(const lowering::Node& node);

/// A reduction of at least eight inputs a result; a shorter one is unrolled into pointwise code
/// (torch/_inductor/ir.py, Reduction.create).
bool isLoopedReduction(const lowering::Node& node);

/// ATen names of canonical operators ("aten.mm", "aten.amax").
const lowering::Words& atenWords();

/// True for library kernels that make the host wait for a size: nonzero, unique, masked_select,
/// nms.
bool needsHostSync(ir::Op op);

/// True for tensor-core products with an m × n × k size that the tile model covers.
bool isMatrixProduct(ir::Op op);
bool isConvolution(ir::Op op);
bool isAttention(ir::Op op);
bool isRecurrent(ir::Op op);

/// What would mend an operator that the machine does not run: a sentence.
std::string remedyFor(const lowering::Node& node, OpKind kind);

} // namespace fivefold::families::gpu
