// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/opspec.h"

#include "core/families/spyre/coordinates.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fivefold::families::spyre {

namespace {

/// Places where device axes cut a loop, and axes that no loop moves along.
class Alignment {
public:
    Alignment(const LoopProgram& program, const LoopOp& op)
        : m_program(program)
        , m_op(op)
        , m_cuts(op.loops.size()) {
        for (const Access& read : op.reads)
            add(read);
        add(op.write);
    }

    std::size_t still() const { return m_still; }

    /// Factors of a loop from the outermost; one where nothing cuts it.
    std::vector<std::int64_t> factors(std::size_t loop) const {
        std::vector<std::int64_t> out;
        std::int64_t inner = 1;
        for (const std::int64_t cut : m_cuts[loop]) {
            out.insert(out.begin(), cut / inner);
            inner = cut;
        }
        const std::int64_t extent = m_op.loops[loop].extent;
        out.insert(out.begin(), (extent + inner - 1) / inner);
        return out;
    }

private:
    void add(const Access& access) {
        if (access.buffer == kNoBuffer)
            return;
        const DeviceLayout& layout = m_program.buffers[access.buffer].layout;
        const auto c =
            coordinatesOf(layout.deviceSize, layout.strideMap, m_op.extents(), access.index);
        if (!c)
            return;
        std::size_t still = 0;
        const std::int64_t lanes = layout.lanes();
        for (const auto& [size, at] : joinedAxes(layout, *c)) {
            if (at.terms.empty())
                still += size > 1 ? 1 : 0;
            for (const CoordinateTerm& term : at.terms)
                cut(term, c->back().uses(term.variable) ? lanes : 0);
        }
        m_still = std::max(m_still, still);
    }

    struct JoinedAxis {
        std::int64_t size = 1;
        Coordinate at;
    };

    /// The axes but the lanes; neighbours that one loop walks like one axis are one.
    static std::vector<JoinedAxis> joinedAxes(
        const DeviceLayout& layout, const std::vector<Coordinate>& c) {
        std::vector<JoinedAxis> axes;
        for (std::size_t a = 0; a + 1 < c.size(); ++a) {
            const std::int64_t size = layout.deviceSize[a];
            if (size == 1 && c[a].isZero())
                continue;
            if (!axes.empty() && continues(axes.back().at, c[a], size)) {
                axes.back().size *= size;
                axes.back().at.terms[0].divisor = c[a].terms[0].divisor;
                continue;
            }
            axes.push_back({size, c[a]});
        }
        return axes;
    }

    /// ⌊v / (d·size)⌋ beside ⌊(v mod d·size) / d⌋.
    static bool continues(const Coordinate& outer, const Coordinate& inner, std::int64_t size) {
        if (outer.terms.size() != 1 || inner.terms.size() != 1 || outer.offset || inner.offset)
            return false;
        const CoordinateTerm &o = outer.terms[0], &i = inner.terms[0];
        return o.variable == i.variable && o.numerator == 1 && i.numerator == 1
            && o.divisor == i.divisor * size && i.modulus == o.divisor;
    }

    void cut(const CoordinateTerm& term, std::int64_t lanes) {
        const auto loop = static_cast<std::size_t>(term.variable);
        const std::int64_t extent = m_op.loops[loop].extent;
        for (const std::int64_t at : {term.divisor, term.modulus})
            if (at > 1 && at < extent && at != lanes)
                m_cuts[loop].insert(at);
    }

    const LoopProgram& m_program;
    const LoopOp& m_op;
    std::vector<std::set<std::int64_t>> m_cuts;
    std::size_t m_still = 0;
};

} // namespace

IterationSpace iterationSpace(const LoopProgram& program, const LoopOp& op) {
    IterationSpace out;
    const Alignment alignment(program, op);
    for (const int v : op.emitted) {
        const auto loop = static_cast<std::size_t>(v);
        if (op.loops[loop].isIndirect)
            continue;
        const auto factors = alignment.factors(loop);
        std::vector<std::int64_t> splits(factors.size(), 1);
        std::int64_t left = op.loops[loop].split;
        if (factors.size() == 1) {
            splits[0] = left;
        } else {
            for (std::size_t i = factors.size(); i-- > 0;) {
                splits[i] = std::gcd(left, factors[i]);
                left /= splits[i];
            }
        }
        out.extents.insert(out.extents.end(), factors.begin(), factors.end());
        out.splits.insert(out.splits.end(), splits.begin(), splits.end());
    }
    out.extents.insert(out.extents.end(), alignment.still(), 1);
    out.splits.insert(out.splits.end(), alignment.still(), 1);
    return out;
}

} // namespace fivefold::families::spyre
