// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/attention_shape.h"
#include "core/lowering/emitters.h"
#include "core/lowering/recipes.h"

#include <cmath>
#include <limits>

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

/// Takes one attention operator apart. Inside, queries, keys and values are [batch, heads, length,
/// size].
class AttentionDecomposition {
public:
    AttentionDecomposition(Rewriter& rewriter, NodeId id, const Node& node,
        const AttentionShape& shape, const AttentionStyle& style, Sequence& sequence)
        : m_rewriter(rewriter)
        , m_id(id)
        , m_node(node)
        , m_a(shape)
        , m_style(style)
        , m_s(sequence) { }

    std::vector<NodeId> run();

private:
    ValueId input(std::size_t index) const { return m_rewriter.input(m_id, index); }
    bool isWanted(std::size_t output) const {
        return output < m_node.outputs.size() && m_node.outputs[output].isValid();
    }
    ir::DType typeOf(ValueId id) const { return m_s.value(id).dtype; }

    void split();
    void project();
    void splitPacked(ValueId packed);
    ValueId heads(std::string_view suffix, ValueId x, std::int64_t count, std::int64_t length,
        std::int64_t size);
    ValueId withInputBias(
        std::string_view suffix, ValueId x, std::int64_t first, std::int64_t size);
    void rotate();
    void appendPast();
    ValueId concat(std::string_view suffix, ValueId past, ValueId x, std::int64_t size);
    ValueId pastPart(std::string_view suffix, std::int64_t index, std::int64_t size);
    ValueId expandHeads(std::string_view suffix, ValueId x, std::int64_t size);
    double factor() const;
    ValueId scores();
    ValueId masked(ValueId scores);
    ValueId select(std::string_view suffix, ValueId condition, ValueId scores);
    ValueId merged(ValueId context);
    bool folds() const { return m_a.heads != m_a.kvHeads && !m_style.repeatsKvHeads; }

    Rewriter& m_rewriter;
    NodeId m_id;
    const Node& m_node;
    const AttentionShape m_a;
    const AttentionStyle& m_style;
    Sequence& m_s;
    ValueId m_q, m_k, m_v;
};

ValueId AttentionDecomposition::heads(std::string_view suffix, ValueId x, std::int64_t count,
    std::int64_t length, std::int64_t size) {
    const std::string name(suffix);
    const ValueId split = m_s.reshape(name + "/heads", x, Extents{m_a.batch, length, count, size});
    return m_s.transpose(name, split, {0, 2, 1, 3});
}

/// Bias of [3 · hidden] that MultiHeadAttention adds to its operands.
ValueId AttentionDecomposition::withInputBias(
    std::string_view suffix, ValueId x, std::int64_t first, std::int64_t size) {
    if (m_a.form != AttentionForm::MultiHead || !m_a.bias.isValid())
        return x;
    const std::string name(suffix);
    const ValueId own = m_s.slice(name + "/bias_part", m_a.bias, 0, first, first + size);
    return m_s.binary(ir::Op::Add, name + "/bias", x, own);
}

/// x · W + b, then parts of the width for Q, K and V.
void AttentionDecomposition::project() {
    const std::int64_t q = m_a.heads * m_a.headSize;
    const std::int64_t v = m_a.heads * m_a.valueSize;
    ValueId x = m_s.matmul("qkv", input(0), input(1));
    if (m_a.bias.isValid())
        x = m_s.binary(ir::Op::Add, "qkv_bias", x, m_a.bias);
    if (m_a.form == AttentionForm::Packed) { // put the tokens where their sequences are
        NewNode gather{ir::Op::Gather, "unpack", {x, input(3)}, {}, {}, {}};
        gather.attributes.set("axis", std::int64_t(0));
        gather.outputs.push_back(
            {typeOf(x), Extents{m_a.batch, m_a.queries, 2 * q + v}, ValueRole::Activation});
        x = m_s.add(std::move(gather));
    }
    m_q = heads("q", m_s.slice("q/part", x, 2, 0, q), m_a.heads, m_a.queries, m_a.headSize);
    m_k = heads("k", m_s.slice("k/part", x, 2, q, 2 * q), m_a.heads, m_a.newKeys, m_a.headSize);
    m_v = heads(
        "v", m_s.slice("v/part", x, 2, 2 * q, 2 * q + v), m_a.heads, m_a.newKeys, m_a.valueSize);
}

