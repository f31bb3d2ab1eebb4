// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::families::cpu {

/// Steps, and one buffer in main memory for every tensor that is stored: views share their
/// tensor's.
void place(const lowering::Context& context, const lowering::StageGraph& graph,
    lowering::Program& program);
/// Time of every step by the roofline.
void estimate(const lowering::Context& context, const lowering::StageGraph& graph,
    lowering::Program& program);
/// Index of the memory that holds the tensors.
std::size_t mainMemory(const machines::Machine& machine);
const lowering::CompilerPipeline& compilerPipeline();

} // namespace fivefold::families::cpu
