// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fivefold::lowering {

/// C[b,m,n] = A[b,m,k]·B[(b,)k,n], sizes ≥ 1; a convolution as its implicit product.
struct ProductSizes {
    std::int64_t batch = 1, m = 1, n = 1, k = 1;
    std::int64_t elementBytes = 2;
    bool isWeightShared = false; ///< B has no batch
    bool isConvolution = false;
    /// Bytes of a convolution's real input, which its implicit product reads once and not once a
    /// tap; 0: the product's own.
    std::int64_t inputBytes = 0;
    double flops() const;
};

/// The product of a contraction node; nullopt for anything else and where a size is unknown.
std::optional<ProductSizes> productSizes(const StageGraph& graph, const Node& node);

/// What one pass of the innermost loops holds near the arithmetic, in elements, ≥ 1.
struct Block {
    std::int64_t m = 1, n = 1, k = 1;
};

/// Which operand stays while the loop inside it runs.
enum class LoopOrder : std::uint8_t {
    OutputStationary, ///< k innermost: the sums stay until they are done
    WeightStationary, ///< m innermost: a block of B stays, sums come and go
    InputStationary, ///< n innermost: a block of A stays, sums come and go
};
std::string_view toString(LoopOrder order); ///< "output", "weight", "input"
std::optional<LoopOrder> parseLoopOrder(std::string_view text);

/// Bytes that cross into and out of the near memory.
struct NestTraffic {
    double input = 0, weight = 0; ///< read
    double result = 0; ///< written, and partial sums written and read again
    double held = 0; ///< near memory that the blocks take, double-buffered where they change
    std::int64_t steps = 0; ///< blocks one after another
    double total() const { return input + weight + result; }
};

/// Traffic of the loop nest. With ⌈m⌉, ⌈n⌉, ⌈k⌉ blocks along each extent: output stationary reads A
/// ⌈n⌉ times and B ⌈m⌉ times and writes C once; weight stationary reads B once and A ⌈n⌉ times,
/// input stationary A once and B ⌈m⌉ times, and both write C ⌈k⌉ times and read it back ⌈k⌉−1
/// times at four bytes a partial sum. An operand that is whole in one block along its loops is
/// read once. The usual count of tiled loop nests (Timeloop, ISPASS 2019). O(1).
NestTraffic nestTraffic(const ProductSizes& product, const Block& block, LoopOrder order);

/// How a softmax walks its rows.
enum class SoftmaxForm : std::uint8_t {
    Kept, ///< a row stays near: read once, written once
    Online, ///< running maximum and sum: read twice, written once (Milakov and Gimelshein, 2018)
    ThreePasses, ///< maximum, sum, quotient: read three times, written once
};
std::string_view toString(SoftmaxForm form); ///< "kept", "online", "three_passes"
std::optional<SoftmaxForm> parseSoftmaxForm(std::string_view text);
/// Times that the input is read.
std::int64_t reads(SoftmaxForm form);

/// Sizes of one attention: `batch` sequences, all heads.
struct AttentionSizes {
    std::int64_t batch = 1, heads = 1, kvHeads = 1, queries = 1, keys = 1, headSize = 1,
                 valueSize = 1, elementBytes = 2;
    double flops() const; ///< of both products, without a mask
    double operandBytes() const; ///< Q, K, V and the result, each once
    double scoreBytes() const; ///< of the scores of all heads
};

/// Bytes of attention as separate kernels: product, softmax, product; the scores are written, read
/// and written by the softmax (`form`), and read again.
double unfusedAttentionBytes(const AttentionSizes& sizes, SoftmaxForm form);
/// Bytes of attention tiled with an online softmax: scores stay near; K and V are read once a block
/// of queries (FlashAttention, 2022).
double tiledAttentionBytes(const AttentionSizes& sizes, std::int64_t queryBlock);
/// Near bytes of one tile: Q, the running result and two blocks of K and V.
double attentionTileBytes(
    const AttentionSizes& sizes, std::int64_t queryBlock, std::int64_t keyBlock);

/// The attention that a node computes or is the softmax of: an attention operator, or a softmax
/// between two products with pointwise operators between them at most. O(users · steps).
std::optional<AttentionSizes> attentionSizes(const StageGraph& graph, NodeId node);

} // namespace fivefold::lowering