/// [batch, length, heads, 2 or 3, size]: the last two or three of Q, K and V.
void AttentionDecomposition::splitPacked(ValueId packed) {
    const std::int64_t count = (*m_s.value(packed).shape)[3];
    const auto part = [&](std::string_view suffix, std::int64_t index, std::int64_t length,
                          std::int64_t size) {
        const std::string name(suffix);
        const ValueId x = m_s.slice(name + "/part", packed, 3, index, index + 1);
        return heads(name, x, m_a.heads, length, size);
    };
    if (count == 3)
        m_q = part("q", 0, m_a.queries, m_a.headSize);
    m_k = part("k", count - 2, m_a.newKeys, m_a.headSize);
    m_v = part("v", count - 1, m_a.newKeys, m_a.valueSize);
}

void AttentionDecomposition::split() {
    const std::int64_t qWidth = m_a.heads * m_a.headSize;
    const std::int64_t kvWidth = m_a.kvHeads * m_a.headSize;
    if (m_a.form == AttentionForm::Projecting || m_a.form == AttentionForm::Packed) {
        project();
        return;
    }
    if (m_a.form == AttentionForm::MultiHead && m_a.isPackedQkv) {
        splitPacked(input(0));
        return;
    }
    if (m_a.form == AttentionForm::Grouped && m_a.isPackedQkv) {
        const std::int64_t ends = qWidth + kvWidth;
        m_q = heads(
            "q", m_s.slice("q/part", input(0), 2, 0, qWidth), m_a.heads, m_a.queries, m_a.headSize);
        m_k = heads("k", m_s.slice("k/part", input(0), 2, qWidth, ends), m_a.kvHeads, m_a.newKeys,
            m_a.headSize);
        m_v = heads("v", m_s.slice("v/part", input(0), 2, ends, ends + kvWidth), m_a.kvHeads,
            m_a.newKeys, m_a.valueSize);
        return;
    }
    const auto operand = [&](std::string_view suffix, std::size_t index, std::int64_t first,
                             std::int64_t count, std::int64_t length, std::int64_t size) {
        const ValueId x = input(index);
        const std::size_t rank = m_s.rank(x).value_or(0);
        if (rank == 3)
            return heads(
                suffix, withInputBias(suffix, x, first, count * size), count, length, size);
        return rank == 4 ? x : m_s.reshape(suffix, x, Extents{m_a.batch, count, length, size});
    };
    m_q = operand("q", 0, 0, m_a.heads, m_a.queries, m_a.headSize);
    if (m_a.form == AttentionForm::MultiHead && m_s.rank(input(1)) == std::size_t(5)) {
        splitPacked(input(1));
        return;
    }
    m_k = operand("k", 1, qWidth, m_a.kvHeads, m_a.newKeys, m_a.headSize);
    m_v = operand("v", 2, 2 * qWidth, m_a.kvHeads, m_a.newKeys, m_a.valueSize);
}

/// Rotary embedding of queries and keys, where the grouped operator does it.
void AttentionDecomposition::rotate() {
    if (m_a.form != AttentionForm::Grouped || m_node.attributes.integer("do_rotary", 0) == 0
        || !input(7).isValid() || !input(8).isValid())
        return;
    const auto turn = [&](std::string_view suffix, ValueId x) {
        NewNode node{
            ir::Op::RotaryEmbedding, std::string(suffix), {x, input(7), input(8)}, {}, {}, {}};
        node.attributes.set("interleaved", m_node.attributes.integer("rotary_interleaved", 0));
        node.outputs.push_back({typeOf(x), m_s.value(x).shape, ValueRole::Activation});
        return m_s.add(std::move(node));
    };
    m_q = turn("q_rotary", m_q);
    m_k = turn("k_rotary", m_k);
}

ValueId AttentionDecomposition::concat(
    std::string_view suffix, ValueId past, ValueId x, std::int64_t size) {
    NewNode node{ir::Op::Concat, std::string(suffix), {past, x}, {}, {}, {}};
    node.attributes.set("axis", std::int64_t(2));
    node.outputs.push_back(
        {typeOf(x), Extents{m_a.batch, m_a.kvHeads, m_a.keys, size}, ValueRole::Activation});
    return m_s.add(std::move(node));
}

/// Keys (0) or values (1) of a cache [2, batch, heads, length, size].
ValueId AttentionDecomposition::pastPart(
    std::string_view suffix, std::int64_t index, std::int64_t size) {
    return m_s.reshape(suffix,
        m_s.slice(std::string(suffix) + "_part", m_a.pastKey, 0, index, index + 1),
        Extents{m_a.batch, m_a.kvHeads, m_a.keys - m_a.newKeys, size});
}

