// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <unordered_set>

namespace fivefold::lowering {

Words::Words(std::initializer_list<std::pair<ir::Op, std::string_view>> words) {
    for (const auto& [op, word] : words)
        m_words.emplace(op, word);
}

std::string Words::operator()(ir::Op op) const {
    if (const auto found = m_words.find(op); found != m_words.end())
        return found->second;
    std::string word(ir::name(op));
    for (char& c : word)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return word;
}

Rewriter::Rewriter(StageGraph graph, Stage stage, Words words)
    : m_graph(std::move(graph))
    , m_stage(stage)
    , m_words(std::move(words)) {
    const std::size_t n = m_graph.nodes.size();
    m_alive.assign(n, 1);
    m_isNamed.assign(n, 0);
    m_next.resize(n);
    m_previous.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        m_next[i] = i + 1 < n ? static_cast<std::uint32_t>(i + 1) : kNone;
        m_previous[i] = i > 0 ? static_cast<std::uint32_t>(i - 1) : kNone;
    }
    m_first = n > 0 ? 0 : kNone;
    m_last = n > 0 ? static_cast<std::uint32_t>(n - 1) : kNone;
    m_forward.resize(m_graph.values.size());
}

ValueId Rewriter::resolve(ValueId id) const {
    if (!id.isValid())
        return id;
    ValueId root = id;
    while (m_forward[root.index()].isValid())
        root = m_forward[root.index()];
    while (m_forward[id.index()].isValid()) { // shorten the way for the next look-up
        const ValueId next = m_forward[id.index()];
        m_forward[id.index()] = root;
        id = next;
        if (id == root)
            break;
    }
    return root;
}

ValueId Rewriter::input(NodeId node, std::size_t index) const {
    const auto& inputs = m_graph.nodes[node].inputs;
    return index < inputs.size() ? resolve(inputs[index]) : ValueId();
}

std::vector<NodeId> Rewriter::users(ValueId id) const {
    const ValueId root = resolve(id);
    const std::vector<NodeId>& listed = m_graph.values[root].users;
    constexpr std::size_t kFew = 16; // a look through the result is quicker than a set
    std::vector<NodeId> result;
    std::unordered_set<NodeId> seen;
    for (const NodeId user : listed) {
        const bool isNew = listed.size() <= kFew
            ? std::find(result.begin(), result.end(), user) == result.end()
            : seen.insert(user).second;
        if (!isNew || !isAlive(user))
            continue;
        const auto& inputs = m_graph.nodes[user].inputs;
        if (std::any_of(inputs.begin(), inputs.end(),
                [&](ValueId input) { return resolve(input) == root; }))
            result.push_back(user);
    }
    return result;
}

std::vector<NodeId> Rewriter::order() const {
    std::vector<NodeId> nodes;
    nodes.reserve(m_graph.nodes.size());
    for (std::uint32_t at = m_first; at != kNone; at = m_next[at])
        nodes.push_back(NodeId(at));
    return nodes;
}

Sequence Rewriter::replace(NodeId node, std::string rule) {
    return Sequence(*this, {node}, std::move(rule));
}

Sequence Rewriter::replace(std::vector<NodeId> group, std::string rule) {
    return Sequence(*this, std::move(group), std::move(rule));
}

NodeId Rewriter::insertNode(Node node, std::uint32_t before) {
    const NodeId id = m_graph.nodes.add(std::move(node));
    m_alive.push_back(1);
    m_isNamed.push_back(1);
    const std::uint32_t previous = before == kNone ? m_last : m_previous[before];
    m_next.push_back(before);
    m_previous.push_back(previous);
    (previous == kNone ? m_first : m_next[previous]) = id.value;
    (before == kNone ? m_last : m_previous[before]) = id.value;
    for (const ValueId input : m_graph.nodes[id].inputs)
        if (input.isValid())
            m_graph.values[input].users.push_back(id);
    return id;
}

