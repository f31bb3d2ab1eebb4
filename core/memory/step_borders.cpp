// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/step_borders.h"

#include <algorithm>
#include <limits>

namespace fivefold::memory {

using base::Bytes;
using namespace lowering;

namespace {

/// Operators that may read a part of their first input only.
bool readsPart(const Node& node) {
    return node.opClass() == ir::OpClass::Movement;
}

Bytes resultBytes(const StageGraph& graph, const Node& node) {
    Bytes sum;
    for (const ValueId output : node.outputs)
        if (graph.values.contains(output))
            if (const auto bytes = graph.values[output].bytes())
                if (__builtin_add_overflow(sum.value, bytes->value, &sum.value))
                    return Bytes(std::numeric_limits<std::int64_t>::max());
    return sum;
}

/// A table that is looked up counts with what is read of it, and its padding in proportion.
void shrink(BorderValue& entry, Bytes touched) {
    if (touched >= entry.logical)
        return;
    const double share = touched / entry.logical;
    entry.device = Bytes(std::max(
        touched.value, static_cast<std::int64_t>(static_cast<double>(entry.device.value) * share)));
    entry.logical = touched;
}

} // namespace

StepBorders::StepBorders(const Program& program)
    : m_program(program) {
    for (const Stage stage : {Stage::Scheduled, Stage::Placed})
        if (!m_graph)
            m_graph = program.stages[static_cast<std::size_t>(stage)].get();
    m_kinds.assign(program.steps.size(), StepKind::Work);
    m_first.assign(program.steps.size() + 1, 0);
    if (!m_graph)
        return;
    m_stepOf.assign(m_graph->nodes.size(), StepId());
    for (std::size_t s = 0; s < program.steps.size(); ++s)
        for (const NodeId node : program.steps[StepId(s)].nodes)
            if (m_graph->nodes.contains(node))
                m_stepOf[node] = StepId(s);
    findHomes();
    m_isOutput.assign(m_graph->values.size(), 0);
    for (const ValueId output : m_graph->outputs)
        if (m_graph->values.contains(output))
            m_isOutput[output.index()] = 1;
    m_seenBy.assign(m_graph->values.size(), StepId::kInvalid);
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        addStep(StepId(s));
        m_first[s + 1] = m_values.size();
        m_kinds[StepId(s)] = kindOf(program.steps[StepId(s)], StepId(s));
    }
}

std::span<const BorderValue> StepBorders::of(StepId step) const {
    if (step.index() + 1 >= m_first.size())
        return {};
    return std::span(m_values).subspan(
        m_first[step.index()], m_first[step.index() + 1] - m_first[step.index()]);
}

StepId StepBorders::stepOf(NodeId node) const {
    return m_stepOf.contains(node) ? m_stepOf[node] : StepId();
}

void StepBorders::findHomes() {
    m_homes.resize(m_graph->values.size());
    for (std::size_t v = 0; v < m_homes.size(); ++v)
        m_homes[ValueId(v)].role = m_graph->values[ValueId(v)].role;
    for (std::size_t b = 0; b < m_program.buffers.size(); ++b) {
        const Buffer& buffer = m_program.buffers[BufferId(b)];
        if (!m_homes.contains(buffer.value))
            continue;
        Home& home = m_homes[buffer.value];
        if (!home.buffer.isValid() || buffer.level < home.level) {
            home.level = buffer.level;
            home.buffer = BufferId(b);
        }
    }
    // A view has no room of its own: it lies where what it shows lies. What lowering only moves
    // stays what it was.
    for (const Node& node : m_graph->nodes) {
        if (node.inputs.empty() || !m_homes.contains(node.inputs.front())
            || node.opClass() != ir::OpClass::Movement)
            continue;
        const Home& from = m_homes[node.inputs.front()];
        const bool isSame = ir::isView(node.canonical) || !node.addedBy.empty();
        for (const ValueId output : node.outputs) {
            if (!m_homes.contains(output))
                continue;
            Home& home = m_homes[output];
            if (!home.buffer.isValid()) {
                home.level = from.level;
                home.buffer = from.buffer;
            }
            if (isSame)
                home.role = from.role;
        }
    }
}

void StepBorders::addStep(StepId id) {
    const std::size_t first = m_values.size();
    std::vector<std::int64_t> touched; // of each entry of the step: bytes that its nodes read
    const auto read = [&](ValueId value, const Node& reader) {
        touched.resize(m_values.size() - first, 0);
        std::size_t e = m_values.size() - 1; // nearly always the last
        while (e > first && m_values[e].value != value)
            --e;
        const std::int64_t whole = m_values[e].logical.value;
        std::int64_t& sum = touched[e - first];
        if (sum < whole)
            sum += std::min(
                readsPart(reader) ? resultBytes(*m_graph, reader).value : whole, whole - sum);
    };
    for (const NodeId nodeId : m_program.steps[id].nodes) {
        if (!m_graph->nodes.contains(nodeId))
            continue;
        const Node& node = m_graph->nodes[nodeId];
        for (const ValueId input : node.inputs)
            if (m_graph->values.contains(input) && stepOf(m_graph->values[input].producer) != id) {
                addValue(input, id, false);
                read(input, node);
            }
        for (const ValueId output : node.outputs) {
            if (!m_graph->values.contains(output))
                continue;
            const auto& users = m_graph->values[output].users;
            if (m_isOutput[output.index()] != 0
                || std::any_of(
                    users.begin(), users.end(), [&](NodeId user) { return stepOf(user) != id; }))
                addValue(output, id, true);
        }
    }
    touched.resize(m_values.size() - first, 0);
    for (std::size_t e = first; e < m_values.size(); ++e)
        if (!m_values[e].isWritten)
            shrink(m_values[e], Bytes(touched[e - first]));
}

void StepBorders::addValue(ValueId id, StepId step, bool isWritten) {
    if (m_seenBy[id.index()] == step.value)
        return;
    m_seenBy[id.index()] = step.value;
    const Value& value = m_graph->values[id];
    const Home& home = m_homes[id];
    BorderValue entry;
    entry.value = id;
    entry.isWritten = isWritten;
    entry.level = home.level;
    entry.buffer = home.buffer;
    entry.role = home.role;
    entry.isSpill = home.buffer.isValid() && m_program.buffers[home.buffer].isSpill;
    entry.logical = value.bytes().value_or(Bytes());
    entry.device = std::max(entry.logical, value.deviceBytes().value_or(Bytes()));
    m_values.push_back(entry);
}

StepKind StepBorders::kindOf(const Step& step, StepId id) const {
    if (step.nodes.empty())
        return StepKind::Work;
    for (const NodeId node : step.nodes)
        if (!m_graph->nodes.contains(node) || m_graph->nodes[node].addedBy.empty()
            || !m_graph->nodes[node].sources.empty())
            return StepKind::Work;
    const BorderValue* from = nullptr;
    const BorderValue* to = nullptr;
    for (const BorderValue& value : of(id))
        (value.isWritten ? to : from) = &value;
    if (!from || !to || from->level == to->level)
        return StepKind::Relayout;
    const auto& a = m_graph->values[from->value].layout;
    const auto& b = m_graph->values[to->value].layout;
    const bool isSame =
        a == b || (a && b && a->shape == b->shape && a->dtype == b->dtype && a->axes == b->axes);
    return isSame ? StepKind::Transfer : StepKind::Relayout; // the notation may name the memory
}

} // namespace fivefold::memory
