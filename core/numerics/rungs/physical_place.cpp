// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_place.h"

#include "core/lowering/work.h"

#include <algorithm>

namespace fivefold::numerics {

using lowering::NodeId;
using lowering::StageGraph;
using lowering::ValueId;

namespace {

template <typename T> bool contains(const std::vector<T>& list, const T& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

std::int64_t elementsOf(const lowering::Value& value) {
    return lowering::elements(value.shape).value_or(0);
}

bool isStored(const lowering::Value& value) {
    return value.role == lowering::ValueRole::Weight || value.role == lowering::ValueRole::Constant;
}

/// Larger is better: contents that were computed before stored ones, then by size.
std::pair<bool, std::int64_t> rank(const lowering::Value& value) {
    return {!isStored(value), elementsOf(value)};
}

void findOperand(const StageGraph& graph, FaultPlace& place) {
    for (const NodeId id : place.nodes)
        for (const ValueId input : graph.nodes[id].inputs) {
            if (!graph.values.contains(input))
                continue;
            const lowering::Value& value = graph.values[input];
            if (!value.layout || !ir::isFloat(value.dtype) || elementsOf(value) < 2
                || place.holds(value.producer))
                continue;
            if (!place.operand.isValid() || rank(value) > rank(graph.values[place.operand]))
                place.operand = input;
        }
}

bool isCopy(const lowering::Node& node) {
    return node.sources.empty() && node.inputs.size() == 1
        && (node.canonical == ir::Op::Identity || node.canonical == ir::Op::Cast);
}

/// From the operand back to what is brought from memory.
void findFeeders(const StageGraph& graph, FaultPlace& place) {
    while (place.operand.isValid()) {
        const lowering::Value& value = graph.values[place.operand];
        const bool isOwn = value.producer.isValid() && !value.source.isValid()
            && isCopy(graph.nodes[value.producer])
            && std::all_of(value.users.begin(), value.users.end(),
                [&](NodeId user) { return place.reads(user); });
        if (!isOwn)
            return;
        const ValueId before = graph.nodes[value.producer].inputs[0];
        if (!graph.values.contains(before) || !graph.values[before].layout
            || graph.values[before].shape != value.shape)
            return;
        place.feeders.push_back(value.producer);
        place.operand = before;
    }
}

void findExits(const StageGraph& graph, FaultPlace& place) {
    const lowering::Node& exit = graph.nodes[place.exit];
    place.exits = {place.exit};
    for (const NodeId id : place.nodes) {
        const lowering::Node& node = graph.nodes[id];
        if (id != place.exit && node.canonical == exit.canonical && node.sources == exit.sources
            && !node.outputs.empty() && graph.values.contains(node.outputs[0])
            && !graph.values[node.outputs[0]].source.isValid()
            && graph.values[node.outputs[0]].shape == graph.values[place.result].shape
            && !node.addedBy.empty())
            place.exits.push_back(id);
    }
}

} // namespace

bool FaultPlace::holds(NodeId node) const {
    return node.isValid() && contains(nodes, node);
}

bool FaultPlace::reads(NodeId node) const {
    return holds(node) || (node.isValid() && contains(feeders, node));
}

FaultPlace placeOf(const StageGraph& graph, const ir::Graph& captured, ir::NodeId node) {
    FaultPlace place;
    if (!captured.nodes.contains(node))
        return place;
    const ir::Node& source = captured.nodes[node];
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (contains(graph.nodes[NodeId(i)].sources, node))
            place.nodes.emplace_back(i);
    for (const NodeId id : place.nodes)
        for (const ValueId output : graph.nodes[id].outputs)
            if (graph.values.contains(output) && graph.values[output].source.isValid()
                && contains(source.outputs, graph.values[output].source) && !place.exit.isValid()) {
                place.exit = id;
                place.result = output;
            }
    if (!place.isSound())
        return place;
    place.entry = place.nodes.front();
    findExits(graph, place);
    findOperand(graph, place);
    findFeeders(graph, place);
    const auto& inputs = captured.main().inputs;
    for (const ir::ValueId input : source.inputs)
        if (input.isValid() && contains(inputs, input) && !place.input.isValid())
            place.input = input;
    return place;
}

base::IdVector<NodeId, lowering::StepId> stepsOfNodes(
    const lowering::Program& program, std::size_t nodes) {
    base::IdVector<NodeId, lowering::StepId> steps(nodes);
    for (std::size_t s = 0; s < program.steps.size(); ++s)
        for (const NodeId node : program.steps[lowering::StepId(s)].nodes)
            if (steps.contains(node))
                steps[node] = lowering::StepId(s);
    return steps;
}

namespace {

/// The value's buffer in the same memory as another one.
lowering::BufferId bufferBeside(
    const lowering::Program& program, ValueId value, const lowering::Buffer& other) {
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const lowering::Buffer& buffer = program.buffers[lowering::BufferId(b)];
        if (buffer.value == value && buffer.level == other.level && buffer.unit == other.unit)
            return lowering::BufferId(b);
    }
    return {};
}

/// Position of the first reader of a value; the number of nodes without one.
std::size_t firstReader(const StageGraph& graph, ValueId value) {
    std::size_t first = graph.nodes.size();
    for (const NodeId user : graph.values[value].users)
        first = std::min(first, user.index());
    return first;
}

} // namespace

std::vector<Intruder> intrudersOf(
    const lowering::Program& program, const StageGraph& graph, const FaultPlace& place) {
    std::vector<Intruder> found;
    if (!place.isSound() || !graph.values[place.result].layout)
        return found;
    std::vector<lowering::BufferId> own;
    for (std::size_t b = 0; b < program.buffers.size(); ++b)
        if (program.buffers[lowering::BufferId(b)].value == place.result)
            own.emplace_back(b);
    const std::size_t end = firstReader(graph, place.result);
    constexpr std::size_t kMostCandidates = 8;
    for (std::size_t i = place.exit.index() + 1;
         !own.empty() && i < end && found.size() < kMostCandidates; ++i)
        for (const ValueId output : graph.nodes[NodeId(i)].outputs) {
            if (!graph.values.contains(output) || !graph.values[output].source.isValid()
                || !graph.values[output].layout)
                continue;
            for (const lowering::BufferId victim : own) {
                const auto buffer = bufferBeside(program, output, program.buffers[victim]);
                if (buffer.isValid()) {
                    found.push_back({output, buffer, victim});
                    break;
                }
            }
        }
    return found;
}

} // namespace fivefold::numerics
