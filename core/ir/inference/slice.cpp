// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/slice.h"

#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

/// Ends at or beyond this mean "to the end"; exporters write INT32_MAX, INT64_MAX and similar.
constexpr std::int64_t kFarEnd = 1LL << 30;

/// A position on an axis, counted from its beginning and clamped to [0, size].
Dim clampPosition(State& state, const Dim& size, Dim position) {
    if (position.isUnknown() || size.isUnknown())
        return position.isKnown() && position.value() >= kFarEnd ? size
            : position.is(0)                                     ? position
                                                                 : Dim();
    if (position.isKnown() && position.value() >= kFarEnd)
        return size;
    if (position.isKnown() && position.value() <= -kFarEnd)
        return Dim(0);
    if (isNegative(position))
        position = position + size;
    if (position.isKnown() && size.isKnown())
        return Dim(std::clamp<std::int64_t>(position.value(), 0, size.value()));
    if (position.isKnown())
        return position.value() <= 0 ? Dim(0) : dimMin(position, size);
    if (isNonNegative(size - position))
        return position;
    if (size.isKnown() && isNonNegative(position)) {
        // A position in symbols against a table of fixed size: the model works up to that size.
        demand(state, SizeDemand::Kind::AtMost, position, size);
        return position;
    }
    if (isNonNegative(position))
        return dimMin(position, size);
    return position;
}

std::optional<std::int64_t> knownCount(
    const Dim& size, std::int64_t start, std::int64_t end, std::int64_t step, Dim& firstIndex) {
    if (!size.isKnown())
        return std::nullopt;
    const std::int64_t n = size.value();
    const auto fromEnd = [n](std::int64_t p) { return p < 0 && p >= -n - 1 ? p + n : p; };
    if (step > 0) {
        start = std::clamp<std::int64_t>(start < 0 ? std::max(start, -n) + n : start, 0, n);
        end = std::clamp<std::int64_t>(end < 0 ? std::max(end, -n) + n : end, 0, n);
        firstIndex = Dim(start);
        return end <= start ? 0 : (end - start - 1) / step + 1;
    }
    if (n == 0)
        return 0;
    start = start < -n ? -1 : start < 0 ? fromEnd(start) : std::min(start, n - 1);
    end = end < -n ? -1 : end < 0 ? fromEnd(end) : std::min(end, n - 1);
    firstIndex = Dim(start);
    if (end >= start)
        return 0;
    const std::uint64_t stride = static_cast<std::uint64_t>(-(step + 1)) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start - end - 1) / stride) + 1;
}

} // namespace

Dim sliceCount(State& state, const Dim& size, const Dim& start, const Dim& end, std::int64_t step,
    Dim& firstIndex) {
    firstIndex = Dim();
    if (step == 0)
        return Dim();
    if (start.isKnown() && end.isKnown())
        if (const auto count = knownCount(size, start.value(), end.value(), step, firstIndex))
            return Dim(*count);
    if (step < 0) {
        const bool isWhole = start.isKnown() && (start.value() == -1 || start.value() >= kFarEnd)
            && end.isKnown() && end.value() <= -kFarEnd;
        return isWhole ? ceilDiv(size, Dim(step == INT64_MIN ? INT64_MAX : -step)) : Dim();
    }
    // x[-n:] of an axis in symbols: n elements, where the axis has that many.
    const Dim from = clampPosition(state, size, start);
    const Dim to = clampPosition(state, size, end);
    firstIndex = from;
    Dim span = to - from;
    if (span.isUnknown())
        return Dim();
    if (span.isKnown() && span.value() < 0)
        span = Dim(0);
    return step == 1 ? span : ceilDiv(span, Dim(step));
}

