// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_relayout.h"

#include "core/families/spyre/coordinates.h"

#include <algorithm>
#include <map>
#include <set>

namespace fivefold::families::spyre {

namespace {

/// Numbers (slices, slot) of the cut of `axis`, (1, 0) where it is not cut.
std::pair<std::int64_t, std::int64_t> sliceOn(
    const CoreView& view, std::size_t axis, std::int64_t core) {
    for (const CoreSlice& slice : view.slices)
        if (slice.axis == axis)
            return {slice.slices, core / slice.step % slice.slots};
    return {1, 0};
}

bool overlap(std::pair<std::int64_t, std::int64_t> a, std::pair<std::int64_t, std::int64_t> b) {
    return a.second * b.first < (b.second + 1) * a.first
        && b.second * a.first < (a.second + 1) * b.first;
}

bool ownsItsOwnPart(const CoreView& view, std::int64_t cores) {
    std::set<std::vector<std::int64_t>> parts;
    for (std::int64_t core = 0; core < cores; ++core) {
        std::vector<std::int64_t> part;
        for (const CoreSlice& slice : view.slices)
            part.push_back(core / slice.step % slice.slots);
        parts.insert(std::move(part));
    }
    return static_cast<std::int64_t>(parts.size()) == cores;
}

bool isComputed(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer) {
    const std::size_t producer = uses.producer(buffer);
    return producer != SIZE_MAX
        && (isDeviceLoop(program.ops[producer]) || program.ops[producer].kind == LoopKind::Alloc);
}

/// A restickified argument is a weight: the compiler leaves those alone.
bool isActivation(const LoopProgram& program, const BufferUses& uses, const LoopOp& producer) {
    return !isRestickify(producer) || std::ranges::any_of(producer.reads, [&](const Access& read) {
        return isComputed(program, uses, read.buffer);
    });
}

/// Whether each cut axis is walked by one loop of the operation, which then says how its own work
/// is divided.
bool isProjectable(const CoreView& view, const std::vector<Coordinate>& coordinates) {
    return std::ranges::all_of(view.slices, [&](const CoreSlice& slice) {
        std::set<int> loops;
        for (const CoordinateTerm& term : coordinates[slice.axis].terms)
            loops.insert(term.variable);
        return loops.size() == 1;
    });
}

class Planner {
public:
    Planner(const LoopProgram& program, const BufferUses& uses)
        : m_program(program)
        , m_uses(uses) { }

    std::vector<RelayoutPlan> run() {
        std::vector<bool> isSeen(m_program.buffers.size(), false);
        for (const LoopOp& op : m_program.ops)
            for (const Access& read : op.reads)
                if (read.buffer != kNoBuffer && !isSeen[read.buffer]) {
                    isSeen[read.buffer] = true;
                    consider(read.buffer);
                }
        return std::move(m_plans);
    }

private:
    void consider(BufferIndex source) {
        const std::size_t at = m_uses.producer(source);
        if (at == SIZE_MAX || !isDeviceLoop(m_program.ops[at])
            || m_program.buffers[source].layout.deviceSize.empty())
            return;
        const LoopOp& producer = m_program.ops[at];
        const CoreView from = coreView(m_program, producer, producer.write, LoopOrder::Planned);
        if (from.hasPartialSums || !from.isRepresentable || producer.write.indirectVariable >= 0
            || !isActivation(m_program, m_uses, producer))
            return;
        std::vector<RelayoutPlan> plans;
        std::set<std::size_t> readers;
        bool isChecked = false;
        for (const BufferUse& use : m_uses.of(source)) {
            if (use.isWrite)
                continue;
            const LoopOp& reader = m_program.ops[use.op];
            if (!readers.insert(use.op).second || !isDeviceLoop(reader) || reader.isMutation
                || reader.isGather())
                return;
            const CoreView to = coreView(m_program, reader, *use.access, LoopOrder::Planned);
            if (to.hasPartialSums || !to.isRepresentable || reader.cores != producer.cores)
                return;
            if (to.isSameCut(from))
                continue;
            if (!isChecked && !projects(producer, producer.write, from))
                return;
            isChecked = true;
            if (!mayTakeCopy(reader) || !exchangeable(from, to, producer.cores)
                || !projects(reader, *use.access, from) || !projects(reader, *use.access, to))
                return;
            const auto same = std::ranges::find_if(
                plans, [&](const RelayoutPlan& plan) { return plan.to.isSameCut(to); });
            if (same == plans.end())
                plans.push_back({source, {use.op}, from, to, producer.cores});
            else
                same->readers.push_back(use.op);
        }
        m_plans.insert(m_plans.end(), plans.begin(), plans.end());
    }

    static bool mayTakeCopy(const LoopOp& reader) {
        if (reader.isMatmul())
            return reader.reads.size() == 2;
        return reader.kind == LoopKind::Pointwise || reader.kind == LoopKind::Restickify;
    }

    bool projects(const LoopOp& op, const Access& access, const CoreView& view) const {
        const auto coordinates =
            deviceCoordinates(m_program.buffers[access.buffer].layout, op.extents(), access.index);
        return coordinates && isProjectable(view, *coordinates);
    }

    bool exchangeable(const CoreView& from, const CoreView& to, std::int64_t cores) {
        const auto [at, isNew] = m_exchangeable.try_emplace({from.slices, to.slices, cores}, false);
        if (isNew)
            at->second = areExchangeable(from, to, cores);
        return at->second;
    }

    const LoopProgram& m_program;
    const BufferUses& m_uses;
    std::vector<RelayoutPlan> m_plans;
    std::map<std::tuple<std::vector<CoreSlice>, std::vector<CoreSlice>, std::int64_t>, bool>
        m_exchangeable;
};

} // namespace

bool areExchangeable(const CoreView& from, const CoreView& to, std::int64_t cores) {
    if (from.cores() != cores || to.cores() != cores || !ownsItsOwnPart(from, cores)
        || !ownsItsOwnPart(to, cores))
        return false;
    std::set<std::size_t> axes;
    for (const CoreView* view : {&from, &to})
        for (const CoreSlice& slice : view->slices)
            axes.insert(slice.axis);
    std::vector<std::int64_t> sends(static_cast<std::size_t>(cores), 0), receives = sends;
    for (std::int64_t s = 0; s < cores; ++s)
        for (std::int64_t d = 0; d < cores; ++d)
            if (std::ranges::all_of(axes, [&](std::size_t axis) {
                    return overlap(sliceOn(from, axis, s), sliceOn(to, axis, d));
                })) {
                ++sends[static_cast<std::size_t>(s)];
                ++receives[static_cast<std::size_t>(d)];
            }
    const auto isEven = [](const std::vector<std::int64_t>& counts) {
        return std::ranges::all_of(counts, [&](std::int64_t n) { return n == counts.front(); });
    };
    return !sends.empty() && sends.front() > 0 && isEven(sends) && isEven(receives);
}

std::vector<RelayoutPlan> planRelayouts(const LoopProgram& program, const BufferUses& uses) {
    return Planner(program, uses).run();
}

} // namespace fivefold::families::spyre
