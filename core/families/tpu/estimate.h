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

/// time = fixed + max(compute, HBM bytes/rate, on-chip bytes/BW), or the sum of both where a
/// product's copies do not overlap (measured.h):
/// - compute = max(matrix units, vector unit), which share a bundle; matrix units by productTime,
///   never faster than the weight tiles of mxu.h are pushed; the vector unit works on whole (8,128)
///   tiles, one operation an element;
/// - fixed cost of a kernel on the device: measured on v4 (XProf) and v7x (tpu-recipes traces),
///   carried over else. Never below flops ÷ peak nor a level's bytes ÷ bandwidth.
/// The band is that of the machine's series (error_matmul, error_elementwise, error_copy).
StepPlan planStep(const Device& device, const lowering::StageGraph& graph,
    lowering::KernelId kernel, const KernelBytes& bytes);

/// One more scheduling part of an estimate that is finished: its time and band grow by it.
void addPart(lowering::Estimate& estimate, lowering::TimePart part);

/// Layer norms were measured whole (v4): where the steps of one take less than its equation, the
/// last one gets the rest.
void timeLayerNorms(const Device& device, const ir::Graph& captured,
    const lowering::StageGraph& graph, lowering::Program& program);

} // namespace fivefold::families::tpu
