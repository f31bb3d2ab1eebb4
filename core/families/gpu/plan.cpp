// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/plan.h"

#include "core/families/gpu/operators.h"
#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::int64_t kFewChannels = 16; ///< an m16n8k16 instruction is mostly empty below that
constexpr std::int64_t kQueryBlock = 128; ///< FlashAttention-2 forward, head size up to 128
constexpr std::int64_t kDecodeQueries = 8;
constexpr std::int64_t kMostSplits = 2;

std::int64_t elementBytesOf(const StageGraph& graph, const Node& node) {
    for (const ValueId input : node.inputs)
        if (graph.values.contains(input))
            return std::max<std::int64_t>(1, ir::bitWidth(graph.values[input].dtype) / 8);
    return 2;
}

} // namespace

bool isDirectConvolution(const Node& node) {
    return isConvolution(node.canonical) && node.work.batch > 1
        && (node.work.n < kFewChannels || node.work.k < kFewChannels);
}

std::optional<GemmProblem> problemOf(const StageGraph& graph, const Node& node) {
    if (!node.work.isKnown || node.work.m <= 0 || node.work.n <= 0 || node.work.k <= 0)
        return std::nullopt;
    if (!(isMatrixProduct(node.canonical) || isConvolution(node.canonical))
        || isDirectConvolution(node))
        return std::nullopt;
    GemmProblem problem;
    problem.batch = std::max<std::int64_t>(1, node.work.batch);
    problem.m = node.work.m;
    problem.n = node.work.n;
    problem.k = node.work.k;
    problem.elementBytes = elementBytesOf(graph, node);
    const bool isSharedWeight = node.inputs.size() > 1 && graph.values.contains(node.inputs[1])
        && graph.values[node.inputs[1]].shape && graph.values[node.inputs[1]].shape->size() == 2;
    if (isMatrixProduct(node.canonical) && isSharedWeight && problem.batch > 1) {
        problem.m = saturatingMul(problem.m, problem.batch); // leading dimensions are rows
        problem.batch = 1;
    }
    return problem;
}

AttentionPlan planAttention(const Device& device, const StageGraph&, const Node& node) {
    AttentionPlan plan;
    plan.heads = std::max<std::int64_t>(1, node.work.batch);
    plan.queries = std::max<std::int64_t>(1, node.work.m);
    plan.keys = std::max<std::int64_t>(1, node.work.n);
    plan.headSize = std::max<std::int64_t>(1, node.work.k);
    plan.isCausal = node.canonical == Op::GroupQueryAttention
        || node.attributes.integer("is_causal", 0) != 0
        || node.attributes.integer("unidirectional", 0) != 0;
    plan.isDecode = plan.queries <= kDecodeQueries;
    if (plan.isDecode)
        plan.splits = std::clamp<std::int64_t>(device.sms / plan.heads, 1, kMostSplits);
    plan.ctas =
        saturatingMul(plan.heads, plan.isDecode ? plan.splits : ceilDiv(plan.queries, kQueryBlock));
    plan.waves = waves(plan.ctas, device.sms);
    return plan;
}

} // namespace fivefold::families::gpu
