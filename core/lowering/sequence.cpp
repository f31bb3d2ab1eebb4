// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/recipes.h"
#include "core/lowering/rewriter.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

/// Shape of a · b, the last two axes of b swapped where asked.
KnownShape productShape(const KnownShape& a, const KnownShape& b, bool isTransposed) {
    if (!a || !b || a->size() < 2 || b->size() < 2)
        return std::nullopt;
    using Extents = std::vector<std::int64_t>;
    KnownShape shape =
        broadcast(Extents(a->begin(), a->end() - 2), Extents(b->begin(), b->end() - 2));
    if (!shape)
        return std::nullopt;
    shape->push_back((*a)[a->size() - 2]);
    shape->push_back((*b)[b->size() - (isTransposed ? 2 : 1)]);
    return shape;
}

} // namespace

Sequence::Sequence(Rewriter& rewriter, std::vector<NodeId> replaced, std::string rule)
    : m_rewriter(rewriter)
    , m_replaced(std::move(replaced))
    , m_oldOutputs(rewriter.m_graph.nodes[m_replaced.back()].outputs)
    , m_rule(std::move(rule)) { }

const Value& Sequence::value(ValueId id) const {
    return m_rewriter.value(id);
}

std::optional<std::size_t> Sequence::rank(ValueId id) const {
    const KnownShape& shape = value(id).shape;
    return shape ? std::optional(shape->size()) : std::nullopt;
}

std::vector<ValueId> Sequence::addMany(NewNode spec) {
    const NodeId at = m_replaced.back();
    const std::string base = m_rewriter.m_graph.nodes[at].name;
    const NodeId id = m_rewriter.makeNode(std::move(spec), base, at.value);
    const Node& old = m_rewriter.m_graph.nodes[at];
    Node& node = m_rewriter.m_graph.nodes[id];
    node.block = old.block;
    if (__builtin_mul_overflow(old.executions, m_repeat, &node.executions))
        node.executions = old.executions;
    node.kernel = old.kernel;
    node.decidedBy = old.decidedBy;
    node.rule = m_rule;
    m_made.push_back(id);
    return node.outputs;
}

ValueId Sequence::add(NewNode spec) {
    if (spec.outputs.empty())
        spec.outputs.push_back({});
    return addMany(std::move(spec)).front();
}

