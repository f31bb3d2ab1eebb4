// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_logical.h"

#include <algorithm>

namespace fivefold::numerics::pattern {

using ir::Op;

ir::NodeId producer(const ir::Graph& graph, ir::ValueId value) {
    if (!value.isValid() || !graph.values.contains(value)
        || graph.values[value].origin != ir::ValueOrigin::NodeOutput
        || !graph.nodes.contains(graph.values[value].producer))
        return {};
    return graph.values[value].producer;
}

const ir::Node* producerIs(const ir::Graph& graph, ir::ValueId value, Op op) {
    const ir::NodeId id = producer(graph, value);
    return id.isValid() && graph.nodes[id].op == op ? &graph.nodes[id] : nullptr;
}

namespace {

bool isProduct(Op op) {
    return op == Op::MatMul || op == Op::Gemm || op == Op::FusedMatMul || op == Op::Conv
        || op == Op::Einsum || op == Op::Linear || op == Op::BatchGemm || op == Op::MatMulNBits;
}

bool hasInput(const ir::Node& node, std::size_t index) {
    return index < node.inputs.size() && node.inputs[index].isValid();
}

std::optional<std::size_t> rankOf(const Subject& subject, ir::ValueId value) {
    const auto& shape = subject.typed->types[value].shape;
    return shape ? std::optional(shape->size()) : std::nullopt;
}

bool isOneElement(const Subject& subject, ir::ValueId value) {
    const auto& shape = subject.typed->types[value].shape;
    return shape && ir::elementCount(*shape).is(1);
}

/// Whether a soft-max reads the value, through operators that keep elements where they are.
bool feedsSoftmax(const ir::Graph& graph, ir::ValueId value) {
    constexpr int kFarthest = 4;
    for (int step = 0; step < kFarthest && value.isValid(); ++step) {
        ir::ValueId next;
        for (const ir::NodeId user : graph.values[value].users) {
            const ir::Node& node = graph.nodes[user];
            if (node.op == Op::Softmax || node.op == Op::LogSoftmax
                || (node.op == Op::ReduceMax && step == 0))
                return true;
            const bool isPassing = node.op == Op::Cast || node.op == Op::Identity
                || node.op == Op::Reshape || node.op == Op::Max || node.op == Op::Add
                || node.op == Op::Where;
            if (isPassing && !node.outputs.empty())
                next = node.outputs[0];
        }
        value = next;
    }
    return false;
}

/// Whether the value is a matrix product up to scaling and views.
bool comesFromProduct(const ir::Graph& graph, ir::ValueId value) {
    constexpr int kFarthest = 6;
    for (int step = 0; step < kFarthest; ++step) {
        const ir::NodeId id = producer(graph, value);
        if (!id.isValid())
            return false;
        const ir::Node& node = graph.nodes[id];
        if (isProduct(node.op))
            return true;
        const bool isPassing = node.op == Op::Mul || node.op == Op::Div || node.op == Op::Cast
            || node.op == Op::Reshape || node.op == Op::Add || node.op == Op::Where
            || node.op == Op::Identity || node.op == Op::Tanh;
        if (!isPassing || node.inputs.empty())
            return false;
        value = node.op == Op::Where && hasInput(node, 1) ? node.inputs[1] : node.inputs[0];
    }
    return false;
}

} // namespace

std::optional<Biased> biased(const ir::Graph& graph, ir::ValueId value) {
    const ir::NodeId id = producer(graph, value);
    if (!id.isValid())
        return std::nullopt;
    const ir::Node& node = graph.nodes[id];
    if (node.op == Op::Add && hasInput(node, 0) && hasInput(node, 1)) {
        for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
            const ir::NodeId from = producer(graph, node.inputs[i]);
            if (from.isValid() && isProduct(graph.nodes[from].op))
                return Biased{value, node.inputs[1 - i], from, 1, false};
        }
        return std::nullopt;
    }
    const bool hasOwn = node.op == Op::Gemm || node.op == Op::Conv || node.op == Op::Linear;
    if (!hasOwn || !hasInput(node, 2))
        return std::nullopt;
    const double factor = node.op == Op::Gemm ? node.attributes.number("beta", 1) : 1;
    return Biased{value, node.inputs[2], id, factor, node.op == Op::Conv};
}

