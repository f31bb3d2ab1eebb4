// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/layout_rules.h"

#include "core/families/spyre/operators.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fivefold::families::spyre {

namespace {

using Extents = std::vector<std::int64_t>;

bool isStaggered(Arrangement a) {
    return a == Arrangement::Dl16ToFp32 || a == Arrangement::Fp32ToDl16;
}

std::string listText(const Extents& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i ? ", " : "") + std::to_string(values[i]);
    return text + "]";
}

class Rules {
public:
    Rules(const LoopOp& op, const LoopProgram& program,
        std::span<const std::vector<DeviceLayout>> have, layout::SpyreLayoutVersion version)
        : m_op(op)
        , m_program(program)
        , m_have(have)
        , m_version(version)
        , m_extents(op.extents())
        , m_out(program.buffers[op.write.buffer])
        , m_outCoordinates(coordinatesOf(m_out.shape, m_out.strides, m_extents, op.write.index)
                               .value_or(std::vector<Coordinate>(m_out.shape.size())))
        , m_lanes(lanesOf(m_out.dtype)) {
        m_choice.operands = op.operands(program.buffers);
    }

    LayoutChoice run() {
        if (m_op.kind == LoopKind::Fallback || m_op.kind == LoopKind::Constant
            || m_op.kind == LoopKind::Alloc || m_choice.operands.empty())
            return anyIn();
        if (m_op.isMutation)
            return target();
        if (m_op.kind == LoopKind::Pointwise && m_choice.operands.size() > 1)
            return joined();
        if (m_op.isMatmul())
            return matmul();
        if (m_op.op == kExx2)
            return exx2();
        if (m_op.isTopK())
            return topK();
        if (m_op.atenName() == "clone" || m_op.kind == LoopKind::Restickify)
            return clone();
        return single();
    }

private:
    const std::vector<DeviceLayout>& have(const Access& a) const { return m_have[a.buffer]; }
    const Buffer& buffer(const Access& a) const { return m_program.buffers[a.buffer]; }
    std::optional<std::vector<Coordinate>> device(const DeviceLayout& l, const Index& index) const {
        return deviceCoordinates(l, m_extents, index);
    }
    std::vector<Coordinate> hostOf(const Access& a) const {
        return coordinatesOf(buffer(a).shape, buffer(a).strides, m_extents, a.index)
            .value_or(std::vector<Coordinate>(buffer(a).shape.size()));
    }
    DeviceLayout make(const std::vector<int>& order) const {
        return makeLayout(m_out.shape, m_out.strides, m_out.dtype, order, m_version);
    }

    LayoutChoice refuse(std::string why) {
        m_choice.rule = LayoutRule::AnyIn;
        m_choice.refusal = std::move(why);
        m_choice.candidates = {makeLayout(m_out.shape, {}, m_out.dtype, {}, m_version)};
        m_choice.operands.clear();
        m_choice.required.clear();
        return std::move(m_choice);
    }

    LayoutChoice anyIn() {
        m_choice.rule = LayoutRule::AnyIn;
        m_choice.operands.clear();
        m_choice.candidates = {makeLayout(m_out.shape, {}, m_out.dtype, {}, m_version)};
        return std::move(m_choice);
    }

    LayoutChoice target() {
        m_choice.rule = LayoutRule::Target;
        m_choice.candidates = have(m_op.write);
        if (m_choice.candidates.size() > 1)
            m_choice.candidates.resize(1);
        return std::move(m_choice);
    }

    int stickDimension(const Coordinate& stick) const {
        const auto found = matchingDimension(m_outCoordinates, stick);
        return found ? static_cast<int>(*found) : -1;
    }

    /// The result with its stick on a dimension, where no slice starts inside a stick of it.
    std::optional<DeviceLayout> withStick(int dimension) const {
        if (dimension >= 0 && m_out.shape[static_cast<std::size_t>(dimension)] == 1)
            return std::nullopt;
        DeviceLayout made = make(dimensionOrder(dimension, m_outCoordinates));
        const auto coordinates = device(made, m_op.write.index);
        if (!coordinates || !isOffsetFree(coordinates->back(), m_lanes))
            return std::nullopt;
        return made;
    }