NodeId Rewriter::makeNode(NewNode&& spec, const std::string& base, std::uint32_t before) {
    Node node;
    node.canonical = spec.canonical;
    node.op = spec.op.empty() ? m_words(spec.canonical) : std::move(spec.op);
    node.name = spec.suffix.empty() ? base : base + "/" + spec.suffix;
    node.attributes = std::move(spec.attributes);
    for (const ValueId input : spec.inputs)
        node.inputs.push_back(resolve(input));
    const NodeId id(m_graph.nodes.size());
    for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
        Value value;
        value.name = spec.outputs.size() == 1 ? node.name : node.name + ":" + std::to_string(i);
        value.dtype = spec.outputs[i].dtype;
        if (value.dtype == ir::DType::Undefined && !node.inputs.empty() && node.inputs[0].isValid())
            value.dtype = m_graph.values[node.inputs[0]].dtype;
        value.shape = std::move(spec.outputs[i].shape);
        value.role = spec.outputs[i].role;
        value.producer = id;
        node.outputs.push_back(addValue(std::move(value)));
    }
    node.work = workOf(m_graph.values, node);
    return insertNode(std::move(node), before);
}

void Rewriter::unlink(NodeId node) {
    if (!isAlive(node))
        return;
    const std::uint32_t at = node.value;
    m_alive[at] = 0;
    (m_previous[at] == kNone ? m_first : m_next[m_previous[at]]) = m_next[at];
    (m_next[at] == kNone ? m_last : m_previous[m_next[at]]) = m_previous[at];
}

NodeId Rewriter::makeAdded(ValueId from, NewNode&& spec, const std::string& base,
    std::string addedBy, std::uint32_t before, const Node* context) {
    if (spec.inputs.empty())
        spec.inputs.push_back(from);
    if (spec.outputs.empty())
        spec.outputs.push_back({value(from).dtype, value(from).shape, ValueRole::Activation});
    // Copied first: making a node may move the nodes that `context` points into.
    const std::int64_t executions = context ? context->executions : 1;
    const ir::BlockId block = context ? context->block : ir::BlockId();
    const std::string stem = base;
    const NodeId id = makeNode(std::move(spec), stem, before);
    Node& node = m_graph.nodes[id];
    node.rule = addedBy;
    node.addedBy = std::move(addedBy);
    node.addedAt = m_stage;
    node.executions = executions;
    node.block = block;
    return id;
}

ValueId Rewriter::insertBefore(
    NodeId user, std::size_t index, NewNode newNode, std::string addedBy) {
    const ValueId from = input(user, index);
    if (!from.isValid())
        return from;
    const std::string base = m_graph.nodes[user].name;
    const NodeId id = makeAdded(
        from, std::move(newNode), base, std::move(addedBy), user.value, &m_graph.nodes[user]);
    const ValueId result = m_graph.nodes[id].outputs[0];
    setInput(user, index, result);
    return result;
}

ValueId Rewriter::insertAfter(ValueId valueId, NewNode newNode, std::string addedBy) {
    const std::vector<NodeId> all = users(valueId);
    return insertAfter(valueId, all, std::move(newNode), std::move(addedBy));
}

ValueId Rewriter::insertAfter(
    ValueId valueId, std::span<const NodeId> users, NewNode newNode, std::string addedBy) {
    const ValueId from = resolve(valueId);
    const NodeId producer = m_graph.values[from].producer;
    const std::uint32_t before = producer.isValid() ? m_next[producer.index()] : m_first;
    const std::string base =
        producer.isValid() ? m_graph.nodes[producer].name : m_graph.values[from].name;
    const NodeId id = makeAdded(from, std::move(newNode), base, std::move(addedBy), before,
        producer.isValid() ? &m_graph.nodes[producer] : nullptr);
    const ValueId result = m_graph.nodes[id].outputs[0];
    for (const NodeId user : users)
        for (std::size_t i = 0; i < m_graph.nodes[user].inputs.size(); ++i)
            if (user != id && input(user, i) == from)
                setInput(user, i, result);
    return result;
}

