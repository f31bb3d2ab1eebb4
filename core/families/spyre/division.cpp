// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/division.h"

#include "core/families/spyre/coordinates.h"
#include "core/families/spyre/sticks.h"
#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::families::spyre {

using lowering::ceilDiv;
using lowering::divisors;
using lowering::largestDivisor;

namespace {

using Extents = std::vector<std::int64_t>;

struct Tensor {
    DeviceLayout layout;
    std::vector<Coordinate> coordinates; ///< one a device axis, the lanes last
    const Access* access = nullptr;
};

std::int64_t product(const Extents& splits) {
    return std::accumulate(
        splits.begin(), splits.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
}

/// Division of one operation.
class Division1 {
public:
    Division1(const LoopProgram& program, const LoopOp& op, const DivisionRules& rules)
        : m_program(program)
        , m_op(op)
        , m_rules(rules)
        , m_units(op.extents())
        , m_lanes(op.loops.size(), 0)
        , m_splits(op.loops.size(), 1)
        , m_isCommitted(op.loops.size(), false) {
        for (const Access& read : op.reads)
            add(read);
        m_output = m_tensors.size();
        add(op.write);
        for (std::size_t v = 0; v < m_units.size(); ++v)
            if (m_lanes[v] > 0)
                m_units[v] = ceilDiv(m_units[v], m_lanes[v]);
    }

    bool fitSpans() {
        bool fits = true;
        for (const Tensor& tensor : m_tensors)
            fits = fitSpan(tensor) && fits;
        return fits;
    }

    bool isCommitted() const {
        return std::ranges::find(m_isCommitted, true) != m_isCommitted.end();
    }

    void distribute() {
        std::vector<std::size_t> order;
        for (const std::size_t v : outputLoops())
            if (!m_isCommitted[v] && m_units[v] > 1)
                order.push_back(v);
        std::ranges::stable_sort(
            order, [this](std::size_t a, std::size_t b) { return m_units[a] > m_units[b]; });
        std::int64_t left = std::max<std::int64_t>(1, m_rules.cores / product(m_splits));
        for (const std::size_t v : order) {
            m_splits[v] = largestDivisor(m_units[v], left);
            left /= m_splits[v];
        }
        if (m_rules.isAugust() && left > 1 && m_op.kind == LoopKind::Reduction && !m_op.isTopK())
            splitReduction(left);
    }

    /// Roles of a product's loops; nullopt where the cost model does not apply.
    struct Roles {
        std::vector<std::size_t> batch;
        std::size_t m = 0, n = 0, k = 0;
        bool isRightShared = true;
    };
    std::optional<Roles> roles() const {
        if (!m_op.isMatmul() || m_tensors.size() != 3 || m_output != 2)
            return std::nullopt;
        Roles r;
        const Coordinate& lane =
            m_tensors[2].coordinates.empty() ? Coordinate{} : m_tensors[2].coordinates.back();
        const int n = lane.onlyVariable();
        const auto outer = outputLoops();
        if (n < 0 || std::ranges::find(outer, static_cast<std::size_t>(n)) == outer.end())
            return std::nullopt;
        r.n = static_cast<std::size_t>(n);
        std::vector<std::size_t> rows, reduced;
        for (std::size_t v = 0; v < m_op.loops.size(); ++v) {
            const int loop = static_cast<int>(v);
            if (m_op.loops[v].isReduced) {
                reduced.push_back(v);
                continue;
            }
            if (v == r.n)
                continue;
            const bool isLeft = m_op.reads[0].index.uses(loop);
            const bool isRight = m_op.reads[1].index.uses(loop);
            if (isLeft != isRight)
                rows.push_back(v);
            else if (isLeft)
                r.batch.push_back(v);
        }
        if (rows.empty() || reduced.size() != 1)
            return std::nullopt;
        r.k = reduced.front();
        r.isRightShared = r.batch.empty() || rows.size() > 1;
        r.m = *std::ranges::min_element(rows, {},
            [this](std::size_t v) { return m_op.write.index.coefficient(static_cast<int>(v)); });
        for (const std::size_t v : rows)
            if (v != r.m)
                r.batch.push_back(v);
        std::ranges::sort(r.batch);
        return r;
    }

    MatmulShape shapeOf(const Roles& r) const {
        MatmulShape shape;
        for (const std::size_t v : r.batch)
            shape.batch *= m_op.loops[v].extent;
        shape.m = m_op.loops[r.m].extent;
        shape.n = m_op.loops[r.n].extent;
        shape.k = m_op.loops[r.k].extent;
        shape.elementsPerStick = m_tensors[0].layout.lanes();
        shape.isRightShared = r.isRightShared;
        return shape;
    }

    /// The first cheapest split in ascending order of batch loops, m, n, k; empty where it uses
    /// fewer cores than the default.
    Extents cheapest(const Roles& r, const MatmulShape& shape) const {
        std::vector<std::size_t> loops = r.batch;
        loops.insert(loops.end(), {r.m, r.n, r.k});
        Extents now(loops.size(), 1), best;
        double bestCost = INFINITY;
        search(loops, 0, m_rules.cores, shape, now, best, bestCost);
        if (best.empty() || product(best) < product(m_splits))
            return {};
        Extents splits(m_splits.size(), 1);
        for (std::size_t i = 0; i < loops.size(); ++i)
            splits[loops[i]] = best[i];
        return splits;
    }

    /// The split along the roles, the batch on its first loop that it divides; false, and nothing
    /// changes, where it does not divide.
    bool take(const Roles& r, const MatmulDivision& wanted) {
        Extents splits(m_splits.size(), 1);
        bool fits = wanted.cores() <= m_rules.cores && (wanted.b == 1 || !r.batch.empty());
        const auto set = [&](std::size_t loop, std::int64_t parts) {
            fits = fits && m_units[loop] % parts == 0;
            splits[loop] = parts;
        };
        if (wanted.b > 1 && fits) {
            const auto loop = std::ranges::find_if(
                r.batch, [&](std::size_t l) { return m_units[l] % wanted.b == 0; });
            fits = loop != r.batch.end();
            if (fits)
                set(*loop, wanted.b);
        }
        set(r.m, wanted.m);
        set(r.n, wanted.n);
        set(r.k, wanted.k);
        if (fits)
            m_splits = std::move(splits);
        return fits;
    }

    const Extents& splits() const { return m_splits; }
    const Extents& units() const { return m_units; }
    void setSplits(Extents splits) { m_splits = std::move(splits); }

private:
    void add(const Access& access) {
        if (access.buffer == kNoBuffer)
            return;
        const Buffer& buffer = m_program.buffers[access.buffer];
        if (buffer.layout.deviceSize.empty())
            return;
        const auto c = coordinatesOf(
            buffer.layout.deviceSize, buffer.layout.strideMap, m_op.extents(), access.index);
        if (!c)
            return;
        m_tensors.push_back({buffer.layout, *c, &access});
        const int stick = c->empty() ? -1 : c->back().onlyVariable();
        if (stick >= 0)
            m_lanes[static_cast<std::size_t>(stick)] =
                std::max(m_lanes[static_cast<std::size_t>(stick)], buffer.layout.lanes());
    }

    /// Loops that move the output over its device axes, the lanes aside, in order.
    std::vector<std::size_t> outputLoops() const {
        std::vector<std::size_t> out;
        if (m_output >= m_tensors.size())
            return out;
        const auto& c = m_tensors[m_output].coordinates;
        for (std::size_t v = 0; v < m_op.loops.size(); ++v) {
            if (m_op.loops[v].isReduced || m_op.loops[v].isIndirect)
                continue;
            for (std::size_t a = 0; a + 1 < c.size(); ++a)
                if (c[a].uses(static_cast<int>(v))) {
                    out.push_back(v);
                    break;
                }
        }
        return out;
    }

    void splitReduction(std::int64_t left) {
        for (std::size_t v = 0; v < m_op.loops.size(); ++v)
            if (m_op.loops[v].isReduced && m_isCommitted[v])
                return;
        std::size_t best = m_op.loops.size();
        std::int64_t most = 1;
        for (std::size_t v = 0; v < m_op.loops.size(); ++v) {
            const bool isPadded = m_lanes[v] > 0 && m_op.loops[v].extent % m_lanes[v] != 0;
            if (!m_op.loops[v].isReduced || isPadded)
                continue;
            const std::int64_t split = largestDivisor(m_units[v], left);
            if (split > most) {
                most = split;
                best = v;
            }
        }
        if (best < m_op.loops.size())
            m_splits[best] = most;
    }

    /// Largest value of a coordinate on one core.
    std::int64_t last(const Coordinate& c, const Extents& splits) const {
        std::int64_t value = c.offset;
        for (const CoordinateTerm& term : c.terms) {
            const auto v = static_cast<std::size_t>(term.variable);
            std::int64_t extent = m_op.loops[v].extent;
            if (splits[v] > 1)
                extent = m_lanes[v] > 0 ? ceilDiv(m_units[v], splits[v]) * m_lanes[v]
                                        : ceilDiv(extent, splits[v]);
            if (term.modulus > 0)
                extent = std::min(extent, term.modulus);
            value += term.numerator * ((extent - 1) / term.divisor);
        }
        return value;
    }

    bool fitSpan(const Tensor& tensor) {
        const std::size_t axes = tensor.coordinates.size();
        double inner = static_cast<double>(layout::kSpyreStickBytes);
        std::vector<double> step(axes, inner);
        for (std::size_t a = axes == 0 ? 0 : axes - 1; a-- > 0;) {
            step[a] = inner;
            inner *= static_cast<double>(tensor.layout.deviceSize[a]);
        }
        const auto limit = static_cast<double>(m_rules.spanBytes());
        for (std::size_t a = 0; a + 1 < axes; ++a) {
            const Coordinate& c = tensor.coordinates[a];
            if (last(c, m_splits) == 0)
                continue;
            const auto span = [&](const Extents& splits) {
                return static_cast<double>(last(c, splits) + 1) * step[a];
            };
            if (span(m_splits) <= limit)
                return true;
            commit(c, span, limit);
            if (span(m_splits) <= limit)
                return true;
            if (last(c, m_splits) > 0)
                return false;
        }
        return true;
    }

    /// The splits of a coordinate's loops that leave the largest span within the limit, else the
    /// smallest beyond it.
    template <typename Span> void commit(const Coordinate& c, const Span& span, double limit) {
        std::vector<std::size_t> loops;
        for (const CoordinateTerm& term : c.terms)
            if (std::ranges::find(loops, static_cast<std::size_t>(term.variable)) == loops.end())
                loops.push_back(static_cast<std::size_t>(term.variable));
        Extents now = m_splits, best = m_splits;
        double bestSpan = span(m_splits);
        const auto visit = [&](auto&& self, std::size_t i) -> void {
            if (i == loops.size()) {
                const double s = span(now);
                const bool isBetter = s <= limit ? bestSpan > limit || s > bestSpan : s < bestSpan;
                if (isBetter) {
                    best = now;
                    bestSpan = s;
                }
                return;
            }
            const std::size_t v = loops[i];
            const std::int64_t have = m_splits[v];
            const std::int64_t room =
                m_rules.cores / std::max<std::int64_t>(1, product(now) / have);
            for (const std::int64_t split : divisors(m_units[v], std::max<std::int64_t>(1, room))) {
                if (split < have)
                    continue;
                now[v] = split;
                self(self, i + 1);
            }
            now[v] = have;
        };
        visit(visit, 0);
        for (const std::size_t v : loops)
            if (best[v] != m_splits[v])
                m_isCommitted[v] = true;
        m_splits = best;
    }

    void search(const std::vector<std::size_t>& loops, std::size_t i, std::int64_t room,
        const MatmulShape& shape, Extents& now, Extents& best, double& bestCost) const {
        if (i < loops.size()) {
            for (const std::int64_t split : divisors(m_units[loops[i]], room)) {
                now[i] = split;
                search(loops, i + 1, room / split, shape, now, best, bestCost);
            }
            now[i] = 1;
            return;
        }
        if (!m_rules.isAugust() && product(now) < product(m_splits))
            return;
        const std::size_t n = now.size();
        MatmulDivision split{1, now[n - 3], now[n - 2], now[n - 1]};
        for (std::size_t b = 0; b + 3 < n; ++b)
            split.b *= now[b];
        const double cost = m_rules.isAugust() ? matmulCostAugust(shape, split, m_rules.cores)
                                               : matmulCostJune(shape, split);
        if (cost < bestCost - 1e-12) {
            bestCost = cost;
            best = now;
        }
    }

    const LoopProgram& m_program;
    const LoopOp& m_op;
    const DivisionRules& m_rules;
    Extents m_units; ///< what cores may take: sticks of a loop over lanes, else turns
    Extents m_lanes; ///< of the widest stick along a loop; 0: it runs over no lanes
    Extents m_splits;
    std::vector<bool> m_isCommitted; ///< by the span limit
    std::vector<Tensor> m_tensors;
    std::size_t m_output = 0;
};

std::string describe(const LoopOp& op) {
    std::string text;
    for (std::size_t v = 0; v < op.loops.size(); ++v)
        if (op.loops[v].split > 1)
            text += (text.empty() ? "d" : " · d") + std::to_string(v) + " ÷ "
                + std::to_string(op.loops[v].split);
    if (text.empty())
        return "1 core";
    return text + " = " + std::to_string(op.cores) + " cores";
}

/// A product's split by role; batch takes what is no row, column or sum.
MatmulDivision roleSplits(const LoopOp& op) {
    MatmulDivision out;
    int row = -1, column = -1;
    for (std::size_t v = 0; v < op.loops.size(); ++v)
        if (!op.loops[v].isReduced && !op.reads.empty()) {
            const int loop = static_cast<int>(v);
            const bool isLeft = op.reads[0].index.uses(loop);
            const bool isRight = op.reads.size() > 1 && op.reads[1].index.uses(loop);
            if (isLeft && !isRight)
                row = loop;
            else if (isRight && !isLeft)
                column = loop;
        }
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t split = op.loops[v].split;
        if (op.loops[v].isReduced)
            out.k *= split;
        else if (static_cast<int>(v) == row)
            out.m = split;
        else if (static_cast<int>(v) == column)
            out.n = split;
        else
            out.b *= split;
    }
    return out;
}

} // namespace

