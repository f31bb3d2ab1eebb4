// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"
#include "core/lowering/rewriter.h"

/// Graph passes between AOTAutograd and the loops.
namespace fivefold::families::spyre {

/// Moves every operator right before the first of its users, as far as all of its users come after
/// (torch/_inductor/fx_passes/post_grad.py, reorder_for_locality). Operators that nobody reads are
/// dropped. O(nodes + edges).
lowering::StageGraph inLocalOrder(lowering::StageGraph graph, const ir::Graph& captured);

/// Gives products the batch dimensions back that PyTorch flattened away around them: a linear layer
/// of a rank-3 tensor becomes aten.bmm with an expanded weight, a batched product of rank 4 becomes
/// spyre.batched_matmul (torch-spyre _inductor passes: mm to bmm, unflatten).
void unflattenProducts(lowering::Rewriter& rewriter);

/// A convolution over images in one group as torch-spyre has it: weight and bias are reshaped and
/// the image is unfolded on the host, the product runs on the device (torch-spyre
/// decompositions.py). False where it is another convolution.
bool decomposeConvolution(lowering::Rewriter& rewriter, lowering::NodeId id);

} // namespace fivefold::families::spyre