void AttentionDecomposition::appendPast() {
    if (!m_a.pastKey.isValid())
        return;
    const bool isJoint = !m_a.pastValue.isValid() && m_a.form == AttentionForm::Projecting;
    const ValueId key = isJoint ? pastPart("past_k", 0, m_a.headSize) : m_a.pastKey;
    const ValueId value = isJoint ? pastPart("past_v", 1, m_a.valueSize) : m_a.pastValue;
    m_k = concat("append_k", key, m_k, m_a.headSize);
    if (value.isValid())
        m_v = concat("append_v", value, m_v, m_a.valueSize);
}

/// Keys or values of a group repeated for all of its heads.
ValueId AttentionDecomposition::expandHeads(std::string_view suffix, ValueId x, std::int64_t size) {
    if (m_a.heads == m_a.kvHeads || folds())
        return x;
    const std::string name(suffix);
    const Extents repeated = {m_a.batch, m_a.kvHeads, m_a.heads / m_a.kvHeads, m_a.keys, size};
    const ValueId apart =
        m_s.reshape(name + "/group", x, Extents{m_a.batch, m_a.kvHeads, 1, m_a.keys, size});
    NewNode node{ir::Op::Expand, name, {apart}, {}, {}, {}};
    node.attributes.set("shape", repeated);
    node.outputs.push_back({typeOf(x), repeated, ValueRole::Activation});
    return m_s.reshape(
        name + "/heads", m_s.add(std::move(node)), Extents{m_a.batch, m_a.heads, m_a.keys, size});
}

double AttentionDecomposition::factor() const {
    const double given = m_node.attributes.number("scale", 0);
    return given != 0
        ? given
        : 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(m_a.headSize, 1)));
}

ValueId AttentionDecomposition::scores() {
    ValueId q = m_q;
    if (m_style.scalesQueries)
        q = m_s.binary(ir::Op::Mul, "scale", q, m_s.constant("factor", factor(), q));
    if (folds()) // the heads of a group share their keys: they become rows of one product
        q = m_s.reshape("q/group", q,
            Extents{m_a.batch, m_a.kvHeads, m_a.heads / m_a.kvHeads * m_a.queries, m_a.headSize});
    const ValueId k = expandHeads("k_expand", m_k, m_a.headSize);
    ValueId x = m_style.transposesKeys && !m_a.areKeysTransposed
        ? m_s.matmul("scores", q, m_s.transpose("k_transposed", k, {0, 1, 3, 2}))
        : m_s.matmul("scores", q, k, !m_a.areKeysTransposed);
    if (folds())
        x = m_s.reshape("scores/heads", x, Extents{m_a.batch, m_a.heads, m_a.queries, m_a.keys});
    if (!m_style.scalesQueries)
        x = m_s.binary(ir::Op::Mul, "scale", x, m_s.constant("factor", factor(), x));
    if (const double cap = m_node.attributes.number("softcap", 0); cap > 0) {
        x = m_s.binary(ir::Op::Mul, "cap_in", x, m_s.constant("cap_inverse", 1 / cap, x));
        x = m_s.binary(ir::Op::Mul, "cap_out", m_s.unary(ir::Op::Tanh, "cap", x),
            m_s.constant("cap_factor", cap, x));
    }
    return x;
}

ValueId AttentionDecomposition::select(std::string_view suffix, ValueId condition, ValueId x) {
    const ValueId low = m_s.constant("minus_infinity", -std::numeric_limits<double>::infinity(), x);
    NewNode node{ir::Op::Where, std::string(suffix), {condition, x, low}, {}, {}, {}};
    node.outputs.push_back({typeOf(x), m_s.value(x).shape, ValueRole::Activation});
    return m_s.add(std::move(node));
}

ValueId AttentionDecomposition::masked(ValueId x) {
    const bool isCausal = m_a.form == AttentionForm::Grouped
        || m_node.attributes.integer("is_causal", 0) != 0
        || m_node.attributes.integer("unidirectional", 0) != 0;
    if (isCausal && m_a.queries > 1) {
        Value triangle;
        triangle.name = m_node.name + "/causal_mask";
        triangle.dtype = ir::DType::Bool;
        triangle.shape = Extents{m_a.queries, m_a.keys};
        triangle.role = ValueRole::Constant;
        // Query i sees what came before the call and the keys of its own call up to itself.
        const std::int64_t before = m_a.form == AttentionForm::Standard
            ? m_a.keys - m_a.newKeys
            : m_a.keys - m_a.queries;
        recipes::describe(
            triangle, recipes::triangle(*triangle.shape, false, before, ir::DType::Bool));
        x = select("causal", m_rewriter.addValue(std::move(triangle)), x);
    }
    ValueId mask = m_a.mask;
    if (!mask.isValid() || !m_s.value(mask).shape)
        return x;
    if (*m_s.value(mask).shape == Extents{m_a.batch, m_a.keys})
        mask = m_s.reshaped("mask/shape", mask, Extents{m_a.batch, 1, 1, m_a.keys});
    else if (*m_s.value(mask).shape == Extents{m_a.batch, m_a.queries, m_a.keys})
        mask = m_s.reshaped("mask/shape", mask, Extents{m_a.batch, 1, m_a.queries, m_a.keys});
    if (broadcast(m_s.value(mask).shape, m_s.value(x).shape) != m_s.value(x).shape)
        return x; // lengths of sequences instead of a mask: nothing is added to the scores
    return ir::isFloat(typeOf(mask)) ? m_s.binary(ir::Op::Add, "mask", x, mask)
                                     : select("mask", mask, x);
}

