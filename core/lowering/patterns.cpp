// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/patterns.h"

#include "core/lowering/pattern_matcher.h"

#include <algorithm>
#include <cmath>

namespace fivefold::lowering {

std::string_view toString(PatternKind kind) {
    switch (kind) {
    case PatternKind::LayerNorm:
        return "layer norm";
    case PatternKind::RmsNorm:
        return "RMS norm";
    case PatternKind::GeluErf:
        return "GELU by erf";
    case PatternKind::GeluTanh:
        return "GELU by tanh";
    case PatternKind::Swish:
        return "Swish";
    case PatternKind::HardSwish:
        return "HardSwish";
    case PatternKind::Softmax:
        return "softmax";
    case PatternKind::Attention:
        return "attention";
    }
    return "attention";
}

PatternFinder::PatternFinder(const StageGraph& graph)
    : m_graph(graph)
    , m_isOutput(graph.values.size(), 0)
    , m_taken(graph.nodes.size(), 0) {
    for (const ValueId output : graph.outputs)
        if (output.isValid())
            m_isOutput[output.index()] = 1;
}

NodeId PatternFinder::onlyUser(NodeId id) const {
    const ValueId value = output(id);
    if (!value.isValid() || m_isOutput[value.index()] != 0)
        return {};
    const auto& users = m_graph.values[value].users;
    return users.size() == 1 ? users[0] : NodeId();
}

std::optional<double> scalarOf(const StageGraph& graph, ValueId value) {
    return graph.values.contains(value) ? graph.values[value].fill : std::nullopt;
}

bool PatternFinder::isParameter(ValueId value) const {
    if (!value.isValid() || producer(value).isValid())
        return false;
    const ValueRole role = m_graph.values[value].role;
    return role == ValueRole::Weight || role == ValueRole::Constant;
}

bool PatternFinder::isConstantScalar(ValueId value) const {
    return isParameter(value) && elements(m_graph.values[value].shape) == std::int64_t(1);
}

bool PatternFinder::isNumber(ValueId value, double wanted) const {
    if (!isConstantScalar(value))
        return false;
    const auto fill = scalarOf(m_graph, value);
    return !fill || std::abs(*fill - wanted) <= 0.01 * std::max(std::abs(wanted), 1e-6);
}

ValueId PatternFinder::otherOperand(NodeId binary, ValueId known) const {
    const ValueId a = input(binary, 0), b = input(binary, 1);
    if (a == known && b != known)
        return b;
    return b == known && a != known ? a : ValueId();
}

bool PatternFinder::accept(Match& match) {
    std::sort(match.nodes.begin(), match.nodes.end());
    match.nodes.erase(std::unique(match.nodes.begin(), match.nodes.end()), match.nodes.end());
    const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(match.kind));
    const auto isInside = [&](NodeId id) {
        return std::binary_search(match.nodes.begin(), match.nodes.end(), id);
    };
    for (const NodeId id : match.nodes) {
        if ((m_taken[id.index()] & bit) != 0 || node(id).executions != node(match.root).executions)
            return false;
        if (id == match.root)
            continue;
        for (const ValueId result : node(id).outputs) {
            if (!result.isValid())
                continue;
            const auto& users = m_graph.values[result].users;
            if (m_isOutput[result.index()] != 0
                || !std::all_of(users.begin(), users.end(), isInside))
                return false;
        }
    }
    for (const NodeId id : match.nodes)
        m_taken[id.index()] |= bit;
    return true;
}

namespace {

class Search {
public:
    Search(const StageGraph& graph, std::span<const PatternKind> kinds)
        : m_finder(graph) {
        for (const PatternKind kind : kinds)
            m_wanted[static_cast<std::size_t>(kind)] = true;
    }

    std::vector<Match> run() {
        for (std::size_t i = 0; i < m_finder.graph().nodes.size(); ++i)
            visit(NodeId(i));
        std::stable_sort(m_matches.begin(), m_matches.end(),
            [](const Match& a, const Match& b) { return a.root < b.root; });
        return std::move(m_matches);
    }

private:
    bool wants(PatternKind kind) const { return m_wanted[static_cast<std::size_t>(kind)]; }

    void keep(std::optional<Match> match) {
        if (match && wants(match->kind) && m_finder.accept(*match))
            m_matches.push_back(std::move(*match));
    }