ValueId Rewriter::insertAhead(
    NodeId place, ValueId from, NewNode newNode, std::string addedBy) {
    const ValueId source = resolve(from);
    const std::string base = m_graph.values[source].name;
    const NodeId id = makeAdded(source, std::move(newNode), base, std::move(addedBy), place.value,
        &m_graph.nodes[place]);
    return m_graph.nodes[id].outputs[0];
}

ValueId Rewriter::insertBeforeOutput(std::size_t output, NewNode newNode, std::string addedBy) {
    const ValueId from = resolve(m_graph.outputs[output]);
    const NodeId producer = m_graph.values[from].producer;
    const std::string base = m_graph.values[from].name;
    const NodeId id = makeAdded(from, std::move(newNode), base, std::move(addedBy), kNone,
        producer.isValid() ? &m_graph.nodes[producer] : nullptr);
    const ValueId result = m_graph.nodes[id].outputs[0];
    Value& to = m_graph.values[result];
    Value& old = m_graph.values[from];
    to.role = old.role;
    to.name = old.name;
    to.source = old.source;
    if (old.role == ValueRole::Output) {
        old.role = ValueRole::Activation;
        old.name += "/before " + m_graph.nodes[id].op;
    }
    m_graph.outputs[output] = result;
    return result;
}

void Rewriter::setInput(NodeId node, std::size_t index, ValueId valueId) {
    m_graph.nodes[node].inputs[index] = valueId;
    if (valueId.isValid())
        m_graph.values[resolve(valueId)].users.push_back(node);
}

void Rewriter::replaceValue(ValueId old, ValueId by) {
    const ValueId from = resolve(old);
    const ValueId to = resolve(by);
    if (!from.isValid() || !to.isValid() || from == to)
        return;
    m_forward[from.index()] = to;
    std::vector<NodeId>& kept = m_graph.values[to].users;
    std::vector<NodeId>& moved = m_graph.values[from].users;
    if (kept.size() < moved.size()) // move the shorter list
        std::swap(kept, moved);
    kept.insert(kept.end(), moved.begin(), moved.end());
    moved.clear();
    const ValueRole role = m_graph.values[from].role;
    Value& target = m_graph.values[to];
    const auto& roles = m_graph.values[from].loopRoles;
    target.loopRoles.insert(target.loopRoles.end(), roles.begin(), roles.end());
    if ((role == ValueRole::Output || role == ValueRole::KvCache)
        && target.role == ValueRole::Activation) {
        target.role = role;
        target.name = m_graph.values[from].name;
        target.source = m_graph.values[from].source;
    }
}

void Rewriter::alias(NodeId node, std::string rule) {
    const Node& n = m_graph.nodes[node];
    if (n.inputs.empty() || !n.inputs[0].isValid() || n.outputs.empty())
        return;
    const ValueId from = n.inputs[0];
    const ValueId output = n.outputs[0];
    if (output.isValid() && value(output).shape && value(from).shape
        && value(output).shape != value(from).shape)
        return;
    if (output.isValid())
        replaceValue(output, from);
    remove(node, std::move(rule));
}

void Rewriter::remove(NodeId node, std::string rule) {
    if (!isAlive(node))
        return;
    unlink(node);
    for (const ir::NodeId source : m_graph.nodes[node].sources)
        m_removedSources.emplace_back(source, rule);
}

ValueId Rewriter::addValue(Value value) {
    m_forward.emplace_back();
    return m_graph.values.add(std::move(value));
}

ValueId Rewriter::addConstant(std::string name, double fill, ir::DType dtype) {
    Value value;
    value.name = std::move(name);
    value.dtype = dtype;
    value.shape = std::vector<std::int64_t>{};
    value.role = ValueRole::Constant;
    value.fill = fill;
    return addValue(std::move(value));
}

void Rewriter::applyWords() {
    for (std::uint32_t at = m_first; at != kNone; at = m_next[at]) {
        Node& node = m_graph.nodes[NodeId(at)];
        if (m_isNamed[at] == 0 && node.canonical != ir::Op::Unknown)
            node.op = m_words(node.canonical);
        m_isNamed[at] = 1;
    }
}

} // namespace fivefold::lowering