    /// Dimensions whose extent is a whole number of sticks, then the others.
    std::pair<std::vector<int>, std::vector<int>> byAlignment(
        const Extents& shape, int skipped) const {
        std::pair<std::vector<int>, std::vector<int>> groups;
        for (int d = 0; d < static_cast<int>(shape.size()); ++d)
            if (d != skipped)
                (shape[static_cast<std::size_t>(d)] % m_lanes == 0 ? groups.first : groups.second)
                    .push_back(d);
        return groups;
    }

    std::vector<DeviceLayout> otherSticks(const Coordinate& skipped) const {
        std::vector<DeviceLayout> made;
        const auto groups = byAlignment(m_out.shape, stickDimension(skipped));
        for (const auto& group : {groups.first, groups.second}) {
            for (const int d : group)
                if (auto layout = withStick(d))
                    made.push_back(std::move(*layout));
            if (!made.empty())
                break;
        }
        return made;
    }

    bool isSameFrame(const Access& a) const {
        return buffer(a).shape == m_out.shape && a.index == m_op.write.index
            && lanesOf(buffer(a).dtype) == m_lanes;
    }

    LayoutChoice single() {
        m_choice.rule = LayoutRule::AllSame;
        const Access& in = m_choice.operands.front();
        std::string why;
        for (const DeviceLayout& layout : have(in)) {
            auto made =
                m_op.kind == LoopKind::Reduction ? reduced(in, layout) : pointwise(in, layout, why);
            m_choice.candidates.insert(m_choice.candidates.end(),
                std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
        }
        if (!why.empty())
            return refuse(why);
        if (m_choice.candidates.empty())
            return refuse("no supported output layout found for any of "
                + std::to_string(have(in).size())
                + " candidate input layouts; output size=" + listText(m_out.shape));
        return std::move(m_choice);
    }

    std::vector<DeviceLayout> reduced(const Access& in, const DeviceLayout& layout) const {
        const auto coordinates = device(layout, in.index);
        if (!coordinates)
            return {};
        const Coordinate& stick = coordinates->back();
        int reducedLoop = -1;
        for (const int v : in.index.variables())
            if (!m_op.write.index.uses(v) && reducedLoop < 0)
                reducedLoop = v;
        const bool needsOther = m_op.op == "prod" && reducedLoop >= 0 && stick.uses(reducedLoop);
        if (!needsOther && isOffsetFree(stick, m_lanes))
            if (auto made = withStick(stickDimension(stick)))
                return {std::move(*made)};
        const auto host = hostOf(in);
        const auto skipped = matchingDimension(host, stick);
        const auto groups =
            byAlignment(buffer(in).shape, skipped ? static_cast<int>(*skipped) : -1);
        std::vector<DeviceLayout> all;
        for (const auto& group : {groups.first, groups.second}) {
            for (const int d : group) {
                const Coordinate& c = host[static_cast<std::size_t>(d)];
                int dimension = -1;
                if (reducedLoop < 0 || !c.uses(reducedLoop)) {
                    dimension = stickDimension(c);
                    if (dimension < 0)
                        continue;
                }
                if (auto made = withStick(dimension))
                    all.push_back(std::move(*made));
            }
            if (!all.empty())
                break;
        }
        return all;
    }

    std::vector<DeviceLayout> pointwise(
        const Access& in, const DeviceLayout& layout, std::string& why) const {
        if (lanesOf(buffer(in).dtype) != m_lanes && m_out.dtype != ir::DType::Bool)
            return converted(in, layout, why);
        if (isSameFrame(in)) {
            DeviceLayout same = layout;
            return {std::move(same)};
        }
        const auto coordinates = device(layout, in.index);
        if (!coordinates)
            return {};
        if (isOffsetFree(coordinates->back(), m_lanes))
            if (auto made = withStick(stickDimension(coordinates->back())))
                return {std::move(*made)};
        return otherSticks(coordinates->back());
    }

    /// Widening and narrowing keep the order of the device axes and stagger the lanes; doing the
    /// opposite again restores them.
    std::vector<DeviceLayout> converted(
        const Access& in, const DeviceLayout& layout, std::string& why) const {
        const auto coordinates = device(layout, in.index);
        if (!coordinates || !isOffsetFree(coordinates->back(), layout.lanes()))
            return {};
        const auto isHalf = [](ir::DType t) {
            return t == ir::DType::Float16 || t == ir::DType::BFloat16 || t == ir::DType::Bool;
        };
        const bool widens = isHalf(buffer(in).dtype) && m_out.dtype == ir::DType::Float32;
        const bool narrows = buffer(in).dtype == ir::DType::Float32 && isHalf(m_out.dtype);
        Arrangement to = Arrangement::Standard;
        const Arrangement forward = widens ? Arrangement::Dl16ToFp32 : Arrangement::Fp32ToDl16;
        const Arrangement backward = widens ? Arrangement::Fp32ToDl16 : Arrangement::Dl16ToFp32;
        if (widens || narrows) {
            if (layout.arrangement == Arrangement::Standard)
                to = forward;
            else if (layout.arrangement != backward)
                why = std::string("conversion with unsupported input arrangement ")
                    + std::string(toString(layout.arrangement));
        }
        if (isStaggered(to) || isStaggered(layout.arrangement))
            return rescaled(layout, to);
        Extents shape = m_out.shape, strides = m_out.strides;
        const std::int64_t inLanes = layout.lanes();
        if (!shape.empty() && buffer(in).shape.back() % inLanes != 0) {
            shape.back() = inLanes;
            strides.back() = 1;
        }
        return {makeLayout(shape, strides, m_out.dtype, {}, m_version)};
    }

    std::vector<DeviceLayout> rescaled(const DeviceLayout& layout, Arrangement to) const {
        DeviceLayout out = layout;
        const std::int64_t lanes = layout.lanes();
        out.deviceSize.back() = m_lanes;
        out.arrangement = to;
        for (std::size_t d = 0; d < out.strideMap.size(); ++d)
            if (layout.strideMap[d] == lanes) {
                out.deviceSize[d] = layout.deviceSize[d] * lanes / m_lanes;
                out.strideMap[d] = m_lanes;
                break;
            }
        return {std::move(out)};
    }

    LayoutChoice clone() {
        const Access& in = m_choice.operands.front();
        std::vector<int> order(m_out.shape.size());
        std::iota(order.begin(), order.end(), 0);
        const DeviceLayout out = make(order);
        const DeviceLayout& from = have(in).front();
        const auto coordinates = device(from, in.index);
        if (!coordinates)
            return refuse("clone: the stick of its input cannot be followed through the view");
        if (isOffsetFree(coordinates->back(), m_lanes)) {
            m_choice.rule = LayoutRule::AnyIn;
            m_choice.candidates = {out};
            m_choice.operands.clear();
            return std::move(m_choice);
        }
        const auto host = hostOf(in);
        for (const DeviceLayout& candidate : otherSticks(coordinates->back())) {
            const auto there = device(candidate, m_op.write.index);
            if (!there)
                continue;
            auto target = restickified(from, buffer(in), there->back(), host, *coordinates);
            if (!target)
                continue;
            m_choice.rule = LayoutRule::FixedInOut;
            m_choice.candidates = {out};
            m_choice.required = {std::move(*target)};
            return std::move(m_choice);
        }
        return refuse("No supported layout found for stick expression " + coordinates->back().text()
            + ". Cannot find alternative layout with size=" + listText(m_out.shape));
    }

    bool checkSticks(std::string& why) const {
        for (std::size_t i = 0; i < m_choice.operands.size(); ++i)
            for (const DeviceLayout& layout : have(m_choice.operands[i])) {
                const auto coordinates = device(layout, m_choice.operands[i].index);
                if (coordinates && !isOffsetFree(coordinates->back(), layout.lanes())) {
                    why = m_op.op + ": input arg" + std::to_string(i)
                        + " has stick expression with offset " + coordinates->back().text()
                        + " (likely from slicing the stick dimension); this op requires a fixed "
                          "input layout and double-restickify is not yet supported";
                    return false;
                }
            }
        return true;
    }

    /// A layout of the operand whose stick carries a loop: one that it has, else the first that a
    /// restickify gives.
    std::optional<DeviceLayout> carrying(const Access& a, int loop) const {
        const auto host = hostOf(a);
        for (const DeviceLayout& layout : have(a))
            if (const auto c = device(layout, a.index); c && c->back().uses(loop))
                return layout;
        for (const DeviceLayout& layout : have(a)) {
            const auto c = device(layout, a.index);
            if (!c)
                continue;
            for (const Coordinate& axis : *c)
                if (axis.uses(loop) && matchingDimension(host, axis)) {
                    if (auto made = restickified(layout, buffer(a), axis, host, *c))
                        return made;
                    break;
                }
        }
        return std::nullopt;
    }

    int onlyReducedLoop(const Access& a) const {
        int loop = -1;
        for (const int v : a.index.variables())
            if (!m_op.write.index.uses(v)) {
                if (loop >= 0)
                    return -1;
                loop = v;
            }
        return loop;
    }

    LayoutChoice fixed(std::vector<DeviceLayout> candidates, std::vector<DeviceLayout> required) {
        m_choice.rule = LayoutRule::FixedInOut;
        m_choice.candidates = std::move(candidates);
        m_choice.required = std::move(required);
        return std::move(m_choice);
    }

    LayoutChoice matmul() {
        std::string why;
        if (!checkSticks(why))
            return refuse(why);
        const Access x = m_choice.operands[0];
        const Access y = m_choice.operands.size() > 1 ? m_choice.operands[1] : x;
        const int k = onlyReducedLoop(x);
        if (k < 0)
            return refuse(m_op.op + ": expected exactly 1 reduction variable");
        int n = -1, count = 0, last = -1;
        for (const int v : m_op.write.index.variables())
            last = v;
        for (const int v : y.index.variables())
            if (m_op.write.index.uses(v) && !x.index.uses(v)) {
                n = v;
                ++count;
            }
        if (count != 1 && last >= 0)
            n = last;
        const auto xNeeds = carrying(x, k);
        if (!xNeeds)
            return refuse(m_op.op + ": cannot restickify any input layout of x to carry x_var=d"
                + std::to_string(k));
        std::optional<DeviceLayout> yNeeds = n < 0 ? have(y).front() : carrying(y, n);
        if (!yNeeds)
            return refuse(m_op.op + ": cannot restickify any input layout of y to carry y_var=d"
                + std::to_string(n));
        const int rank = static_cast<int>(m_out.shape.size());
        std::vector<int> order(m_out.shape.size());
        std::iota(order.begin(), order.end(), 0);
        int stick = rank - 1;
        for (int d = 0; d < rank; ++d)
            if (n >= 0 && m_outCoordinates[static_cast<std::size_t>(d)].uses(n)) {
                stick = d;
                break;
            }
        if (rank > 1 && stick != rank - 1)
            std::swap(order[order.size() - 1], order[order.size() - 2]);
        if (m_choice.operands.size() == 1) {
            m_choice.operands.push_back(y);
        }
        return fixed({make(order)}, {*xNeeds, *yNeeds});
    }

    LayoutChoice exx2() {
        std::string why;
        if (!checkSticks(why))
            return refuse(why);
        m_choice.operands.resize(1);
        const int loop = onlyReducedLoop(m_choice.operands[0]);
        const auto needs = loop < 0 ? std::nullopt : carrying(m_choice.operands[0], loop);
        if (!needs)
            return refuse("exx2: cannot restickify any input layout of x to carry x_var=d"
                + std::to_string(loop));
        std::vector<int> order(m_out.shape.size());
        std::iota(order.begin(), order.end(), 0);
        order.push_back(-1);
        DeviceLayout out = make(order);
        out.arrangement = Arrangement::Exx2;
        return fixed({std::move(out)}, {*needs});
    }

    LayoutChoice topK() {
        std::string why;
        if (!checkSticks(why))
            return refuse(why);
        m_choice.operands.resize(1);
        const Access& x = m_choice.operands[0];
        const int loop = onlyReducedLoop(x);
        std::set<int> sticks;
        for (const DeviceLayout& layout : have(x)) {
            const auto c = device(layout, x.index);
            if (!c)
                continue;
            if (c->back().uses(loop)) {
                for (const Coordinate& h : hostOf(x))
                    if (!h.terms.empty())
                        if (const auto d = matchingDimension(m_outCoordinates, h))
                            sticks.insert(static_cast<int>(*d));
            } else {
                sticks.insert(stickDimension(c->back()));
            }
        }
        for (const int stick : sticks) {
            std::vector<int> order;
            for (int d = 0; d < static_cast<int>(m_out.shape.size()); ++d)
                if (d != stick)
                    order.push_back(d);
            order.push_back(stick);
            m_choice.candidates.push_back(make(order));
        }
        if (m_choice.candidates.empty())
            return refuse("topk: no dimension can carry the stick");
        m_choice.rule = LayoutRule::AllSame;
        m_choice.forbiddenLoop = loop;
        return std::move(m_choice);
    }

    // Pointwise operators of several operands.

    /// The lanes' order of the result; a reason where the operands' do not agree.
    std::string arrangementOf(Arrangement& out) const {
        out = Arrangement::Standard;
        for (const Access& a : m_choice.operands)
            if (!have(a).empty() && isStaggered(have(a).front().arrangement)) {
                if (isStaggered(out) && out != have(a).front().arrangement)
                    return "Multi-arg pointwise with multiple staggered EAs not supported";
                out = have(a).front().arrangement;
            }
        if (!isStaggered(out))
            return {};
        for (const Access& a : m_choice.operands)
            for (const DeviceLayout& layout : have(a)) {
                const Extents& shape = buffer(a).shape;
                if (layout.arrangement != Arrangement::Standard || shape.empty()
                    || layout.strideMap.back() == -1)
                    continue;
                std::string at = "None of size unknown";
                for (std::size_t d = 0; d < shape.size(); ++d)
                    if (buffer(a).strides[d] == layout.strideMap.back()) {
                        at = std::to_string(d) + " of size " + std::to_string(shape[d]);
                        break;
                    }
                return "Multi-arg pointwise with mixed EA: STANDARD input " + buffer(a).name
                    + " must broadcast (device stick dimension size 1) to be compatible with a "
                      "staggered EA. Its stick maps to host dim "
                    + at;
            }
        return {};
    }

    bool isIndexOperand(const Access& a) const { return m_op.isGather() && a.indirectVariable < 0; }

    /// Whether every operand can be read where the result has this order of dimensions.
    bool isSupported(const std::vector<int>& order) const {
        for (const Access& a : m_choice.operands) {
            const Buffer& host = buffer(a);
            const int missing =
                static_cast<int>(m_out.shape.size()) - static_cast<int>(host.shape.size());
            std::vector<int> own;
            for (const int d : order)
                if (d >= missing)
                    own.push_back(d - missing);
            if (own.empty() && !host.shape.empty())
                return false;
            if (!isOrderOf(own, host.shape.size()))
                return false;
            const DeviceLayout layout =
                makeLayout(host.shape, host.strides, m_out.dtype, own, m_version);
            const auto c = device(layout, a.index);
            if (!c || !isOffsetFree(c->back(), m_lanes))
                return false;
            for (std::size_t v = 0; v < m_op.loops.size(); ++v)
                if (m_op.loops[v].isIndirect && !isIndexOperand(a)
                    && c->back().uses(static_cast<int>(v)))
                    return false;
        }
        return true;
    }

    /// The constructor takes each dimension once, and −1 (one element a stick) at the end.
    static bool isOrderOf(const std::vector<int>& order, std::size_t rank) {
        std::vector<bool> seen(rank, false);
        std::size_t named = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (order[i] < 0) {
                if (i + 1 != order.size())
                    return false;
                continue;
            }
            if (static_cast<std::size_t>(order[i]) >= rank
                || seen[static_cast<std::size_t>(order[i])])
                return false;
            seen[static_cast<std::size_t>(order[i])] = true;
            ++named;
        }
        return named == rank;
    }

