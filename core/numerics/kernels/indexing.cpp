// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/indexing.h"

#include "core/numerics/kernels/operands.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using ir::Op;

struct Pair {
    const Tensor* data;
    const Tensor* indices;
};

base::Result<Pair> pairOf(const Call& call) {
    const auto data = call.required(0);
    if (!data)
        return data.error();
    const auto indices = call.required(1);
    if (!indices)
        return indices.error();
    return Pair{*data, *indices};
}

base::Error outside(const Call& call, std::int64_t index, std::int64_t size) {
    return call.error(
        "index " + std::to_string(index) + " is outside an axis of " + std::to_string(size) + ".");
}

Outputs gather(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const Extents& from = pair->data->shape();
    const auto axis = axisOf(call, "axis", 0, from.size());
    if (!axis)
        return axis.error();
    const auto at = static_cast<std::ptrdiff_t>(*axis);
    const std::int64_t size = from[*axis];
    Extents shape(from.begin(), from.begin() + at);
    shape.insert(shape.end(), pair->indices->shape().begin(), pair->indices->shape().end());
    shape.insert(shape.end(), from.begin() + at + 1, from.end());
    if (const auto error = call.tooLarge(shape))
        return *error;
    Extents rows(static_cast<std::size_t>(pair->indices->size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int64_t index = pair->indices->integer(static_cast<std::int64_t>(i));
        rows[i] = index < 0 ? index + size : index;
        if (rows[i] < 0 || rows[i] >= size)
            return outside(call, index, size);
    }
    const std::int64_t outer = productOf(from, 0, *axis), inner = productOf(from, *axis + 1);
    Elements elements = std::visit(
        [&](const auto& list) -> Elements {
            std::decay_t<decltype(list)> result;
            result.reserve(static_cast<std::size_t>(productOf(shape)));
            for (std::int64_t o = 0; o < outer; ++o)
                for (const std::int64_t row : rows) {
                    const auto begin = list.begin() + (o * size + row) * inner;
                    result.insert(result.end(), begin, begin + inner);
                }
            return result;
        },
        pair->data->elements());
    return one(Tensor(pair->data->dtype(), std::move(shape), std::move(elements)));
}

Outputs gatherElements(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    Tensor data = *pair->data;
    if (data.rank() == 0) // ATen: a scalar is a vector of one element here
        data = data.reshaped(Extents(std::max<std::size_t>(1, pair->indices->rank()), 1));
    const Extents own = stridesOf(data.shape());
    const auto axis = axisOf(call, "axis", 0, data.rank());
    if (!axis)
        return axis.error();
    Extents shape = pair->indices->shape();
    const bool isScalar = shape.empty() && data.rank() == 1;
    if (isScalar)
        shape = {1};
    if (shape.size() != data.rank())
        return call.error("data and indices have different ranks.");
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != *axis && shape[d] > data.shape()[d])
            return call.error(
                "the indices reach beyond the data on axis " + std::to_string(d) + ".");
    Walker walker(shape, own);
    std::optional<base::Error> error;
    const std::int64_t size = data.shape()[*axis];
    const Tensor result = picked(data, shape, [&](std::size_t i) {
        std::int64_t index = pair->indices->integer(static_cast<std::int64_t>(i));
        if (index < -size || index >= size)
            error = outside(call, index, size);
        index += index < 0 ? size : 0;
        const std::int64_t at = walker.at() + (index - walker.index()[*axis]) * own[*axis];
        walker.next();
        return error ? -1 : at;
    });
    if (error)
        return *error;
    return one(isScalar ? result.reshaped({}) : result);
}

Outputs gatherND(const Call& call) {
    const auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const Extents& from = pair->data->shape();
    const Extents& where = pair->indices->shape();
    const std::int64_t batch = call.attributes().integer("batch_dims", 0);
    if (where.empty() || batch < 0 || batch >= std::ssize(where)
        || batch + where.back() > std::ssize(from))
        return call.error("the indices reach more axes than the data has.");
    const auto lead = static_cast<std::size_t>(batch);
    const auto reach = static_cast<std::size_t>(where.back());
    const std::int64_t batches = productOf(from, 0, lead);
    if (batches != productOf(where, 0, lead))
        return call.error("data and indices have different batches.");
    Extents shape(where.begin(), where.end() - 1);
    shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(lead + reach), from.end());
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t inner = productOf(from, lead + reach);
    const std::int64_t rows = productOf(where, 0, where.size() - 1);
    const std::int64_t rowsPerBatch = batches > 0 ? rows / batches : 0;
    const std::int64_t batchSize = productOf(from, lead);
    const Extents strides = stridesOf(from);
    Extents starts;
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t at = rowsPerBatch > 0 ? row / rowsPerBatch * batchSize : 0;
        for (std::size_t d = 0; d < reach; ++d) {
            const std::int64_t size = from[lead + d];
            std::int64_t index =
                pair->indices->integer(row * where.back() + static_cast<std::int64_t>(d));
            if (index < -size || index >= size)
                return outside(call, index, size);
            at += (index < 0 ? index + size : index) * strides[lead + d];
        }
        starts.push_back(at);
    }
    return one(picked(*pair->data, std::move(shape), [&](std::size_t i) {
        const auto flat = static_cast<std::int64_t>(i);
        return starts[static_cast<std::size_t>(flat / inner)] + flat % inner;
    }));
}

