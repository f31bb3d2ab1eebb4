// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/attention.h"

#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

/// Shapes of a node's inputs by position.
class InputShapes {
public:
    InputShapes(const Typed& typed, const Node& node)
        : m_typed(typed)
        , m_node(node) { }

    const MaybeShape& shape(std::size_t i) const {
        static const MaybeShape kNone;
        return has(i) ? m_typed.types[m_node.inputs[i]].shape : kNone;
    }
    bool has(std::size_t i) const {
        return i < m_node.inputs.size() && m_typed.types.contains(m_node.inputs[i]);
    }
    int rank(std::size_t i) const { return shape(i) ? static_cast<int>(shape(i)->size()) : -1; }
    Dim dim(std::size_t i, int axis) const {
        const int r = rank(i);
        axis = axis < 0 ? axis + r : axis;
        return axis >= 0 && axis < r ? (*shape(i))[static_cast<std::size_t>(axis)] : Dim();
    }

private:
    const Typed& m_typed;
    const Node& m_node;
};

Dim headsAttribute(const Node& node, std::string_view name) {
    const std::int64_t heads = node.attributes.integer(name, 0);
    return heads > 0 ? Dim(heads) : Dim();
}

bool isMicrosoft(const Node& node) {
    return node.domain == "com.microsoft";
}

/// ai.onnx Attention: Q, K, V, mask, past key, past value; rank 4 or rank 3 with head counts.
AttentionSizes standardSizes(const InputShapes& in, const Node& node) {
    AttentionSizes s;
    s.batch = in.dim(0, 0);
    s.isRank4 = in.rank(0) == 4;
    if (s.isRank4) {
        s.heads = in.dim(0, 1);
        s.sequence = in.dim(0, 2);
        s.headSize = in.dim(0, 3);
        s.kvHeads = in.dim(1, 1);
        s.newKeys = in.dim(1, 2);
        s.valueSize = in.dim(2, 3);
    } else {
        s.heads = headsAttribute(node, "q_num_heads");
        s.kvHeads = headsAttribute(node, "kv_num_heads");
        s.sequence = in.dim(0, 1);
        s.newKeys = in.dim(1, 1);
        s.headSize = floorDiv(in.dim(0, 2), s.heads);
        s.valueSize = floorDiv(in.dim(2, 2), s.kvHeads);
    }
    s.past = node.op != Op::LinearAttention && in.has(4) ? in.dim(4, 2) : Dim(0);
    s.total = s.past + s.newKeys;
    return s;
}

/// com.microsoft MultiHeadAttention: query, key, value, …, past key (6), past value (7).
AttentionSizes multiHeadSizes(const InputShapes& in, const Node& node) {
    AttentionSizes s;
    s.batch = in.dim(0, 0);
    s.sequence = in.dim(0, 1);
    s.heads = headsAttribute(node, "num_heads");
    s.kvHeads = s.heads;
    if (in.rank(0) == 5) { // packed Q, K, V: (batch, sequence, heads, 3, size)
        s.headSize = in.dim(0, 4);
        s.valueSize = s.headSize;
        s.newKeys = s.sequence;
    } else {
        s.headSize = floorDiv(in.dim(0, 2), s.heads);
        if (in.rank(1) == 5) { // packed K, V: (batch, keys, heads, 2, size)
            s.newKeys = in.dim(1, 1);
            s.valueSize = in.dim(1, 4);
        } else if (in.rank(1) == 4) { // (batch, heads, keys, size)
            s.newKeys = in.dim(1, 2);
            s.valueSize = in.dim(2, 3);
        } else {
            s.newKeys = in.has(1) ? in.dim(1, 1) : s.sequence;
            s.valueSize = in.has(2) ? floorDiv(in.dim(2, 2), s.heads) : s.headSize;
        }
    }
    s.past = in.has(6) ? in.dim(6, 2) : Dim(0);
    s.total = s.past + s.newKeys;
    return s;
}

/// com.microsoft GroupQueryAttention: query (maybe packed with key and value), key, value, past key
/// (3).
AttentionSizes groupQuerySizes(const InputShapes& in, const Node& node) {
    AttentionSizes s;
    s.batch = in.dim(0, 0);
    s.sequence = in.dim(0, 1);
    s.newKeys = s.sequence;
    s.heads = headsAttribute(node, "num_heads");
    s.kvHeads = headsAttribute(node, "kv_num_heads");
    const Dim parts = in.has(1) ? s.heads : s.heads + s.kvHeads + s.kvHeads;
    s.headSize = floorDiv(in.dim(0, 2), parts);
    s.valueSize = s.headSize;
    s.past = in.has(3) ? in.dim(3, 2) : Dim(0);
    s.total = s.past + s.newKeys;
    return s;
}

