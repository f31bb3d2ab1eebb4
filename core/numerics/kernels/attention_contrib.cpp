// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/attention_core.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/product.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

namespace {

using ir::DType;

double scaleOf(const Call& call, std::int64_t headSize) {
    const double given = call.attributes().number("scale", 0);
    return given != 0 ? given
                      : 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(headSize, 1)));
}

/// A mask of com.microsoft operators: lengths (batch), or zeros where a key does not count
/// (batch, keys) or (batch, queries, keys).
void setKeyMask(const Call& call, AttentionTask& task, const Tensor* mask) {
    if (!mask || !mask->as<std::int64_t>())
        return;
    const std::int64_t batch = task.q.shape()[0];
    Extents shape = mask->shape();
    if (shape == Extents{batch}) {
        for (std::int64_t b = 0; b < batch; ++b)
            task.lengths.push_back(mask->integer(b));
        return;
    }
    if (shape.size() == 2)
        shape = {shape[0], 1, 1, shape[1]};
    else if (shape.size() == 3)
        shape = {shape[0], 1, shape[1], shape[2]};
    task.mask = mask->reshaped(shape);
    constexpr double kFilter = -10000; // default of the operators
    task.maskedScore = call.attributes().number("mask_filter_value", kFilter);
}

/// A tensor added to the scores, besides a mask of keys.
base::Result<base::Done> addBias(const Call& call, AttentionTask& task, const Tensor* bias) {
    if (!bias)
        return base::Done{};
    if (!task.mask) {
        task.mask = *bias;
        return base::Done{};
    }
    std::vector<double> filter;
    for (std::int64_t i = 0; i < task.mask->size(); ++i)
        filter.push_back(task.mask->integer(i) != 0 ? 0 : task.maskedScore);
    auto sum =
        added(call, *bias, tensorOf(call, bias->dtype(), task.mask->shape(), std::move(filter)));
    if (!sum)
        return sum.error();
    task.mask = *std::move(sum);
    return base::Done{};
}

base::Result<std::int64_t> headsOf(const Call& call, std::string_view name) {
    const std::int64_t heads = call.attributes().integer(name, 0);
    if (heads < 1)
        return call.error("it needs the attribute " + std::string(name) + ".");
    return heads;
}

/// One of two halves of a cache (2, batch, heads, length, size).
std::optional<Tensor> half(const Tensor* cache, std::int64_t index) {
    if (!cache || cache->rank() != 5 || cache->shape()[0] != 2)
        return std::nullopt;
    return sliceAt(*cache, 0, index);
}

} // namespace

Outputs runContribAttention(const Call& call) {
    auto x = call.required(0);
    auto w = call.required(1);
    auto heads = headsOf(call, "num_heads");
    if (!x || !w || !heads)
        return !x ? x.error() : !w ? w.error() : heads.error();
    if ((*x)->rank() != 3 || (*w)->rank() != 2)
        return call.error("only padded batches (batch, length, width) are executable here.");
    auto product = matmul(call, **x, **w);
    if (product && call.input(2))
        product = added(call, *product, *call.input(2));
    if (!product)
        return product.error();
    std::int64_t width = (*w)->shape()[1] / 3, valueWidth = (*w)->shape()[1] - 2 * width;
    if (const auto sizes = call.attributes().integers("qkv_hidden_sizes");
        sizes && sizes->size() == 3) {
        width = (*sizes)[0];
        valueWidth = (*sizes)[2];
    }
    if (width < 0 || valueWidth < 0 || width % *heads != 0 || valueWidth % *heads != 0
        || width > (*w)->shape()[1] || 2 * width + valueWidth != (*w)->shape()[1])
        return call.error("its widths do not divide into its heads.");
    AttentionTask task{headsApart(sliceOf(*product, 2, 0, width), *heads),
        headsApart(sliceOf(*product, 2, width, width), *heads),
        headsApart(sliceOf(*product, 2, 2 * width, valueWidth), *heads), {}};
    const auto pastK = half(call.input(4), 0), pastV = half(call.input(4), 1);
    auto k = appended(call, pastK ? &*pastK : nullptr, task.k);
    auto v = appended(call, pastV ? &*pastV : nullptr, task.v);
    if (!k || !v)
        return k ? v.error() : k.error();
    task.k = *k;
    task.v = *v;
    task.scale = scaleOf(call, width / *heads);
    task.isCausal = call.attributes().integer("unidirectional", 0) != 0;
    if (pastK)
        task.offsets.assign(static_cast<std::size_t>(task.q.shape()[0]), pastK->shape()[2]);
    setKeyMask(call, task, call.input(3));
    if (auto done = addBias(call, task, call.input(5)); !done)
        return done.error();
    auto result = attend(call, task);
    if (!result)
        return result.error();
    std::vector<Datum> results = one(headsTogether(result->y));
    if (call.operation.outputs > 1) {
        const Tensor caches[] = {*k, *v};
        auto present = stacked(caches, 0);
        if (!present)
            return call.error(present.error().message);
        results.emplace_back(*std::move(present));
    }
    return results;
}