    void visit(NodeId id) {
        switch (m_finder.op(id)) {
        case ir::Op::Sqrt:
        case ir::Op::Rsqrt:
            keep(matchNorm(
                m_finder, id, wants(PatternKind::LayerNorm), wants(PatternKind::RmsNorm)));
            return;
        case ir::Op::Erf:
        case ir::Op::Tanh:
            keep(matchGelu(m_finder, id));
            return;
        case ir::Op::Sigmoid:
            keep(matchSwish(m_finder, id));
            return;
        case ir::Op::HardSigmoid:
        case ir::Op::Clip:
            keep(matchHardSwish(m_finder, id));
            return;
        case ir::Op::Exp: {
            const auto softmax = matchSoftmax(m_finder, id);
            keep(softmax);
            if (softmax)
                keep(matchAttention(m_finder, softmax->input, softmax->nodes));
            return;
        }
        case ir::Op::Softmax:
            keep(matchAttention(m_finder, m_finder.input(id, 0), std::span(&id, 1)));
            return;
        default:
            return;
        }
    }

    PatternFinder m_finder;
    std::array<bool, 8> m_wanted{};
    std::vector<Match> m_matches;
};

ir::Op collapsedOp(PatternKind kind) {
    switch (kind) {
    case PatternKind::LayerNorm:
        return ir::Op::LayerNormalization;
    case PatternKind::RmsNorm:
        return ir::Op::RMSNormalization;
    case PatternKind::GeluErf:
    case PatternKind::GeluTanh:
        return ir::Op::Gelu;
    case PatternKind::Swish:
        return ir::Op::Swish;
    case PatternKind::HardSwish:
        return ir::Op::HardSwish;
    case PatternKind::Softmax:
        return ir::Op::Softmax;
    case PatternKind::Attention:
        return ir::Op::Attention;
    }
    return ir::Op::Unknown;
}

/// Queries, keys and values of one rank, at least a matrix each, in the operator's 4-D form.
bool isExpressible(const Rewriter& rewriter, const Match& match) {
    if (match.kind != PatternKind::Attention)
        return true;
    const KnownShape &q = rewriter.value(match.input).shape, &k = rewriter.value(match.keys).shape,
                     &v = rewriter.value(match.values).shape;
    if (!q || !k || !v || q->size() < 3 || q->size() > 4 || k->size() != q->size()
        || v->size() != q->size())
        return false;
    return std::equal(q->begin(), q->end() - 2, k->begin())
        && std::equal(q->begin(), q->end() - 2, v->begin());
}

NewNode collapsedNode(const Match& match) {
    NewNode node{collapsedOp(match.kind), "", {match.input}, {}, {}, {}};
    switch (match.kind) {
    case PatternKind::LayerNorm:
    case PatternKind::RmsNorm:
        node.inputs.push_back(match.scale);
        node.inputs.push_back(match.bias);
        node.attributes.set("axis", match.axis);
        node.attributes.set("epsilon", match.epsilon);
        break;
    case PatternKind::GeluTanh:
        node.attributes.set("approximate", std::string("tanh"));
        break;
    case PatternKind::Softmax:
        node.attributes.set("axis", match.axis);
        break;
    case PatternKind::Attention:
        node.inputs = {match.input, match.keys, match.values, match.mask};
        node.attributes.set("scale", match.factor.value_or(1.0));
        if (match.areKeysTransposed)
            node.attributes.set("keys_transposed", std::int64_t(1));
        break;
    default:
        break;
    }
    while (!node.inputs.empty() && !node.inputs.back().isValid())
        node.inputs.pop_back();
    return node;
}

} // namespace

std::vector<Match> findPatterns(const StageGraph& graph, std::span<const PatternKind> kinds) {
    return Search(graph, kinds).run();
}

NodeId collapse(Rewriter& rewriter, const Match& match, std::string rule) {
    for (const NodeId id : match.nodes)
        if (!rewriter.isAlive(id))
            return {};
    if (!isExpressible(rewriter, match))
        return {};
    NewNode spec = collapsedNode(match);
    const Value result = rewriter.value(rewriter.node(match.root).outputs[0]);
    // With the root's own values in the order of the group: its last node is the place of the new
    // one.
    std::vector<NodeId> group = match.nodes;
    std::erase(group, match.root);
    group.push_back(match.root);
    Sequence sequence = rewriter.replace(std::move(group), std::move(rule));
    spec.outputs.push_back({result.dtype, result.shape, ValueRole::Activation});
    return sequence.finish(sequence.add(std::move(spec))).front();
}

} // namespace fivefold::lowering
