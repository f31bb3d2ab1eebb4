// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise_operands.h"

#include <algorithm>

namespace fivefold::ir::freeing {

using inference::State;

Unknowns::Unknowns(std::string symbol, std::int64_t size)
    : m_symbol(std::move(symbol))
    , m_size(size) { }

std::size_t Unknowns::addItem(NodeId node) {
    const std::string name = m_symbol + "__" + std::to_string(m_items.size() + 1);
    m_items.push_back({name, node, false, std::nullopt});
    m_sizes.freed[name] = m_size;
    m_sizes.all[name] = m_size;
    return m_items.size() - 1;
}

std::size_t Unknowns::add(bool isBroadcast) {
    const std::size_t added = addItem({});
    m_items[added].isBroadcast = isBroadcast;
    return added;
}

std::size_t Unknowns::at(NodeId node, std::size_t operand, std::size_t element) {
    const auto key = std::pair(node, std::pair(operand, element));
    if (const auto found = m_byPlace.find(key); found != m_byPlace.end())
        return found->second;
    return m_byPlace[key] = addItem(node);
}

Dim Unknowns::value(std::size_t unknown) const {
    // A solution may itself be an unknown that was solved later.
    Dim dim = Dim::symbol(m_items[unknown].name);
    for (std::size_t step = 0; step <= m_items.size(); ++step) {
        const auto item = std::find_if(m_items.begin(), m_items.end(),
            [&](const Item& each) { return isSame(dim, Dim::symbol(each.name)); });
        if (item == m_items.end() || !item->solution)
            return dim;
        dim = *item->solution;
    }
    return dim;
}

std::vector<std::size_t> Unknowns::unsolved() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (!m_items[i].solution)
            result.push_back(i);
    return result;
}

bool Unknowns::hasUnsolved(const Dim& dim) const {
    const auto names = dim.symbols();
    return std::any_of(m_items.begin(), m_items.end(), [&](const Item& item) {
        return std::any_of(names.begin(), names.end(),
            [&](const std::string& name) { return name.find(item.name) != std::string::npos; });
    });
}

bool Unknowns::equate(const Dim& unknown, const Dim& other, bool isEqual) {
    const auto item = std::find_if(m_items.begin(), m_items.end(), [&](const Item& each) {
        return !each.solution && isSame(unknown, Dim::symbol(each.name));
    });
    if (item == m_items.end() || !m_sizes.inFile(other).is(m_size))
        return false;
    if (!isEqual && m_size == 1 && !item->isBroadcast)
        return false;
    if (hasUnsolved(other)) {
        // Two unknowns that are the same one: the later becomes the earlier.
        const auto twin = std::find_if(m_items.begin(), m_items.end(),
            [&](const Item& each) { return isSame(other, Dim::symbol(each.name)); });
        if (twin == m_items.end() || twin >= item)
            return false;
    }
    item->solution = other;
    return true;
}

void Unknowns::refresh(const Graph& graph) {
    // Primes that no model has as a size.
    constexpr std::int64_t kPrimes[] = {7919, 6007, 5003, 4001, 3001};
    m_sizes.freed[m_symbol] = m_size;
    m_sizes.all[m_symbol] = m_size;
    std::size_t next = 0;
    for (const FreeSymbol& symbol : freeSymbols(graph))
        if (!m_sizes.all.contains(symbol.name))
            m_sizes.all[symbol.name] = kPrimes[next++ % std::size(kPrimes)];
}

std::optional<Contents> OperandDeriver::contents(
    State& state, const Node& node, std::string_view attribute, std::size_t operand) const {
    if (const AttributeValue* value = node.attributes.find(attribute)) {
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(value))
            return Contents(list->begin(), list->end());
        if (const auto* texts = std::get_if<std::vector<std::string>>(value))
            return inference::resolveTexts({}, *texts);
    }
    if (operand >= node.inputs.size() || !m_graph.values.contains(node.inputs[operand]))
        return std::nullopt;
    const Contents* known = inference::contentsOf(state, node.inputs[operand]);
    return known ? std::optional(*known) : std::nullopt;
}

void OperandDeriver::replace(
    State& state, NodeId node, std::size_t operand, const Contents& before, const Contents& after) {
    if (before == after)
        return;
    const auto key = std::pair(node, operand);
    if (const auto found = m_operands.find(key);
        found != m_operands.end() && found->second != after) {
        refuse(m_graph.nodes[node], "has another shape in each run of its loop");
        return;
    }
    m_operands[key] = after;
    state.operands[key] = after;
}

