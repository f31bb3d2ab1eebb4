// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"
#include "core/ir/inference/slice.h"

#include <algorithm>

namespace fivefold::ir::inference {

namespace {

void gatherContents(NodeContext& context, int axis) {
    const Contents* indices = context.contents(1);
    if (!indices || !context.shape(0))
        return;
    const ValueId id = context.input(0);
    const bool isStored = context.state().graph.values[id].data.isValid();
    if (!isStored && !context.state().typed.contents[id] && !context.state().numbers[id])
        return;
    const auto in = knownShape(*context.shape(0));
    const Contents* contents = context.contents(0);
    const Numbers* numbers = contents ? nullptr : context.numbers(0);
    if (!in || (!contents && !numbers))
        return;
    std::size_t inner = 1;
    std::size_t outer = 1;
    const auto at = static_cast<std::size_t>(axis);
    for (std::size_t i = 0; i < in->size(); ++i)
        if (i != at)
            (i < at ? outer : inner) *= static_cast<std::size_t>((*in)[i]);
    if (outer * inner * indices->size() > static_cast<std::size_t>(kContentsLimit))
        return;
    Contents result;
    Numbers resultNumbers;
    for (std::size_t o = 0; o < outer; ++o) {
        for (const Dim& index : *indices) {
            std::int64_t row = index.isKnown() ? index.value() : 0;
            row += row < 0 ? (*in)[at] : 0;
            const bool isInside = index.isKnown() && row >= 0 && row < (*in)[at];
            if (numbers && !isInside)
                return;
            for (std::size_t e = 0; e < inner; ++e) {
                const std::size_t from = isInside
                    ? (o * static_cast<std::size_t>((*in)[at]) + static_cast<std::size_t>(row))
                            * inner
                        + e
                    : 0;
                if (numbers)
                    resultNumbers.push_back((*numbers)[from]);
                else
                    result.push_back(isInside ? (*contents)[from] : Dim());
            }
        }
    }
    if (contents)
        context.outputContents(0, std::move(result));
    else
        context.outputNumbers(0, std::move(resultNumbers));
}

void gather(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& data = context.shape(0);
    const MaybeShape& indices = context.shape(1);
    if (!data)
        return;
    const auto axis = axisOf(context, context.integer("axis", 0), static_cast<int>(data->size()));
    if (!axis || !indices)
        return;
    Shape out(data->begin(), data->begin() + *axis);
    out.insert(out.end(), indices->begin(), indices->end());
    out.insert(out.end(), data->begin() + *axis + 1, data->end());
    context.output(0, context.dtype(0), std::move(out));
    const Dim& bound = context.state().bounds[context.input(1)];
    const Dim& table = (*data)[static_cast<std::size_t>(*axis)];
    demand(context.state(), SizeDemand::Kind::AtMost, bound, table);
    gatherContents(context, *axis);
}

void likeIndices(NodeContext& context) {
    context.output(0, context.dtype(0), context.shape(1));
}

/// GatherND: indices without their last axis, then the axes of data that an index does not reach.
void gatherND(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    const MaybeShape& data = context.shape(0);
    const MaybeShape& indices = context.shape(1);
    if (!data || !indices)
        return;
    if (data->empty() || indices->empty()) {
        context.reject("GatherND needs data and indices of rank 1 or more.");
        return;
    }
    const std::int64_t batch = context.integer("batch_dims", 0);
    const Dim& reach = indices->back();
    if (!reach.isKnown())
        return;
    if (batch < 0 || batch + reach.value() > static_cast<std::int64_t>(data->size())) {
        context.reject("GatherND's indices reach " + reach.text() + " axes of data of rank "
            + std::to_string(data->size()) + ".");
        return;
    }
    Shape out(indices->begin(), indices->end() - 1);
    out.insert(
        out.end(), data->begin() + static_cast<std::ptrdiff_t>(batch + reach.value()), data->end());
    context.output(0, context.dtype(0), std::move(out));
}

std::optional<std::vector<Dim>> splitSizes(
    NodeContext& context, const Dim& whole, std::size_t parts) {
    const Operand sizes = context.operand("split", 1);
    if (sizes.isGiven) {
        if (!sizes.values)
            return std::vector<Dim>(parts);
        if (sizes.values->size() != parts) {
            context.reject("Split names " + std::to_string(sizes.values->size()) + " sizes for "
                + std::to_string(parts) + " outputs.");
            return std::nullopt;
        }
        const Dim sum = sumOf(*sizes.values);
        if (sum.isKnown() && whole.isKnown() && sum.value() != whole.value()) {
            context.reject("Split's sizes add up to " + sum.text() + ", but the axis has "
                + whole.text() + ".");
            return std::nullopt;
        }
        return *sizes.values;
    }
    // Equal parts; a shorter last one since opset 18.
    const Dim chunk = ceilDiv(whole, Dim(static_cast<std::int64_t>(parts)));
    std::vector<Dim> result(parts, chunk);
    if (!result.empty())
        result.back() = whole - chunk * Dim(static_cast<std::int64_t>(parts) - 1);
    return result;
}

void splitContents(NodeContext& context, const std::vector<Dim>& sizes) {
    const Contents* contents = context.contents(0);
    if (!contents || context.rank(0) != 1)
        return;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!sizes[i].isKnown() || sizes[i].value() < 0)
            return;
        const auto count = static_cast<std::size_t>(sizes[i].value());
        if (count > contents->size() - begin)
            return;
        const auto from = contents->begin() + static_cast<std::ptrdiff_t>(begin);
        context.outputContents(i, Contents(from, from + static_cast<std::ptrdiff_t>(count)));
        begin += count;
    }
}

