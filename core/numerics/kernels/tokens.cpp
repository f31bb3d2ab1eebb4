// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/attention_core.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/tables.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::Op;

/// ai.onnx: X, cos, sin, positions. com.microsoft: X, positions, cos, sin.
struct RotaryOperands {
    const Tensor* x = nullptr;
    const Tensor* cos = nullptr;
    const Tensor* sin = nullptr;
    const Tensor* positions = nullptr;
};

base::Result<RotaryOperands> rotaryOperands(const Call& call) {
    const Tensor* second = call.input(1);
    const bool isContrib = second && second->as<std::int64_t>();
    RotaryOperands o{call.input(0), call.input(isContrib ? 2 : 1), call.input(isContrib ? 3 : 2),
        isContrib ? second : call.input(3)};
    if (!o.x || !o.cos || !o.sin || o.cos->rank() < 2)
        return call.error("it needs an input and tables of cosines and sines.");
    return o;
}

/// One position a token; a single one is that of the first.
base::Result<std::vector<std::int64_t>> positionsOf(
    const Call& call, const Tensor* positions, std::int64_t batch, std::int64_t length) {
    std::vector<std::int64_t> result;
    if (!positions)
        return result;
    if (positions->size() != 1 && positions->size() != batch * length)
        return call.error("its positions do not fit its tokens.");
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < length; ++i)
            result.push_back(positions->size() == 1 && batch * length != 1
                    ? positions->integer(0) + i
                    : positions->integer(b * length + i));
    return result;
}

Outputs rotary(const Call& call) {
    auto o = rotaryOperands(call);
    if (!o)
        return o.error();
    const bool isFlat = o->x->rank() == 3;
    std::int64_t heads = call.attributes().integer("num_heads", 0);
    Tensor x = *o->x;
    if (isFlat) {
        const std::int64_t width = x.shape()[2];
        const std::int64_t size = 2 * o->cos->shape().back();
        if (heads <= 0 && size > 0)
            heads = width / size;
        if (heads <= 0 || width % heads != 0)
            return call.error("its width does not divide into its heads.");
        x = headsApart(x, heads);
    }
    if (x.rank() != 4)
        return call.error("its input has to have 3 or 4 axes.");
    auto positions = positionsOf(call, o->positions, x.shape()[0], x.shape()[2]);
    if (!positions)
        return positions.error();
    Rotation rotation{*o->cos, *o->sin, *std::move(positions),
        call.attributes().integer("interleaved", 0) != 0,
        call.attributes().integer("rotary_embedding_dim", 0)};
    if (rotation.dims <= 0)
        rotation.dims = std::min(2 * o->cos->shape().back(), x.shape()[3]);
    auto y = rotated(call, x, rotation);
    if (!y)
        return y.error();
    return one(isFlat ? headsTogether(*y) : *y);
}

/// Rows of a table by the indices of a tensor.
base::Result<Tensor> looked(const Call& call, const Tensor& table, const Tensor& ids) {
    if (table.rank() != 2)
        return call.error("an embedding table has to be a matrix.");
    const std::int64_t width = table.shape()[1];
    Extents shape = ids.shape();
    shape.push_back(width);
    if (auto error = call.tooLarge(shape))
        return *std::move(error);
    for (std::int64_t i = 0; i < ids.size(); ++i)
        if (ids.integer(i) < 0 || ids.integer(i) >= table.shape()[0])
            return call.error("index " + std::to_string(ids.integer(i))
                + " is beyond an embedding table of " + std::to_string(table.shape()[0])
                + " rows.");
    return picked(table, shape, [&](std::size_t i) {
        const auto at = static_cast<std::int64_t>(i);
        return ids.integer(at / width) * width + at % width;
    });
}

/// Word, position and segment embeddings summed and normalised (com.microsoft).
Outputs embedLayerNorm(const Call& call) {
    auto ids = call.required(0);
    auto words = call.required(2);
    auto places = call.required(3);
    if (!ids || !words || !places)
        return call.error("it needs tokens and embedding tables.");
    if ((*ids)->rank() != 2)
        return call.error("its tokens have to be (batch, length).");
    const std::int64_t batch = (*ids)->shape()[0], length = (*ids)->shape()[1];
    Tensor positions = call.input(8) ? *call.input(8) : Tensor();
    if (!call.input(8)) {
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(length));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<std::int64_t>(i);
        positions = Tensor(ir::DType::Int64, {1, length}, std::move(numbers));
    }
    auto sum = looked(call, **words, **ids);
    auto place = looked(call, **places, positions);
    if (sum && place)
        sum = added(call, *sum, *place);
    if (sum && call.input(1) && call.input(4)) {
        auto segment = looked(call, *call.input(4), *call.input(1));
        sum = segment ? added(call, *sum, *segment) : segment;
    }
    if (!sum || !place)
        return sum ? place.error() : sum.error();
    ir::Attributes attributes;
    attributes.set("epsilon", call.attributes().number("epsilon", 1e-12));
    Operation norm;
    norm.op = Op::LayerNormalization;
    norm.name = call.operation.name;
    norm.attributes = &attributes;
    const Datum operands[] = {
        *sum, call.input(5) ? *call.input(5) : Tensor(), call.input(6) ? *call.input(6) : Tensor()};
    auto y = evaluate(norm, operands, call.evaluation);
    if (!y)
        return y;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(batch), call.input(7) ? 0 : length);
    if (const Tensor* mask = call.input(7); mask && mask->size() == batch * length)
        for (std::int64_t i = 0; i < mask->size(); ++i)
            counts[static_cast<std::size_t>(i / length)] += mask->integer(i) != 0;
    return std::vector<Datum>{
        (*y)[0], Tensor(ir::DType::Int32, {batch}, std::move(counts)), *std::move(sum)};
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::RotaryEmbedding, rotary},
    {Op::EmbedLayerNormalization, embedLayerNorm},
};

} // namespace

KernelTable tokenKernels() {
    return kTable;
}

} // namespace fivefold::numerics