    void tryStick(int dimension, Arrangement arrangement, bool isOnce) {
        const auto order = dimensionOrder(dimension, m_outCoordinates);
        if (!isSupported(order))
            return;
        DeviceLayout made = make(order);
        made.arrangement = arrangement;
        if (isOnce && std::ranges::any_of(m_choice.candidates, [&made](const DeviceLayout& l) {
                return l.deviceSize == made.deviceSize && l.strideMap == made.strideMap;
            }))
            return;
        m_choice.candidates.push_back(std::move(made));
    }

    LayoutChoice joined() {
        Arrangement arrangement = Arrangement::Standard;
        if (std::string why = arrangementOf(arrangement); !why.empty())
            return refuse(std::move(why));
        m_choice.rule = LayoutRule::AllSame;
        std::vector<Coordinate> sticks;
        for (const Access& a : m_choice.operands) {
            if (isIndexOperand(a))
                continue;
            for (const DeviceLayout& layout : have(a))
                if (const auto c = device(layout, a.index);
                    c && std::ranges::find(sticks, c->back()) == sticks.end())
                    sticks.push_back(c->back());
        }
        bool isSame = sticks.size() <= 1;
        for (const Access& a : m_choice.operands)
            isSame = isSame && have(a).size() <= 1 && isSameFrame(a);
        if (isSame) {
            DeviceLayout same = have(m_choice.operands[0]).front();
            same.arrangement = arrangement;
            m_choice.candidates.push_back(std::move(same));
        } else if (sticks.empty()) {
            tryStick(-1, arrangement, false);
        } else {
            const auto key = [](const Coordinate& c) {
                return c.terms.empty() ? -1 : c.terms.front().variable;
            };
            std::ranges::stable_sort(sticks, {}, key);
            for (const Coordinate& stick : sticks)
                if (isOffsetFree(stick, m_lanes))
                    tryStick(stickDimension(stick), arrangement, false);
        }
        if (!isStaggered(arrangement))
            scanDimensions();
        if (!isStaggered(arrangement))
            promoteSameFrame();
        if (m_choice.candidates.empty())
            return refuse("Multi-arg pointwise: no supported output layout found with size="
                + listText(m_out.shape));
        return std::move(m_choice);
    }