void split(NodeContext& context) {
    const std::size_t parts = context.outputCount();
    for (std::size_t i = 0; i < parts; ++i)
        context.output(i, context.dtype(0), std::nullopt);
    const MaybeShape& in = context.shape(0);
    if (!in || parts == 0)
        return;
    const auto axis = axisOf(context, context.integer("axis", 0), static_cast<int>(in->size()));
    if (!axis)
        return;
    const auto sizes = splitSizes(context, (*in)[static_cast<std::size_t>(*axis)], parts);
    if (!sizes)
        return;
    for (std::size_t i = 0; i < parts; ++i) {
        Shape out = *in;
        out[static_cast<std::size_t>(*axis)] = (*sizes)[i];
        context.output(i, context.dtype(0), std::move(out));
    }
    splitContents(context, *sizes);
}

/// ScatterND with one scalar update a row, on small known contents (shape arithmetic of dynamo
/// exports).
void scatterContents(NodeContext& context) {
    const Contents* data = context.contents(0);
    const Contents* indices = data ? context.contents(1) : nullptr;
    const Contents* updates = indices ? context.contents(2) : nullptr;
    if (!updates || context.rank(0) != 1 || updates->size() != indices->size())
        return;
    const bool isSimple =
        context.op() == Op::ScatterND ? context.dim(1, -1).is(1) : context.rank(1) == 1;
    if (!isSimple || context.attributes().text("reduction", "none") != "none")
        return;
    Contents result = *data;
    for (std::size_t i = 0; i < indices->size(); ++i) {
        const Dim& index = (*indices)[i];
        if (!index.isKnown())
            return;
        const std::int64_t size = static_cast<std::int64_t>(result.size());
        const std::int64_t at = index.value() + (index.value() < 0 ? size : 0);
        if (at < 0 || at >= size)
            return;
        result[static_cast<std::size_t>(at)] = (*updates)[i];
    }
    context.outputContents(0, std::move(result));
}

void scatter(NodeContext& context) {
    sameAsInput(context);
    scatterContents(context);
}

void compress(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    Dim kept;
    if (const Contents* condition = context.contents(1)) {
        kept = Dim(0);
        for (const Dim& d : *condition)
            kept = kept + (d.isKnown() ? Dim(d.value() != 0 ? 1 : 0) : Dim());
    }
    if (!context.attributes().has("axis")) {
        context.output(0, context.dtype(0), Shape{kept});
        return;
    }
    MaybeShape out = context.shape(0);
    if (!out)
        return;
    const auto axis = axisOf(context, context.integer("axis", 0), static_cast<int>(out->size()));
    if (!axis)
        return;
    (*out)[static_cast<std::size_t>(*axis)] = kept;
    context.output(0, context.dtype(0), std::move(out));
}

void nonZero(NodeContext& context) {
    const int rank = context.rank(0);
    context.output(0, DType::Int64, Shape{rank < 0 ? Dim() : Dim(rank), Dim()});
    const Contents* contents = context.contents(0);
    const auto in = context.shape(0) ? knownShape(*context.shape(0)) : std::nullopt;
    if (!contents || !in || rank < 1)
        return;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < contents->size(); ++i) {
        const Dim& d = (*contents)[i];
        if (!d.isKnown() && !isPositive(d))
            return;
        if (!d.is(0))
            found.push_back(i);
    }
    Contents result;
    std::size_t stride = contents->size();
    for (const std::int64_t size : *in) {
        stride = size > 0 ? stride / static_cast<std::size_t>(size) : 0;
        for (const std::size_t index : found)
            result.emplace_back(
                static_cast<std::int64_t>(index / stride % static_cast<std::size_t>(size)));
    }
    context.output(0, DType::Int64, Shape{Dim(rank), Dim(static_cast<std::int64_t>(found.size()))});
    context.outputContents(0, std::move(result));
}

