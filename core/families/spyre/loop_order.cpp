// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/loop_order.h"

#include <algorithm>
#include <cstdlib>

namespace fivefold::families::spyre {

using Extents = std::vector<std::int64_t>;

namespace {

/// < 0: a lies inside b.
int compare(
    const std::vector<Extents>& strides, const Extents& sizes, std::size_t a, std::size_t b) {
    if (sizes[a] == 1 || sizes[b] == 1)
        return (sizes[a] == 1 ? 1 : 0) - (sizes[b] == 1 ? 1 : 0);
    int aFirst = 0, bFirst = 0;
    for (const Extents& row : strides) {
        const std::int64_t sa = std::abs(row[a]), sb = std::abs(row[b]);
        aFirst += sb == 0 || sa < sb;
        bFirst += sa == 0 || sb < sa;
    }
    if (aFirst != bFirst)
        return aFirst > bFirst ? -1 : 1;
    return b < a ? -1 : (b > a ? 1 : 0);
}

/// What one step of a loop adds to an index where all others stand at 0.
std::int64_t strideAlong(const Index& index, int variable, std::size_t loops) {
    if (const std::int64_t linear = index.coefficient(variable); linear != 0)
        return linear;
    if (index.isLinear() || !index.uses(variable))
        return 0;
    Extents at(loops, 0);
    at[static_cast<std::size_t>(variable)] = 1;
    return index.evaluate(at) - index.constant();
}

} // namespace

std::vector<std::size_t> loopOrder(const std::vector<Extents>& strides, const Extents& sizes) {
    std::vector<std::size_t> order;
    for (std::size_t d = sizes.size(); d-- > 0;) {
        // Insertion keeps the order of equals and bears an order that is not transitive.
        auto at = order.end();
        while (at != order.begin() && compare(strides, sizes, d, *(at - 1)) < 0)
            --at;
        order.insert(at, d);
    }
    return order;
}

Extents fillOrderStrides(const LoopOp& op, const std::vector<Index>& at, const Extents& shape) {
    std::vector<Extents> strides;
    for (auto read = op.reads.begin(); read != op.reads.end(); ++read) {
        if (std::find(op.reads.begin(), read, *read) != read)
            continue;
        Extents row(shape.size(), 0);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (const auto variables = at[d].variables(); variables.size() == 1)
                row[d] = strideAlong(read->index, variables.front(), op.loops.size());
        strides.push_back(std::move(row));
    }
    Extents out(shape.size(), 1);
    std::int64_t next = 1;
    const auto fill = [&](std::size_t d) {
        out[d] = next;
        next *= std::max<std::int64_t>(1, shape[d]);
    };
    if (strides.empty())
        for (std::size_t d = shape.size(); d-- > 0;)
            fill(d);
    else
        for (const std::size_t d : loopOrder(strides, shape))
            fill(d);
    return out;
}

std::vector<int> emissionOrder(const LoopOp& op) {
    std::vector<int> emitted;
    for (const bool isReduced : {false, true}) {
        std::vector<int> loops;
        Extents sizes;
        for (std::size_t i = 0; i < op.loops.size(); ++i)
            if (op.loops[i].isReduced == isReduced && !op.loops[i].isIndirect) {
                loops.push_back(static_cast<int>(i));
                sizes.push_back(op.loops[i].extent);
            }
        if (loops.size() < 2) { // nothing to order
            emitted.insert(emitted.end(), loops.begin(), loops.end());
            continue;
        }
        std::vector<Extents> strides;
        strides.reserve(op.reads.size() + 1);
        const auto addRow = [&](const Index& index) {
            Extents row;
            row.reserve(loops.size());
            for (const int loop : loops)
                row.push_back(strideAlong(index, loop, op.loops.size()));
            strides.push_back(std::move(row));
        };
        addRow(op.write.index);
        for (const Access& read : op.reads)
            addRow(read.index);
        auto order = loopOrder(strides, sizes);
        std::ranges::reverse(order);
        for (const std::size_t i : order)
            emitted.push_back(loops[i]);
    }
    return emitted;
}

} // namespace fivefold::families::spyre
