// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"
#include "core/families/gpu/gemm.h"
#include "core/lowering/fusion.h"

#include <string>

namespace fivefold::families::gpu {

/// What one CTA of a matrix product holds, and how many stay on an SM at once: staging buffers
/// against the shared memory, fp32 accumulators against the register file. A sentence; empty where
/// the machine does not say. Source of the limits: CUDA C++ Programming Guide, hardware
/// multithreading (an SM takes as many blocks as its registers and shared memory hold).
std::string occupancySentence(const Device& device, const GemmPlan& plan);

/// CTAs of the plan that an SM holds at once; 0 where the machine does not say.
std::int64_t ctasPerSm(const Device& device, const GemmPlan& plan);

/// The share of what each kernel reads that earlier kernels wrote so shortly before that the L2
/// still holds it: everything moved since fits half of the L2. Half is our assumption: what streams
/// through takes the rest. 0 for kernels that read no results. O(nodes + edges).
base::IdVector<lowering::KernelId, double> residentShares(const lowering::StageGraph& graph,
    const base::IdVector<lowering::KernelId, lowering::Boundary>& borders,
    const base::IdVector<lowering::ValueId, lowering::ValueId>& stored, double l2Bytes);

std::string residencySentence(double share, double l2Bytes);

/// The rule sentence of a product whose inner sizes miss a multiple of 16 bytes: what pad_mm would
/// do (torch/_inductor/fx_passes/pad_mm.py: alignment 8 elements of 16 bits, 4 of 32); empty
/// otherwise.
std::string paddingRule(const lowering::Node& node, std::int64_t elementBytes);

} // namespace fivefold::families::gpu
