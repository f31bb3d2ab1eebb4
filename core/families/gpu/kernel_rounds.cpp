// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_rounds.h"

#include "core/families/gpu/kernel_accesses.h"
#include "core/families/gpu/operators.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::size_t kMostBuffers = 64; ///< config.max_fusion_size
constexpr std::size_t kWindow = 64; ///< config.max_fusion_buffer_group_pairwise_attempts
constexpr int kMostDistance = 64; ///< Scheduler.are_long_distant_nodes
constexpr std::int64_t kLeastBytes = 10; ///< config.score_fusion_memory_threshold
constexpr std::int64_t kMemoryFactor = 32; ///< Scheduler.can_fusion_increase_peak_memory
constexpr int kRounds = 10;
constexpr std::size_t kSearchLimit = 4096; ///< kernels looked at in search of one in between

/// MixOrderReduction: least elements, least rows, most columns.
constexpr std::int64_t kMixElements = 5 << 20, kMixRows = 4096, kMixColumns = 16384;

struct Group {
    std::vector<int> members; ///< numbers of kernels-to-be, ascending
    bool isReduction = false, isFusable = true, isMixed = false, isSplitScan = false;
    bool isTemplate = false; ///< a matrix product that takes its epilogue along
    std::int64_t numel = 0, rnumel = 1;
    int minimum = 0, maximum = 0;
    std::string reason;
    // Accesses of all members, in one domain at a time.
    std::int64_t domain = -1;
    std::vector<Access> reads, writes;
    std::unordered_map<std::uint64_t, std::int64_t> bytesByKey;
};

/// How a pair of groups goes together.
struct Verdict {
    bool isGood = false;
    std::int64_t bytes = 0;
    std::string reason;
};

class Rounds {
public:
    Rounds(
        const Context& context, const StageGraph& graph, const BufferPlan& plan, bool hasTemplates)
        : m_hasTemplates(hasTemplates)
        , m_context(context)
        , m_graph(graph)
        , m_plan(plan)
        , m_walk(graph, plan) { }

    std::vector<KernelGroup> run() {
        addGroups();
        for (int round = 0; round < kRounds; ++round)
            if (m_context.progress.isCancelled() || fuseOnce(false) == 0)
                break;
        fuseOnce(true);
        return result();
    }

private:
    using Strides = std::vector<KernelAccesses::Stride>;

    // ---- the kernels of one buffer each ----

    /// What no output needs is never computed.
    std::vector<std::uint8_t> neededBuffers() {
        std::vector<std::uint8_t> needed(m_plan.buffers.size(), 0);
        const auto markValue = [&](ValueId value) {
            while (m_graph.values.contains(value)) {
                if (m_plan.values[value].buffer != kNoBuffer) {
                    needed[static_cast<std::size_t>(m_plan.values[value].buffer)] = 1;
                    return;
                }
                const NodeId producer = m_graph.values[value].producer;
                if (!producer.isValid() || m_graph.nodes[producer].inputs.empty())
                    return;
                value = m_graph.nodes[producer].inputs.front();
            }
        };
        for (const ValueId output : m_graph.outputs)
            markValue(output);
        for (const PlannedCopy& copy : m_plan.copies)
            if (!copy.user.isValid())
                needed[static_cast<std::size_t>(copy.buffer)] = 1;
        for (std::size_t i = m_plan.buffers.size(); i-- > 0;) {
            const PlannedBuffer& buffer = m_plan.buffers[i];
            const bool isCall =
                buffer.kind == BufferKind::Library || buffer.kind == BufferKind::Joined;
            if (isCall && !m_graph.nodes[buffer.node].outputs.empty())
                needed[i] = 1; // a call runs whether or not anybody reads it
            if (!needed[i])
                continue;
            for (const int read : readsOf(static_cast<int>(i)))
                needed[static_cast<std::size_t>(read)] = 1;
        }
        return needed;
    }

