// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_memory.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <map>

namespace fivefold::numerics {

using lowering::Buffer;
using lowering::BufferId;
using lowering::Program;

namespace {

std::vector<BufferId> byFirstStep(const Program& program) {
    std::vector<BufferId> order;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (program.buffers[BufferId(i)].bytes.value > 0
            && program.buffers[BufferId(i)].firstStep.isValid()
            && program.buffers[BufferId(i)].lastStep.isValid())
            order.emplace_back(i);
    std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
        return program.buffers[a].firstStep < program.buffers[b].firstStep;
    });
    return order;
}

/// Held buffers of one memory by address. In a sound placement they do not meet.
using Held = std::multimap<std::int64_t, BufferId>;

void findClashes(const Program& program, BufferId id, Held& held, std::vector<Clash>& found) {
    const Buffer& buffer = program.buffers[id];
    const std::int64_t end = buffer.address + buffer.bytes.value;
    auto it = held.lower_bound(buffer.address);
    while (it != held.begin()) { // those before that reach into it
        const auto before = std::prev(it);
        const Buffer& other = program.buffers[before->second];
        if (other.lastStep <= buffer.firstStep) {
            held.erase(before);
            continue;
        }
        if (other.address + other.bytes.value <= buffer.address)
            break;
        it = before;
    }
    while (it != held.end() && it->first < end) {
        const Buffer& other = program.buffers[it->second];
        if (other.lastStep <= buffer.firstStep) {
            it = held.erase(it);
            continue;
        }
        if (other.address + other.bytes.value > buffer.address && other.value != buffer.value)
            found.push_back({id, it->second});
        ++it;
    }
}

struct Slots {
    std::int64_t slices = 1, lanes = 0, bits = 8; ///< lanes of one slice
};

Slots slotsOf(const DeviceValue& value, const Buffer& buffer) {
    Slots slots;
    slots.bits = std::max(1, value.layout().elementBits);
    // A buffer is one instance's share: all of the tensor where there is one instance.
    if (buffer.bytes.value > 0)
        slots.slices = std::max<std::int64_t>(
            1, lowering::ceilDiv(layout::deviceBytes(value.layout()), buffer.bytes.value));
    slots.lanes = std::max<std::int64_t>(1, lowering::ceilDiv(value.index().lanes(), slots.slices));
    return slots;
}

} // namespace

std::vector<Clash> clashes(const Program& program) {
    std::vector<Clash> found;
    std::map<std::pair<std::size_t, std::int64_t>, Held> memories;
    for (const BufferId id : byFirstStep(program)) {
        const Buffer& buffer = program.buffers[id];
        for (auto& [key, held] : memories)
            if (key.first == buffer.level
                && (key.second == buffer.unit || key.second < 0 || buffer.unit < 0))
                findClashes(program, id, held, found);
        memories[{buffer.level, buffer.unit}].emplace(buffer.address, id);
    }
    return found;
}

void overwrite(DeviceValue& victim, const Buffer& victimAt, const DeviceValue& writer,
    const Buffer& writerAt) {
    if (!victim.hasLanes() || !writer.hasLanes())
        return;
    const Slots to = slotsOf(victim, victimAt), from = slotsOf(writer, writerAt);
    const std::int64_t victimLanes = victim.index().lanes(), writerLanes = writer.index().lanes();
    const auto move = [&](const auto& store) {
        for (std::int64_t slice = 0; slice < std::min(to.slices, from.slices); ++slice)
            for (std::int64_t i = 0; i < to.lanes; ++i) {
                const std::int64_t bit = (victimAt.address - writerAt.address) * 8 + i * to.bits;
                if (bit < 0 || bit / 8 >= writerAt.bytes.value)
                    continue;
                const std::int64_t source = bit / from.bits;
                const std::int64_t out = slice * to.lanes + i, in = slice * from.lanes + source;
                if (source < from.lanes && out < victimLanes && in < writerLanes)
                    store(static_cast<std::size_t>(out), static_cast<std::size_t>(in));
            }
    };
    const auto number = [&](std::size_t in) {
        return writer.isInteger() ? static_cast<double>(writer.integers()[in])
                                  : writer.floats()[in];
    };
    if (victim.isInteger()) {
        auto& lanes = victim.changeIntegers();
        move([&](std::size_t out, std::size_t in) {
            lanes[out] =
                writer.isInteger() ? writer.integers()[in] : integerPoison(writer.floats()[in]);
        });
    } else {
        auto& lanes = victim.changeFloats();
        move([&](std::size_t out, std::size_t in) { lanes[out] = number(in); });
    }
}

} // namespace fivefold::numerics
