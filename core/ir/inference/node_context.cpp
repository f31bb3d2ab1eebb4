// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/node_context.h"

namespace fivefold::ir::inference {

namespace {
const ValueType kOmitted{};
}

std::optional<std::vector<std::int64_t>> Operand::integers() const {
    return values ? knownShape(*values) : std::nullopt;
}

NodeContext::NodeContext(State& state, NodeId id)
    : m_state(state)
    , m_id(id)
    , m_node(state.graph.nodes[id]) { }

bool NodeContext::has(std::size_t i) const {
    return input(i).isValid();
}

ValueId NodeContext::input(std::size_t i) const {
    if (i >= m_node.inputs.size() || !m_state.graph.values.contains(m_node.inputs[i]))
        return ValueId();
    return m_node.inputs[i];
}

const ValueType& NodeContext::type(std::size_t i) const {
    const ValueId id = input(i);
    return id.isValid() ? m_state.typed.types[id] : kOmitted;
}

int NodeContext::rank(std::size_t i) const {
    const MaybeShape& s = shape(i);
    return s ? static_cast<int>(s->size()) : -1;
}

Dim NodeContext::dim(std::size_t i, int axis) const {
    const MaybeShape& s = shape(i);
    if (!s)
        return Dim();
    if (axis < 0)
        axis += static_cast<int>(s->size());
    return axis >= 0 && axis < static_cast<int>(s->size()) ? (*s)[static_cast<std::size_t>(axis)]
                                                           : Dim();
}

const Contents* NodeContext::contents(std::size_t i) {
    if (const Contents* replaced = replacedContents(i))
        return replaced;
    return contentsOf(m_state, input(i));
}

const Contents* NodeContext::replacedContents(std::size_t i) const {
    if (m_state.operands.empty())
        return nullptr;
    const auto found = m_state.operands.find({m_id, i});
    return found == m_state.operands.end() ? nullptr : &found->second;
}

const Numbers* NodeContext::numbers(std::size_t i) {
    return numbersOf(m_state, input(i));
}

std::optional<std::int64_t> NodeContext::scalar(std::size_t i) {
    const Contents* c = contents(i);
    return c && c->size() == 1 ? c->front().known() : std::nullopt;
}

std::optional<double> NodeContext::scalarNumber(std::size_t i) {
    const Numbers* n = numbers(i);
    return n && n->size() == 1 ? std::optional(n->front()) : std::nullopt;
}

Operand NodeContext::operand(std::string_view attribute, std::size_t i) {
    Operand result;
    if (const Contents* replaced = replacedContents(i)) {
        result.isGiven = true;
        result.values = *replaced;
        return result;
    }
    if (const AttributeValue* value = m_node.attributes.find(attribute)) {
        result.isGiven = true;
        if (const auto* texts = std::get_if<std::vector<std::string>>(value))
            result.values = resolveTexts(m_state.sizes, *texts);
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(value))
            result.values = Contents(list->begin(), list->end());
        else if (const auto* single = std::get_if<std::int64_t>(value))
            result.values = Contents{Dim(*single)};
        return result;
    }
    if (!has(i))
        return result;
    result.isGiven = true;
    if (const Contents* c = contents(i))
        result.values = *c;
    return result;
}

bool NodeContext::wants(std::size_t i) const {
    return i < m_node.outputs.size() && m_state.graph.values.contains(m_node.outputs[i]);
}

void NodeContext::output(std::size_t i, DType dtype, MaybeShape shape) {
    output(i, ValueType{ValueKind::Tensor, dtype, std::move(shape)});
}

void NodeContext::output(std::size_t i, ValueType type) {
    if (!wants(i) || m_isRejected)
        return;
    if (type.shape && type.kind == ValueKind::Tensor) {
        for (const Dim& dim : *type.shape) {
            if (dim.isKnown() && dim.value() < 0) {
                reject(opName() + " would give the shape " + toText(*type.shape)
                        + ", which has a negative size.",
                    "Check the sizes of its inputs.");
                return;
            }
        }
    }
    m_state.typed.types[m_node.outputs[i]] = std::move(type);
}

void NodeContext::outputContents(std::size_t i, Contents contents) {
    if (wants(i) && !m_isRejected && contents.size() <= static_cast<std::size_t>(kContentsLimit))
        m_state.typed.contents[m_node.outputs[i]] =
            std::make_shared<const Contents>(std::move(contents));
}

void NodeContext::outputNumbers(std::size_t i, Numbers numbers) {
    if (wants(i) && !m_isRejected)
        m_state.numbers[m_node.outputs[i]] = std::make_shared<const Numbers>(std::move(numbers));
}

void NodeContext::outputBound(std::size_t i, Dim bound) {
    if (wants(i) && !m_isRejected)
        m_state.bounds[m_node.outputs[i]] = std::move(bound);
}

const ValueType& NodeContext::outputType(std::size_t i) const {
    return wants(i) ? m_state.typed.types[m_node.outputs[i]] : kOmitted;
}

void NodeContext::reject(std::string message, std::string remedy) {
    if (!m_isRejected)
        m_state.diagnostics->warn("infer.bad_node", m_node.name, std::move(message),
            remedy.empty() ? "Check the operator's inputs and attributes; its outputs stay unknown."
                           : std::move(remedy));
    m_isRejected = true;
    for (const ValueId id : m_node.outputs) {
        if (!m_state.graph.values.contains(id))
            continue;
        const DType dtype = m_state.typed.types[id].dtype;
        forget(m_state, id);
        m_state.typed.types[id].dtype = dtype;
    }
}

std::string NodeContext::opName() const {
    return m_node.sourceOp.empty() ? std::string(name(m_node.op)) : m_node.sourceOp;
}

} // namespace fivefold::ir::inference
