// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/plan.h"

#include "core/families/gpu/operators.h"
#include "core/lowering/attention_shape.h"
#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

constexpr std::int64_t kFewChannels = 16; ///< an m16n8k16 instruction is mostly empty below that
constexpr std::int64_t kDecodeQueries = 8;

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

AttentionPlan planAttention(const Device& device, const StageGraph& graph, const Node& node) {
    AttentionPlan plan;
    AttentionProblem& problem = plan.problem;
    if (const auto shape = attentionShape(graph.values, node)) {
        problem = {shape->batch, shape->queries, shape->keys, shape->heads, shape->kvHeads,
            shape->headSize};
    } else {
        problem.heads = problem.keyValueHeads = node.work.batch;
        problem.queries = node.work.m;
        problem.keys = node.work.n;
        problem.headSize = node.work.k;
    }
    for (std::int64_t* size : {&problem.batch, &problem.queries, &problem.keys, &problem.heads,
             &problem.keyValueHeads, &problem.headSize})
        *size = std::max<std::int64_t>(1, *size);
    problem.elementBytes = elementBytesOf(graph, node);
    problem.isCausal = node.canonical == Op::GroupQueryAttention
        || node.attributes.integer("is_causal", 0) != 0
        || node.attributes.integer("unidirectional", 0) != 0;
    plan.isDecode = problem.queries <= kDecodeQueries;
    const AttentionDevice sizes = {device.sms, device.peak, device.dramBandwidth};
    plan.time = plan.isDecode ? decodeTime(sizes, device.decode, problem)
                              : prefillTime(sizes, device.prefill, problem);
    plan.waves = waves(plan.time.ctas, device.sms);
    return plan;
}

} // namespace fivefold::families::gpu
