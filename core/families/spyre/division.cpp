// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/division.h"

#include "core/families/spyre/operators.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <numeric>

namespace fivefold::families::spyre {

using lowering::Node;
using lowering::Value;
using lowering::ValueId;

namespace {

using Extents = std::vector<std::int64_t>;

std::int64_t perStick(const Value& value) {
    return layout::spyreElementsPerStick(value.dtype).value_or(64);
}

/// Deals a split over batch dimensions, the innermost first.
Extents dealOut(const Extents& dimensions, std::int64_t split) {
    Extents out(dimensions.size(), 1);
    for (std::size_t d = dimensions.size(); d-- > 0 && split > 1;) {
        out[d] = std::gcd(dimensions[d], split);
        split /= out[d];
    }
    return out;
}

/// Splits of `shape` when the loops have `splits` over `loopShape`, aligned at the last dimension;
/// extents of 1 are not split.
Extents alignedSplits(const Extents& shape, const Extents& loopShape, const Extents& splits) {
    Extents out(shape.size(), 1);
    for (std::size_t i = 0; i < shape.size() && i < loopShape.size(); ++i) {
        const std::size_t d = shape.size() - 1 - i, l = loopShape.size() - 1 - i;
        if (shape[d] == loopShape[l])
            out[d] = splits[l];
    }
    return out;
}

std::string describe(const std::vector<LoopDim>& loops, const Division& division) {
    std::string text;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (division.splits[i] <= 1)
            continue;
        text += (text.empty() ? "" : " · ") + loops[i].name + " ÷ "
            + std::to_string(division.splits[i]);
    }
    if (text.empty())
        return "1 core";
    return text + " = " + std::to_string(division.cores)
        + (division.cores == 1 ? " core" : " cores");
}

SpanOperand spanOf(const Value& value, const Extents& loopShape) {
    SpanOperand operand;
    if (!value.layout || !value.shape || value.layout->axes.empty())
        return operand;
    const int shift = static_cast<int>(loopShape.size()) - static_cast<int>(value.shape->size());
    for (std::size_t a = 0; a + 1 < value.layout->axes.size(); ++a) {
        const layout::Axis& axis = value.layout->axes[a];
        operand.deviceSize.push_back(axis.extent);
        const int loop = axis.dimension < 0 ? -1 : axis.dimension + shift;
        operand.loops.push_back(loop >= 0 && loop < static_cast<int>(loopShape.size()) ? loop : -1);
    }
    return operand;
}

} // namespace

int stickDimension(const Value& value) {
    if (!value.layout || value.layout->axes.empty())
        return -1;
    const layout::Axis& lane = value.layout->axes.back();
    return lane.role == layout::AxisRole::Lane ? lane.dimension : -1;
}

const Value* Divider::value(ValueId id) const {
    return m_graph.values.contains(id) && m_graph.values[id].shape ? &m_graph.values[id] : nullptr;
}

OpDivision Divider::divide(const Node& node) {
    switch (kindOf(node)) {
    case OpKind::Matmul:
        return matmul(node);
    case OpKind::Gather: {
        OpDivision one = loops(node);
        std::ranges::fill(one.splits, 1);
        std::ranges::fill(one.outputSplits, 1);
        one.cores = 1;
        one.fitsSpan = true;
        one.text = "1 core: indirect access is not divided";
        return one;
    }
    case OpKind::Fallback:
    case OpKind::Unsupported:
    case OpKind::View: {
        OpDivision none;
        none.text = "not on the device";
        none.inputSplits.resize(node.inputs.size());
        return none;
    }
    default:
        return loops(node);
    }
}

