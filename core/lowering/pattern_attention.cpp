// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/pattern_matcher.h"

namespace fivefold::lowering {

namespace {

bool isProduct(ir::Op op) {
    return op == ir::Op::MatMul || op == ir::Op::FusedMatMul;
}

/// Walks from the softmax up to the product of queries and keys.
class ScoreWalk {
public:
    ScoreWalk(const PatternFinder& finder, Match& match)
        : m_f(finder)
        , m_match(match) { }

    /// The product, or invalid.
    NodeId run(ValueId scores) {
        constexpr int kMaximum = 6; // scale, mask and views in any order
        NodeId below; // the node that reads `scores` on the way; the first one is the softmax
        for (int i = 0; i < kMaximum; ++i) {
            const NodeId node = m_f.producer(scores);
            if (!node.isValid() || (below.isValid() && m_f.onlyUser(node) != below))
                return {};
            if (isProduct(m_f.op(node)))
                return node;
            m_match.nodes.push_back(node);
            below = node;
            scores = step(node);
            if (!scores.isValid())
                return {};
        }
        return {};
    }

private:
    /// Takes one node and returns where the scores come from.
    ValueId step(NodeId node) {
        switch (m_f.op(node)) {
        case ir::Op::Mul:
            return scale(node, false);
        case ir::Op::Div:
            return scale(node, true);
        case ir::Op::Add:
            return add(node);
        case ir::Op::Where:
            return select(node);
        case ir::Op::Identity:
        case ir::Op::Dropout:
            return m_f.input(node, 0);
        default:
            return {};
        }
    }

    ValueId scale(NodeId node, bool isDivision) {
        for (const std::size_t i : {1, 0}) {
            if (!m_f.isConstantScalar(m_f.input(node, i)) || (isDivision && i == 0))
                continue;
            if (const auto number = scalarOf(m_f.graph(), m_f.input(node, i));
                number && *number != 0)
                m_match.factor =
                    m_match.factor.value_or(1.0) * (isDivision ? 1 / *number : *number);
            return m_f.input(node, 1 - i);
        }
        return {};
    }

    bool leadsToProduct(ValueId value) const {
        const ir::Op op = m_f.producerOp(value);
        return isProduct(op) || op == ir::Op::Mul || op == ir::Op::Div;
    }

    ValueId add(NodeId node) {
        if (m_match.mask.isValid())
            return {};
        const ValueId a = m_f.input(node, 0), b = m_f.input(node, 1);
        const bool isFirst =
            isProduct(m_f.producerOp(a)) || (!isProduct(m_f.producerOp(b)) && leadsToProduct(a));
        m_match.mask = isFirst ? b : a;
        return isFirst ? a : b;
    }

    ValueId select(NodeId node) {
        if (m_match.mask.isValid())
            return {};
        // Only masks that keep the scores where they are true can be told as one operand.
        if (!m_f.isConstantScalar(m_f.input(node, 2)))
            return {};
        m_match.mask = m_f.input(node, 0);
        return m_f.input(node, 1);
    }

    const PatternFinder& m_f;
    Match& m_match;
};

} // namespace

std::optional<Match> matchAttention(
    const PatternFinder& f, ValueId scores, std::span<const NodeId> softmax) {
    Match match;
    match.kind = PatternKind::Attention;
    match.nodes.assign(softmax.begin(), softmax.end());
    for (const NodeId node : softmax) // the last one in execution order
        match.softmax = !match.softmax.isValid() || match.softmax < node ? node : match.softmax;
    const Value& x = f.graph().values[scores];
    const auto rank = x.shape ? static_cast<std::int64_t>(x.shape->size()) : 0;
    if (softmax.size() == 1) {
        const std::int64_t axis = f.node(match.softmax).attributes.integer("axis", -1);
        if (rank < 3 || (axis != -1 && axis != rank - 1))
            return std::nullopt;
    }
    const NodeId product = ScoreWalk(f, match).run(scores);
    if (!product.isValid())
        return std::nullopt;
    NodeId last = match.softmax;
    NodeId context = f.onlyUser(last);
    while (f.op(context) == ir::Op::Dropout || f.op(context) == ir::Op::Identity) {
        match.nodes.push_back(context);
        last = context;
        context = f.onlyUser(last);
    }
    if (f.op(context) != ir::Op::MatMul || f.input(context, 0) != f.output(last))
        return std::nullopt;
    const auto& attributes = f.node(product).attributes;
    if (attributes.integer("transA", 0) != 0)
        return std::nullopt;
    match.nodes.insert(match.nodes.end(), {product, context});
    match.root = context;
    match.input = f.input(product, 0);
    match.keys = f.input(product, 1);
    match.values = f.input(context, 1);
    match.areKeysTransposed = attributes.integer("transB", 0) == 0;
    match.axis = -1;
    if (const double alpha = attributes.number("alpha", 1); alpha != 1)
        match.factor = match.factor.value_or(1.0) * alpha;
    return match;
}

} // namespace fivefold::lowering