    std::vector<int> readsOf(int id) {
        const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(id)];
        std::vector<int> reads = buffer.reads;
        if (buffer.body != Body::None) {
            m_walk.run(buffer, {{0, 0}});
            for (const Load& load : m_walk.loads())
                reads.push_back(load.buffer);
        }
        if (buffer.base != kNoBuffer)
            reads.push_back(buffer.base);
        return reads;
    }

    void addGroups() {
        const std::vector<std::uint8_t> needed = neededBuffers();
        m_groupOf.assign(m_plan.buffers.size(), -1);
        m_userCount.assign(m_plan.buffers.size(), 0);
        m_accesses.resize(m_plan.buffers.size());
        std::unordered_map<std::uint32_t, int> calls; // results of one call are one kernel
        for (std::size_t i = 0; i < m_plan.buffers.size(); ++i) {
            const PlannedBuffer& buffer = m_plan.buffers[i];
            if (buffer.kind == BufferKind::Input || !needed[i])
                continue;
            const int id = static_cast<int>(i);
            if (buffer.kind == BufferKind::Library) {
                const auto [at, isNew] =
                    calls.try_emplace(buffer.node.value, static_cast<int>(m_groups.size()));
                if (!isNew) {
                    m_groups[static_cast<std::size_t>(at->second)].members.push_back(id);
                    m_groupOf[i] = at->second;
                    continue;
                }
            }
            m_groupOf[i] = static_cast<int>(m_groups.size());
            m_groups.push_back(groupOf(id));
        }
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            std::unordered_set<int> read;
            for (const int member : m_groups[g].members)
                for (const int buffer : readsOf(member))
                    read.insert(buffer);
            for (const int buffer : read)
                ++m_userCount[static_cast<std::size_t>(buffer)];
            m_producers.emplace_back();
            for (const int buffer : read)
                if (const int producer = m_groupOf[static_cast<std::size_t>(buffer)];
                    producer >= 0 && producer != static_cast<int>(g))
                    m_producers.back().push_back(producer);
            std::sort(m_producers.back().begin(), m_producers.back().end());
        }
        for (const ValueId output : m_graph.outputs)
            if (m_graph.values.contains(output) && m_plan.values[output].buffer != kNoBuffer)
                ++m_userCount[static_cast<std::size_t>(m_plan.values[output].buffer)];
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            m_parent.push_back(static_cast<int>(g));
    }

    Group groupOf(int id) {
        const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(id)];
        Group group;
        group.members = {id};
        group.minimum = group.maximum = static_cast<int>(m_groups.size());
        group.isTemplate = m_hasTemplates && buffer.kind == BufferKind::Library
            && isMatrixProduct(m_graph.nodes[buffer.node].canonical);
        group.isFusable = group.isTemplate
            || (buffer.kind != BufferKind::Library && buffer.kind != BufferKind::Joined);
        if (!group.isFusable)
            return group;
        m_accesses[static_cast<std::size_t>(id)] =
            std::make_unique<KernelAccesses>(m_graph, m_plan, id, m_walk);
        const KernelAccesses& own = *m_accesses[static_cast<std::size_t>(id)];
        group.isReduction = own.isReduction();
        group.numel = own.numel();
        group.rnumel = own.rnumel();
        group.isSplitScan = buffer.kind == BufferKind::Scan && buffer.parts > 1;
        return group;
    }

    // ---- accesses of a group in a domain ----

    void setDomain(Group& group, std::int64_t results) {
        if (group.domain == results)
            return;
        group.domain = results;
        group.reads.clear();
        group.writes.clear();
        group.bytesByKey.clear();
        const auto note = [&](const Access& access) {
            if (!access.isIndirect)
                group.bytesByKey.emplace(access.key(), access.bytes);
        };
        for (const int member : group.members) {
            KernelAccesses& own = *m_accesses[static_cast<std::size_t>(member)];
            group.writes.push_back(own.write(results));
            note(group.writes.back());
            for (const Access& read : own.reads(results, m_walk)) {
                group.reads.push_back(read);
                note(read);
            }
        }
    }

    /// Number of results that both kernels would have; −1: their iterations do not agree.
    std::int64_t commonDomain(const Group& a, const Group& b) {
        if (a.isSplitScan != b.isSplitScan && (a.isSplitScan ? b.isReduction : a.isReduction))
            return -1;
        if (a.isReduction && b.isReduction)
            return a.numel == b.numel && a.rnumel == b.rnumel ? a.numel : -1;
        if (!a.isReduction && !b.isReduction)
            return a.numel == b.numel ? a.numel : -1;
        const Group& reduction = a.isReduction ? a : b;
        const Group& pointwise = a.isReduction ? b : a;
        if (pointwise.numel == reduction.numel)
            return reduction.numel;
        return pointwise.numel == reduction.numel * reduction.rnumel ? reduction.numel : -1;
    }

    /// Loops of a pointwise kernel over all elements of a reduction can be cut into its two ranges.
    bool agreesInLoops(const Group& a, const Group& b) const {
        if (a.isReduction == b.isReduction)
            return true;
        const Group& reduction = a.isReduction ? a : b;
        const Group& pointwise = a.isReduction ? b : a;
        if (pointwise.numel == reduction.numel)
            return true;
        return std::all_of(pointwise.members.begin(), pointwise.members.end(), [&](int member) {
            return splitsAs(
                *m_accesses[static_cast<std::size_t>(member)], reduction.numel, reduction.rnumel);
        }) && isTiledAs(pointwise, reduction.numel);
    }

    /// A pointwise kernel none of whose accesses is contiguous in the innermost loop is tiled in
    /// two behind the loop that is; the tiles must be those of the reduction
    /// (config.triton.tiling_prevents_reduction_fusion).
    bool isTiledAs(const Group& pointwise, std::int64_t results) const {
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

    /// Loops that can be cut into n results and r reduced elements [SIMDKernel.is_compatible].
    static bool splitsAs(const KernelAccesses& own, std::int64_t n, std::int64_t r) {
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

    std::int64_t sharedBytes(const Group& a, const Group& b) const {
        const Group& fewer = a.bytesByKey.size() <= b.bytesByKey.size() ? a : b;
        const Group& more = &fewer == &a ? b : a;
        std::int64_t bytes = 0;
        for (const auto& [key, size] : fewer.bytesByKey)
            if (more.bytesByKey.count(key) != 0)
                bytes += size;
        return bytes;
    }

    // ---- may two groups be one ----

    bool readsFrom(const Group& consumer, const Group& producer) const {
        for (const Access& read : consumer.reads)
            if (m_groupOf[static_cast<std::size_t>(read.buffer)] >= 0
                && std::binary_search(
                    producer.members.begin(), producer.members.end(), read.buffer))
                return true;
        return false;
    }

    /// Every read of what the producer writes has the index of the write.
    bool matches(const Group& producer, const Group& consumer) const {
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

    /// A kernel besides the two on a way from `from` to `to`.
    bool hasBetween(int from, int to) {
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

    bool depends(int from, int to) { // any way at all
        for (const int producer : m_producers[static_cast<std::size_t>(to)])
            if (find(producer) == from)
                return true;
        return hasBetween(from, to);
    }

    bool keepsMemory(const Group& a, const Group& b, std::int64_t bytes) const {
        const auto singles = [&](const Group& group) {
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

    bool executesAlike(const Group& a, const Group& b) const {
        const auto executions = [&](const Group& group) {
            return m_graph
                .nodes[m_plan.buffers[static_cast<std::size_t>(group.members.front())].node]
                .executions;
        };
        return executions(a) == executions(b);
    }

    /// One reduces the rows, the other the columns of one input [MixOrderReduction.can_fuse].
    bool isMixOrder(Group& a, Group& b) {
        if (!a.isReduction || !b.isReduction || a.isMixed || b.isMixed)
            return false;
        const auto shapeOf = [&](const Group& group) {
            const PlannedBuffer& buffer =
                m_plan.buffers[static_cast<std::size_t>(group.members.front())];
            const bool isPartial = buffer.body == Body::Partial;
            const std::int64_t n = isPartial ? group.numel / buffer.parts : group.numel;
            return std::pair(n, isPartial ? group.rnumel * buffer.parts : group.rnumel);
        };
        const auto first = shapeOf(a), second = shapeOf(b);
        if (first == second || first.first != second.second || first.second != second.first)
            return false;
        Group& rows = isInner(a) ? a : b;
        Group& columns = &rows == &a ? b : a;
        if (!isInner(rows))
            return false;
        const auto [n, r] = shapeOf(rows);
        if (n * r < kMixElements || n < 2 * r || n < kMixRows || r > kMixColumns
            || rows.rnumel != r)
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
            return !read.isRow
                && std::any_of(b.reads.begin(), b.reads.end(), [&](const Access& other) {
                       return other.buffer == read.buffer && !other.isRow;
                   });
        });
    }

    bool isInner(const Group& group) const {
        return std::all_of(group.members.begin(), group.members.end(), [&](int member) {
            const PlannedBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(member)];
            if (!buffer.isReduction())
                return true;
            const Accesses accesses =
                accessesOf(const_cast<ExpressionWalk&>(m_walk), m_plan, buffer);
            return std::all_of(
                accesses.strides.begin(), accesses.strides.end(), [&](const Extents& row) {
                    return row.empty() || row.back() == 0 || row.back() == 1;
                });
        });
    }

    Verdict judge(int first, int second, bool isReorder) {
        Group& a = m_groups[static_cast<std::size_t>(first)];
        Group& b = m_groups[static_cast<std::size_t>(second)];
        Verdict verdict;
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

    std::string reasonFor(const Group& a, const Group& b, bool isVertical) const {
        const Group& domain = a.isReduction ? a : b;
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

    Strides stridesIn(const Group& group, int buffer) const {
        for (const int member : group.members)
            if (Strides strides = m_accesses[static_cast<std::size_t>(member)]->stridesOf(buffer);
                !strides.empty())
                return strides;
        return {};
    }

    /// Loops from the largest stride to the smallest, contiguous ones merged, those that the access
    /// does not depend on left out [MemoryDep.normalize_with_stride_order].
    static Strides normalised(Strides strides, bool isSorted) {
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

    static bool isWritten(const Group& group, int buffer) {
        return std::binary_search(group.members.begin(), group.members.end(), buffer);
    }

    /// The last round permutes the loops of a pointwise kernel to those of its partner
    /// [Scheduler.shared_data_after_reordering_loop]. True when it did.
    bool reorderTowards(Group& a, Group& b) {
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
        Group& moved = a.isReduction ? b : a;
        return reorder(moved, stridesIn(moved, best), stridesIn(&moved == &a ? b : a, best));
    }

    bool reorder(Group& group, const Strides& mine, const Strides& wanted) {
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

    // ---- rounds ----

    int find(int group) {
        while (m_parent[static_cast<std::size_t>(group)] != group)
            group = m_parent[static_cast<std::size_t>(group)] =
                m_parent[static_cast<std::size_t>(m_parent[static_cast<std::size_t>(group)])];
        return group;
    }

    struct Pair {
        int first = 0, second = 0;
        bool isSameKind = false;
        std::int64_t bytes = 0;
        int distance = 0;
    };

    std::vector<int> liveGroups() {
        std::vector<int> live;
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (find(static_cast<int>(g)) == static_cast<int>(g))
                live.push_back(static_cast<int>(g));
        std::stable_sort(live.begin(), live.end(), [&](int a, int b) {
            return m_groups[static_cast<std::size_t>(a)].minimum
                < m_groups[static_cast<std::size_t>(b)].minimum;
        });
        return live;
    }

    std::vector<Pair> collectPairs(bool isReorder) {
        // Users of each buffer, in order; buffers in the order in which they are first met.
        std::vector<std::vector<int>> users;
        std::unordered_map<int, std::size_t> place;
        for (const int g : liveGroups()) {
            Group& group = m_groups[static_cast<std::size_t>(g)];
            if (!group.isFusable)
                continue;
            setDomain(group, group.domain >= 0 ? group.domain : group.numel);
            std::vector<int> used;
            for (const auto* list : {&group.reads, &group.writes})
                for (const Access& access : *list)
                    if (std::find(used.begin(), used.end(), access.buffer) == used.end())
                        used.push_back(access.buffer);
            for (const int buffer : used) {
                const auto [at, isNew] = place.try_emplace(buffer, users.size());
                if (isNew)
                    users.emplace_back();
                users[at->second].push_back(g);
            }
        }
        std::vector<Pair> pairs;
        std::unordered_set<std::uint64_t> seen;
        for (const std::vector<int>& list : users)
            for (std::size_t i = 0; i < list.size(); ++i)
                for (std::size_t j = i + 1; j < list.size() && j <= i + kWindow; ++j) {
                    if (!seen.insert(static_cast<std::uint64_t>(list[i]) << 32
                                 | static_cast<std::uint32_t>(list[j]))
                             .second)
                        continue;
                    const Verdict verdict = judge(list[i], list[j], isReorder);
                    if (!verdict.isGood)
                        continue;
                    const Group& a = m_groups[static_cast<std::size_t>(list[i])];
                    const Group& b = m_groups[static_cast<std::size_t>(list[j])];
                    pairs.push_back(
                        {list[i], list[j], a.isReduction == b.isReduction, verdict.bytes,
                            std::max(
                                std::abs(a.minimum - b.maximum), std::abs(b.minimum - a.maximum))});
                }
        return pairs;
    }

    std::size_t fuseOnce(bool isReorder) {
        std::vector<Pair> pairs = collectPairs(isReorder);
        std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
            return std::tuple(b.isSameKind, b.bytes, a.distance)
                < std::tuple(a.isSameKind, a.bytes, b.distance);
        });
        std::size_t fused = 0;
        for (const Pair& pair : pairs) {
            const int first = find(pair.first), second = find(pair.second);
            if (first == second)
                continue;
            const Verdict verdict = judge(first, second, isReorder);
            if (!verdict.isGood)
                continue;
            merge(first, second, verdict.reason);
            ++fused;
        }
        return fused;
    }

    void merge(int first, int second, const std::string& reason) {
        Group& a = m_groups[static_cast<std::size_t>(first)];
        Group& b = m_groups[static_cast<std::size_t>(second)];
        a.isMixed = a.isReduction && b.isReduction && (a.numel != b.numel || a.rnumel != b.rnumel);
        a.isSplitScan |= b.isSplitScan;
        if (b.isReduction && !a.isReduction) {
            a.numel = b.numel;
            a.rnumel = b.rnumel;
            a.isReduction = true;
        }
        a.members.insert(a.members.end(), b.members.begin(), b.members.end());
        std::sort(a.members.begin(), a.members.end());
        a.minimum = std::min(a.minimum, b.minimum);
        a.maximum = std::max(a.maximum, b.maximum);
        a.reason = b.isReduction || a.reason.empty() ? reason : a.reason;
        a.domain = -1;
        b.members.clear();
        m_parent[static_cast<std::size_t>(second)] = first;
        auto& into = m_producers[static_cast<std::size_t>(first)];
        const auto& from = m_producers[static_cast<std::size_t>(second)];
        into.insert(into.end(), from.begin(), from.end());
        std::sort(into.begin(), into.end());
        into.erase(std::unique(into.begin(), into.end()), into.end());
        into.erase(
            std::remove_if(into.begin(), into.end(), [&](int g) { return find(g) == first; }),
            into.end());
    }

    /// Groups in an order in which producers come first, as early as their first buffer.
    std::vector<KernelGroup> result() {
        const std::vector<int> live = liveGroups();
        std::vector<std::uint8_t> state(m_groups.size(), 0); // 1: on the way, 2: done
        std::vector<KernelGroup> groups;
        const auto emit = [&](int g) {
            const Group& group = m_groups[static_cast<std::size_t>(g)];
            groups.push_back(
                {group.members, group.isReduction, group.numel, group.rnumel, group.reason});
        };
        for (const int root : live) {
            std::vector<std::pair<int, std::size_t>> stack{{root, 0}};
            while (!stack.empty()) {
                auto& [g, next] = stack.back();
                if (state[static_cast<std::size_t>(g)] == 2) {
                    stack.pop_back();
                    continue;
                }
                state[static_cast<std::size_t>(g)] = 1;
                const auto& producers = m_producers[static_cast<std::size_t>(g)];
                if (next < producers.size()) {
                    const int producer = find(producers[next++]);
                    if (state[static_cast<std::size_t>(producer)] == 0)
                        stack.emplace_back(producer, 0);
                    continue;
                }
                state[static_cast<std::size_t>(g)] = 2;
                emit(g);
                stack.pop_back();
            }
        }
        return groups;
    }

    bool m_hasTemplates;
    const Context& m_context;
    const StageGraph& m_graph;
    const BufferPlan& m_plan;
    ExpressionWalk m_walk;
    std::vector<Group> m_groups;
    std::vector<int> m_groupOf; ///< first group of a buffer
    std::vector<int> m_userCount; ///< kernels that read a buffer, and the output
    std::vector<std::unique_ptr<KernelAccesses>> m_accesses; ///< by buffer
    std::vector<std::vector<int>> m_producers; ///< of a group, as first groups
    std::vector<int> m_parent;
    std::vector<std::uint32_t> m_visited; ///< stamps of hasBetween()
    std::uint32_t m_stamp = 0;
};

} // namespace

std::vector<KernelGroup> fuseBuffers(
    const Context& context, const StageGraph& graph, const BufferPlan& plan, bool hasTemplates) {
    return Rounds(context, graph, plan, hasTemplates).run();
}

} // namespace fivefold::families::gpu