void unique(NodeContext& context) {
    MaybeShape out = Shape{Dim()};
    if (context.attributes().has("axis")) {
        out = context.shape(0);
        if (out) {
            const auto axis =
                axisOf(context, context.integer("axis", 0), static_cast<int>(out->size()));
            if (!axis)
                return;
            (*out)[static_cast<std::size_t>(*axis)] = Dim();
        }
    }
    context.output(0, context.dtype(0), std::move(out));
    Dim whole = context.shape(0) ? elementCount(*context.shape(0)) : Dim();
    if (context.attributes().has("axis"))
        whole = context.dim(0, static_cast<int>(context.integer("axis", 0)));
    context.output(1, DType::Int64, Shape{Dim()});
    context.output(2, DType::Int64, Shape{whole});
    context.output(3, DType::Int64, Shape{Dim()});
}

void oneHot(NodeContext& context) {
    context.output(0, context.dtype(2), std::nullopt);
    MaybeShape out = context.shape(0);
    if (!out)
        return;
    const auto axis =
        axisOf(context, context.integer("axis", -1), static_cast<int>(out->size()) + 1);
    if (!axis)
        return;
    const auto depth = context.scalarNumber(1);
    const Contents* symbolic = context.contents(1);
    const Dim size = depth                  ? Dim(static_cast<std::int64_t>(*depth))
        : symbolic && symbolic->size() == 1 ? symbolic->front()
                                            : Dim();
    out->insert(out->begin() + *axis, size);
    context.output(0, context.dtype(2), std::move(out));
}

void pad(NodeContext& context) {
    MaybeShape out = context.shape(0);
    context.output(0, context.dtype(0), std::nullopt);
    if (!out)
        return;
    const int rank = static_cast<int>(out->size());
    Operand pads = context.operand("pads", 1);
    if (!pads.isGiven)
        pads = context.operand("paddings", 1);
    const Operand axes = context.operand("axes", 3);
    if (!pads.values || (axes.isGiven && !axes.integers())) {
        context.output(0, context.dtype(0), unknownShape(rank));
        return;
    }
    std::vector<std::int64_t> places(static_cast<std::size_t>(rank));
    for (int i = 0; i < rank; ++i)
        places[static_cast<std::size_t>(i)] = i;
    if (axes.isGiven)
        places = *axes.integers();
    if (pads.values->size() != 2 * places.size()) {
        context.reject("Pad has " + std::to_string(pads.values->size()) + " pads for "
            + std::to_string(places.size()) + " axes.");
        return;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto axis = axisOf(context, places[i], rank);
        if (!axis)
            return;
        Dim& dim = (*out)[static_cast<std::size_t>(*axis)];
        dim = dim + (*pads.values)[i] + (*pads.values)[i + places.size()];
    }
    context.output(0, context.dtype(0), std::move(out));
}

void nonMaxSuppression(NodeContext& context) {
    context.output(0, DType::Int64, Shape{Dim(), Dim(3)});
}

void centerCropPad(NodeContext& context) {
    MaybeShape out = context.shape(0);
    context.output(0, context.dtype(0), std::nullopt);
    if (!out)
        return;
    const int rank = static_cast<int>(out->size());
    const Contents* target = context.contents(1);
    const auto axes = context.attributes().integers("axes");
    for (std::size_t i = 0; i < (axes ? axes->size() : out->size()); ++i) {
        const auto axis = axisOf(context, axes ? (*axes)[i] : static_cast<std::int64_t>(i), rank);
        if (!axis)
            return;
        (*out)[static_cast<std::size_t>(*axis)] =
            target && i < target->size() ? (*target)[i] : Dim();
    }
    context.output(0, context.dtype(0), std::move(out));
}

} // namespace

void addIndexingRules(RuleTable& table) {
    table.set(Op::Gather, gather);
    table.set(Op::GatherElements, likeIndices);
    table.set(Op::GatherND, gatherND);
    table.set(Op::Slice, slice);
    table.set(Op::Split, split);
    table.set({Op::Scatter, Op::ScatterElements, Op::ScatterND, Op::TensorScatter}, scatter);
    table.set(Op::Compress, compress);
    table.set(Op::NonZero, nonZero);
    table.set(Op::Unique, unique);
    table.set(Op::OneHot, oneHot);
    table.set(Op::Pad, pad);
    table.set(Op::NonMaxSuppression, nonMaxSuppression);
    table.set(Op::CenterCropPad, centerCropPad);
}

} // namespace fivefold::ir::inference