namespace {

struct SliceOperands {
    Contents starts;
    Contents ends;
    std::vector<int> axes;
    std::vector<std::optional<std::int64_t>> steps;
    bool isKnown = false;
};

std::optional<SliceOperands> readOperands(NodeContext& context, int rank) {
    const Operand starts = context.operand("starts", 1);
    const Operand ends = context.operand("ends", 2);
    const Operand axes = context.operand("axes", 3);
    const Operand steps = context.operand("steps", 4);
    SliceOperands result;
    std::size_t count = 0;
    const auto noteCount = [&](const Operand& operand, std::size_t input) {
        if (operand.values)
            count = std::max(count, operand.values->size());
        else if (operand.isGiven && context.dim(input, 0).isKnown())
            count = std::max(count,
                static_cast<std::size_t>(
                    std::clamp<std::int64_t>(context.dim(input, 0).value(), 0, 64)));
    };
    noteCount(starts, 1);
    noteCount(ends, 2);
    noteCount(axes, 3);
    if (axes.isGiven && !axes.integers())
        return result;
    if (count == 0 && (!starts.values || !ends.values))
        return result;
    for (std::size_t i = 0; i < count; ++i) {
        const auto given = axes.integers();
        const std::int64_t wanted = given && i < given->size() ? (*given)[i]
            : axes.isGiven                                     ? INT64_MAX
                                                               : static_cast<std::int64_t>(i);
        const auto axis = axisOf(context, wanted, rank);
        if (!axis)
            return std::nullopt;
        result.axes.push_back(*axis);
        const auto at = [i](const Operand& o) {
            return o.values && i < o.values->size() ? (*o.values)[i] : Dim();
        };
        result.starts.push_back(at(starts));
        result.ends.push_back(at(ends));
        result.steps.push_back(steps.isGiven ? at(steps).known() : std::optional<std::int64_t>(1));
    }
    result.isKnown = true;
    return result;
}

void sliceContents(NodeContext& context, int axis, const Dim& first, std::int64_t step) {
    const ValueType& out = context.outputType(0);
    const Contents* contents = context.contents(0);
    const Numbers* numbers = contents ? nullptr : context.numbers(0);
    if ((!contents && !numbers) || !first.isKnown() || !out.shape)
        return;
    const auto in = knownShape(*context.shape(0));
    const auto sizes = knownShape(*out.shape);
    if (!in || !sizes)
        return;
    const auto at = static_cast<std::size_t>(axis);
    std::size_t inner = 1;
    std::size_t outer = 1;
    for (std::size_t i = 0; i < in->size(); ++i)
        (i < at          ? outer
                : i > at ? inner
                         : outer) *= i == at ? 1 : static_cast<std::size_t>((*in)[i]);
    Contents result;
    Numbers resultNumbers;
    for (std::size_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; i < (*sizes)[at]; ++i) {
            const auto row = static_cast<std::size_t>(first.value() + i * step);
            const std::size_t begin = (o * static_cast<std::size_t>((*in)[at]) + row) * inner;
            for (std::size_t e = 0; e < inner; ++e) {
                if (contents)
                    result.push_back((*contents)[begin + e]);
                else
                    resultNumbers.push_back((*numbers)[begin + e]);
            }
        }
    }
    if (contents)
        context.outputContents(0, std::move(result));
    else
        context.outputNumbers(0, std::move(resultNumbers));
}

} // namespace

void slice(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& in = context.shape(0);
    if (!in)
        return;
    const auto operands = readOperands(context, static_cast<int>(in->size()));
    if (!operands)
        return;
    if (!operands->isKnown) {
        context.output(0, context.dtype(0), unknownShape(static_cast<int>(in->size())));
        return;
    }
    Shape out = *in;
    Dim first;
    for (std::size_t i = 0; i < operands->axes.size(); ++i) {
        Dim& dim = out[static_cast<std::size_t>(operands->axes[i])];
        dim = operands->steps[i] ? sliceCount(context.state(), dim, operands->starts[i],
                  operands->ends[i], *operands->steps[i], first)
                                 : Dim();
    }
    context.output(0, context.dtype(0), std::move(out));
    context.outputBound(0, context.state().bounds[context.input(0)]);
    if (operands->axes.size() == 1 && operands->steps[0] && !context.isRejected())
        sliceContents(context, operands->axes[0], first, *operands->steps[0]);
}

} // namespace fivefold::ir::inference
