// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/address_map.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fivefold::memory {

using namespace lowering;

namespace {

std::int64_t plus(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

bool isIn(const Buffer& buffer, std::size_t level, std::int64_t unit) {
    return buffer.level == level && (buffer.unit < 0 || buffer.unit == unit);
}

/// The nearest memory that the compiler manages: what a spilled buffer wanted.
std::optional<std::size_t> wantedLevel(const machines::Machine& machine) {
    for (std::size_t i = machine.memories.size(); i-- > 0;)
        if (machine.memories[i].kind == machines::MemoryKind::Scratchpad)
            return i;
    return std::nullopt;
}

} // namespace

std::vector<std::size_t> mappedLevels(const Program& program, const machines::Machine& machine) {
    std::vector<bool> isUsed(machine.memories.size(), false);
    for (const Buffer& buffer : program.buffers)
        if (buffer.level < isUsed.size())
            isUsed[buffer.level] = true;
    std::vector<std::size_t> levels;
    for (std::size_t i = isUsed.size(); i-- > 0;)
        if (isUsed[i])
            levels.push_back(i);
    return levels;
}

std::vector<std::int64_t> mappedUnits(const Program& program, std::size_t level) {
    std::vector<std::int64_t> units;
    for (const Buffer& buffer : program.buffers)
        if (buffer.level == level && buffer.unit >= 0)
            units.push_back(buffer.unit);
    std::ranges::sort(units);
    units.erase(std::ranges::unique(units).begin(), units.end());
    if (units.empty())
        units.push_back(-1);
    return units;
}

base::IdVector<BufferId, BufferId> inPlaceParents(const Program& program) {
    base::IdVector<BufferId, BufferId> parents(program.buffers.size());
    if (!program.stages[static_cast<std::size_t>(Stage::Placed)])
        return parents;
    const StageGraph& graph = program.stage(Stage::Placed);
    std::unordered_multimap<std::size_t, BufferId> ofValue;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (const ValueId value = program.buffers[BufferId(i)].value; graph.values.contains(value))
            ofValue.emplace(value.index(), BufferId(i));
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const Buffer& child = program.buffers[BufferId(i)];
        if (!graph.values.contains(child.value) || !child.firstStep.isValid())
            continue;
        const NodeId writer = graph.values[child.value].producer;
        if (!writer.isValid())
            continue;
        for (const ValueId input : graph.nodes[writer].inputs) {
            if (!input.isValid())
                continue;
            const auto [from, to] = ofValue.equal_range(input.index());
            for (auto at = from; at != to; ++at) {
                const Buffer& parent = program.buffers[at->second];
                const bool endsThere = parent.lastStep.isValid()
                    && (parent.lastStep == child.firstStep
                        || parent.lastStep.value + 1 == child.firstStep.value);
                if (endsThere && parent.level == child.level && parent.unit == child.unit
                    && parent.address == child.address && parent.bytes.value > 0
                    && child.bytes.value > 0 && parent.firstStep < child.firstStep)
                    parents[BufferId(i)] = at->second;
            }
        }
    }
    return parents;
}

AddressMap addressMap(const Program& program, const machines::Machine& machine, std::size_t level,
    std::int64_t unit) {
    AddressMap map;
    map.level = level;
    map.unit = unit;
    if (level < machine.memories.size())
        if (const auto bytes = machine.memories[level].usableBytes();
            bytes && *bytes >= 0 && *bytes < 9e18)
            map.capacity = base::Bytes(static_cast<std::int64_t>(*bytes));
    if (!program.steps.empty())
        map.lastStep = StepId(program.steps.size() - 1);
    for (const Event& event : program.events)
        map.end = std::max(map.end, event.end);
    const auto parents = inPlaceParents(program);
    const bool isWanted = wantedLevel(machine) == level;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const BufferId id(i);
        const Buffer& buffer = program.buffers[id];
        const bool isHere = isIn(buffer, level, unit);
        if (buffer.isSpill && isWanted && (isHere || buffer.level != level)
            && (buffer.unit < 0 || unit < 0 || buffer.unit == unit))
            map.refused.push_back(id);
        if (!isHere || !buffer.firstStep.isValid() || !buffer.lastStep.isValid())
            continue;
        map.stays.push_back({id, buffer.address, buffer.bytes.value, buffer.firstStep,
            std::max(buffer.firstStep, buffer.lastStep), buffer.first, buffer.last, parents[id]});
        map.top = std::max(map.top, plus(buffer.address, buffer.bytes.value));
    }
    std::ranges::stable_sort(map.stays, [](const Stay& a, const Stay& b) {
        return std::pair(a.first, a.address) < std::pair(b.first, b.address);
    });
    return map;
}

std::vector<Gap> gapsAt(const AddressMap& map, StepId step) {
    std::vector<const Stay*> alive;
    for (const Stay& stay : map.stays)
        if (stay.first <= step && step <= stay.last && stay.bytes > 0)
            alive.push_back(&stay);
    std::ranges::sort(alive, {}, [](const Stay* stay) { return stay->address; });
    const std::int64_t end = map.capacity ? map.capacity->value : map.top;
    std::vector<Gap> gaps;
    std::int64_t from = 0;
    for (const Stay* stay : alive) {
        if (stay->address > from)
            gaps.push_back({from, std::min(stay->address, end) - from});
        from = std::max(from, plus(stay->address, stay->bytes));
        if (from >= end)
            return gaps;
    }
    if (from < end)
        gaps.push_back({from, end - from});
    return gaps;
}

std::int64_t usedAt(const AddressMap& map, StepId step) {
    std::int64_t used = 0;
    for (const Stay& stay : map.stays)
        // A child that is written over its parent is there only once.
        if (stay.first <= step && step <= stay.last)
            used = plus(used, stay.bytes);
    return used;
}

} // namespace fivefold::memory
