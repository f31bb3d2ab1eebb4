// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_accesses.h"

#include "core/families/gpu/reduction_split.h"
#include "core/families/gpu/strides.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

/// Loops over `extents` in the order that pickLoopOrder gives, slowest first.
std::vector<KernelLoop> loopsOver(
    const Extents& extents, std::size_t first, std::vector<Extents> strides) {
    for (Extents& row : strides)
        row = Extents(row.begin() + static_cast<std::ptrdiff_t>(first),
            row.begin() + static_cast<std::ptrdiff_t>(first + extents.size()));
    const Extents steps = contiguousStrides(extents);
    std::vector<std::size_t> order = pickLoopOrder(strides, extents);
    std::reverse(order.begin(), order.end());
    std::vector<KernelLoop> loops;
    for (const std::size_t dimension : order)
        if (extents[dimension] > 1)
            loops.push_back({first + dimension, extents[dimension], steps[dimension]});
    return loops;
}

std::int64_t numberAt(std::int64_t at, const std::vector<KernelLoop>& loops) {
    std::int64_t number = 0;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        number += at % loop->extent * loop->step;
        at /= loop->extent;
    }
    return number;
}

} // namespace

std::uint64_t Access::key() const {
    return mixed(index ^ mixed(static_cast<std::uint64_t>(buffer) * 2 + (isRow ? 1 : 0)));
}

KernelAccesses::KernelAccesses(
    const StageGraph& graph, const BufferPlan& plan, int buffer, ExpressionWalk& walk)
    : m_graph(graph)
    , m_plan(plan)
    , m_id(buffer) {
    const PlannedBuffer& own = plan.buffers[static_cast<std::size_t>(buffer)];
    m_isReduction = own.isReduction();
    m_rnumel = std::max<std::int64_t>(1, own.reduced());
    for (const std::int64_t extent : iterationOf(own))
        m_numel *= std::max<std::int64_t>(1, extent);
    orderLoops(walk);
}

/// Write and reads decide [ComputedBuffer.simplify_and_reorder].
void KernelAccesses::orderLoops(ExpressionWalk& walk) {
    const PlannedBuffer& own = m_plan.buffers[static_cast<std::size_t>(m_id)];
    m_structure = accessesOf(walk, m_plan, own);
    const Extents extents = iterationOf(own);
    std::vector<Extents> strides;
    Extents written;
    const Extents steps = contiguousStrides(extents);
    for (std::size_t i = 0; i < extents.size(); ++i)
        written.push_back(extents[i] > 1 ? writtenAt({steps[i], 0}) - writtenAt({0, 0}) : 0);
    const Extents inner = contiguousStrides(own.reduce);
    for (std::size_t i = 0; i < own.reduce.size(); ++i)
        written.push_back(own.kind == BufferKind::Reduction || own.reduce[i] <= 1
                ? 0
                : writtenAt({0, inner[i]}) - writtenAt({0, 0}));
    strides.push_back(std::move(written));
    strides.insert(strides.end(), m_structure.strides.begin(), m_structure.strides.end());
    m_loops = loopsOver(extents, 0, strides);
    m_reduced = loopsOver(own.reduce, extents.size(), std::move(strides));
}

ExpressionWalk::Place KernelAccesses::placeAt(std::int64_t result, std::int64_t reduced) const {
    return {numberAt(result, m_loops), numberAt(reduced, m_reduced)};
}

std::int64_t KernelAccesses::writtenAt(const ExpressionWalk::Place& place) const {
    const PlannedBuffer& own = m_plan.buffers[static_cast<std::size_t>(m_id)];
    if (own.kind == BufferKind::Scan || own.kind == BufferKind::Sort)
        return offsetOf(own, inputNumber(own.size, own.axes, place.result, place.reduced));
    return offsetOf(own, place.result);
}

Access KernelAccesses::write(std::int64_t results) const {
    const PlannedBuffer& own = m_plan.buffers[static_cast<std::size_t>(m_id)];
    Access access;
    access.buffer = m_id;
    access.isIndirect = own.kind == BufferKind::Scatter;
    access.bytes = own.bytes();
    const bool isFull = own.kind == BufferKind::Scan || own.kind == BufferKind::Sort;
    const std::int64_t all = m_numel * m_rnumel;
    const bool isReduced = m_isReduction && !isFull;
    access.isRow = isReduced || (!m_isReduction && results == m_numel);
    const Points samples = samplesOf(isReduced ? m_numel : all);
    Points offsets;
    for (std::size_t i = 0; i < samples.count; ++i) {
        const std::int64_t t = samples.at[i];
        offsets.add(writtenAt(isReduced ? placeAt(t, 0) : placeAt(t / m_rnumel, t % m_rnumel)));
    }
    access.index = hashOf(offsets);
    return access;
}

