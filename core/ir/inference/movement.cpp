// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <numeric>

namespace fivefold::ir::inference {

namespace {

/// Contents and numbers of a node that keeps its input's elements in order.
void keepElements(NodeContext& context) {
    const ValueId id = context.input(0);
    if (!id.isValid())
        return;
    const MaybeShape& in = context.shape(0);
    const Dim count = in ? elementCount(*in) : Dim();
    if (!count.isKnown() || count.value() > kContentsLimit)
        return;
    if (const Contents* contents = context.contents(0))
        context.outputContents(0, *contents);
    else if (const Numbers* numbers = context.numbers(0))
        context.outputNumbers(0, *numbers);
}

void keepBound(NodeContext& context) {
    if (context.has(0))
        context.outputBound(0, context.state().bounds[context.input(0)]);
}

/// Reshape's target with 0 (copy) and −1 (the rest) resolved. Equal factors are cancelled first, so
/// that a dim nobody knows does not spoil the others.
Shape reshaped(const MaybeShape& in, const Contents& target, bool isZeroAllowed) {
    Shape out(target.size());
    std::optional<std::size_t> open;
    Shape restIn = in ? *in : Shape();
    Shape restOut;
    std::vector<bool> isCancelled(restIn.size(), false);
    std::size_t unknowns = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const Dim& wanted = target[i];
        if (wanted.is(-1)) {
            open = i;
            continue;
        }
        if (wanted.is(0) && !isZeroAllowed) {
            out[i] = i < restIn.size() ? (*in)[i] : Dim();
            if (i < restIn.size() && !isCancelled[i]) {
                isCancelled[i] = true;
                continue;
            }
        } else {
            out[i] = wanted;
        }
        if (out[i].isUnknown()) {
            ++unknowns;
            if (!open && unknowns == 1)
                open = i; // tentatively: the element count decides it, as it would a −1
            else
                restOut.push_back(out[i]);
            continue;
        }
        restOut.push_back(out[i]);
    }
    const bool isOpenWritten = open && target[*open].is(-1);
    if (!in || !open || unknowns > (isOpenWritten ? 0U : 1U))
        return out;
    for (Dim& factor : restOut) {
        for (std::size_t i = 0; i < restIn.size(); ++i) {
            if (!isCancelled[i] && isSame(restIn[i], factor)) {
                isCancelled[i] = true;
                factor = Dim(1);
                break;
            }
        }
    }
    Dim total(1);
    for (std::size_t i = 0; i < restIn.size(); ++i)
        if (!isCancelled[i])
            total = total * restIn[i];
    const Dim others = elementCount(restOut);
    if (others.isKnown() && total.isKnown() && others.value() > 0
        && total.value() % others.value() != 0)
        return out;
    out[*open] = others.is(0) ? Dim() : floorDiv(total, others);
    return out;
}

bool checkCount(NodeContext& context, const MaybeShape& in, const Shape& out) {
    if (!in)
        return true;
    const Dim before = elementCount(*in);
    const Dim after = elementCount(out);
    if (!before.isKnown() || !after.isKnown() || before.value() == after.value())
        return true;
    context.reject(context.opName() + " cannot give " + toText(*in) + " (" + before.text()
        + " elements) the shape " + toText(out) + ".");
    return false;
}

void reshape(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const Operand target = context.operand("shape", 1);
    if (!target.values) {
        const Dim rank = context.dim(1, 0);
        constexpr std::int64_t kHighestRank = 64;
        if (rank.isKnown() && rank.value() <= kHighestRank)
            context.output(0, context.dtype(0), unknownShape(static_cast<int>(rank.value())));
        return;
    }
    Shape out = reshaped(context.shape(0), *target.values, context.integer("allowzero", 0) != 0);
    if (!checkCount(context, context.shape(0), out))
        return;
    context.output(0, context.dtype(0), std::move(out));
    keepElements(context);
    keepBound(context);
}

void flatten(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& in = context.shape(0);
    if (!in)
        return;
    const int rank = static_cast<int>(in->size());
    const std::int64_t wanted = context.integer("axis", 1);
    if (wanted < -rank || wanted > rank) {
        context.reject("Flatten names axis " + std::to_string(wanted) + " of a tensor of rank "
            + std::to_string(rank) + ".");
        return;
    }
    const auto axis = static_cast<std::size_t>(wanted < 0 ? wanted + rank : wanted);
    context.output(
        0, context.dtype(0), Shape{productOf(*in, 0, axis), productOf(*in, axis, in->size())});
    keepElements(context);
}

void squeeze(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& in = context.shape(0);
    if (!in)
        return;
    const Operand operand = context.operand("axes", 1);
    Shape out;
    if (!operand.isGiven) {
        for (const Dim& dim : *in) {
            if (!dim.isKnown())
                return; // whether it is 1 decides the rank
            if (!dim.is(1))
                out.push_back(dim);
        }
    } else {
        const auto given = operand.integers();
        if (!given)
            return;
        const auto axes = axesOf(context, *given, static_cast<int>(in->size()));
        if (!axes)
            return;
        for (int i = 0; i < static_cast<int>(in->size()); ++i) {
            const Dim& dim = (*in)[static_cast<std::size_t>(i)];
            if (!std::binary_search(axes->begin(), axes->end(), i)) {
                out.push_back(dim);
            } else if (dim.isKnown() && !dim.is(1)) {
                context.reject("Squeeze cannot drop axis " + std::to_string(i) + " of "
                    + toText(*in) + ", whose size is not 1.");
                return;
            }
        }
    }
    context.output(0, context.dtype(0), std::move(out));
    keepElements(context);
    keepBound(context);
}

void unsqueeze(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& in = context.shape(0);
    const auto given = context.operand("axes", 1).integers();
    if (!in || !given)
        return;
    const int rank = static_cast<int>(in->size() + given->size());
    const auto axes = axesOf(context, *given, rank);
    if (!axes)
        return;
    if (axes->size() != given->size()) {
        context.reject("Unsqueeze names an axis twice.");
        return;
    }
    Shape out;
    std::size_t next = 0;
    for (int i = 0; i < rank; ++i)
        out.push_back(std::binary_search(axes->begin(), axes->end(), i) ? Dim(1) : (*in)[next++]);
    context.output(0, context.dtype(0), std::move(out));
    keepElements(context);
    keepBound(context);
}

void transposeContents(NodeContext& context, const std::vector<int>& order) {
    const Contents* contents = context.contents(0);
    const auto in = context.shape(0) ? knownShape(*context.shape(0)) : std::nullopt;
    if (!contents || !in)
        return;
    std::vector<std::size_t> strides(in->size(), 1);
    for (std::size_t i = in->size(); i-- > 1;)
        strides[i - 1] = strides[i] * static_cast<std::size_t>((*in)[i]);
    Contents result;
    std::vector<std::int64_t> position(in->size(), 0);
    for (std::size_t e = 0; e < contents->size(); ++e) {
        std::size_t index = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            index +=
                static_cast<std::size_t>(position[i]) * strides[static_cast<std::size_t>(order[i])];
        result.push_back((*contents)[index]);
        for (std::size_t i = order.size(); i-- > 0;) {
            if (++position[i] < (*in)[static_cast<std::size_t>(order[i])])
                break;
            position[i] = 0;
        }
    }
    context.outputContents(0, std::move(result));
}

void transpose(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const auto perm = context.attributes().integers("perm");
    const MaybeShape& in = context.shape(0);
    if (!in)
        return;
    const std::size_t rank = in->size();
    std::vector<int> order(rank);
    for (std::size_t i = 0; i < rank; ++i)
        order[i] = static_cast<int>(rank - 1 - i);
    if (perm && !(perm->empty() && rank > 0)) {
        std::vector<bool> isUsed(rank, false);
        if (perm->size() != rank) {
            context.reject("Transpose names " + std::to_string(perm->size())
                + " axes of a tensor of rank " + std::to_string(rank) + ".");
            return;
        }
        for (std::size_t i = 0; i < rank; ++i) {
            const auto axis = axisOf(context, (*perm)[i], static_cast<int>(rank));
            if (!axis)
                return;
            if (isUsed[static_cast<std::size_t>(*axis)]) {
                context.reject("Transpose names an axis twice.");
                return;
            }
            isUsed[static_cast<std::size_t>(*axis)] = true;
            order[i] = *axis;
        }
    }
    Shape out;
    for (const int axis : order)
        out.push_back((*in)[static_cast<std::size_t>(axis)]);
    context.output(0, context.dtype(0), std::move(out));
    transposeContents(context, order);
    keepBound(context);
}

void expand(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const Contents* target = context.contents(1);
    if (!target) {
        const Dim rank = context.dim(1, 0);
        if (!rank.isKnown() || !context.shape(0) || rank.value() < 0 || rank.value() > 64)
            return;
        // Sizes above 1 stay what they are, whatever the target says.
        const MaybeShape open = unknownShape(static_cast<int>(rank.value()));
        if (const MaybeShape out = broadcast(context, context.shape(0), open))
            context.output(0, context.dtype(0), out);
        return;
    }
    const MaybeShape out = broadcast(context, context.shape(0), MaybeShape(*target));
    if (!out)
        return;
    context.output(0, context.dtype(0), out);
    keepBound(context);
    const auto sizes = knownShape(*out);
    const Contents* contents = context.contents(0);
    const auto in = context.shape(0) ? knownShape(*context.shape(0)) : std::nullopt;
    if (!sizes || !contents || !in || elementCount(*out).value() > kContentsLimit)
        return;
    Contents result;
    for (const std::size_t index : broadcastIndices(*in, *sizes))
        result.push_back((*contents)[index]);
    context.outputContents(0, std::move(result));
}

void tileContents(NodeContext& context, const Shape& out) {
    const Contents* contents = context.contents(0);
    const auto in = knownShape(*context.shape(0));
    const auto sizes = knownShape(out);
    if (!contents || !in || !sizes || elementCount(out).value() > kContentsLimit)
        return;
    Contents result;
    std::vector<std::int64_t> position(sizes->size(), 0);
    const auto count = static_cast<std::size_t>(elementCount(out).value());
    for (std::size_t e = 0; e < count; ++e) {
        std::size_t index = 0;
        for (std::size_t i = 0; i < position.size(); ++i)
            index = index * static_cast<std::size_t>((*in)[i])
                + static_cast<std::size_t>(position[i] % (*in)[i]);
        result.push_back((*contents)[index]);
        for (std::size_t i = position.size(); i-- > 0;) {
            if (++position[i] < (*sizes)[i])
                break;
            position[i] = 0;
        }
    }
    context.outputContents(0, std::move(result));
}

/// Tile: repeats per axis; opset 1 has a scalar number of tiles and an axis.
void tile(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    if (!context.shape(0))
        return;
    Shape out = *context.shape(0);
    if (context.has(2)) {
        const auto tiles = context.scalar(1);
        const auto axis = context.scalar(2);
        const auto normal = axis ? normalAxis(*axis, context.rank(0)) : std::nullopt;
        if (!normal)
            out = unknownShape(context.rank(0));
        else
            out[static_cast<std::size_t>(*normal)] =
                tiles ? out[static_cast<std::size_t>(*normal)] * Dim(*tiles) : Dim();
        context.output(0, context.dtype(0), std::move(out));
        return;
    }
    const Contents* repeats = context.contents(1);
    if (repeats && repeats->size() != out.size()) {
        context.reject("Tile has " + std::to_string(repeats->size())
            + " repeats for a tensor of rank " + std::to_string(out.size()) + ".");
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = repeats ? out[i] * (*repeats)[i] : Dim();
    context.output(0, context.dtype(0), out);
    if (!context.isRejected())
        tileContents(context, out);
}

/// Blocks of blocksize² channels to and from space.
void depthToSpace(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const std::int64_t block = context.integer("blocksize", 0);
    const int rank = context.rank(0);
    if (rank < 0)
        return;
    if (rank != 4 || block < 1 || block > (1 << 20)) {
        context.reject(context.opName() + " needs an input of rank 4 and a positive blocksize.");
        return;
    }
    const Dim b(block);
    const Dim area(block * block);
    const Shape& in = *context.shape(0);
    context.output(0, context.dtype(0),
        context.op() == Op::DepthToSpace
            ? Shape{in[0], floorDiv(in[1], area), in[2] * b, in[3] * b}
            : Shape{in[0], in[1] * area, floorDiv(in[2], b), floorDiv(in[3], b)});
}

void concatContents(NodeContext& context, std::size_t axis) {
    const ValueType& out = context.outputType(0);
    const auto sizes = out.shape ? knownShape(*out.shape) : std::nullopt;
    if (!sizes || elementCount(*out.shape).value() > kContentsLimit)
        return;
    std::vector<std::optional<Contents>> parts;
    std::vector<std::size_t> rowSizes; // elements of one part for one position of the leading axes
    std::size_t leading = 1;
    bool isAnyKnown = false;
    for (std::size_t i = 0; i < axis; ++i)
        leading *= static_cast<std::size_t>((*sizes)[i]);
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        parts.push_back(context.contents(i) ? std::optional(*context.contents(i)) : std::nullopt);
        const Dim count = elementCount(*context.shape(i));
        if (!count.isKnown())
            return;
        rowSizes.push_back(leading == 0 ? 0 : static_cast<std::size_t>(count.value()) / leading);
        isAnyKnown = isAnyKnown || parts.back().has_value();
    }
    if (!isAnyKnown)
        return;
    Contents result;
    for (std::size_t row = 0; row < leading; ++row)
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t e = 0; e < rowSizes[i]; ++e)
                result.push_back(parts[i] ? (*parts[i])[row * rowSizes[i] + e] : Dim());
    context.outputContents(0, std::move(result));
}