/// [batch, heads, length, size] back to how the operator returns it.
ValueId AttentionDecomposition::merged(ValueId context) {
    if (folds())
        context = m_s.reshape(
            "context/heads", context, Extents{m_a.batch, m_a.heads, m_a.queries, m_a.valueSize});
    const KnownShape out = m_rewriter.value(m_node.outputs[0]).shape;
    if (m_a.form == AttentionForm::Standard && m_s.rank(input(0)) != std::size_t(3))
        return out && m_s.value(context).shape != out ? m_s.reshape("merge", context, out)
                                                      : context;
    const ValueId back = m_s.transpose("merge/order", context, {0, 2, 1, 3});
    const std::int64_t width = m_a.heads * m_a.valueSize;
    if (m_a.form != AttentionForm::Packed)
        return m_s.reshape("merge", back, Extents{m_a.batch, m_a.queries, width});
    const ValueId rows = m_s.reshape("merge", back, Extents{m_a.batch * m_a.queries, width});
    NewNode gather{ir::Op::Gather, "pack", {rows, input(3)}, {}, {}, {}};
    gather.attributes.set("axis", std::int64_t(0));
    gather.outputs.push_back({typeOf(rows), out, ValueRole::Activation});
    return m_s.add(std::move(gather));
}

std::vector<NodeId> AttentionDecomposition::run() {
    split();
    rotate();
    appendPast();
    const ValueId keys = m_k, values = m_v;
    const ValueId x = masked(scores());
    ir::Attributes axis;
    axis.set("axis", std::int64_t(-1));
    ValueId p = m_style.keepsSoftmax ? m_s.unary(ir::Op::Softmax, "softmax", x, std::move(axis))
                                     : emitSoftmax(m_s, x, {3}, m_style.softmax, "softmax_");
    const ValueId probabilities = p;
    if (folds())
        p = m_s.reshape("softmax/group", p,
            Extents{m_a.batch, m_a.kvHeads, m_a.heads / m_a.kvHeads * m_a.queries, m_a.keys});
    const ValueId y = merged(m_s.matmul("context", p, expandHeads("v_expand", m_v, m_a.valueSize)));
    std::vector<ValueId> results = {y};
    if (m_a.form == AttentionForm::Projecting) {
        ValueId present;
        if (isWanted(1)) {
            NewNode node{ir::Op::Concat, "present", {keys, values}, {}, {}, {}};
            node.attributes.set("axis", std::int64_t(0));
            node.attributes.set("new_axis", std::int64_t(1));
            node.outputs.push_back(
                {typeOf(keys), m_rewriter.value(m_node.outputs[1]).shape, ValueRole::Activation});
            present = m_s.add(std::move(node));
        }
        results.push_back(present);
    } else {
        results.push_back(isWanted(1) ? keys : ValueId());
        results.push_back(isWanted(2) ? values : ValueId());
        results.push_back(isWanted(3) ? probabilities : ValueId());
    }
    return m_s.finish(results);
}

/// Sizes must be consistent before anything is replaced.
bool isConsistent(const Rewriter& rewriter, NodeId id, const AttentionShape& a) {
    const auto isKnown = [&](std::size_t index) {
        const ValueId value = rewriter.input(id, index);
        return value.isValid() && rewriter.value(value).shape.has_value();
    };
    if (!isKnown(0) || a.heads % a.kvHeads != 0 || rewriter.node(id).outputs.empty()
        || !rewriter.node(id).outputs[0].isValid())
        return false;
    std::int64_t size = 1;
    for (const std::int64_t factor :
        {a.batch, a.heads, a.queries, std::max(a.keys, a.headSize + a.valueSize)})
        if (factor < 0 || __builtin_mul_overflow(size, std::max<std::int64_t>(factor, 1), &size))
            return false;
    return !a.pastKey.isValid() || rewriter.value(a.pastKey).shape.has_value();
}

} // namespace