OpDivision Divider::matmul(const Node& node) {
    OpDivision out;
    out.inputSplits.resize(node.inputs.size());
    const Value* a = node.inputs.size() > 1 ? value(node.inputs[0]) : nullptr;
    const Value* b = node.inputs.size() > 1 ? value(node.inputs[1]) : nullptr;
    const Value* c = node.outputs.empty() ? nullptr : value(node.outputs.front());
    if (!a || !b || !c || !node.work.isKnown || node.work.m <= 0)
        return out;
    MatmulShape shape{std::max<std::int64_t>(1, node.work.batch), node.work.m, node.work.n,
        node.work.k, perStick(*a), true};
    const auto batchOf = [](const Value& v) {
        return v.shape->size() > 2 ? Extents(v.shape->begin(), v.shape->end() - 2) : Extents{};
    };
    const Extents rightBatch = batchOf(*b);
    shape.isRightShared = std::ranges::all_of(rightBatch, [](std::int64_t d) { return d == 1; });
    const std::array<std::int64_t, 6> key{
        shape.batch, shape.m, shape.n, shape.k, shape.elementsPerStick, shape.isRightShared};
    auto found = m_matmuls.find(key);
    if (found == m_matmuls.end())
        found = m_matmuls.emplace(key, matmulDivision(shape, m_rules)).first;
    const MatmulDivision& d = found->second;
    out.splits = {d.b, d.m, d.n, d.k};
    out.cores = d.cores();
    out.splitsReduction = d.k > 1;
    out.fitsSpan = d.fitsSpan;
    out.text = d.text();
    const Extents batch = batchOf(*c);
    const Extents dealt = dealOut(batch, d.b);
    const auto with = [&](const Value& v, std::int64_t rows, std::int64_t columns) {
        Extents splits = alignedSplits(batchOf(v), batch, dealt);
        if (v.shape->size() > 1)
            splits.push_back(rows);
        if (!v.shape->empty())
            splits.push_back(columns);
        return splits;
    };
    const bool isTransposed =
        wantedMatmulStick(node, 1, b->shape->size()) != static_cast<int>(b->shape->size()) - 1;
    out.inputSplits[0] = with(*a, d.m, d.k);
    out.inputSplits[1] = isTransposed ? with(*b, d.n, d.k) : with(*b, d.k, d.n);
    out.outputSplits = with(*c, d.m, d.n);
    return out;
}

OpDivision Divider::loops(const Node& node) {
    OpDivision out;
    out.inputSplits.resize(node.inputs.size());
    const bool isReduction = kindOf(node) == OpKind::Reduction || node.op == kExx2;
    const Value* in = node.inputs.empty() ? nullptr : value(node.inputs.front());
    const Value* result = node.outputs.empty() ? nullptr : value(node.outputs.front());
    const Value* over = isReduction ? in : result;
    if (!over || !result)
        return out;
    const Extents& shape = *over->shape;
    const auto axes = isReduction ? lowering::reducedAxes(node, shape.size()) : Extents{};
    std::vector<LoopDim> loops(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
        loops[d].name = "d" + std::to_string(d);
        loops[d].units = shape[d];
        loops[d].isReduced = std::ranges::find(axes, static_cast<std::int64_t>(d)) != axes.end();
    }
    const auto markStick = [&](const Value& v) {
        const int d =
            stickDimension(v) + static_cast<int>(shape.size()) - static_cast<int>(v.shape->size());
        if (stickDimension(v) < 0 || d < 0 || d >= static_cast<int>(shape.size()))
            return;
        LoopDim& loop = loops[static_cast<std::size_t>(d)];
        loop.isStick = true;
        const std::int64_t extent = shape[static_cast<std::size_t>(d)];
        loop.units = std::min(loop.units, lowering::ceilDiv(extent, perStick(v)));
        loop.isPaddedStick = loop.isPaddedStick || extent % perStick(v) != 0;
    };
    std::vector<SpanOperand> spans;
    for (ValueId id : node.inputs)
        if (const Value* v = value(id); v && v->shape->size() <= shape.size()) {
            markStick(*v);
            spans.push_back(spanOf(*v, shape));
        }
    if (!isReduction) {
        markStick(*result);
        spans.push_back(spanOf(*result, shape));
    }
    Division span = spanDivision(loops, spans, m_rules);
    const Division division = defaultDivision(loops, std::move(span), m_rules);
    out.splits = division.splits;
    out.cores = division.cores;
    out.fitsSpan = division.fitsSpan;
    out.text = describe(loops, division);
    for (std::size_t d = 0; d < loops.size(); ++d)
        out.splitsReduction = out.splitsReduction || (loops[d].isReduced && division.splits[d] > 1);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (const Value* v = value(node.inputs[i]))
            out.inputSplits[i] = alignedSplits(*v->shape, shape, division.splits);
    if (!isReduction) {
        out.outputSplits = division.splits;
    } else if (result->shape->size() == shape.size()) {
        out.outputSplits = alignedSplits(*result->shape, shape, division.splits);
    } else {
        for (std::size_t d = 0; d < loops.size(); ++d)
            if (!loops[d].isReduced)
                out.outputSplits.push_back(division.splits[d]);
        out.outputSplits.resize(result->shape->size(), 1);
    }
    return out;
}

} // namespace fivefold::families::spyre
