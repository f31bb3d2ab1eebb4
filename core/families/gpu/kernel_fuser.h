// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/kernel_accesses.h"
#include "core/families/gpu/kernel_rounds.h"

#include <memory>
#include <unordered_map>

namespace fivefold::families::gpu {

/// A kernel in the making.
struct FusedGroup {
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
struct FusionVerdict {
    bool isGood = false;
    std::int64_t bytes = 0;
    std::string reason;
};

/// The state of the rounds behind fuseBuffers().
class KernelFuser {
public:
    KernelFuser(const lowering::Context& context, const lowering::StageGraph& graph,
        const BufferPlan& plan, bool hasTemplates)
        : m_hasTemplates(hasTemplates)
        , m_context(context)
        , m_graph(graph)
        , m_plan(plan)
        , m_walk(graph, plan) { }
    std::vector<KernelGroup> run();

private:
    using Strides = std::vector<KernelAccesses::Stride>;

    // ---- the kernels of one buffer each ----

    /// What no output needs is never computed.
    std::vector<std::uint8_t> neededBuffers();
    std::vector<int> readsOf(int id);
    void addGroups();
    FusedGroup groupOf(int id);

    // ---- accesses of a group in a domain ----
    void setDomain(FusedGroup& group, std::int64_t results);

    /// Number of results that both kernels would have; −1: their iterations do not agree.
    std::int64_t commonDomain(const FusedGroup& a, const FusedGroup& b);

    /// Loops of a pointwise kernel over all elements of a reduction can be cut into its two ranges.
    bool agreesInLoops(const FusedGroup& a, const FusedGroup& b) const;

    /// A pointwise kernel none of whose accesses is contiguous in the innermost loop is tiled in
    /// two behind the loop that is; the tiles must be those of the reduction
    /// (config.triton.tiling_prevents_reduction_fusion).
    bool isTiledAs(const FusedGroup& pointwise, std::int64_t results) const;

    /// Loops that can be cut into n results and r reduced elements [SIMDKernel.is_compatible].
    static bool splitsAs(const KernelAccesses& own, std::int64_t n, std::int64_t r);
    std::int64_t sharedBytes(const FusedGroup& a, const FusedGroup& b) const;

    // ---- may two groups be one ----
    bool readsFrom(const FusedGroup& consumer, const FusedGroup& producer) const;

    /// Every read of what the producer writes has the index of the write.
    bool matches(const FusedGroup& producer, const FusedGroup& consumer) const;

    /// A kernel besides the two on a way from `from` to `to`.
    bool hasBetween(int from, int to);
    /// Any way at all.
    bool depends(int from, int to) {
        for (const int producer : m_producers[static_cast<std::size_t>(to)])
            if (find(producer) == from)
                return true;
        return hasBetween(from, to);
    }
    bool keepsMemory(const FusedGroup& a, const FusedGroup& b, std::int64_t bytes) const;
    bool executesAlike(const FusedGroup& a, const FusedGroup& b) const;

    /// One reduces the rows, the other the columns of one input [MixOrderReduction.can_fuse].
    bool isMixOrder(FusedGroup& a, FusedGroup& b);
    bool isInner(const FusedGroup& group);
    FusionVerdict judge(int first, int second, bool isReorder);
    std::string reasonFor(const FusedGroup& a, const FusedGroup& b, bool isVertical) const;
    Strides stridesIn(const FusedGroup& group, int buffer) const;

    /// Loops from the largest stride to the smallest, contiguous ones merged, those that the access
    /// does not depend on left out [MemoryDep.normalize_with_stride_order].
    static Strides normalised(Strides strides, bool isSorted);
    static bool isWritten(const FusedGroup& group, int buffer);

    /// The last round permutes the loops of a pointwise kernel to those of its partner
    /// [Scheduler.shared_data_after_reordering_loop]. True when it did.
    bool reorderTowards(FusedGroup& a, FusedGroup& b);
    bool reorder(FusedGroup& group, const Strides& mine, const Strides& wanted);

    // ---- rounds ----
    int find(int group);
    struct Pair {
        int first = 0, second = 0;
        bool isSameKind = false;
        std::int64_t bytes = 0;
        int distance = 0;
    };
    std::vector<int> liveGroups();
    std::vector<Pair> collectPairs(bool isReorder);
    std::size_t fuseOnce(bool isReorder);
    void merge(int first, int second, const std::string& reason);

    /// Groups in an order in which producers come first, as early as their first buffer.
    std::vector<KernelGroup> result();

    bool m_hasTemplates;
    const lowering::Context& m_context;
    const lowering::StageGraph& m_graph;
    const BufferPlan& m_plan;
    ExpressionWalk m_walk;
    std::vector<FusedGroup> m_groups;
    std::vector<int> m_groupOf; ///< first group of a buffer
    std::vector<int> m_userCount; ///< kernels that read a buffer, and the output
    std::vector<std::unique_ptr<KernelAccesses>> m_accesses; ///< by buffer
    std::vector<std::vector<int>> m_producers; ///< of a group, as first groups
    std::vector<int> m_parent;
    std::vector<std::uint32_t> m_visited; ///< stamps of hasBetween()
    std::uint32_t m_stamp = 0;
};

} // namespace fivefold::families::gpu
