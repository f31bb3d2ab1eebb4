// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/memory.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

namespace fivefold::memory {

using base::Bytes;
using base::Picoseconds;
using lowering::Buffer;
using lowering::BufferId;
using lowering::StepId;

namespace {

using ByRole = std::array<Bytes, 7>;
using ByKind = std::array<Bytes, kUseKinds>;

constexpr std::string_view kUseNames[] = {
    "weights", "kv_cache", "activations", "scratch", "spill", "padding"};
static_assert(std::size(kUseNames) == kUseKinds);

Bytes plus(Bytes a, Bytes b) {
    std::int64_t sum = 0;
    return Bytes(__builtin_add_overflow(a.value, b.value, &sum)
            ? std::numeric_limits<std::int64_t>::max()
            : sum);
}

Bytes times(Bytes a, std::int64_t count) {
    std::int64_t product = 0;
    return Bytes(__builtin_mul_overflow(a.value, count, &product)
            ? std::numeric_limits<std::int64_t>::max()
            : product);
}

/// A buffer appears or goes. Ordered by time, then by step, so that steps without a known time keep
/// their order.
struct Change {
    std::int64_t at = 0;
    std::uint64_t step = 0;
    bool isStart = false;
    BufferId buffer;
    auto key() const { return std::tuple(at, step, isStart); }
};

/// Bytes in use of one instance: what all instances hold, plus the fullest single one.
class InUse {
public:
    struct Held {
        Bytes total;
        ByRole byRole{};
        ByKind byKind{};

        void add(const Buffer& buffer, Bytes bytes, Bytes padding) {
            total += bytes;
            byRole[static_cast<std::size_t>(buffer.category)] += bytes;
            byKind[static_cast<std::size_t>(useKind(buffer))] += bytes - padding;
            byKind[static_cast<std::size_t>(UseKind::Padding)] += padding;
        }
    };

    void change(const Buffer& buffer, Bytes padding, bool isStart) {
        const Bytes bytes = isStart ? buffer.bytes : Bytes(-buffer.bytes.value);
        padding = isStart ? padding : Bytes(-padding.value);
        if (buffer.unit < 0) {
            m_common.add(buffer, bytes, padding);
            return;
        }
        Held& instance = m_instances[buffer.unit];
        m_bySize.erase({instance.total.value, buffer.unit});
        instance.add(buffer, bytes, padding);
        m_bySize.insert({instance.total.value, buffer.unit});
    }

    Held current() const {
        Held held = m_common;
        if (m_bySize.empty())
            return held;
        const Held& fullest = m_instances.at(m_bySize.rbegin()->second);
        held.total += fullest.total;
        for (std::size_t i = 0; i < held.byRole.size(); ++i)
            held.byRole[i] += fullest.byRole[i];
        for (std::size_t i = 0; i < held.byKind.size(); ++i)
            held.byKind[i] += fullest.byKind[i];
        return held;
    }

private:
    Held m_common;
    std::unordered_map<std::int64_t, Held> m_instances;
    std::set<std::pair<std::int64_t, std::int64_t>> m_bySize;
};

std::vector<Change> changesOf(const lowering::Program& program, std::size_t level) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const BufferId id(i);
        const Buffer& buffer = program.buffers[id];
        if (buffer.level != level || buffer.bytes.value <= 0)
            continue;
        const std::uint64_t first = buffer.firstStep.isValid() ? buffer.firstStep.value : 0;
        const std::uint64_t last = buffer.lastStep.isValid()
            ? std::max<std::uint64_t>(buffer.lastStep.value, first)
            : first;
        changes.push_back({buffer.first.value, first, true, id});
        changes.push_back({std::max(buffer.last, buffer.first).value, last + 1, false, id});
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::pair(a.key(), a.buffer) < std::pair(b.key(), b.buffer);
    });
    return changes;
}

void fillSamples(const lowering::Program& program, LevelUse& use) {
    const std::vector<Change> changes = changesOf(program, use.level);
    InUse inUse;
    const std::size_t steps = program.steps.size();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const Change& change = changes[i];
        const Buffer& buffer = program.buffers[change.buffer];
        inUse.change(buffer, paddingOf(program, buffer), change.isStart);
        if (i + 1 < changes.size() && changes[i + 1].at == change.at
            && changes[i + 1].step == change.step)
            continue;
        const auto [bytes, byRole, byKind] = inUse.current();
        const StepId step =
            steps == 0 ? StepId() : StepId(std::min<std::size_t>(change.step, steps - 1));
        use.samples.push_back({Picoseconds(change.at), step, bytes, byRole, byKind});
        if (bytes > use.peak) {
            use.peak = bytes;
            use.peakAt = Picoseconds(change.at);
            use.peakStep = step;
        }
    }
}

} // namespace

std::string_view toString(UseKind kind) {
    return kUseNames[static_cast<std::size_t>(kind)];
}

UseKind useKind(const Buffer& buffer) {
    if (buffer.isSpill)
        return UseKind::Spill;
    switch (buffer.category) {
    case lowering::ValueRole::Weight:
    case lowering::ValueRole::Constant:
        return UseKind::Weights;
    case lowering::ValueRole::KvCache:
        return UseKind::KvCache;
    case lowering::ValueRole::Scratch:
        return UseKind::Scratch;
    default:
        return UseKind::Activations;
    }
}

Bytes paddingOf(const lowering::Program& program, const Buffer& buffer) {
    const auto& graph = program.stages[static_cast<std::size_t>(lowering::Stage::Placed)];
    if (!graph || !graph->values.contains(buffer.value))
        return Bytes(0);
    const lowering::Value& value = graph->values[buffer.value];
    const auto logical = value.bytes();
    const auto device = value.deviceBytes();
    if (!logical || !device || device->value <= logical->value || logical->value < 0)
        return Bytes(0);
    const double share = 1 - *logical / *device;
    return Bytes(static_cast<std::int64_t>(share * static_cast<double>(buffer.bytes.value)));
}

std::vector<LevelUse> use(const lowering::Program& program, const machines::Machine& machine) {
    std::vector<LevelUse> levels(machine.memories.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i].level = i;
        if (const auto bytes = machine.memories[i].usableBytes();
            bytes && *bytes >= 0 && *bytes < 9e18)
            levels[i].capacity = Bytes(static_cast<std::int64_t>(*bytes));
        fillSamples(program, levels[i]);
    }
    for (const lowering::Step& step : program.steps)
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level < levels.size()) {
                LevelUse& level = levels[traffic.level];
                level.read = plus(level.read, times(traffic.read, step.executions));
                level.written = plus(level.written, times(traffic.written, step.executions));
            }
    for (LevelUse& level : levels)
        if (machine.memories[level.level].kind == machines::MemoryKind::Cache)
            level.cache = cacheUse(program, machine, level.level);
    return levels;
}

} // namespace fivefold::memory