void concatNumbers(NodeContext& context) {
    Numbers all;
    if (context.outputType(0).shape->size() != 1)
        return;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Numbers* numbers = context.numbers(i);
        if (!numbers)
            return;
        all.insert(all.end(), numbers->begin(), numbers->end());
    }
    context.outputNumbers(0, std::move(all));
}

/// Concat with new_axis = 1: each input gets an axis of size 1 there first.
void stack(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out) {
        const auto axis =
            axisOf(context, context.integer("axis", 0), static_cast<int>(out->size()) + 1);
        if (!axis)
            return;
        out->insert(
            out->begin() + *axis, Dim(static_cast<std::int64_t>(context.inputCount())));
    }
    context.output(0, context.dtype(0), std::move(out));
}

void concat(NodeContext& context) {
    if (context.integer("new_axis", 0) != 0)
        return stack(context);
    DType dtype = context.dtype(0);
    for (std::size_t i = 1; dtype == DType::Undefined && i < context.inputCount(); ++i)
        dtype = context.dtype(i);
    context.output(0, dtype, std::nullopt);
    Shape out;
    std::optional<int> axis;
    bool isComplete = context.inputCount() > 0;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const MaybeShape& in = context.shape(i);
        if (!in) {
            isComplete = false;
            continue;
        }
        if (!axis) {
            axis = axisOf(context, context.integer("axis", 1), static_cast<int>(in->size()));
            if (!axis)
                return;
            out = *in;
            continue;
        }
        if (in->size() != out.size()) {
            context.reject("Concat joins tensors of different ranks: " + toText(out) + " and "
                + toText(*in) + ".");
            return;
        }
        for (std::size_t d = 0; d < out.size(); ++d) {
            if (d == static_cast<std::size_t>(*axis)) {
                out[d] = out[d] + (*in)[d];
            } else if (out[d].isKnown() && (*in)[d].isKnown() && !isSame(out[d], (*in)[d])) {
                context.reject("Concat cannot join " + toText(out) + " and " + toText(*in)
                    + ": they differ on axis " + std::to_string(d) + ".");
                return;
            } else {
                demand(context.state(), SizeDemand::Kind::Equal, out[d], (*in)[d]);
                out[d] = agree(out[d], (*in)[d]);
            }
        }
    }
    if (!axis)
        return;
    if (!isComplete)
        out[static_cast<std::size_t>(*axis)] = Dim();
    context.output(0, dtype, out);
    if (!isComplete || context.isRejected())
        return;
    if (isFloat(dtype))
        concatNumbers(context);
    else
        concatContents(context, static_cast<std::size_t>(*axis));
}

void trilu(NodeContext& context) {
    sameAsInput(context);
}

} // namespace

void addMovementRules(RuleTable& table) {
    table.set(Op::Reshape, reshape);
    table.set(Op::Flatten, flatten);
    table.set(Op::Squeeze, squeeze);
    table.set(Op::Unsqueeze, unsqueeze);
    table.set(Op::Transpose, transpose);
    table.set(Op::Expand, expand);
    table.set(Op::Tile, tile);
    table.set({Op::DepthToSpace, Op::SpaceToDepth}, depthToSpace);
    table.set(Op::Concat, concat);
    table.set({Op::Trilu, Op::Inverse, Op::ReverseSequence}, trilu);
}

} // namespace fivefold::ir::inference
