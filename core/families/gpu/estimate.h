// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"
#include "core/families/gpu/gemm.h"
#include "core/families/gpu/traffic.h"
#include "core/lowering/program.h"
#include "core/lowering/wave_grid.h"

namespace fivefold::families::gpu {

/// What a step costs beside how it is cut: one look at its kernel.
struct StepPlan {
    std::string workDivision;
    std::int64_t unitsUsed = 1;
    std::optional<lowering::WaveGrid> grid; ///< CTAs over SMs; none: nothing is launched
    lowering::Estimate estimate; ///< of one execution
};

/// Plans and estimates one kernel launch. Parts:
/// - matrix products and convolutions: gemm.h;
/// - attention: attention_time.h;
/// - everything else: fixed + passes · bytes/(BW·eff), the arithmetic on the fp32 pipes beside it;
/// - launch: 0.9 µs a kernel in a CUDA graph; without one the host needs launch_driver_s a kernel,
/// and what the
///   device does not hide of it is added.
/// The time is never below flops ÷ peak nor below any level's bytes ÷ bandwidth.
/// Constants: fitted on aiconfigurator (TensorRT-LLM) kernel times; NeuSight and LLMCompass for the
/// rest.
StepPlan planStep(const Device& device, const lowering::StageGraph& graph,
    lowering::KernelId kernel, const KernelBytes& bytes, GemmPlans& plans);

} // namespace fivefold::families::gpu
