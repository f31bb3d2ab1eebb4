// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_copies.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>

namespace fivefold::families::spyre {

CopyInserter::CopyInserter(LoopProgram& program)
    : m_program(program)
    , m_before(program.ops.size())
    , m_after(program.ops.size()) { }

BufferIndex CopyInserter::addBuffer(BufferIndex source, const std::string& suffix) {
    Buffer buffer = m_program.buffers[source];
    buffer.name += suffix;
    buffer.role = BufferRole::Intermediate;
    buffer.value = {};
    buffer.isOutput = buffer.isOutputThroughView = false;
    buffer.space = MemorySpace::Unplaced;
    buffer.address = buffer.lxBytes = 0;
    buffer.inPlaceOf = kNoBuffer;
    buffer.reason.clear();
    m_program.buffers.push_back(std::move(buffer));
    return m_program.buffers.size() - 1;
}

LoopOp CopyInserter::copyOperation(
    BufferIndex source, BufferIndex target, LoopOrigin origin) const {
    const Buffer& buffer = m_program.buffers[source];
    LoopOp copy;
    copy.op = "identity";
    copy.origin = origin;
    copy.aten = {"aten.clone"};
    Index index;
    for (std::size_t d = 0; d < buffer.shape.size(); ++d) {
        if (buffer.shape[d] == 1)
            continue;
        const auto loop = static_cast<int>(copy.loops.size());
        index += Index::of(loop, buffer.strides[d]);
        copy.emitted.push_back(loop);
        Loop added;
        added.extent = buffer.shape[d];
        copy.loops.push_back(added);
    }
    std::ranges::stable_sort(
        copy.emitted, std::greater<>{}, [&](int loop) { return index.coefficient(loop); });
    copy.reads = {{source, index, -1}};
    copy.write = {target, index, -1};
    return copy;
}

BufferIndex CopyInserter::copyBefore(BufferIndex source, const std::vector<std::size_t>& readers,
    const CoreView& view, LoopOrigin origin, std::string suffix) {
    const BufferIndex target = addBuffer(source, suffix);
    LoopOp copy = copyOperation(source, target, origin);
    const DeviceLayout& layout = m_program.buffers[source].layout;
    for (std::size_t loop = 0; loop < copy.loops.size(); ++loop) {
        // The cut is handed over by the axis's stride. That of whole sticks is no loop's: such a
        // copy stays undivided, and its group leaves LX when the final cuts are compared.
        const std::int64_t stride = copy.write.index.coefficient(static_cast<int>(loop));
        for (const CoreSlice& slice : view.slices)
            if (layout.strideMap[slice.axis] == stride)
                copy.loops[loop].split = slice.slices;
        copy.cores *= copy.loops[loop].split;
    }
    for (std::size_t reader : readers)
        for (Access& read : m_program.ops[reader].reads)
            if (read.buffer == source)
                read.buffer = target;
    m_before[readers.front()].push_back(std::move(copy));
    return target;
}

BufferIndex CopyInserter::copyOut(BufferIndex source, std::size_t writer) {
    const BufferIndex target = addBuffer(source, "_out");
    LoopOp copy = copyOperation(source, target, LoopOrigin::BoundaryCopy);
    const LoopOp& made = m_program.ops[writer];
    for (std::size_t loop = 0; loop < copy.loops.size(); ++loop) {
        const std::int64_t stride = copy.write.index.coefficient(static_cast<int>(loop));
        for (std::size_t other = 0; other < made.loops.size(); ++other)
            if (made.write.index.coefficient(static_cast<int>(other)) == stride
                && made.loops[other].extent == copy.loops[loop].extent)
                copy.loops[loop].split = made.loops[other].split;
        copy.cores *= copy.loops[loop].split;
    }
    m_program.buffers[target].isOutput = true;
    m_program.buffers[source].isOutput = false;
    std::ranges::replace(m_program.outputs, source, target);
    m_after[writer].push_back(std::move(copy));
    return target;
}

void CopyInserter::apply() {
    std::vector<LoopOp> ops;
    for (std::size_t i = 0; i < m_program.ops.size(); ++i) {
        std::ranges::move(m_before[i], std::back_inserter(ops));
        ops.push_back(std::move(m_program.ops[i]));
        std::ranges::move(m_after[i], std::back_inserter(ops));
    }
    m_program.ops = std::move(ops);
    m_before.assign(m_program.ops.size(), {});
    m_after.assign(m_program.ops.size(), {});
}

namespace {

/// Strides of an index along `loops`; empty where a loop is missing, or walks the stride of
/// another.
std::vector<std::int64_t> distinctStrides(const Index& index, std::span<const int> loops) {
    std::vector<std::int64_t> strides;
    std::set<std::int64_t> seen;
    for (int loop : loops) {
        strides.push_back(index.coefficient(loop));
        if (strides.back() == 0 || !seen.insert(strides.back()).second)
            return {};
    }
    return strides;
}

/// Whether the writer is now emitted in the order in which the reader walks the buffer.
bool align(LoopOp& writer, const LoopOp& reader, const Access& read) {
    const auto outputs =
        static_cast<std::size_t>(std::ranges::count(writer.loops, false, &Loop::isReduced));
    if (reader.emitted.size() != outputs || writer.emitted.size() != writer.loops.size())
        return false;
    const std::span<int> emitted(writer.emitted.data(), outputs);
    const auto from = distinctStrides(writer.write.index, emitted);
    const auto to = distinctStrides(read.index, reader.emitted);
    std::vector<int> order;
    for (std::int64_t stride : to)
        if (const auto at = std::ranges::find(from, stride); at != from.end())
            order.push_back(emitted[static_cast<std::size_t>(at - from.begin())]);
    if (outputs == 0 || from.empty() || order.size() != outputs)
        return false;
    std::ranges::copy(order, emitted.begin());
    return true;
}

} // namespace

void alignLoopOrders(LoopProgram& program, const std::vector<bool>& isExcluded) {
    std::vector<std::size_t> writers(program.buffers.size(), SIZE_MAX);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const BufferIndex written = program.ops[i].write.buffer;
        if (written != kNoBuffer && program.buffers[written].space == MemorySpace::Lx
            && !isExcluded[written])
            writers[written] = i;
    }
    // By reader: a writer that is itself a reader served its own writers first.
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        for (const Access& read : program.ops[i].reads) {
            std::size_t& writer = writers[read.buffer];
            if (writer < i && align(program.ops[writer], program.ops[i], read))
                writer = SIZE_MAX;
        }
}

} // namespace fivefold::families::spyre
