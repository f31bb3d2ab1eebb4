// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/state.h"

#include <algorithm>

namespace fivefold::ir::inference {

const RuleTable& rules() {
    static const RuleTable kTable = [] {
        RuleTable table;
        addPointwiseRules(table);
        addReductionRules(table);
        addNormalisationRules(table);
        addConvolutionRules(table);
        addPoolingRules(table);
        addContractionRules(table);
        addAttentionRules(table);
        addMovementRules(table);
        addIndexingRules(table);
        addGeneratorRules(table);
        addImageRules(table);
        addRecurrentRules(table);
        addSequenceRules(table);
        addControlFlowRules(table);
        addQuantisedRules(table);
        addSignalRules(table);
        addContribRules(table);
        addLossAndTrainingRules(table);
        addTextRules(table);
        addClassicalRules(table);
        addAtenRules(table);
        return table;
    }();
    return kTable;
}

namespace {

bool isRandom(Op op) {
    return op == Op::RandomNormal || op == Op::RandomNormalLike || op == Op::RandomUniform
        || op == Op::RandomUniformLike || op == Op::RandomSeeds || op == Op::Bernoulli || op == Op::Multinomial;
}

/// True when the node's results follow from constants of the file alone.
bool isConstantNode(const State& state, const Node& node) {
    if (node.op == Op::Constant)
        return true;
    if (isRandom(node.op) || node.op == Op::Unknown || !node.blocks.empty())
        return false;
    bool hasInput = false;
    for (const ValueId id : node.inputs) {
        if (!state.graph.values.contains(id))
            continue;
        hasInput = true;
        if (!state.typed.isConstant[id])
            return false;
    }
    return hasInput;
}

void mergeDeclaredOutputs(State& state, const Node& node) {
    const bool isTrusted = state.graph.info.format == "fx";
    for (const ValueId id : node.outputs) {
        if (!state.graph.values.contains(id))
            continue;
        const Value& value = state.graph.values[id];
        if (value.declared == ValueType())
            continue;
        ValueType& type = state.typed.types[id];
        const ValueType declared = resolveDeclared(state, value.declared);
        const std::string& name = value.name.empty() ? node.name : value.name;
        type = isTrusted ? trustDeclared(state, type, declared, name)
                         : mergeDeclared(state, type, declared, name);
    }
}

void inferNode(State& state, NodeId id) {
    const Node& node = state.graph.nodes[id];
    if (state.beforeNode)
        state.beforeNode(state, id);
    for (const ValueId output : node.outputs)
        if (state.graph.values.contains(output))
            forget(state, output);
    NodeContext context(state, id);
    if (const Rule rule = rules().find(node.op))
        rule(context);
    if (node.op != Op::Identity && node.op != Op::Call) {
        const bool isConstant = isConstantNode(state, node);
        for (const ValueId output : node.outputs)
            if (state.graph.values.contains(output))
                state.typed.isConstant[output] = isConstant;
    }
    if (!state.typed.options.ignoreDeclared)
        mergeDeclaredOutputs(state, node);
    if (state.afterNode)
        state.afterNode(state, id);
}

void inferInitializers(State& state, const Block& block) {
    for (const ValueId id : block.initializers) {
        if (!state.graph.values.contains(id))
            continue;
        const Value& value = state.graph.values[id];
        ValueType& type = state.typed.types[id];
        state.typed.isConstant[id] = 1;
        if (value.data.isValid() && value.data.index() < state.graph.tensors.size()) {
            const TensorData& data = state.graph.tensors[value.data];
            type.kind = data.isSparse() ? ValueKind::SparseTensor : ValueKind::Tensor;
            type.dtype = data.dtype;
            type.shape = Shape(data.shape.begin(), data.shape.end());
        } else {
            type = resolveDeclared(state, value.declared);
        }
    }
}

} // namespace

void inferBlock(State& state, BlockId id) {
    if (state.depth >= kDeepestNesting) {
        state.diagnostics->warn("infer.nested_too_deeply", state.graph.blocks[id].name,
            "Bodies nested deeper than " + std::to_string(kDeepestNesting)
                + " levels are drawn but not analysed.",
            "Simplify the model's control flow.");
        return;
    }
    ++state.depth;
    const Block& block = state.graph.blocks[id];
    inferInitializers(state, block);
    constexpr std::size_t kNodesPerCheck = 256;
    std::size_t done = 0;
    for (const NodeId node : state.orders[id]) {
        if (++done % kNodesPerCheck == 0 && state.progress.isCancelled())
            state.isCancelled = true;
        if (state.isCancelled)
            break;
        inferNode(state, node);
    }
    --state.depth;
}

} // namespace fivefold::ir::inference
