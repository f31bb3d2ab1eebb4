// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

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

/// How an attention call is cut: one CTA a block of 128 queries and a head; in decode (few queries)
/// one a key-value head and split.
struct AttentionPlan {
    bool isDecode = false;
    std::int64_t heads = 1; ///< batch · heads
    std::int64_t queries = 1, keys = 1, headSize = 64;
    bool isCausal = false;
    std::int64_t ctas = 1, waves = 1;
    std::int64_t splits = 1; ///< of the keys, decode only
};
AttentionPlan planAttention(
    const Device& device, const lowering::StageGraph& graph, const lowering::Node& node);

} // namespace fivefold::families::gpu
