// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/stages.h"
#include "core/lowering/steps.h"
#include "core/memory/memory.h"

#include <algorithm>

namespace fivefold::families::cpu {

using lowering::NodeId;
using lowering::ValueId;

namespace {

constexpr std::int64_t kAlignment = 64; // bytes of a cache line, what allocators align tensors to

/// For each value the one whose bytes it shows: itself, or what its chain of views starts from.
base::IdVector<ValueId, ValueId> storedValues(const lowering::StageGraph& graph) {
    base::IdVector<ValueId, ValueId> stored(graph.values.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[ValueId(i)] = ValueId(i);
    for (const lowering::Node& node : graph.nodes) // producers come first: one look-up is enough
        if (ir::isView(node.canonical) && !node.inputs.empty() && node.inputs[0].isValid()
            && !node.outputs.empty() && node.outputs[0].isValid())
            stored[node.outputs[0]] = stored[node.inputs[0]];
    return stored;
}

} // namespace

std::size_t mainMemory(const machines::Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind == machines::MemoryKind::Device)
            return i;
    return 0;
}

void place(const lowering::Context& context, const lowering::StageGraph& graph,
    lowering::Program& program) {
    program.steps = lowering::stepsFromKernels(graph);
    program.mode = "One operator after another; every tensor is in main memory.";
    for (lowering::Step& step : program.steps)
        step.workDivision = "all cores on one operator";
    if (context.machine.memories.empty() || program.steps.empty())
        return;
    const auto stored = storedValues(graph);
    auto lives = memory::lifetimes(graph, program.steps);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const memory::Lifetime& view = lives[ValueId(i)];
        memory::Lifetime& life = lives[stored[ValueId(i)]];
        life.last = std::max(life.last, view.last);
    }
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < stored.size(); ++i)
        if (stored[ValueId(i)] == ValueId(i) && graph.values[ValueId(i)].deviceBytes())
            values.emplace_back(i);
    std::stable_sort(values.begin(), values.end(),
        [&](ValueId a, ValueId b) { return lives[a].first < lives[b].first; });
    std::vector<memory::Request> requests;
    for (const ValueId id : values)
        requests.push_back({*graph.values[id].deviceBytes(), lives[id]});
    const auto addresses = memory::allocateFirstFit(requests, std::nullopt, kAlignment);
    for (std::size_t i = 0; i < values.size(); ++i) {
        lowering::Buffer buffer;
        buffer.value = values[i];
        buffer.level = mainMemory(context.machine);
        buffer.address = addresses[i].value_or(0);
        buffer.bytes = requests[i].bytes;
        buffer.firstStep = requests[i].lifetime.first;
        buffer.lastStep = requests[i].lifetime.last;
        buffer.category = graph.values[values[i]].role;
        buffer.reason = "Caches are the hardware's business; the program sees main memory.";
        program.buffers.add(std::move(buffer));
    }
}

} // namespace fivefold::families::cpu