void OperandDeriver::refuse(const Node& node, const std::string& reason) {
    if (m_refusal.empty())
        m_refusal = "\"" + node.name + "\" " + reason + ".";
}

void OperandDeriver::derive(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    if (!m_refusal.empty())
        return;
    switch (node.op) {
    case Op::Reshape:
        return deriveReshape(state, id);
    case Op::Squeeze:
        return deriveSqueeze(state, id);
    case Op::Expand:
        return deriveExpand(state, id);
    case Op::ConstantOfShape:
        return deriveNewShape(state, id);
    case Op::Tile:
        return deriveTile(state, id);
    case Op::Range:
        return deriveRange(state, id);
    case Op::Slice:
        return deriveSlice(state, id);
    case Op::Gather:
        return deriveGather(state, id);
    case Op::Resize:
        return deriveResize(state, id);
    default:
        return;
    }
}

namespace {

const std::optional<Shape>& shapeOf(const Typed& typed, const Node& node, std::size_t input) {
    static const std::optional<Shape> kNone;
    if (input >= node.inputs.size() || !typed.graph->values.contains(node.inputs[input]))
        return kNone;
    return typed.types[node.inputs[input]].shape;
}

} // namespace

void OperandDeriver::deriveReshape(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto target = contents(state, node, "shape", 1);
    if (!in || !target || node.outputs.empty() || !m_graph.values.contains(node.outputs[0])
        || std::none_of(in->begin(), in->end(), [this](const Dim& dim) { return isFreed(dim); }))
        return;
    const auto& out = m_file.types[node.outputs[0]].shape;
    if (!out || out->size() != target->size()
        || std::any_of(out->begin(), out->end(), [](const Dim& d) { return d.isUnknown(); }))
        return;
    const auto aligned = alignReshape(*in, *out, m_unknowns.sizes());
    if (const auto* reason = std::get_if<Ambiguity>(&aligned)) {
        // What the file leaves open (-1, 0) or computes answers it.
        const bool isOpen = std::all_of(target->begin(), target->end(), [this](const Dim& dim) {
            return !dim.isKnown() || dim.value() <= 0
                || (m_unknowns.size() > 1 && dim.value() % m_unknowns.size() != 0);
        });
        if (!isOpen)
            refuse(node, *reason);
        return;
    }
    const Shape& derived = std::get<Shape>(aligned);
    Contents after = *target;
    for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i].isKnown() ? after[i].value() > 0 : after[i].isSymbolic() && !isFreed(after[i]))
            after[i] = derived[i];
    replace(state, id, 1, *target, after);
}

/// Without axes Squeeze drops all sizes of 1: in symbols it has to be told which.
void OperandDeriver::deriveSqueeze(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    if (!in || node.attributes.has("axes") || (node.inputs.size() > 1 && node.inputs[1].isValid())
        || std::none_of(in->begin(), in->end(), [this](const Dim& dim) { return isFreed(dim); }))
        return;
    Contents axes;
    for (std::size_t i = 0; i < in->size(); ++i) {
        if (isFreed((*in)[i]) && m_unknowns.sizes().inFile((*in)[i]).is(1))
            return refuse(node, "drops every axis of size 1, and the free one is one of them");
        if ((*in)[i].is(1))
            axes.push_back(Dim(static_cast<std::int64_t>(i)));
    }
    replace(state, id, 1, {}, axes);
}

/// The size that an element of a shape may have to follow, or the element itself.
Dim OperandDeriver::followed(
    NodeId node, std::size_t operand, std::size_t element, const Dim& size) {
    if (!size.is(m_unknowns.size()) || (m_unknowns.size() == 1 && !m_unknowns.isUnfixed(node)))
        return size;
    return m_unknowns.value(m_unknowns.at(node, operand, element));
}

void OperandDeriver::deriveExpand(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto target = contents(state, node, "shape", 1);
    if (!in || !target)
        return;
    Contents after = *target;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::size_t fromEnd = after.size() - i;
        const Dim data = fromEnd <= in->size() ? (*in)[in->size() - fromEnd] : Dim(1);
        if (isFreed(data) && isSame(m_unknowns.sizes().inFile(data), after[i]))
            after[i] = data;
        else if (data.is(1))
            after[i] = followed(id, 1, i, after[i]);
    }
    replace(state, id, 1, *target, after);
}