/// A stored element of packed small integers: two 4-bit values a byte, low half first.
std::int64_t unpacked(const Tensor& tensor, std::int64_t flat, bool isPacked) {
    if (!isPacked)
        return tensor.integer(flat);
    return tensor.integer(flat / 2) >> (flat % 2 * 4) & 0xf;
}

/// GatherBlockQuantized (com.microsoft): rows of a block-quantised table, (q − zero)·scale.
Outputs gatherBlockQuantized(const Call& call) {
    const auto pair = pairOf(call);
    const auto scales = call.required(2);
    if (!pair || !scales)
        return pair ? scales.error() : pair.error();
    const bool isPacked =
        ir::bitWidth(pair->data->dtype()) == 8 && call.attributes().integer("bits", 4) == 4;
    Extents from = pair->data->shape();
    if (from.empty() || from.size() != (*scales)->rank())
        return call.error("data and scales have different ranks.");
    from.back() *= isPacked ? 2 : 1;
    const auto axis = axisOf(call, "gather_axis", 0, from.size());
    const auto blocked = axisOf(call, "quantize_axis", 1, from.size());
    const std::int64_t block = call.attributes().integer("block_size", 128);
    if (!axis || !blocked || block < 1)
        return call.error("gather_axis, quantize_axis or block_size do not fit the data.");
    const Tensor* zeros = call.input(3);
    const bool isUnsigned = pair->data->dtype() == ir::DType::UInt8;
    const std::int64_t middle =
        isUnsigned ? std::int64_t(1) << (call.attributes().integer("bits", 4) - 1) : 0;
    const Extents& where = pair->indices->shape();
    Extents shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(*axis));
    shape.insert(shape.end(), where.begin(), where.end());
    shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, from.end());
    if (const auto error = call.tooLarge(shape))
        return *error;
    Extents scaleShape = (*scales)->shape();
    const Extents scaleStrides = stridesOf(scaleShape);
    const std::int64_t inner = productOf(from, *axis + 1), rows = pair->indices->size();
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto flat = static_cast<std::int64_t>(i);
        std::int64_t row = pair->indices->integer(flat / inner % rows);
        row += row < 0 ? from[*axis] : 0;
        if (row < 0 || row >= from[*axis])
            return outside(call, row, from[*axis]);
        std::int64_t at = (flat / (inner * rows) * from[*axis] + row) * inner + flat % inner;
        const std::int64_t element = at;
        std::int64_t scale = 0;
        for (std::size_t d = from.size(); d-- > 0; at /= from[d])
            scale += (d == *blocked ? at % from[d] / block : at % from[d]) * scaleStrides[d];
        if (scale >= (*scales)->size())
            return call.error("the scales do not cover the data.");
        const std::int64_t zero = zeros ? unpacked(*zeros, scale, isPacked) : middle;
        values[i] = static_cast<double>(unpacked(*pair->data, element, isPacked) - zero)
            * (*scales)->number(scale);
    }
    return one(tensorOf(call, (*scales)->dtype(), std::move(shape), std::move(values)));
}

} // namespace

KernelTable indexingKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::Gather, gather},
        {Op::GatherElements, gatherElements}, {Op::GatherND, gatherND},
        {Op::GatherBlockQuantized, gatherBlockQuantized}, {Op::Scatter, runScatterElements},
        {Op::ScatterElements, runScatterElements}, {Op::ScatterND, runScatterND},
        {Op::TensorScatter, runTensorScatter}, {Op::Index, runIndex}, {Op::IndexPut, runIndexPut},
        {Op::TopK, runTopK}, {Op::Unique, runUnique}, {Op::NonZero, runNonZero},
        {Op::Compress, runCompress}, {Op::OneHot, runOneHot},
        {Op::NonMaxSuppression, runNonMaxSuppression}};
    return table;
}

} // namespace fivefold::numerics
