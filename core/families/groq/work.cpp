// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/work.h"

#include "core/families/groq/operators.h"
#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::groq {

namespace {

using namespace lowering;

bool hasBatch(const Value& value) {
    if (!value.shape || value.shape->size() <= 2)
        return false;
    return std::any_of(value.shape->begin(), value.shape->end() - 2,
        [](std::int64_t extent) { return extent != 1; });
}

class Counter {
public:
    Counter(const Chip& chip, const StageGraph& graph)
        : m_chip(chip)
        , m_graph(graph) { }

    SliceCycles run(const Kernel& kernel, const Boundary& boundary) {
        for (const NodeId id : kernel.nodes)
            count(m_graph.nodes[id]);
        if (m_operations > 0)
            m_sum.vector =
                saturatingAdd(m_sum.vector, vectorCycles(m_chip, m_vectors, m_operations));
        bytes(kernel, boundary);
        if (kernel.kind == kTransfer) {
            const double perCycle = m_chip.linkBytesPerSecond / m_chip.clockHz;
            m_sum.link = whole(std::ceil(static_cast<double>(m_sum.readBytes) / perCycle));
            m_sum.shift = 0;
            return m_sum;
        }
        m_sum.install = m_sum.matrix > 0 ? m_chip.installCycles : 0;
        m_sum.transit = m_chip.transitCycles();
        return m_sum;
    }

private:
    static std::int64_t whole(double value) {
        return value < 9.2e18 ? static_cast<std::int64_t>(value)
                              : std::numeric_limits<std::int64_t>::max();
    }

    std::int64_t vectors(ValueId id) const { return vectorsOf(m_graph, m_chip, id); }

    void count(const Node& node) {
        const ValueId in = node.inputs.empty() ? ValueId() : node.inputs.front();
        const ValueId out = node.outputs.empty() ? ValueId() : node.outputs.front();
        const std::int64_t moved = std::max(vectors(in), vectors(out));
        const auto add = [](std::int64_t& to, std::int64_t cycles) {
            to = saturatingAdd(to, cycles);
        };
        switch (kindOf(m_graph, node)) {
        case OpKind::Matrix:
            add(m_sum.matrix, matrixCycles(node, vectors(out)));
            break;
        case OpKind::Vector:
            ++m_operations;
            m_vectors = std::max(m_vectors, vectors(out));
            break;
        case OpKind::Reduction:
            add(m_sum.vector, reductionCycles(m_chip, moved));
            break;
        case OpKind::Shift:
            add(m_sum.shift, shiftCycles(m_chip, moved));
            break;
        case OpKind::Lookup:
            add(m_sum.shift, saturatingMul(vectors(out), m_chip.elementBytes));
            break;
        default:
            break;
        }
    }

    std::int64_t matrixCycles(const Node& node, std::int64_t vectorsOut) {
        const Work& w = node.work;
        if (w.m <= 0 || w.n <= 0 || w.k <= 0)
            return vectorsOut;
        const bool isBatched = node.inputs.size() > 1 && node.inputs[1].isValid()
            && hasBatch(m_graph.values[node.inputs[1]]);
        const std::int64_t batch = std::max<std::int64_t>(1, w.batch);
        const bool isProduct =
            node.canonical == ir::Op::MatMul || node.canonical == ir::Op::FusedMatMul;
        m_sum.product = isProduct && !isBatched
            ? planProduct(m_chip, saturatingMul(batch, w.m), w.n, w.k, 1)
            : planProduct(m_chip, w.m, w.n, w.k, batch);
        ++m_sum.products;
        return m_sum.product.cycles;
    }

    bool isLookupTable(const Kernel& kernel, ValueId id) const {
        return std::any_of(kernel.nodes.begin(), kernel.nodes.end(), [&](NodeId node) {
            const Node& n = m_graph.nodes[node];
            return kindOf(m_graph, n) == OpKind::Lookup && !n.inputs.empty()
                && n.inputs.front() == id;
        });
    }

    void bytes(const Kernel& kernel, const Boundary& boundary) {
        const auto size = [&](ValueId id) {
            const auto bytes = m_graph.values[id].deviceBytes();
            return bytes ? bytes->value : 0;
        };
        for (const ValueId id : boundary.inputs)
            if (!isLookupTable(kernel, id))
                m_sum.readBytes = saturatingAdd(m_sum.readBytes, size(id));
        for (const ValueId id : boundary.outputs)
            m_sum.writtenBytes = saturatingAdd(m_sum.writtenBytes, size(id));
        const std::int64_t perCycle = m_chip.operandBytesPerCycle();
        m_sum.read = ceilDiv(m_sum.readBytes, perCycle);
        m_sum.write = ceilDiv(m_sum.writtenBytes, perCycle);
    }

    const Chip& m_chip;
    const StageGraph& m_graph;
    SliceCycles m_sum;
    std::int64_t m_operations = 0, m_vectors = 0;
};

} // namespace

std::int64_t SliceCycles::work() const {
    return std::max({matrix, vector, shift, std::int64_t{1}});
}

std::int64_t SliceCycles::memory() const {
    return saturatingAdd(read, write);
}

std::int64_t SliceCycles::total() const {
    if (link > 0)
        return link;
    return saturatingAdd(install + transit, std::max(work(), memory()));
}

std::int64_t vectorsOf(const StageGraph& graph, const Chip& chip, ValueId id) {
    if (!id.isValid() || !graph.values[id].layout)
        return 0;
    const layout::TensorLayout& layout = *graph.values[id].layout;
    const int lane = layout.axes.empty() ? -1 : layout.axes.back().dimension;
    if (lane < 0)
        return 1;
    const std::int64_t extent =
        std::max<std::int64_t>(1, layout.shape[static_cast<std::size_t>(lane)]);
    return saturatingMul(ceilDiv(extent, chip.lanes), layout::logicalElements(layout) / extent);
}

SliceCycles sliceCycles(
    const Chip& chip, const StageGraph& graph, KernelId kernel, const Boundary& boundary) {
    return Counter(chip, graph).run(graph.kernels[kernel], boundary);
}

} // namespace fivefold::families::groq