void OperandDeriver::deriveNewShape(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto target = contents(state, node, {}, 0);
    if (!target)
        return;
    Contents after = *target;
    for (std::size_t i = 0; i < after.size(); ++i)
        after[i] = followed(id, 0, i, after[i]);
    replace(state, id, 0, *target, after);
}

void OperandDeriver::deriveTile(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto repeats = contents(state, node, {}, 1);
    if (!in || !repeats || repeats->size() != in->size())
        return;
    Contents after = *repeats;
    for (std::size_t i = 0; i < after.size(); ++i)
        if ((*in)[i].is(1))
            after[i] = followed(id, 1, i, after[i]);
    replace(state, id, 1, *repeats, after);
}

void OperandDeriver::deriveRange(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto start = contents(state, node, {}, 0);
    const auto limit = contents(state, node, {}, 1);
    if (!start || !limit || start->size() != 1 || limit->size() != 1 || !start->front().is(0)
        || m_unknowns.size() == 1)
        return;
    replace(state, id, 1, *limit, {followed(id, 1, 0, limit->front())});
}

/// Positions on a free axis: its end and its last element follow; on another axis an end that is
/// the freed size may have to.
void OperandDeriver::deriveSlice(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto starts = contents(state, node, "starts", 1);
    const auto ends = contents(state, node, "ends", 2);
    const auto axes = contents(state, node, "axes", 3);
    if (!in || !starts || !ends)
        return;
    Contents newStarts = *starts;
    Contents newEnds = *ends;
    const auto rank = static_cast<std::int64_t>(in->size());
    for (std::size_t i = 0; i < std::min(starts->size(), ends->size()); ++i) {
        std::int64_t axis = static_cast<std::int64_t>(i);
        if (axes)
            axis = i < axes->size() ? (*axes)[i].known().value_or(-1) : -1;
        axis = axis < 0 ? axis + rank : axis;
        if (axis < 0 || axis >= rank)
            continue;
        const Dim& size = (*in)[static_cast<std::size_t>(axis)];
        const Dim inFile = m_unknowns.sizes().inFile(size);
        const auto follow = [&](Dim& position) {
            if (!position.isKnown() || position.value() <= 0 || !inFile.isKnown())
                return;
            if (isSame(position, inFile))
                position = size;
            else if (inFile.value() > 2 && position.is(inFile.value() - 1))
                position = size - Dim(1);
            else if (position.value() < inFile.value())
                m_smallest = std::max(m_smallest, position.value());
        };
        if (isFreed(size)) {
            follow(newStarts[i]);
            follow(newEnds[i]);
        } else if (m_unknowns.size() > 1) {
            newEnds[i] = followed(id, 2, i, newEnds[i]);
        }
    }
    replace(state, id, 1, *starts, newStarts);
    replace(state, id, 2, *ends, newEnds);
}

/// The last element of a free axis stays the last one.
void OperandDeriver::deriveGather(State& state, NodeId id) {
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto indices = contents(state, node, {}, 1);
    if (!in || in->empty() || !indices || indices->size() != 1 || !indices->front().isKnown())
        return;
    const auto rank = static_cast<std::int64_t>(in->size());
    std::int64_t axis = node.attributes.integer("axis", 0);
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank || !isFreed((*in)[static_cast<std::size_t>(axis)]))
        return;
    const Dim& size = (*in)[static_cast<std::size_t>(axis)];
    const Dim inFile = m_unknowns.sizes().inFile(size);
    const std::int64_t index = indices->front().value();
    if (inFile.isKnown() && inFile.value() > 2 && index == inFile.value() - 1)
        replace(state, id, 1, *indices, {size - Dim(1)});
    else if (index > 0)
        m_smallest = std::max(m_smallest, index + 1);
}

void OperandDeriver::deriveResize(State& state, NodeId id) {
    constexpr std::size_t kSizes = 3;
    const Node& node = m_graph.nodes[id];
    const auto& in = shapeOf(state.typed, node, 0);
    const auto sizes = contents(state, node, {}, kSizes);
    if (!in || !sizes || sizes->size() != in->size())
        return;
    Contents after = *sizes;
    for (std::size_t i = 0; i < after.size(); ++i)
        if (isFreed((*in)[i]) && isSame(m_unknowns.sizes().inFile((*in)[i]), after[i]))
            after[i] = (*in)[i];
    replace(state, id, kSizes, *sizes, after);
}

} // namespace fivefold::ir::freeing
