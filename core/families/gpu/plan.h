// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/attention_time.h"
#include "core/families/gpu/gemm.h"
#include "core/lowering/program.h"

#include <optional>

namespace fivefold::families::gpu {

/// The product that a library call computes, from the sizes of its node; nullopt when it is not one
/// for the tensor cores (a depthwise convolution, an unknown shape).
std::optional<GemmProblem> problemOf(const lowering::StageGraph& graph, const lowering::Node& node);

/// Convolutions with one or few channels a group run on the CUDA cores: a tile of the tensor cores
/// would be empty.
bool isDirectConvolution(const lowering::Node& node);

/// How an attention call is cut and what its parts take: a CTA a block of queries and a head; in
/// decode (few queries) one a group of heads and share of the keys.
struct AttentionPlan {
    AttentionProblem problem;
    AttentionTime time;
    bool isDecode = false;
    std::int64_t waves = 1;
};
AttentionPlan planAttention(
    const Device& device, const lowering::StageGraph& graph, const lowering::Node& node);

} // namespace fivefold::families::gpu
