// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_fuser.h"

#include <algorithm>

namespace fivefold::families::gpu {

using namespace lowering;

namespace {

constexpr std::size_t kMostBuffers = 64; ///< config.max_fusion_size
constexpr int kMostDistance = 64; ///< Scheduler.are_long_distant_nodes
constexpr std::int64_t kLeastBytes = 10; ///< config.score_fusion_memory_threshold
constexpr std::int64_t kMemoryFactor = 32; ///< Scheduler.can_fusion_increase_peak_memory
constexpr std::size_t kSearchLimit = 4096; ///< kernels looked at in search of one in between
/// MixOrderReduction: least elements, least rows, most columns.
constexpr std::int64_t kMixElements = 5 << 20, kMixRows = 4096, kMixColumns = 16384;

} // namespace

std::int64_t KernelFuser::commonDomain(const FusedGroup& a, const FusedGroup& b) {
    if (a.isSplitScan != b.isSplitScan && (a.isSplitScan ? b.isReduction : a.isReduction))
        return -1;
    if (a.isReduction && b.isReduction)
        return a.numel == b.numel && a.rnumel == b.rnumel ? a.numel : -1;
    if (!a.isReduction && !b.isReduction)
        return a.numel == b.numel ? a.numel : -1;
    const FusedGroup& reduction = a.isReduction ? a : b;
    const FusedGroup& pointwise = a.isReduction ? b : a;
    if (pointwise.numel == reduction.numel)
        return reduction.numel;
    return pointwise.numel == reduction.numel * reduction.rnumel ? reduction.numel : -1;
}

bool KernelFuser::agreesInLoops(const FusedGroup& a, const FusedGroup& b) const {
    if (a.isReduction == b.isReduction)
        return true;
    const FusedGroup& reduction = a.isReduction ? a : b;
    const FusedGroup& pointwise = a.isReduction ? b : a;
    if (pointwise.numel == reduction.numel)
        return true;
    return std::all_of(pointwise.members.begin(), pointwise.members.end(), [&](int member) {
        return splitsAs(
            *m_accesses[static_cast<std::size_t>(member)], reduction.numel, reduction.rnumel);
    }) && isTiledAs(pointwise, reduction.numel);
}

bool KernelFuser::isTiledAs(const FusedGroup& pointwise, std::int64_t results) const {
    std::int64_t outside = 0;
    for (const int member : pointwise.members) {
        const KernelAccesses& own = *m_accesses[static_cast<std::size_t>(member)];
        std::vector<int> accessed{member};
        for (const Access& read : pointwise.reads)
            accessed.push_back(read.buffer);
        for (const int buffer : accessed) {
            const Strides strides = own.stridesOf(buffer);
            if (!strides.empty() && strides.back().stride == 1)
                return true;
            std::int64_t count = 1;
            for (const auto& loop : strides) {
                count *= loop.extent;
                const bool isFull = std::all_of(strides.begin(), strides.end(),
                    [](const auto& other) { return other.stride != 0; });
                if (isFull && loop.stride == 1 && outside == 0)
                    outside = count;
            }
        }
    }
    return outside == 0 || outside == results;
}

bool KernelFuser::splitsAs(const KernelAccesses& own, std::int64_t n, std::int64_t r) {
    std::int64_t remaining = n;
    bool isSecond = n == 1;
    if (isSecond)
        remaining = r;
    for (const KernelLoop& loop : own.loops()) {
        std::int64_t extent = loop.extent;
        if (!isSecond && extent > remaining) {
            if (extent % remaining != 0)
                return false;
            extent /= remaining;
            remaining = r;
            isSecond = true;
        }
        if (remaining % extent != 0)
            return false;
        remaining /= extent;
        if (remaining == 1 && !isSecond) {
            remaining = r;
            isSecond = true;
        }
    }
    return true;
}

std::int64_t KernelFuser::sharedBytes(const FusedGroup& a, const FusedGroup& b) const {
    const FusedGroup& fewer = a.bytesByKey.size() <= b.bytesByKey.size() ? a : b;
    const FusedGroup& more = &fewer == &a ? b : a;
    std::int64_t bytes = 0;
    for (const auto& [key, size] : fewer.bytesByKey)
        if (more.bytesByKey.count(key) != 0)
            bytes += size;
    return bytes;
}

bool KernelFuser::readsFrom(const FusedGroup& consumer, const FusedGroup& producer) const {
    for (const Access& read : consumer.reads)
        if (m_groupOf[static_cast<std::size_t>(read.buffer)] >= 0
            && std::binary_search(producer.members.begin(), producer.members.end(), read.buffer))
            return true;
    return false;
}

bool KernelFuser::matches(const FusedGroup& producer, const FusedGroup& consumer) const {
    for (const Access& read : consumer.reads) {
        if (!std::binary_search(producer.members.begin(), producer.members.end(), read.buffer))
            continue;
        const auto write = std::find_if(producer.writes.begin(), producer.writes.end(),
            [&](const Access& access) { return access.buffer == read.buffer; });
        if (write == producer.writes.end() || write->isIndirect || read.isIndirect
            || write->key() != read.key())
            return false;
    }
    return true;
}

bool KernelFuser::hasBetween(int from, int to) {
    m_visited.resize(m_groups.size(), 0);
    ++m_stamp;
    std::vector<int> waiting;
    std::size_t looked = 0;
    const int least = m_groups[static_cast<std::size_t>(from)].minimum;
    const auto push = [&](int group, bool isDirect) {
        for (const int producer : m_producers[static_cast<std::size_t>(group)]) {
            const int next = find(producer);
            if (next == to || (next == from && isDirect))
                continue;
            if (next == from)
                return true;
            if (m_visited[static_cast<std::size_t>(next)] == m_stamp
                || m_groups[static_cast<std::size_t>(next)].maximum < least)
                continue;
            m_visited[static_cast<std::size_t>(next)] = m_stamp;
            waiting.push_back(next);
        }
        return false;
    };
    if (push(to, true))
        return true;
    while (!waiting.empty()) {
        if (++looked > kSearchLimit)
            return true;
        const int group = waiting.back();
        waiting.pop_back();
        if (push(group, false))
            return true;
    }
    return false;
}

bool KernelFuser::keepsMemory(const FusedGroup& a, const FusedGroup& b, std::int64_t bytes) const {
    const auto singles = [&](const FusedGroup& group) {
        std::unordered_map<std::uint64_t, std::int64_t> sizes;
        for (const Access& read : group.reads) {
            const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(read.buffer)];
            if (m_userCount[static_cast<std::size_t>(read.buffer)] == 1
                && buffer.kind != BufferKind::Input)
                sizes.emplace(mixed(static_cast<std::uint64_t>(buffer.numel()) * 16
                                  + static_cast<std::uint64_t>(buffer.elementBytes)),
                    buffer.bytes());
        }
        return sizes;
    };
    const auto left = singles(a), right = singles(b);
    std::int64_t overhead = 0;
    for (const auto& [key, size] : left)
        if (right.count(key) != 0)
            overhead += size;
    return overhead > kMemoryFactor * bytes;
}

