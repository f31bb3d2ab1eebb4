// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/cost.h"

#include "core/ir/inference/attention.h"
#include "core/ir/inference/block_cost.h"
#include "core/ir/inference/contraction.h"
#include "core/ir/inference/einsum.h"
#include "core/ir/inference/recurrent.h"

#include <algorithm>
#include <limits>
#include <set>

namespace fivefold::ir {

namespace {

const ValueType* inputType(const Typed& typed, const Node& node, std::size_t i) {
    return i < node.inputs.size() && typed.types.contains(node.inputs[i])
        ? &typed.types[node.inputs[i]]
        : nullptr;
}

const Shape* inputShape(const Typed& typed, const Node& node, std::size_t i) {
    const ValueType* type = inputType(typed, node, i);
    return type && type->shape ? &*type->shape : nullptr;
}

const Shape* outputShape(const Typed& typed, const Node& node, std::size_t i = 0) {
    return i < node.outputs.size() && typed.types.contains(node.outputs[i])
            && typed.types[node.outputs[i]].shape
        ? &*typed.types[node.outputs[i]].shape
        : nullptr;
}

/// Output elements × kernel elements of one group: (channels / group) · ∏ kernel. The weight's own
/// sizes after the first give exactly that product.
Dim convolutionMacs(const Typed& typed, const Node& node) {
    const Shape* weight = inputShape(typed, node, node.op == Op::QLinearConv ? 3 : 1);
    // A transposed convolution spreads each input element; an ordinary one gathers for each output
    // element.
    const Shape* elements =
        node.op == Op::ConvTranspose ? inputShape(typed, node, 0) : outputShape(typed, node);
    if (!weight || weight->empty() || !elements)
        return Dim();
    return elementCount(*elements) * elementCount(Shape(weight->begin() + 1, weight->end()));
}

Dim matMulMacs(const Typed& typed, const Node& node) {
    const auto [left, right] = inference::matMulOperands(node.op);
    const Shape* a = inputShape(typed, node, left);
    const Shape* b = inputShape(typed, node, right);
    const Shape* out = outputShape(typed, node);
    if (!out || (!a && !b))
        return Dim();
    const bool isFused = node.op == Op::FusedMatMul;
    const auto flag = [&](const char* name) {
        return isFused && node.attributes.integer(name, 0) != 0;
    };
    Dim inner;
    if (a && !a->empty())
        inner = inference::transposedOperand(*a, flag("transA"), flag("transBatchA")).back();
    if (!inner.isKnown() && b && !b->empty()) {
        const Shape shape = inference::transposedOperand(*b, flag("transB"), flag("transBatchB"));
        inner = shape[shape.size() >= 2 ? shape.size() - 2 : 0];
    }
    return elementCount(*out) * inner;
}

Dim gemmMacs(const Typed& typed, const Node& node) {
    const Shape* a = inputShape(typed, node, 0);
    const Shape* out = outputShape(typed, node);
    if (!a || a->size() != 2 || !out)
        return Dim();
    return elementCount(*out) * (*a)[node.attributes.integer("transA", 0) != 0 ? 0 : 1];
}

/// One multiply-accumulate for each combination of all labels, once for every operand after the
/// first. A single operand is only summed or permuted.
Dim einsumMacs(const Typed& typed, const Node& node) {
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Shape* shape = inputShape(typed, node, i);
        if (!shape)
            return Dim();
        shapes.push_back(*shape);
    }
    const auto parsed = inference::parseEinsum(node.attributes.text("equation"), shapes);
    if (!parsed)
        return Dim();
    Dim macs(1);
    for (const auto& [label, size] : parsed->sizes)
        macs = macs * size;
    return macs * Dim(static_cast<std::int64_t>(shapes.size()) - 1);
}

/// Scores (sequence × keys × head size) and their product with the values, for every query head;
/// with the input projections where the operator has them.
Dim attentionMacs(const Typed& typed, NodeId id) {
    const inference::AttentionSizes s = inference::attentionSizes(typed, id);
    Dim macs = s.batch * s.heads * s.sequence * s.total * (s.headSize + s.valueSize);
    if (s.isProjecting)
        macs = macs
            + s.batch * s.sequence * s.inputSize * s.heads
                * (s.headSize + s.headSize + s.valueSize);
    return macs;
}

Dim recurrentMacs(const Typed& typed, NodeId id) {
    const inference::RecurrentSizes s = inference::recurrentSizes(typed, id);
    return s.sequence * s.batch * Dim(s.directions * s.gates) * s.hidden * (s.input + s.hidden);
}

/// A token's outer product k ⊗ v into each head's state and its read-out by every query head; the
/// delta rules also read the old state with the key (ONNX LinearAttention).
Dim linearAttentionMacs(const Typed& typed, NodeId id) {
    const inference::AttentionSizes s = inference::attentionSizes(typed, id);
    const std::string rule = typed.graph->nodes[id].attributes.text("update_rule", "gated_delta");
    const bool isDelta = rule == "delta" || rule == "gated_delta";
    const Dim state = s.headSize * s.valueSize;
    return s.batch * s.sequence * state * (s.heads + s.kvHeads * Dim(isDelta ? 2 : 1));
}

/// A depthwise convolution: k products for each output element.
Dim causalConvolutionMacs(const Typed& typed, const Node& node) {
    const Shape* out = outputShape(typed, node);
    const Shape* weight = inputShape(typed, node, 1);
    return out && weight && weight->size() == 3 ? elementCount(*out) * weight->back() : Dim();
}

/// com.microsoft MoE and QMoE: k experts of two (or three, gated) products for each token. QMoE has
/// scales between its weights and packs several of them into a byte.
Dim mixtureMacs(const Typed& typed, const Node& node) {
    const bool isQuantised = node.sourceOp == "QMoE";
    const std::size_t step = isQuantised ? 3 : 2;
    const Shape* input = inputShape(typed, node, 0);
    if (!input || input->empty())
        return Dim();
    const std::int64_t bits = node.attributes.integer("expert_weight_bits", 4);
    const Dim perByte(isQuantised && bits > 0 ? std::max<std::int64_t>(1, 8 / bits) : 1);
    Dim weights(0);
    for (std::size_t i = 0; i < 3; ++i) {
        const Shape* expert = inputShape(typed, node, 2 + i * step);
        if (expert && expert->size() == 3)
            weights = weights + (*expert)[1] * (*expert)[2] * perByte;
        else if (i < 2)
            return Dim();
    }
    const Dim tokens = elementCount(Shape(input->begin(), input->end() - 1));
    return tokens * Dim(node.attributes.integer("k", 1)) * weights;
}

/// MACs of a contraction; unknown where its shapes are.
Dim contractionMacs(const Typed& typed, NodeId id) {
    const Node& node = typed.graph->nodes[id];
    switch (node.op) {
    case Op::Conv:
    case Op::ConvInteger:
    case Op::ConvTranspose:
    case Op::DeformConv:
    case Op::QLinearConv:
    case Op::FusedConv:
        return convolutionMacs(typed, node);
    case Op::MatMul:
    case Op::MatMulInteger:
    case Op::QLinearMatMul:
    case Op::FusedMatMul:
    case Op::DynamicQuantizeMatMul:
    case Op::MatMulIntegerToFloat:
        return matMulMacs(typed, node);
    case Op::MatMulNBits: {
        const Shape* out = outputShape(typed, node);
        return out ? elementCount(*out) * Dim(node.attributes.integer("K", 0)) : Dim();
    }
    case Op::Gemm:
    case Op::FusedGemm:
        return gemmMacs(typed, node);
    case Op::Linear:
    case Op::BatchGemm: {
        const Shape* a = inputShape(typed, node, 0);
        const Shape* out = outputShape(typed, node);
        return a && !a->empty() && out ? elementCount(*out) * a->back() : Dim();
    }
    case Op::Einsum:
        return einsumMacs(typed, node);
    case Op::Attention:
    case Op::QAttention:
    case Op::PackedAttention:
    case Op::MultiHeadAttention:
    case Op::GroupQueryAttention:
        return attentionMacs(typed, id);
    case Op::LSTM:
    case Op::GRU:
    case Op::RNN:
        return recurrentMacs(typed, id);
    case Op::MixtureOfExperts:
        return mixtureMacs(typed, node);
    case Op::LinearAttention:
        return linearAttentionMacs(typed, id);
    case Op::CausalConvWithState:
        return causalConvolutionMacs(typed, node);
    default:
        return Dim();
    }
}

/// Operators that only select, copy or describe: no arithmetic on elements.
bool isFree(Op op) {
    return opClass(op) == OpClass::Movement || isShapeOnly(op) || isView(op) || op == Op::Optional
        || op == Op::OptionalGetElement || op == Op::OptionalHasElement || op == Op::SequenceAt
        || op == Op::SequenceConstruct || op == Op::SequenceEmpty || op == Op::SequenceErase
        || op == Op::SequenceInsert || op == Op::SequenceLength || op == Op::SplitToSequence
        || op == Op::ConcatFromSequence || op == Op::ZipMap;
}

std::optional<double> outputElements(const Typed& typed, const Node& node) {
    double elements = 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!typed.types.contains(node.outputs[i]))
            continue;
        const Shape* shape = outputShape(typed, node, i);
        const Dim count = shape ? elementCount(*shape) : Dim();
        if (!count.isKnown())
            return std::nullopt;
        elements += static_cast<double>(count.value());
    }
    return elements;
}