OpDivision Divider::divide(LoopOp& op, const std::optional<MatmulDivision>& wanted) {
    OpDivision out;
    const bool isOnDevice = op.kind == LoopKind::Pointwise || op.kind == LoopKind::Reduction
        || op.kind == LoopKind::Restickify;
    if (!isOnDevice) {
        out.text = "not on the device";
        return out;
    }
    Division1 division(m_program, op, m_rules);
    if (!op.isGather()) {
        out.fitsSpan = division.fitSpans();
        const bool isCommitted = division.isCommitted();
        division.distribute();
        const auto roles = isCommitted || op.hasDivisionHint ? std::nullopt : division.roles();
        if (roles) {
            const MatmulShape shape = division.shapeOf(*roles);
            std::vector<std::int64_t> key = division.units();
            key.insert(key.end(),
                {shape.batch, shape.m, shape.n, shape.k, shape.elementsPerStick,
                    shape.isRightShared});
            key.insert(key.end(), roles->batch.begin(), roles->batch.end());
            key.insert(key.end(),
                {static_cast<std::int64_t>(roles->m), static_cast<std::int64_t>(roles->n),
                    static_cast<std::int64_t>(roles->k)});
            auto found = m_products.find(key);
            if (found == m_products.end())
                found = m_products.emplace(key, division.cheapest(*roles, shape)).first;
            if (!found->second.empty())
                division.setSplits(found->second);
            if (wanted)
                out.fitsWish = division.take(*roles, *wanted);
        } else {
            out.fitsWish = !wanted;
        }
    }
    op.cores = 1;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        op.loops[v].split = division.splits()[v];
        op.cores *= op.loops[v].split;
    }
    out.cores = op.cores;
    if (op.isMatmul()) {
        out.matmul = roleSplits(op);
        out.text = out.matmul->text();
    } else {
        out.text = describe(op);
    }
    return out;
}

} // namespace fivefold::families::spyre