std::int64_t KernelAccesses::bytesOf(const Load& load, std::size_t number) const {
    const PlannedBuffer& read = m_plan.buffers[static_cast<std::size_t>(load.buffer)];
    if (load.isIndirect || number >= m_structure.strides.size())
        return read.bytes();
    std::int64_t count = 1;
    for (const auto* loops : {&m_loops, &m_reduced})
        for (const KernelLoop& loop : *loops)
            if (m_structure.strides[number][loop.dimension] != 0)
                count *= loop.extent;
    return count * read.elementBytes;
}

void KernelAccesses::compute(std::int64_t results, ExpressionWalk& walk) {
    const PlannedBuffer& own = m_plan.buffers[static_cast<std::size_t>(m_id)];
    const std::int64_t all = m_numel * m_rnumel;
    const std::int64_t length = results > 0 && all % results == 0 ? all / results : 1;
    const Points full = samplesOf(all), rows = samplesOf(results);
    const auto place = [&](std::int64_t t) { return placeAt(t / m_rnumel, t % m_rnumel); };
    // The first half: points of the whole domain; the second: the same rows at two other elements.
    std::vector<ExpressionWalk::Place> places;
    for (std::size_t i = 0; i < full.count; ++i)
        places.push_back(place(full.at[i]));
    const std::size_t probes = kMostPoints - kSamplePoints;
    for (std::size_t i = 0; i < probes / 2 && length > 1; ++i)
        for (const std::uint64_t salt : {3, 5})
            places.push_back(place(rows.at[i] * length
                + static_cast<std::int64_t>(
                    mixed(i * salt + salt) % static_cast<std::uint64_t>(length))));
    walk.run(own, places);
    m_reads.clear();
    for (std::size_t l = 0; l < walk.loads().size(); ++l) {
        const Load& load = walk.loads()[l];
        const PlannedBuffer& from = m_plan.buffers[static_cast<std::size_t>(load.buffer)];
        const Points& points = walk.table()[load.points];
        Access access;
        access.buffer = load.buffer;
        access.isIndirect = load.isIndirect;
        access.bytes = bytesOf(load, l);
        Points offsets;
        for (std::size_t i = 0; i < full.count; ++i)
            offsets.add(offsetOf(from, points.at[i]));
        access.index = hashOf(offsets);
        access.isRow = length == 1;
        for (std::size_t i = full.count; i + 1 < points.count; i += 2) {
            access.isRow = points.at[i] == points.at[i + 1];
            if (!access.isRow)
                break;
        }
        m_reads.push_back(access);
    }
    bool hasRow = false;
    for (const Access& access : m_reads)
        hasRow |= access.isRow && length > 1;
    if (hasRow) { // what depends on the row only, over all points of the rows
        places.clear();
        for (std::size_t i = 0; i < rows.count; ++i)
            places.push_back(place(rows.at[i] * length));
        walk.run(own, places);
        for (std::size_t l = 0; l < walk.loads().size() && l < m_reads.size(); ++l) {
            if (!m_reads[l].isRow)
                continue;
            const Points& points = walk.table()[walk.loads()[l].points];
            Points offsets;
            for (std::size_t i = 0; i < points.count; ++i)
                offsets.add(offsetOf(
                    m_plan.buffers[static_cast<std::size_t>(m_reads[l].buffer)], points.at[i]));
            m_reads[l].index = hashOf(offsets);
        }
    }
    if (own.base != kNoBuffer && own.body != Body::Combine && own.body != Body::Scaled) {
        Access target = write(results); // in place: the memory is read as it is written
        target.buffer = own.base;
        m_reads.push_back(target);
    }
    m_results = results;
}

const std::vector<Access>& KernelAccesses::reads(std::int64_t results, ExpressionWalk& walk) {
    if (m_results != results)
        compute(results, walk);
    return m_reads;
}

std::vector<KernelAccesses::Stride> KernelAccesses::stridesOf(int buffer) const {
    std::vector<Stride> strides;
    if (buffer == m_id) {
        const std::int64_t origin = writtenAt({0, 0});
        for (const KernelLoop& loop : m_loops)
            strides.push_back({loop.extent, writtenAt({loop.step, 0}) - origin});
        return strides;
    }
    for (std::size_t i = 0; i < m_structure.buffers.size(); ++i) {
        if (m_structure.buffers[i] != buffer)
            continue;
        if (!strides.empty() || m_structure.isIndirect[i] != 0)
            return {};
        for (const auto* loops : {&m_loops, &m_reduced})
            for (const KernelLoop& loop : *loops)
                strides.push_back({loop.extent, m_structure.strides[i][loop.dimension]});
    }
    return strides;
}

void KernelAccesses::reorder(const std::vector<std::size_t>& order, ExpressionWalk& walk) {
    std::vector<KernelLoop> loops;
    for (const std::size_t i : order)
        loops.push_back(m_loops[i]);
    m_loops = std::move(loops);
    m_results = -1;
    reads(m_numel, walk);
}

} // namespace fivefold::families::gpu