bool KernelFuser::executesAlike(const FusedGroup& a, const FusedGroup& b) const {
    const auto executions = [&](const FusedGroup& group) {
        return m_graph.nodes[m_plan.buffers[static_cast<std::size_t>(group.members.front())].node]
            .executions;
    };
    return executions(a) == executions(b);
}

bool KernelFuser::isMixOrder(FusedGroup& a, FusedGroup& b) {
    if (!a.isReduction || !b.isReduction || a.isMixed || b.isMixed)
        return false;
    const auto shapeOf = [&](const FusedGroup& group) {
        const PlannedBuffer& buffer =
            m_plan.buffers[static_cast<std::size_t>(group.members.front())];
        const bool isPartial = buffer.body == Body::Partial;
        const std::int64_t n = isPartial ? group.numel / buffer.parts : group.numel;
        return std::pair(n, isPartial ? group.rnumel * buffer.parts : group.rnumel);
    };
    const auto first = shapeOf(a), second = shapeOf(b);
    if (first == second || first.first != second.second || first.second != second.first)
        return false;
    FusedGroup& rows = isInner(a) ? a : b;
    FusedGroup& columns = &rows == &a ? b : a;
    if (!isInner(rows))
        return false;
    const auto [n, r] = shapeOf(rows);
    if (n * r < kMixElements || n < 2 * r || n < kMixRows || r > kMixColumns || rows.rnumel != r)
        return false;
    for (const int member : columns.members) {
        const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(member)];
        const ir::Op op = m_graph.nodes[buffer.node].canonical;
        if (buffer.isReduction() && op != ir::Op::ReduceSum && op != ir::Op::ReduceProd
            && op != ir::Op::ReduceMean)
            return false;
        if (buffer.body == Body::Combine)
            return false;
    }
    setDomain(a, a.numel);
    setDomain(b, b.numel);
    return std::any_of(a.reads.begin(), a.reads.end(), [&](const Access& read) {
        return !read.isRow && std::any_of(b.reads.begin(), b.reads.end(), [&](const Access& other) {
            return other.buffer == read.buffer && !other.isRow;
        });
    });
}

