// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/lowering/patterns.h"
#include "core/lowering/rewriter.h"

#include <functional>
#include <span>

/// How composite operators come apart, as tools with parameters. Which of them a machine uses, with
/// which parameters and under which words (Words of the rewriter) is the family's own rule. Each
/// replaces one node and returns the nodes it made, in execution order; the node stays as it is and
/// the result is empty when it is not of the operator named or lacks what the decomposition needs
/// (a known rank, mostly).
namespace fivefold::lowering {

struct SoftmaxStyle {
    bool copiesIn = false; ///< starts with a copy of the input (suffix "copy", canonical Identity)
    bool subtractsMax = true;
    bool usesReciprocal = false; ///< reciprocal + mul instead of div
    std::string rule = "softmax is max, sub, exp, sum and div";
};
/// Softmax → [copy,] max, sub, exp, sum, div. Suffixes: copy max sub exp sum div | reciprocal mul.
std::vector<NodeId> decomposeSoftmax(
    Rewriter& rewriter, NodeId node, const SoftmaxStyle& style = {});
/// LogSoftmax → max, sub, exp, sum, log, sub.
std::vector<NodeId> decomposeLogSoftmax(Rewriter& rewriter, NodeId node, const std::string& rule);

struct NormStyle {
    enum class Variance : std::uint8_t {
        CentredSquare, ///< mean((x − mean)²): mean sub mul mean
        MeanOfSquares, ///< mean(x²) − mean(x)²: one pass over the input
    };
    Variance variance = Variance::CentredSquare;
    bool usesRsqrt = true; ///< rsqrt + mul instead of sqrt + div
    /// Mean as sum + mul by 1 ÷ n, for machines without a mean.
    bool meanIsSum = false;
    std::string rule = "layer normalisation is mean, variance, rsqrt and a scaled shift";
};
/// LayerNormalization and SkipLayerNormalization (the skip and bias additions come first, suffixes
/// skip, skip_bias; the fourth output of the latter is their sum).
std::vector<NodeId> decomposeLayerNorm(
    Rewriter& rewriter, NodeId node, const NormStyle& style = {});
/// RMSNormalization and SkipRMSNormalization → square, mean, add, rsqrt, mul, mul.
std::vector<NodeId> decomposeRmsNorm(Rewriter& rewriter, NodeId node, const NormStyle& style = {});
/// InstanceNormalization, GroupNormalization → reshape to groups, statistics, scale and shift.
std::vector<NodeId> decomposeGroupNorm(
    Rewriter& rewriter, NodeId node, const NormStyle& style = {});
/// BatchNormalization in inference → one mul and one add with a folded scale and shift per channel
/// (two new Weight values "<name>/scale", "<name>/shift" of shape [C, 1, …], computed before the
/// program starts).
std::vector<NodeId> decomposeBatchNorm(Rewriter& rewriter, NodeId node, const std::string& rule);
/// LpNormalization, MeanVarianceNormalization → reductions and pointwise operators.
std::vector<NodeId> decomposeOtherNorm(Rewriter& rewriter, NodeId node, const std::string& rule);

/// Gelu, BiasGelu, FastGelu, QuickGelu, Swish, HardSwish, HardSigmoid, Mish, Elu, Selu, Celu,
/// LeakyRelu, ThresholdedRelu, Softplus, Softsign, PRelu, Clip, BiasAdd, BiasSplitGelu → elementary
/// pointwise operators (mul, add, exp, erf, tanh, max, min, where, …). `keeps` lists operators of
/// the machine that must stay whole inside (e.g. Sigmoid, Tanh, Erf, Softplus); an operator in
/// `keeps` is not taken apart itself.
struct ActivationStyle {
    std::vector<ir::Op> keeps = {ir::Op::Sigmoid, ir::Op::Tanh, ir::Op::Erf};
    /// Gelu(x) by tanh(√(2/π)(x + 0.044715x³)) even where the model asks for erf.
    bool geluByTanh = false;
    std::string rule; ///< empty: a sentence that names the operator
};
std::vector<NodeId> decomposeActivation(
    Rewriter& rewriter, NodeId node, const ActivationStyle& style = {});

struct AttentionStyle {
    bool keepsSoftmax = true; ///< leave the softmax as one Softmax node, else by `softmax`
    SoftmaxStyle softmax;
    bool repeatsKvHeads =
        false; ///< grouped queries: Expand keys and values to all heads, else broadcast by shape
    bool transposesKeys = false; ///< explicit Transpose of K, else a product with transB
    bool scalesQueries = false; ///< scale Q before the product, else the scores after it
    std::string rule = "attention is two matrix products around a softmax";
};
/// Attention (ONNX opset 23 and com.microsoft), MultiHeadAttention, GroupQueryAttention,
/// PackedAttention, QAttention → [projection,] split heads, [concat past,] q·kᵀ, scale, [mask,]
/// softmax, p·v, merge heads. The new caches are the concatenations. Suffixes: qkv q k v scores
/// scale mask softmax context merge.
std::vector<NodeId> decomposeAttention(
    Rewriter& rewriter, NodeId node, const AttentionStyle& style = {});

/// Gemm, FusedGemm → [transpose,] matmul, [mul alpha,] [add]; FusedMatMul → matmul, [mul];
/// transposed operands as transB where `keepsTransposes`, else as Transpose nodes.
struct GemmStyle {
    bool keepsTransposes = true;
    std::string rule = "a Gemm is a matrix product and an addition";
};
std::vector<NodeId> decomposeGemm(Rewriter& rewriter, NodeId node, const GemmStyle& style = {});

/// Conv, FusedConv → im2col, matmul, [add bias,] reshape (col2im is a view). For 1×1 convolutions
/// with unit stride, no padding and one group the im2col is a reshape.
std::vector<NodeId> decomposeConv(Rewriter& rewriter, NodeId node, const std::string& rule);
/// Conv with a bias → Conv without one + add; FusedConv likewise, its activation as a node.
std::vector<NodeId> splitConvBias(Rewriter& rewriter, NodeId node, const std::string& rule);

struct RecurrentStyle {
    /// The input products of all steps as one matmul before the loop; else inside each step.
    bool hoistsInput = true;
    std::string rule = "a recurrent cell is matrix products and gates, step by step";
};
/// LSTM, GRU, RNN → per direction: input product, then a loop body that executes once a step
/// (executions = steps × those of the node): recurrent product, add, gates (sigmoid, tanh, mul,
/// add), at the end the concatenation over directions. Sizes of the body are those of one step.
/// Needs known shapes.
std::vector<NodeId> decomposeRecurrent(
    Rewriter& rewriter, NodeId node, const RecurrentStyle& style = {});

/// QLinearConv, QLinearMatMul, QLinearAdd, …, ConvInteger, MatMulInteger, DynamicQuantizeMatMul,
/// MatMulIntegerToFloat, MatMulNBits → dequantise the operands, the float operator, quantise the
/// result. `computeType` is the type in between.
std::vector<NodeId> decomposeQuantised(
    Rewriter& rewriter, NodeId node, ir::DType computeType, const std::string& rule);

/// ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceSumSquare, ReduceMean (to sum + mul) →
/// pointwise operators around ReduceSum and ReduceMax; GlobalAveragePool → sum over the spatial
/// axes + mul.
std::vector<NodeId> decomposeReduction(Rewriter& rewriter, NodeId node, const std::string& rule);

/// Split → one Slice a result (attributes starts, ends, axes); Concat → stays one node whose op is
/// the machine's copy word. For machines that move data by copies.
std::vector<NodeId> decomposeSplit(Rewriter& rewriter, NodeId node, const std::string& rule);

/// RotaryEmbedding → slices, mul with cos and sin, sub, add, concat.
std::vector<NodeId> decomposeRotary(Rewriter& rewriter, NodeId node, const std::string& rule);

/// Operators of post-grad ATen graphs that stand for several: Variance, StandardDeviation and
/// VarianceMean → mean, squares, sum; SoftmaxStatistics → maximum, sum of exponentials; MaxWithIndex
/// and MinWithIndex → two reductions; Linear, BatchGemm → product, addition; Unbind → slices.
std::vector<NodeId> decomposeStatistics(Rewriter& rewriter, NodeId node, bool meanIsSum);

/// What decomposeAll uses; each nullopt leaves its operators whole.
struct DecompositionPlan {
    std::optional<SoftmaxStyle> softmax;
    std::optional<NormStyle> norms;
    std::optional<ActivationStyle> activations;
    std::optional<AttentionStyle> attention;
    std::optional<GemmStyle> gemm;
    std::optional<RecurrentStyle> recurrent;
    std::optional<ir::DType> quantised; ///< compute type
    bool batchNorm = false;
    bool convBias = false;
    bool im2col = false;
    bool reductions = false;
    bool splits = false;
    bool rotary = false;
    bool statistics = false; ///< with means as the norms have them
};
/// Applies the plan to every live node, and to the composite nodes that attention and the like
/// leave. O(nodes made).
void decomposeAll(Rewriter& rewriter, const DecompositionPlan& plan);

/// How a machine with a library of its own reads a model: occurrences of what the library has whole
/// are put together again, identities vanish, the rest comes apart by the plan.
struct LibraryWalk {
    std::span<const PatternKind> kept; ///< patterns that the library has whole
    std::string keptRule; ///< sentence start before the pattern's name: "The library has "
    std::string keptEnd = "."; ///< and what follows it
    std::string identityRule; ///< why an identity is no operator
    DecompositionPlan plan;
};
void decomposeForLibrary(Rewriter& rewriter, const LibraryWalk& walk);

/// What a family says of an operator that its machine does not run, or of one whose shape is
/// unknown.
struct Refusal {
    std::string code; ///< of the diagnostic: "groq.unsupported"
    std::string rule; ///< why; a sentence
    std::string cost; ///< what follows for the prediction, a sentence; may be empty
    std::string remedy; ///< what would mend it; a sentence
};
/// Goes over all live nodes: `refusal(node, hasUnknownShape)` marks one unsupported and reports it;
/// the others get `nativeRule` where they have none. O(nodes).
void judgeSupport(Rewriter& rewriter, base::Diagnostics& diagnostics, const std::string& nativeRule,
    const std::function<std::optional<Refusal>(const Node& node, bool hasUnknownShape)>& refusal);

} // namespace fivefold::lowering