std::optional<base::Bytes> bytesOf(const ValueType& type) {
    if (type.kind != ValueKind::Tensor || !type.shape || bitWidth(type.dtype) == 0)
        return std::nullopt;
    const Dim count = elementCount(*type.shape);
    // Beyond 2⁶³ bits the size is not a number that anything else could add to: unknown.
    std::int64_t bits = 0;
    if (!count.isKnown()
        || __builtin_mul_overflow(
            count.value(), static_cast<std::int64_t>(bitWidth(type.dtype)), &bits)
        || bits > std::numeric_limits<std::int64_t>::max() - 7)
        return std::nullopt;
    return base::Bytes(packedBytes(type.dtype, count.value()));
}

void accumulate(std::optional<base::Bytes>& total, const std::optional<base::Bytes>& part) {
    std::int64_t sum = 0;
    if (!total || !part || __builtin_add_overflow(total->value, part->value, &sum))
        total = std::nullopt;
    else
        total = base::Bytes(sum);
}

void countBytes(const Typed& typed, const Node& node, NodeCost& cost) {
    cost.bytesIn = cost.bytesWeight = cost.bytesOut = base::Bytes(0);
    std::set<ValueId> seen;
    for (const ValueId id : node.inputs)
        if (typed.types.contains(id) && seen.insert(id).second)
            accumulate(
                typed.isConstant[id] ? cost.bytesWeight : cost.bytesIn, bytesOf(typed.types[id]));
    for (const ValueId id : node.outputs)
        if (typed.types.contains(id))
            accumulate(cost.bytesOut, bytesOf(typed.types[id]));
}

