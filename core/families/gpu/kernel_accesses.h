// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/expression_walk.h"

namespace fivefold::families::gpu {

/// A loop of a kernel: the dimension that it walks and the step in the row-major number.
struct KernelLoop {
    std::size_t dimension = 0;
    std::int64_t extent = 1, step = 0;
};

/// One access of a kernel: buffer and index, the index as its value at fixed points of the
/// iteration. Of a kernel over n results of r elements each, `isRow` accesses depend on the result
/// only and are compared over n points, all others over n · r.
struct Access {
    int buffer = kNoBuffer;
    bool isRow = false;
    bool isIndirect = false;
    std::uint64_t index = 0;
    std::int64_t bytes = 0; ///< of the elements that it touches
    std::uint64_t key() const;
};

/// The loops of one buffer's kernel and what it accesses.
class KernelAccesses {
public:
    KernelAccesses(const lowering::StageGraph& graph, const BufferPlan& plan, int buffer,
        ExpressionWalk& walk);

    bool isReduction() const { return m_isReduction; }
    std::int64_t numel() const { return m_numel; }
    std::int64_t rnumel() const { return m_rnumel; }
    const std::vector<KernelLoop>& loops() const { return m_loops; }

    /// Accesses in the domain of `results` results: its own, or those of a reduction that it may
    /// join.
    const std::vector<Access>& reads(std::int64_t results, ExpressionWalk& walk);
    Access write(std::int64_t results) const;
    /// The loops with the strides of the access of a buffer, those of the reduced elements last;
    /// empty when it does not access it or several times.
    struct Stride {
        std::int64_t extent = 1, stride = 0;
        bool operator==(const Stride&) const = default;
    };
    std::vector<Stride> stridesOf(int buffer) const;
    /// The same loops in another order; the accesses are computed again.
    void reorder(const std::vector<std::size_t>& order, ExpressionWalk& walk);

private:
    void orderLoops(ExpressionWalk& walk);
    ExpressionWalk::Place placeAt(std::int64_t result, std::int64_t reduced) const;
    void compute(std::int64_t results, ExpressionWalk& walk);
    std::int64_t writtenAt(const ExpressionWalk::Place& place) const;
    std::int64_t bytesOf(const Load& load, std::size_t number) const;

    const lowering::StageGraph& m_graph;
    const BufferPlan& m_plan;
    int m_id;
    bool m_isReduction = false;
    std::int64_t m_numel = 1, m_rnumel = 1;
    std::vector<KernelLoop> m_loops, m_reduced; ///< slowest first, without loops of length 1
    Accesses m_structure; ///< strides along the buffer's dimensions
    std::vector<Access> m_reads;
    std::int64_t m_results = -1; ///< domain of m_reads
};

} // namespace fivefold::families::gpu
