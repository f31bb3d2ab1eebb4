// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/tpu/device.h"
#include "core/families/tpu/mxu.h"
#include "core/families/tpu/residency.h"

namespace fivefold::families::tpu {

/// How a kernel uses the units, and its time.
struct StepPlan {
    std::string workDivision;
    std::int64_t unitsUsed = 1;
    lowering::Estimate estimate; ///< of one execution
};

/// The product of a node for the matrix units; nullopt when it is none, or when XLA gives it to the
/// vector unit: a dot with one row or column (multiply and reduce, up to v6e) or a convolution with
/// few channels a group.
std::optional<MxuProblem> problemOf(
    const Device& device, const lowering::StageGraph& graph, const lowering::Node& node);

/// time = fixed + max(compute, HBM bytes/(BW·efficiency), on-chip bytes/BW) [+ the part of a
/// product's copies that nothing hides]:
/// - compute = max(matrix units, vector unit), which share a bundle; matrix units by mxu.h over the
/// reached share
///   of their rate; the vector unit works on whole (8,128) tiles, one operation an element;
/// - fixed cost of a kernel on the device: measured on v4 (XProf) and v7x (tpu-recipes traces),
/// carried over else. Never below flops ÷ peak nor a level's bytes ÷ bandwidth.
StepPlan planStep(const Device& device, const lowering::StageGraph& graph,
    lowering::KernelId kernel, const KernelBytes& bytes);

} // namespace fivefold::families::tpu