bool KernelFuser::isInner(const FusedGroup& group) {
    return std::all_of(group.members.begin(), group.members.end(), [&](int member) {
        const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(member)];
        if (!buffer.isReduction())
            return true;
        const Accesses accesses = accessesOf(m_walk, m_plan, buffer);
        return std::all_of(accesses.strides.begin(), accesses.strides.end(),
            [&](const Extents& row) { return row.empty() || row.back() == 0 || row.back() == 1; });
    });
}

FusionVerdict KernelFuser::judge(int first, int second, bool isReorder) {
    FusedGroup& a = m_groups[static_cast<std::size_t>(first)];
    FusedGroup& b = m_groups[static_cast<std::size_t>(second)];
    FusionVerdict verdict;
    if (!a.isFusable || !b.isFusable || !executesAlike(a, b) || a.isMixed || b.isMixed)
        return verdict;
    if (a.members.size() + b.members.size() > kMostBuffers || b.isTemplate
        || (a.isTemplate && b.isReduction))
        return verdict;
    if (isMixOrder(a, b)) {
        verdict.isGood = !depends(first, second) && !depends(second, first);
        verdict.bytes = a.numel * a.rnumel;
        verdict.reason = "One reduces the rows and the other the columns of the same input: "
                         "one kernel reads "
                         "it once.";
        return verdict;
    }
    const std::int64_t results = commonDomain(a, b);
    if (results < 0)
        return verdict;
    setDomain(a, results);
    setDomain(b, results);
    verdict.bytes = sharedBytes(a, b);
    if (verdict.bytes < kLeastBytes && isReorder && reorderTowards(a, b)) {
        setDomain(a, results);
        setDomain(b, results);
        verdict.bytes = sharedBytes(a, b);
    }
    if (verdict.bytes == 0 || !agreesInLoops(a, b) || keepsMemory(a, b, verdict.bytes))
        return verdict;
    const bool isVertical = readsFrom(b, a);
    if (a.isTemplate && !isVertical)
        return verdict;
    if (isVertical ? !matches(a, b)
                   : verdict.bytes < kLeastBytes
                || std::max(std::abs(a.minimum - b.maximum), std::abs(b.minimum - a.maximum))
                    > kMostDistance)
        return verdict;
    verdict.isGood = !hasBetween(first, second) && !depends(second, first);
    verdict.reason = reasonFor(a, b, isVertical);
    return verdict;
}

std::string KernelFuser::reasonFor(
    const FusedGroup& a, const FusedGroup& b, bool isVertical) const {
    const FusedGroup& domain = a.isReduction ? a : b;
    if (a.isTemplate)
        return "Epilogue: the product's tiles are still in registers when the pointwise kernel "
               "behind it needs them.";
    if (!isVertical)
        return "Both read the same tensor in the same order over the same domain.";
    if (!a.isReduction && !b.isReduction)
        return "Same numel " + std::to_string(a.numel)
            + ": one loop, what lies between stays in registers.";
    return "Same domain (numel " + std::to_string(domain.numel) + ", rnumel "
        + std::to_string(domain.rnumel) + "): statistics and what reads them are one kernel.";
}