/// Cost of a node without bodies.
NodeCost leafCost(const Typed& typed, NodeId id) {
    const Node& node = typed.graph->nodes[id];
    NodeCost cost;
    countBytes(typed, node, cost);
    if (node.op == Op::Unknown || node.op == Op::Gradient)
        return cost;
    if (opClass(node.op) == OpClass::Contraction && node.op != Op::DFT && node.op != Op::STFT) {
        cost.macs = contractionMacs(typed, id).known();
        if (cost.macs)
            cost.flops = 2.0 * static_cast<double>(*cost.macs);
        return cost;
    }
    cost.macs = 0;
    cost.flops = isFree(node.op) ? std::optional(0.0) : outputElements(typed, node);
    if (!cost.flops)
        cost.macs = std::nullopt;
    return cost;
}

/// Nodes whose work is that of their bodies; other bodies (of an attention's scores) only add to
/// it.
bool hasBodies(const Node& node) {
    return !node.blocks.empty() && (opClass(node.op) == OpClass::Control || node.op == Op::Call);
}

void addMacs(std::optional<std::int64_t>& total, const std::optional<std::int64_t>& part,
    std::int64_t times) {
    std::int64_t product = 0;
    std::int64_t sum = 0;
    if (!total || !part || __builtin_mul_overflow(*part, times, &product)
        || __builtin_add_overflow(*total, product, &sum))
        total = std::nullopt;
    else
        total = sum;
}

