// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"

/// The five steps of the TPU lowering; see lowering::Family for their contract.
namespace fivefold::families::tpu {

/// HLO operators: composite ones in elementary operators, means as sums, recurrent cells as while
/// loops.
base::Result<lowering::StageGraph> decompose(
    const lowering::Context& context, const Device& device, lowering::StageGraph inlined);

/// Loop fusions, reductions with their producers, products with epilogue and prologue (at most one
/// a kernel).
base::Result<lowering::StageGraph> fuse(
    const lowering::Context& context, const Device& device, lowering::StageGraph decomposed);

/// Tiled layouts of least padding; bitcasts where bytes agree, copies where a kernel wants another
/// order.
base::Result<lowering::StageGraph> layOut(
    const lowering::Context& context, const Device& device, lowering::StageGraph fused);

/// Folds of every product; internal results in VMEM where they fit, the rest in HBM.
base::Result<lowering::StageGraph> place(const lowering::Context& context, const Device& device,
    lowering::StageGraph laidOut, lowering::Program& program);

/// Estimates, and the program order as events.
base::Result<lowering::StageGraph> schedule(const lowering::Context& context, const Device& device,
    lowering::StageGraph placed, lowering::Program& program);

} // namespace fivefold::families::tpu
