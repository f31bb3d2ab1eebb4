// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/memory.h"
#include "core/memory/step_borders.h"

#include <algorithm>
#include <list>
#include <unordered_map>

namespace fivefold::memory {

using base::Bytes;
using lowering::StepId;

namespace {

/// Whole tensors, the least recently used first out.
class Resident {
public:
    explicit Resident(std::int64_t capacity)
        : m_capacity(capacity) { }

    void touch(std::uint64_t key, std::int64_t bytes) {
        if (bytes <= 0)
            return;
        // Of a tensor larger than the cache its last part stays.
        bytes = std::min(bytes, m_capacity);
        if (const auto found = m_places.find(key); found != m_places.end()) {
            m_bytes -= found->second->second;
            m_order.erase(found->second);
            m_places.erase(found);
        }
        m_order.emplace_front(key, bytes);
        m_places[key] = m_order.begin();
        m_bytes += bytes;
        while (m_bytes > m_capacity) {
            auto& [last, size] = m_order.back();
            const std::int64_t over = m_bytes - m_capacity;
            if (size > over) {
                size -= over;
                m_bytes -= over;
                break;
            }
            m_bytes -= size;
            m_places.erase(last);
            m_order.pop_back();
        }
    }

    std::int64_t bytes() const { return m_bytes; }

private:
    using Order = std::list<std::pair<std::uint64_t, std::int64_t>>;
    std::int64_t m_capacity;
    std::int64_t m_bytes = 0;
    Order m_order; ///< the last used first
    std::unordered_map<std::uint64_t, Order::iterator> m_places;
};

/// The first memory of kind Device: what the cache does not have comes from there.
std::optional<std::size_t> behind(const machines::Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind == machines::MemoryKind::Device)
            return i;
    return std::nullopt;
}

struct Moved {
    double asked = 0, missed = 0;
    std::optional<double> hitShare() const {
        if (!(asked > 0))
            return std::nullopt;
        return std::clamp(1 - missed / asked, 0.0, 1.0);
    }
};

Moved movedBy(const lowering::Step& step, std::size_t cache, std::optional<std::size_t> device) {
    Moved moved;
    const auto n = static_cast<double>(step.executions);
    for (const lowering::LevelTraffic& traffic : step.estimate.traffic) {
        if (traffic.level == cache)
            moved.asked += n * static_cast<double>(traffic.total().value);
        else if (device && traffic.level == *device)
            moved.missed += n * static_cast<double>(traffic.total().value);
    }
    return moved;
}

/// A buffer where a value has one, else the value: keys of the two never meet.
std::uint64_t keyOf(const BorderValue& value) {
    return value.buffer.isValid() ? std::uint64_t(value.buffer.value) << 1
                                  : (std::uint64_t(value.value.value) << 1) + 1;
}

base::IdVector<StepId, base::Picoseconds> endsOf(const lowering::Program& program) {
    base::IdVector<StepId, base::Picoseconds> ends(program.steps.size());
    for (const lowering::Event& event : program.events)
        if (ends.contains(event.step))
            ends[event.step] = std::max(ends[event.step], event.end);
    return ends;
}

} // namespace

CacheUse cacheUse(
    const lowering::Program& program, const machines::Machine& machine, std::size_t level) {
    CacheUse use;
    const auto capacity = machine.memories[level].usableBytes();
    const auto device = behind(machine);
    const bool isHolding = capacity && *capacity > 0 && *capacity < 9e18;
    Resident resident(isHolding ? static_cast<std::int64_t>(*capacity) : 0);
    const StepBorders borders(program);
    const auto ends = endsOf(program);
    Moved all;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const StepId id(s);
        const lowering::Step& step = program.steps[id];
        const Moved moved = movedBy(step, level, device);
        if (moved.asked <= 0)
            continue;
        all.asked += moved.asked;
        all.missed += std::min(moved.missed, moved.asked);
        if (isHolding)
            for (const BorderValue& value : borders.of(id))
                resident.touch(keyOf(value), value.device.value);
        const Bytes bytes(resident.bytes());
        use.samples.push_back({ends[id], id, bytes, moved.hitShare()});
        if (bytes > use.resident) {
            use.resident = bytes;
            use.residentAt = ends[id];
        }
    }
    use.hitShare = all.hitShare();
    return use;
}

} // namespace fivefold::memory