/// Visits the leaves that one execution of a block runs, with their execution counts. Explicit
/// stack.
template <typename Visit>
void forEachExecuted(const Typed& typed, BlockId block, std::int64_t times, Visit visit) {
    std::vector<std::pair<BlockId, std::int64_t>> open{{block, times}};
    while (!open.empty()) {
        const auto [current, count] = open.back();
        open.pop_back();
        for (const NodeId id : typed.graph->blocks[current].nodes) {
            const Node& node = typed.graph->nodes[id];
            if (!hasBodies(node))
                visit(id, count);
            std::int64_t inner = 0;
            if (__builtin_mul_overflow(count, typed.trips[id], &inner))
                inner = std::numeric_limits<std::int64_t>::max();
            for (std::size_t i = 0; i < node.blocks.size(); ++i)
                if (node.op != Op::If || typed.takenBranch[id] == static_cast<std::int8_t>(i))
                    open.emplace_back(node.blocks[i], inner);
        }
    }
}

} // namespace

NodeCost cost(const Typed& typed, NodeId id) {
    const Node& node = typed.graph->nodes[id];
    NodeCost total = leafCost(typed, id);
    if (node.blocks.empty())
        return total;
    if (hasBodies(node)) {
        total.macs = 0;
        total.flops = 0;
    }
    for (std::size_t i = 0; i < node.blocks.size(); ++i) {
        if (node.op == Op::If && typed.takenBranch[id] != static_cast<std::int8_t>(i))
            continue;
        forEachExecuted(
            typed, node.blocks[i], typed.trips[id], [&](NodeId leaf, std::int64_t times) {
                const NodeCost part = leafCost(typed, leaf);
                addMacs(total.macs, part.macs, times);
                if (!total.flops || !part.flops)
                    total.flops = std::nullopt;
                else
                    *total.flops += *part.flops * static_cast<double>(times);
            });
    }
    return total;
}

ModelCost modelCost(const Typed& typed) {
    ModelCost model;
    const Graph& graph = *typed.graph;
    model.macs = 0;
    model.flops = 0;
    model.nodes.assign(graph.nodes.size(), {});
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const NodeId id(i);
        NodeCost& nodeCost = model.nodes[id];
        nodeCost = cost(typed, id);
        if (hasBodies(graph.nodes[id]) || typed.executions[id] == 0)
            continue;
        if (!graph.nodes[id].blocks.empty())
            nodeCost = leafCost(typed, id); // its bodies' nodes are counted themselves
        const std::int64_t times = typed.executions[id];
        const bool isContraction = opClass(graph.nodes[id].op) == OpClass::Contraction;
        if (isContraction || nodeCost.macs)
            addMacs(model.macs, nodeCost.macs, times);
        if (nodeCost.flops && model.flops)
            *model.flops += *nodeCost.flops * static_cast<double>(times);
        else
            model.flops = std::nullopt;
        if (!nodeCost.isKnown())
            ++model.unknownNodes;
    }
    return model;
}

namespace inference {

double blockWork(const Typed& typed, BlockId block) {
    double work = 0;
    forEachExecuted(typed, block, 1, [&](NodeId leaf, std::int64_t times) {
        work += leafCost(typed, leaf).flops.value_or(0) * static_cast<double>(times);
    });
    return work;
}

} // namespace inference

} // namespace fivefold::ir