namespace {

/// Queries, keys and values of MultiHeadAttention, however they are packed.
base::Result<AttentionTask> multiHeadOperands(const Call& call, std::int64_t heads) {
    auto query = call.required(0);
    if (!query)
        return query.error();
    const auto part = [](const Tensor& packed, std::int64_t index) {
        return transposed(sliceAt(packed, 3, index), {0, 2, 1, 3});
    };
    if ((*query)->rank() == 5 && (*query)->shape()[3] == 3)
        return AttentionTask{part(**query, 0), part(**query, 1), part(**query, 2), {}};
    if ((*query)->rank() != 3 || (*query)->shape()[2] % heads != 0)
        return call.error("its query does not divide into its heads.");
    const Tensor* bias = call.input(3);
    std::int64_t begin = 0;
    const auto operand = [&](const Tensor& x) -> base::Result<Tensor> {
        if (x.rank() == 4)
            return x;
        if (x.rank() != 3 || x.shape()[2] % heads != 0)
            return call.error("an operand does not divide into its heads.");
        const std::int64_t width = x.shape()[2];
        auto shifted = base::Result<Tensor>(x);
        if (bias) {
            if (bias->rank() != 1 || begin + width > bias->size())
                return call.error("its bias does not fit its operands.");
            shifted = added(call, x, sliceOf(*bias, 0, begin, width));
        }
        begin += width;
        return shifted ? base::Result<Tensor>(headsApart(*shifted, heads)) : shifted;
    };
    auto q = operand(**query);
    auto key = call.required(1);
    if (!q || !key)
        return q ? key.error() : q.error();
    if ((*key)->rank() == 5 && (*key)->shape()[3] == 2)
        return AttentionTask{*q, part(**key, 0), part(**key, 1), {}};
    auto value = call.required(2);
    if (!value)
        return value.error();
    auto k = operand(**key);
    auto v = operand(**value);
    if (!k || !v)
        return k ? v.error() : k.error();
    return AttentionTask{*q, *k, *v, {}};
}

} // namespace

Outputs runMultiHeadAttention(const Call& call) {
    auto heads = headsOf(call, "num_heads");
    if (!heads)
        return heads.error();
    auto task = multiHeadOperands(call, *heads);
    if (!task)
        return task.error();
    const Tensor* past = call.input(6);
    auto k = appended(call, past, task->k);
    auto v = appended(call, call.input(7), task->v);
    if (!k || !v)
        return k ? v.error() : k.error();
    task->k = *k;
    task->v = *v;
    task->scale = scaleOf(call, task->q.shape()[3]);
    task->isCausal = call.attributes().integer("unidirectional", 0) != 0;
    if (past && past->rank() == 4)
        task->offsets.assign(static_cast<std::size_t>(task->q.shape()[0]), past->shape()[2]);
    setKeyMask(call, *task, call.input(4));
    if (auto done = addBias(call, *task, call.input(5)); !done)
        return done.error();
    task->returnsScores = call.operation.outputs > 3;
    auto result = attend(call, *task);
    if (!result)
        return result.error();
    return std::vector<Datum>{
        headsTogether(result->y), *std::move(k), *std::move(v), result->scores};
}

