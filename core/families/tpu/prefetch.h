// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/lowering/fusion.h"
#include "core/lowering/program.h"

#include <vector>

namespace fivefold::families::tpu {

/// A parameter that the program brings on chip before the kernel that reads it.
struct Prefetch {
    lowering::ValueId value;
    std::size_t start = 0; ///< step in front of which the copy starts
    std::size_t use = 0; ///< first step that reads the copy
    std::size_t last = 0; ///< last step that reads it
    base::Seconds hidden; ///< share of its HBM time that other steps hide
    bool isCrossProgram = false; ///< starts with the program
};

/// What a step leaves of the HBM bandwidth.
struct StepLoad {
    base::Seconds time; ///< of all its executions
    base::Seconds memory; ///< HBM time within it
};

/// Parameters that XLA brings on chip ahead of time (read off its ahead-of-time output, v4 to v7x):
/// - at most one parameter a program from its start on: the largest operand of a product that fits,
///   the first of equal ones; of a convolution its kernel; of a lone reduction its operand;
///   elementwise programs have none;
/// - parameters that are read later or again: the first kernel of the program may still read HBM.
///   What of the copy the steps before cannot hide its first reader waits for; a copy that nothing
///   hides and one kernel reads is not made.
/// None is larger than the near memory without the kernels' windows. `steps` are those of the
/// graph, `loads` parallel to them. O(parameters · readers + steps).
std::vector<Prefetch> choosePrefetches(const Device& device, const lowering::StageGraph& graph,
    const base::IdVector<lowering::StepId, lowering::Step>& steps,
    const base::IdVector<lowering::KernelId, lowering::Boundary>& borders,
    const std::vector<StepLoad>& loads);

} // namespace fivefold::families::tpu
