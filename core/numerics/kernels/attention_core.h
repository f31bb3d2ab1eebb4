// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"
#include "core/numerics/rearrange.h"

/// What all attention operators do once their operands are apart.
namespace fivefold::numerics {

/// Which scores an operator also returns (qk_matmul_output_mode of ONNX).
enum class ScoreStage : std::uint8_t { Product = 0, Capped = 1, Masked = 2, Weights = 3 };

struct AttentionTask {
    Tensor q; ///< batch, heads, queries, size
    Tensor k; ///< batch, heads of keys, keys, size
    Tensor v; ///< batch, heads of keys, keys, size of values
    std::optional<Tensor> mask; ///< broadcasts to batch, heads, queries, keys: Bool keeps where
                                ///< true, floats are added; a shorter last axis masks the rest
    double scale = 1;
    double softcap = 0; ///< 0: none
    double maskedScore = 0; ///< added where a Bool mask is false; 0: minus infinity
    bool isCausal = false;
    std::vector<std::int64_t> offsets; ///< of a batch: keys before the first query; empty: none
    std::vector<std::int64_t> lengths; ///< of a batch: keys that count; empty: all
    std::int64_t window = 0; ///< keys seen back from a query, itself included; 0: all
    bool returnsScores = false;
    ScoreStage stage = ScoreStage::Product;
};

struct AttentionResult {
    Tensor y; ///< batch, heads, queries, size of values
    Tensor scores; ///< batch, heads, queries, keys where wanted
};

/// Softmax(softcap(scale · q kᵀ) + mask) v. The heads of queries share keys in equal groups. A
/// query without any key has weights of zero.
base::Result<AttentionResult> attend(const Call& call, const AttentionTask& task);

/// (batch, length, heads · size) to (batch, heads, length, size), and back.
Tensor headsApart(const Tensor& x, std::int64_t heads);
Tensor headsTogether(const Tensor& x);
/// past and new keys or values, along their axis 2; the new ones alone without a past.
base::Result<Tensor> appended(const Call& call, const Tensor* past, const Tensor& added);

/// Rotates pairs of each head of x (batch, heads, length, size). `cos` and `sin`: (positions,
/// pairs), or (batch, length, pairs) without positions. `positions`: batch · length of them, empty:
/// 0, 1, ….
struct Rotation {
    Tensor cos, sin;
    std::vector<std::int64_t> positions;
    bool isInterleaved = false;
    std::int64_t dims = 0; ///< of a head that turn; 0: all
};
base::Result<Tensor> rotated(const Call& call, const Tensor& x, const Rotation& rotation);

Outputs runContribAttention(const Call& call); ///< com.microsoft: projects its input first
Outputs runMultiHeadAttention(const Call& call);
Outputs runGroupQueryAttention(const Call& call);

} // namespace fivefold::numerics