ValueId Sequence::unary(ir::Op op, std::string_view suffix, ValueId x, ir::Attributes attributes) {
    NewNode spec{op, std::string(suffix), {x}, {}, std::move(attributes), {}};
    spec.outputs.push_back({value(x).dtype, value(x).shape, ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::binary(ir::Op op, std::string_view suffix, ValueId a, ValueId b) {
    NewNode spec{op, std::string(suffix), {a, b}, {}, {}, {}};
    const KnownShape shape = broadcast(value(a).shape, value(b).shape);
    spec.outputs.push_back({value(a).dtype, shape, ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::reduce(
    ir::Op op, std::string_view suffix, ValueId x, std::vector<std::int64_t> axes) {
    NewNode spec{op, std::string(suffix), {x}, {}, {}, {}};
    KnownShape shape = value(x).shape;
    if (shape)
        for (const std::int64_t axis : axes)
            if (axis >= 0 && axis < static_cast<std::int64_t>(shape->size()))
                (*shape)[static_cast<std::size_t>(axis)] = 1;
    spec.attributes.set("axes", std::move(axes));
    spec.attributes.set("keepdims", std::int64_t(1));
    spec.outputs.push_back({value(x).dtype, std::move(shape), ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::matmul(std::string_view suffix, ValueId a, ValueId b, bool isTransposed) {
    NewNode spec{isTransposed ? ir::Op::FusedMatMul : ir::Op::MatMul, std::string(suffix), {a, b},
        {}, {}, {}};
    if (isTransposed)
        spec.attributes.set("transB", std::int64_t(1));
    spec.outputs.push_back({value(a).dtype,
        productShape(value(a).shape, value(b).shape, isTransposed), ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::reshape(std::string_view suffix, ValueId x, KnownShape shape) {
    NewNode spec{ir::Op::Reshape, std::string(suffix), {x}, {}, {}, {}};
    if (shape)
        spec.attributes.set("shape", *shape);
    spec.outputs.push_back({value(x).dtype, std::move(shape), ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::transpose(
    std::string_view suffix, ValueId x, std::vector<std::int64_t> permutation) {
    NewNode spec{ir::Op::Transpose, std::string(suffix), {x}, {}, {}, {}};
    KnownShape shape;
    if (const KnownShape& from = value(x).shape; from && from->size() == permutation.size()) {
        shape.emplace();
        for (const std::int64_t axis : permutation)
            shape->push_back((*from)[static_cast<std::size_t>(axis)]);
    }
    spec.attributes.set("perm", std::move(permutation));
    spec.outputs.push_back({value(x).dtype, std::move(shape), ValueRole::Activation});
    return add(std::move(spec));
}

ValueId Sequence::constant(std::string_view suffix, double fill, ValueId like) {
    const std::string& base = m_rewriter.m_graph.nodes[m_replaced.back()].name;
    return m_rewriter.addConstant(base + "/" + std::string(suffix), fill, value(like).dtype);
}

ValueId Sequence::reshaped(std::string_view suffix, ValueId x, std::vector<std::int64_t> shape) {
    const Value& from = value(x);
    if (from.shape == shape)
        return x;
    if (from.producer.isValid() || from.role == ValueRole::Input || from.role == ValueRole::KvCache)
        return reshape(suffix, x, std::move(shape));
    Value copy = from;
    copy.users.clear();
    copy.shape = std::move(shape);
    return m_rewriter.addValue(std::move(copy));
}

ValueId Sequence::part(std::string_view suffix, ValueId x, std::int64_t index) {
    const Value& from = value(x);
    if (!from.shape || from.shape->empty())
        return x;
    std::vector<std::int64_t> rest(from.shape->begin() + 1, from.shape->end());
    if ((*from.shape)[0] == 1)
        return reshaped(suffix, x, std::move(rest));
    if (from.producer.isValid() || from.role == ValueRole::Input || from.role == ValueRole::KvCache)
        return reshape(
            std::string(suffix) + "/shape", slice(suffix, x, 0, index, index + 1), std::move(rest));
    Value copy = from;
    copy.users.clear();
    copy.source = ir::ValueId(); // only a part of it
    if (!copy.fill)
        recipes::describe(copy, recipes::sliced(recipes::contents(from), 0, index, index + 1));
    copy.name += "[" + std::to_string(index) + "]";
    copy.shape = std::move(rest);
    return m_rewriter.addValue(std::move(copy));
}

ValueId Sequence::slice(std::string_view suffix, ValueId x, std::int64_t axis, std::int64_t start,
    std::int64_t end, std::int64_t step) {
    NewNode spec{ir::Op::Slice, std::string(suffix), {x}, {}, {}, {}};
    KnownShape shape = value(x).shape;
    if (shape && axis >= 0 && axis < static_cast<std::int64_t>(shape->size()))
        (*shape)[static_cast<std::size_t>(axis)] =
            end > start ? (end - start + step - 1) / std::max<std::int64_t>(step, 1) : 0;
    using List = std::vector<std::int64_t>;
    spec.attributes.set("starts", List{start});
    spec.attributes.set("ends", List{end});
    spec.attributes.set("axes", List{axis});
    spec.attributes.set("steps", List{step});
    spec.outputs.push_back({value(x).dtype, std::move(shape), ValueRole::Activation});
    return add(std::move(spec));
}

std::vector<NodeId> Sequence::finish(std::span<const ValueId> results) {
    StageGraph& graph = m_rewriter.m_graph;
    std::vector<ir::NodeId> sources;
    std::string addedBy;
    Support support = Support::Native;
    for (const NodeId id : m_replaced) {
        const Node& old = graph.nodes[id];
        sources.insert(sources.end(), old.sources.begin(), old.sources.end());
        support = std::max(support, old.support);
        if (addedBy.empty())
            addedBy = old.addedBy;
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    if (support == Support::Native && m_made.size() > 1)
        support = Support::Decomposed;
    for (const NodeId id : m_made) {
        Node& node = graph.nodes[id];
        node.sources = sources;
        node.support = support;
        if (sources.empty())
            node.addedBy = addedBy;
    }
    for (const NodeId id : m_replaced)
        m_rewriter.remove(id, m_rule);
    for (std::size_t i = 0; i < m_oldOutputs.size() && i < results.size(); ++i)
        m_rewriter.adopt(m_oldOutputs[i], results[i], m_made);
    return m_made;
}

void Rewriter::adopt(ValueId old, ValueId result, std::span<const NodeId> made) {
    if (!old.isValid() || !result.isValid())
        return;
    const ValueId to = resolve(result);
    const NodeId producer = m_graph.values[to].producer;
    const bool isOurs = std::find(made.begin(), made.end(), producer) != made.end();
    if (!isOurs || m_graph.values[to].source.isValid()) {
        replaceValue(old, to);
        return;
    }
    // The model's value stays; the new node's own result becomes a name for it.
    Value& kept = m_graph.values[old];
    if (!kept.shape)
        kept.shape = m_graph.values[to].shape;
    kept.producer = producer;
    for (ValueId& output : m_graph.nodes[producer].outputs)
        if (output == to)
            output = old;
    replaceValue(to, old);
}

} // namespace fivefold::lowering