std::vector<NodeId> decomposeAttention(Rewriter& rewriter, NodeId id, const AttentionStyle& style) {
    Node node = rewriter.node(id);
    for (ValueId& input : node.inputs)
        input = rewriter.resolve(input);
    const auto shape = attentionShape(rewriter.graph().values, node);
    if (!shape || !isConsistent(rewriter, id, *shape) || node.canonical == ir::Op::QAttention)
        return {};
    Sequence sequence = rewriter.replace(id, style.rule);
    return AttentionDecomposition(rewriter, id, node, *shape, style, sequence).run();
}

std::vector<NodeId> decomposeRotary(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != ir::Op::RotaryEmbedding || !x.isValid() || !rewriter.value(x).shape)
        return {};
    // The contrib operator has the positions in second place, the standard one the caches.
    const ValueId second = rewriter.input(id, 1);
    const bool hasPositions = second.isValid() && ir::isInteger(rewriter.value(second).dtype);
    const ValueId positions = hasPositions ? second : rewriter.input(id, 3);
    const ValueId cos = rewriter.input(id, hasPositions ? 2 : 1);
    const ValueId sin = rewriter.input(id, hasPositions ? 3 : 2);
    const Extents given = *rewriter.value(x).shape;
    if (!cos.isValid() || !sin.isValid() || !rewriter.value(cos).shape
        || rewriter.value(cos).shape->empty() || (given.size() != 3 && given.size() != 4))
        return {};
    const std::int64_t half = rewriter.value(cos).shape->back();
    const std::int64_t size = given.size() == 4 ? given[3] : 2 * half;
    if (half <= 0 || 2 * half != size || given.back() % size != 0)
        return {}; // only the whole head turns here
    Sequence s = rewriter.replace(id, rule);
    const bool isFlat = given.size() == 3;
    const Extents apart = isFlat ? Extents{given[0], given[1], given[2] / size, size} : given;
    const std::int64_t length = isFlat ? given[1] : given[2];
    const ValueId heads = isFlat ? s.reshape("heads", x, apart) : x;
    const auto table = [&](std::string_view suffix, ValueId cache) {
        const std::string name(suffix);
        ValueId rows = cache;
        if (positions.isValid()) {
            NewNode gather{ir::Op::Gather, name, {cache, positions}, {}, {}, {}};
            gather.attributes.set("axis", std::int64_t(0));
            gather.outputs.push_back(
                {s.value(x).dtype, Extents{given[0], length, half}, ValueRole::Activation});
            rows = s.add(std::move(gather));
        } else if (s.rank(cache) == std::size_t(2)) {
            rows = s.slice(name, cache, 0, 0, length);
        }
        const bool isBatched = s.rank(rows) == std::size_t(3);
        const std::int64_t batch = isBatched ? (*s.value(rows).shape)[0] : 1;
        return s.reshape(name + "/shape", rows,
            isFlat ? Extents{batch, length, 1, half} : Extents{batch, 1, length, half});
    };
    const ValueId c = table("cos", cos), n = table("sin", sin);
    const bool isInterleaved = node.attributes.integer("interleaved", 0) != 0;
    const ValueId a =
        isInterleaved ? s.slice("even", heads, 3, 0, size, 2) : s.slice("left", heads, 3, 0, half);
    const ValueId b = isInterleaved ? s.slice("odd", heads, 3, 1, size, 2)
                                    : s.slice("right", heads, 3, half, size);
    const ValueId real = s.binary(ir::Op::Sub, "real", s.binary(ir::Op::Mul, "a_cos", a, c),
        s.binary(ir::Op::Mul, "b_sin", b, n));
    const ValueId imaginary = s.binary(ir::Op::Add, "imaginary",
        s.binary(ir::Op::Mul, "a_sin", a, n), s.binary(ir::Op::Mul, "b_cos", b, c));
    NewNode join{ir::Op::Concat, "join", {real, imaginary}, {}, {}, {}};
    join.attributes.set("axis", std::int64_t(isInterleaved ? 4 : 3));
    join.attributes.set("new_axis", std::int64_t(isInterleaved ? 1 : 0));
    join.outputs.push_back({s.value(x).dtype, apart, ValueRole::Activation});
    ValueId y = s.add(std::move(join));
    if (isFlat)
        y = s.reshape("flat", y, given);
    return s.finish(y);
}

} // namespace fivefold::lowering