namespace {

/// Keys already in the cache of each sequence: by seqlens_k (their whole number less 1) where that
/// is possible, else the cache's length.
std::vector<std::int64_t> pastLengths(
    const Call& call, std::int64_t batch, std::int64_t queries, std::int64_t cached) {
    std::vector<std::int64_t> result(static_cast<std::size_t>(batch), cached);
    const Tensor* lengths = call.input(5);
    if (!lengths || lengths->size() != batch)
        return result;
    for (std::int64_t b = 0; b < batch; ++b) {
        const std::int64_t past = lengths->integer(b) + 1 - queries;
        if (past >= 0 && past <= cached)
            result[static_cast<std::size_t>(b)] = past;
    }
    return result;
}

/// The cache with new entries behind those of each sequence.
base::Result<Tensor> cacheWith(const Call& call, const Tensor* past, const Tensor& x,
    const std::vector<std::int64_t>& lengths) {
    const Extents& shape = x.shape();
    if (past
        && (past->rank() != 4 || past->shape()[0] != shape[0] || past->shape()[1] != shape[1]
            || past->shape()[3] != shape[3]))
        return call.error("its past of " + extentsText(past->shape()) + " does not fit new keys of "
            + extentsText(shape) + ".");
    const std::int64_t cached = past ? past->shape()[2] : 0;
    const std::int64_t longest =
        lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    const std::int64_t room = longest + shape[2] <= cached ? cached : cached + shape[2];
    const Extents whole{shape[0], shape[1], room, shape[3]};
    if (auto error = call.tooLarge(whole))
        return *std::move(error);
    std::vector<double> values(static_cast<std::size_t>(productOf(whole)), 0.0);
    std::size_t at = 0;
    for (std::int64_t b = 0; b < whole[0]; ++b)
        for (std::int64_t h = 0; h < whole[1]; ++h)
            for (std::int64_t i = 0; i < room; ++i)
                for (std::int64_t d = 0; d < whole[3]; ++d, ++at) {
                    const std::int64_t fresh = i - lengths[static_cast<std::size_t>(b)];
                    const std::int64_t head = b * whole[1] + h;
                    if (fresh >= 0 && fresh < shape[2])
                        values[at] = x.number((head * shape[2] + fresh) * shape[3] + d);
                    else if (i < cached)
                        values[at] = past->number((head * cached + i) * shape[3] + d);
                }
    return tensorOf(call, x.dtype(), whole, std::move(values));
}

base::Result<AttentionTask> groupedOperands(
    const Call& call, std::int64_t heads, std::int64_t kvHeads) {
    auto query = call.required(0);
    if (!query)
        return query.error();
    if ((*query)->rank() != 3)
        return call.error("its query has to be (batch, length, width).");
    const Tensor* key = call.input(1);
    const Tensor* value = call.input(2);
    const std::int64_t width = (*query)->shape()[2];
    if (key && value) {
        if (key->rank() != 3 || value->rank() != 3 || width % heads != 0
            || key->shape()[2] % kvHeads != 0 || value->shape()[2] % kvHeads != 0)
            return call.error("its widths do not divide into its heads.");
        return AttentionTask{
            headsApart(**query, heads), headsApart(*key, kvHeads), headsApart(*value, kvHeads), {}};
    }
    if (heads > width || kvHeads > width || width % (heads + 2 * kvHeads) != 0)
        return call.error("its packed width does not divide into its heads.");
    const std::int64_t size = width / (heads + 2 * kvHeads);
    return AttentionTask{headsApart(sliceOf(**query, 2, 0, heads * size), heads),
        headsApart(sliceOf(**query, 2, heads * size, kvHeads * size), kvHeads),
        headsApart(sliceOf(**query, 2, (heads + kvHeads) * size, kvHeads * size), kvHeads), {}};
}

base::Result<base::Done> rotateBoth(
    const Call& call, AttentionTask& task, const std::vector<std::int64_t>& past) {
    const Tensor* cos = call.input(7);
    const Tensor* sin = call.input(8);
    if (call.attributes().integer("do_rotary", 0) == 0 || !cos || !sin)
        return base::Done{};
    Rotation rotation{*cos, *sin, {}, call.attributes().integer("rotary_interleaved", 0) != 0,
        cos->shape().empty() ? 0 : 2 * cos->shape().back()};
    const std::int64_t length = task.q.shape()[2];
    const Tensor* positions = call.input(9);
    for (std::size_t b = 0; b < past.size(); ++b)
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t at = static_cast<std::int64_t>(b) * length + i;
            rotation.positions.push_back(
                positions && at < positions->size() ? positions->integer(at) : past[b] + i);
        }
    auto q = rotated(call, task.q, rotation);
    auto k = rotated(call, task.k, rotation);
    if (!q || !k)
        return q ? k.error() : q.error();
    task.q = *q;
    task.k = *k;
    return base::Done{};
}

} // namespace

Outputs runGroupQueryAttention(const Call& call) {
    auto heads = headsOf(call, "num_heads");
    auto kvHeads = headsOf(call, "kv_num_heads");
    if (!heads || !kvHeads)
        return heads ? kvHeads.error() : heads.error();
    auto task = groupedOperands(call, *heads, *kvHeads);
    if (!task)
        return task.error();
    const Tensor* past = call.input(3);
    const std::int64_t queries = task->q.shape()[2];
    const auto lengths = pastLengths(
        call, task->q.shape()[0], queries, past && past->rank() == 4 ? past->shape()[2] : 0);
    if (auto done = rotateBoth(call, *task, lengths); !done)
        return done.error();
    auto k = cacheWith(call, past, task->k, lengths);
    auto v = cacheWith(call, call.input(4), task->v, lengths);
    if (!k || !v)
        return k ? v.error() : k.error();
    task->k = *k;
    task->v = *v;
    task->scale = scaleOf(call, task->q.shape()[3]);
    task->softcap = call.attributes().number("softcap", 0);
    task->isCausal = true;
    task->offsets = lengths;
    for (const std::int64_t length : lengths)
        task->lengths.push_back(length + queries);
    const std::int64_t window = call.attributes().integer("local_window_size", -1);
    task->window = std::max<std::int64_t>(window, 0);
    if (auto done = addBias(call, *task, call.input(10)); !done)
        return done.error();
    auto result = attend(call, *task);
    if (!result)
        return result.error();
    return std::vector<Datum>{headsTogether(result->y), *std::move(k), *std::move(v)};
}

} // namespace fivefold::numerics