KernelFuser::Strides KernelFuser::stridesIn(const FusedGroup& group, int buffer) const {
    for (const int member : group.members)
        if (Strides strides = m_accesses[static_cast<std::size_t>(member)]->stridesOf(buffer);
            !strides.empty())
            return strides;
    return {};
}

KernelFuser::Strides KernelFuser::normalised(Strides strides, bool isSorted) {
    if (isSorted)
        std::stable_sort(strides.begin(), strides.end(),
            [](const auto& a, const auto& b) { return a.stride > b.stride; });
    Strides merged;
    for (const auto& loop : strides) {
        if (loop.stride == 0)
            continue;
        if (!merged.empty() && merged.back().stride == loop.stride * loop.extent)
            merged.back() = {merged.back().extent * loop.extent, loop.stride};
        else
            merged.push_back(loop);
    }
    return merged;
}

bool KernelFuser::isWritten(const FusedGroup& group, int buffer) {
    return std::binary_search(group.members.begin(), group.members.end(), buffer);
}

bool KernelFuser::reorderTowards(FusedGroup& a, FusedGroup& b) {
    if (a.isReduction && b.isReduction)
        return false;
    std::vector<int> common;
    for (const auto* list : {&a.writes, &a.reads})
        for (const Access& access : *list)
            if (!access.isIndirect
                && std::find(common.begin(), common.end(), access.buffer) == common.end()
                && (isWritten(b, access.buffer)
                    || std::any_of(b.reads.begin(), b.reads.end(), [&](const Access& read) {
                           return read.buffer == access.buffer && !read.isIndirect;
                       })))
                common.push_back(access.buffer);
    int best = kNoBuffer;
    std::pair<bool, std::int64_t> bestRank{false, -1};
    for (const int buffer : common) {
        const Strides mine = stridesIn(a, buffer), theirs = stridesIn(b, buffer);
        const bool isWriteRead = isWritten(a, buffer) || isWritten(b, buffer);
        if (!mine.empty() && normalised(mine, true) == normalised(theirs, true)) {
            std::int64_t count = 1;
            for (const auto& loop : mine)
                count *= loop.stride != 0 ? loop.extent : 1;
            if (std::pair rank{isWriteRead, count}; rank > bestRank) {
                bestRank = rank;
                best = buffer;
            }
        } else if (isWriteRead) { // the loops are cut otherwise: no order helps
            const Strides write = normalised(isWritten(a, buffer) ? mine : theirs, false);
            const Strides read = normalised(isWritten(a, buffer) ? theirs : mine, false);
            for (const auto& loop : write)
                if (std::none_of(read.begin(), read.end(),
                        [&](const auto& other) { return other.extent == loop.extent; }))
                    return false;
        }
    }
    if (best == kNoBuffer)
        return false;
    FusedGroup& moved = a.isReduction ? b : a;
    return reorder(moved, stridesIn(moved, best), stridesIn(&moved == &a ? b : a, best));
}

bool KernelFuser::reorder(FusedGroup& group, const Strides& mine, const Strides& wanted) {
    if (mine.size() != wanted.size() || mine == wanted)
        return false;
    std::vector<std::size_t> order;
    for (const auto& loop : wanted) {
        const auto at = std::find(mine.begin(), mine.end(), loop);
        if (at == mine.end() || std::count(mine.begin(), mine.end(), loop) != 1)
            return false;
        order.push_back(static_cast<std::size_t>(at - mine.begin()));
    }
    for (const int member : group.members)
        if (m_accesses[static_cast<std::size_t>(member)]->loops().size() != order.size())
            return false;
    for (const int member : group.members)
        m_accesses[static_cast<std::size_t>(member)]->reorder(order, m_walk);
    group.domain = -1;
    return true;
}

} // namespace fivefold::families::gpu
