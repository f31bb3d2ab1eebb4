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
    void change(const Buffer& buffer, bool isStart) {
        const Bytes bytes = isStart ? buffer.bytes : Bytes(-buffer.bytes.value);
        const auto role = static_cast<std::size_t>(buffer.category);
        if (buffer.unit < 0) {
            m_common += bytes;
            m_commonByRole[role] += bytes;
            return;
        }
        Instance& instance = m_instances[buffer.unit];
        m_bySize.erase({instance.total.value, buffer.unit});
        instance.total += bytes;
        instance.byRole[role] += bytes;
        m_bySize.insert({instance.total.value, buffer.unit});
    }

    std::pair<Bytes, ByRole> current() const {
        ByRole byRole = m_commonByRole;
        if (m_bySize.empty())
            return {m_common, byRole};
        const Instance& fullest = m_instances.at(m_bySize.rbegin()->second);
        for (std::size_t i = 0; i < byRole.size(); ++i)
            byRole[i] += fullest.byRole[i];
        return {m_common + fullest.total, byRole};
    }

private:
    struct Instance {
        Bytes total;
        ByRole byRole{};
    };
    Bytes m_common;
    ByRole m_commonByRole{};
    std::unordered_map<std::int64_t, Instance> m_instances;
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
        inUse.change(program.buffers[change.buffer], change.isStart);
        if (i + 1 < changes.size() && changes[i + 1].at == change.at
            && changes[i + 1].step == change.step)
            continue;
        const auto [bytes, byRole] = inUse.current();
        const StepId step =
            steps == 0 ? StepId() : StepId(std::min<std::size_t>(change.step, steps - 1));
        use.samples.push_back({Picoseconds(change.at), step, bytes, byRole});
        if (bytes > use.peak) {
            use.peak = bytes;
            use.peakAt = Picoseconds(change.at);
            use.peakStep = step;
        }
    }
}

} // namespace

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
    return levels;
}

} // namespace fivefold::memory
