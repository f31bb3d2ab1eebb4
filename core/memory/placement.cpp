// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/placement.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::memory {

using namespace lowering;

std::optional<std::size_t> levelOf(const machines::Machine& machine, machines::MemoryKind kind) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind == kind)
            return i;
    return std::nullopt;
}

base::IdVector<ValueId, Lifetime> lifetimes(const StageGraph& graph,
    const base::IdVector<StepId, Step>& steps, const base::IdVector<ValueId, ValueId>& stored) {
    auto lives = lifetimes(graph, steps);
    for (std::size_t i = 0; i < lives.size(); ++i) {
        Lifetime& life = lives[stored[ValueId(i)]];
        life.last = std::max(life.last, lives[ValueId(i)].last);
    }
    return lives;
}

std::vector<ValueId> storedAtBorders(const StageGraph& graph,
    const base::IdVector<KernelId, Boundary>& borders,
    const base::IdVector<ValueId, ValueId>& stored) {
    std::vector<std::uint8_t> isThere(graph.values.size(), 0);
    const auto mark = [&](const std::vector<ValueId>& ids) {
        for (const ValueId id : ids)
            if (graph.values.contains(id))
                isThere[stored[id].index()] = 1;
    };
    for (const Boundary& border : borders) {
        mark(border.inputs);
        mark(border.outputs);
    }
    mark(graph.inputs);
    mark(graph.outputs);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < isThere.size(); ++i)
        if (isThere[i] != 0 && graph.values[ValueId(i)].deviceBytes())
            values.push_back(ValueId(i));
    return values;
}

Buffer bufferOf(const StageGraph& graph, ValueId value, std::size_t level, const Request& request) {
    Buffer buffer;
    buffer.value = value;
    buffer.level = level;
    buffer.bytes = request.bytes;
    buffer.firstStep = request.lifetime.first;
    buffer.lastStep = request.lifetime.last;
    buffer.category = graph.values[value].role;
    return buffer;
}

std::int64_t assignAddresses(Program& program, std::span<const BufferId> fixed,
    std::span<const BufferId> pool, std::int64_t alignment) {
    std::int64_t base = 0;
    for (const BufferId id : fixed) {
        Buffer& buffer = program.buffers[id];
        buffer.address = base;
        if (__builtin_add_overflow(base, roundUp(buffer.bytes.value, alignment), &base))
            base = buffer.address;
    }
    std::vector<Request> requests;
    for (const BufferId id : pool) {
        const Buffer& buffer = program.buffers[id];
        requests.push_back({buffer.bytes, {buffer.firstStep, buffer.lastStep}});
    }
    const auto addresses = allocateFirstFit(requests, std::nullopt, alignment);
    std::int64_t top = base;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        Buffer& buffer = program.buffers[pool[i]];
        buffer.address = base + addresses[i].value_or(0);
        top = std::max(top, buffer.address + buffer.bytes.value);
    }
    return top;
}

} // namespace fivefold::memory