    void scanDimensions() {
        const auto groups = byAlignment(m_out.shape, -2);
        for (const auto& group : {groups.first, groups.second}) {
            for (const int d : group)
                tryStick(d, Arrangement::Standard, true);
            if (!m_choice.candidates.empty())
                break;
        }
    }

    /// An operand that the result could take the place of has its layout tried first.
    void promoteSameFrame() {
        std::set<std::int64_t> footprints;
        for (const DeviceLayout& l : m_choice.candidates)
            footprints.insert(l.elements());
        for (const Access& a : m_choice.operands) {
            if (!isSameFrame(a) || have(a).empty())
                continue;
            DeviceLayout first = have(a).front();
            first.arrangement = Arrangement::Standard;
            if (!footprints.contains(first.elements()))
                continue;
            const auto c = device(first, m_op.write.index);
            if (!c || !isOffsetFree(c->back(), m_lanes))
                continue;
            std::erase_if(m_choice.candidates, [&first](const DeviceLayout& l) {
                return l.deviceSize == first.deviceSize && l.strideMap == first.strideMap;
            });
            m_choice.candidates.insert(m_choice.candidates.begin(), std::move(first));
        }
    }

    const LoopOp& m_op;
    const LoopProgram& m_program;
    std::span<const std::vector<DeviceLayout>> m_have;
    layout::SpyreLayoutVersion m_version;
    Extents m_extents;
    const Buffer& m_out;
    std::vector<Coordinate> m_outCoordinates;
    std::int64_t m_lanes;
    LayoutChoice m_choice;
};

} // namespace

LayoutChoice layoutsFor(const LoopOp& op, const LoopProgram& program,
    std::span<const std::vector<DeviceLayout>> have, layout::SpyreLayoutVersion version) {
    return Rules(op, program, have, version).run();
}

} // namespace fivefold::families::spyre