std::optional<std::size_t> scoresInput(const Subject& subject, ir::NodeId id) {
    const ir::Graph& graph = subject.graph();
    const ir::Node& node = graph.nodes[id];
    if (node.outputs.empty() || !node.outputs[0].isValid() || !feedsSoftmax(graph, node.outputs[0]))
        return std::nullopt;
    if (node.op == Op::Where && hasInput(node, 1) && hasInput(node, 2)) {
        const bool isLowLast = isOneElement(subject, node.inputs[2]);
        const bool isLowFirst = isOneElement(subject, node.inputs[1]);
        if (isLowLast == isLowFirst)
            return std::nullopt;
        return isLowLast ? 1 : 2;
    }
    if (node.op != Op::Add || !hasInput(node, 0) || !hasInput(node, 1))
        return std::nullopt;
    for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
        const auto rank = rankOf(subject, node.inputs[1 - i]); // a bias has one axis, a mask two
        if (comesFromProduct(graph, node.inputs[i]) && rank && *rank >= 2
            && !comesFromProduct(graph, node.inputs[1 - i]))
            return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> maskInput(const ir::Node& node) {
    const auto first =
        [&](std::initializer_list<std::size_t> places) -> std::optional<std::size_t> {
        for (const std::size_t place : places)
            if (hasInput(node, place))
                return place;
        return std::nullopt;
    };
    switch (node.op) {
    case Op::Attention:
        return first({3});
    case Op::MultiHeadAttention:
        return first({5, 4});
    case Op::GroupQueryAttention:
        return first({10});
    default:
        return std::nullopt;
    }
}

bool isCausal(const ir::Node& node) {
    const bool isAttention = node.op == Op::Attention || node.op == Op::MultiHeadAttention;
    return isAttention
        && (node.attributes.integer("is_causal", 0) != 0
            || node.attributes.integer("unidirectional", 0) != 0);
}

ir::ValueId variancePattern(const ir::Graph& graph, ir::NodeId id) {
    const ir::Node& node = graph.nodes[id];
    if (node.op != Op::ReduceMean || !hasInput(node, 0))
        return {};
    const ir::NodeId square = producer(graph, node.inputs[0]);
    if (!square.isValid())
        return {};
    const ir::Node& squared = graph.nodes[square];
    const bool isSquare = hasInput(squared, 0)
        && (squared.op == Op::Pow
            || (squared.op == Op::Mul && hasInput(squared, 1)
                && squared.inputs[0] == squared.inputs[1]));
    const ir::Node* centred = isSquare ? producerIs(graph, squared.inputs[0], Op::Sub) : nullptr;
    if (!centred || !hasInput(*centred, 0) || !hasInput(*centred, 1))
        return {};
    const ir::Node* mean = producerIs(graph, centred->inputs[1], Op::ReduceMean);
    return mean && hasInput(*mean, 0) && mean->inputs[0] == centred->inputs[0] ? centred->inputs[0]
                                                                               : ir::ValueId();
}

ir::ValueId inversePattern(const ir::Graph& graph, ir::NodeId id) {
    const ir::Node& node = graph.nodes[id];
    if (!hasInput(node, 0))
        return {};
    const ir::NodeId inner = producer(graph, node.inputs[0]);
    if (!inner.isValid() || !hasInput(graph.nodes[inner], 0))
        return {};
    const ir::Node& first = graph.nodes[inner];
    const bool isSquare =
        first.op == Op::Mul && hasInput(first, 1) && first.inputs[0] == first.inputs[1];
    const bool isPair = (node.op == Op::Log && first.op == Op::Exp)
        || (node.op == Op::Exp && first.op == Op::Log)
        || (node.op == Op::Reciprocal && first.op == Op::Reciprocal)
        || (node.op == Op::Sqrt && (isSquare || first.op == Op::Pow));
    return isPair ? first.inputs[0] : ir::ValueId();
}

} // namespace fivefold::numerics::pattern
