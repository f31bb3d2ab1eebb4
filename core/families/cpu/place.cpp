// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/stages.h"
#include "core/lowering/aliases.h"
#include "core/lowering/steps.h"
#include "core/memory/placement.h"

#include <algorithm>

namespace fivefold::families::cpu {

using lowering::ValueId;

namespace {

constexpr std::int64_t kAlignment = 64; // bytes of a cache line, what allocators align tensors to

} // namespace

std::size_t mainMemory(const machines::Machine& machine) {
    return memory::levelOf(machine, machines::MemoryKind::Device).value_or(0);
}

void place(const lowering::Context& context, const lowering::StageGraph& graph,
    lowering::Program& program) {
    program.steps = lowering::stepsFromKernels(graph);
    program.mode = "One operator after another; every tensor is in main memory.";
    for (lowering::Step& step : program.steps)
        step.workDivision = "all cores on one operator";
    if (context.machine.memories.empty() || program.steps.empty())
        return;
    const auto stored = lowering::storedValues(
        graph, [](const lowering::Node& node) { return ir::isView(node.canonical); });
    const auto lives = memory::lifetimes(graph, program.steps, stored);
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
        lowering::Buffer buffer =
            memory::bufferOf(graph, values[i], mainMemory(context.machine), requests[i]);
        buffer.address = addresses[i].value_or(0);
        buffer.reason = "Caches are the hardware's business; the program sees main memory.";
        program.buffers.add(std::move(buffer));
    }
}

} // namespace fivefold::families::cpu