/// com.microsoft Attention and QAttention: input (batch, sequence, width) times weights (width,
/// 3·hidden).
AttentionSizes projectingSizes(const InputShapes& in, const Node& node) {
    AttentionSizes s;
    s.isProjecting = true;
    s.heads = headsAttribute(node, "num_heads");
    s.kvHeads = s.heads;
    // The packed form has the tokens of all sequences in one axis.
    const bool isPacked = node.op == Op::PackedAttention && in.rank(0) == 2;
    s.batch = isPacked ? Dim(1) : in.dim(0, 0);
    s.sequence = in.dim(0, isPacked ? 0 : 1);
    s.inputSize = in.dim(0, -1);
    s.newKeys = s.sequence;
    Dim hidden = floorDiv(in.dim(1, -1), Dim(3));
    Dim valueHidden = hidden;
    if (const auto sizes = node.attributes.integers("qkv_hidden_sizes");
        sizes && sizes->size() == 3) {
        hidden = Dim((*sizes)[0]);
        valueHidden = Dim((*sizes)[2]);
    }
    s.headSize = floorDiv(hidden, s.heads);
    s.valueSize = floorDiv(valueHidden, s.heads);
    const std::size_t past = node.op == Op::QAttention ? 8 : 4;
    s.past = !isPacked && in.has(past) ? in.dim(past, 3) : Dim(0);
    s.total = s.past + s.newKeys;
    return s;
}

void standardOutputs(NodeContext& context, const AttentionSizes& s) {
    if (context.rank(0) >= 0 && context.rank(0) != 3 && context.rank(0) != 4) {
        context.reject("Attention takes a query of rank 3 or 4, but has rank "
            + std::to_string(context.rank(0)) + ".");
        return;
    }
    if (context.rank(0) < 0)
        return;
    context.output(0, context.dtype(0),
        s.isRank4 ? Shape{s.batch, s.heads, s.sequence, s.valueSize}
                  : Shape{s.batch, s.sequence, s.heads * s.valueSize});
    context.output(1, context.dtype(1), Shape{s.batch, s.kvHeads, s.total, s.headSize});
    context.output(2, context.dtype(2), Shape{s.batch, s.kvHeads, s.total, s.valueSize});
    context.output(3, context.dtype(0), Shape{s.batch, s.heads, s.sequence, s.total});
}

/// FlexAttention's bodies each map the scores to something of their shape.
void inferScoreBodies(NodeContext& context, const AttentionSizes& s) {
    State& state = context.state();
    for (const BlockId body : context.node().blocks) {
        for (const ValueId input : state.graph.blocks[body].inputs) {
            if (!state.graph.values.contains(input))
                continue;
            forget(state, input);
            state.typed.types[input] = {
                ValueKind::Tensor, context.dtype(0), Shape{s.batch, s.heads, s.sequence, s.total}};
        }
        inferBlock(state, body);
    }
}

void attention(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const AttentionSizes s = attentionSizes(context.state().typed, context.id());
    if (context.op() == Op::Attention && !isMicrosoft(context.node())) {
        inferScoreBodies(context, s);
        standardOutputs(context, s);
        return;
    }
    if (context.op() == Op::PackedAttention && context.rank(0) == 2) {
        context.output(0, context.dtype(0), Shape{s.sequence, s.heads * s.valueSize});
        return;
    }
    const DType result = context.op() == Op::QAttention ? context.dtype(3) : context.dtype(0);
    context.output(0, result, Shape{s.batch, s.sequence, s.heads * s.valueSize});
    if (s.isProjecting) {
        context.output(1, result, Shape{Dim(2), s.batch, s.heads, s.total, s.headSize});
        return;
    }
    context.output(1, context.dtype(0), Shape{s.batch, s.kvHeads, s.total, s.headSize});
    context.output(2, context.dtype(0), Shape{s.batch, s.kvHeads, s.total, s.valueSize});
    if (context.op() == Op::MultiHeadAttention)
        context.output(3, context.dtype(0), Shape{s.batch, s.heads, s.sequence, s.total});
}

/// LinearAttention: (B, T, query heads · value size) and the state (B, heads, key size, value
/// size).
void linearAttention(NodeContext& context) {
    const AttentionSizes s = attentionSizes(context.state().typed, context.id());
    context.output(0, context.dtype(0), Shape{s.batch, s.sequence, s.heads * s.valueSize});
    const DType state = context.has(3) ? context.dtype(3) : context.dtype(0);
    context.output(1, state, Shape{s.batch, s.kvHeads, s.headSize, s.valueSize});
}

/// CausalConvWithState: as its input, and the last k − 1 positions.
void causalConvolution(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(0));
    context.output(1, context.dtype(0),
        Shape{context.dim(0, 0), context.dim(0, 1), context.dim(1, 2) - Dim(1)});
}

} // namespace

AttentionSizes attentionSizes(const Typed& typed, NodeId id) {
    const Node& node = typed.graph->nodes[id];
    const InputShapes in(typed, node);
    switch (node.op) {
    case Op::MultiHeadAttention:
        return multiHeadSizes(in, node);
    case Op::GroupQueryAttention:
        return groupQuerySizes(in, node);
    case Op::QAttention:
    case Op::PackedAttention:
        return projectingSizes(in, node);
    default:
        return isMicrosoft(node) ? projectingSizes(in, node) : standardSizes(in, node);
    }
}

void addAttentionRules(RuleTable& table) {
    table.set({Op::Attention, Op::QAttention, Op::PackedAttention, Op::MultiHeadAttention,
                  Op::GroupQueryAttention},
        attention);
    table.set(Op::MixtureOfExperts, sameAsInput);
    table.set(Op::LinearAttention, linearAttention);
    table.set(Op::CausalConvWithState, causalConvolution);
}

} // namespace fivefold::ir::inference
