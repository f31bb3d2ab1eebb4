// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/attention_core.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/tables.h"

#include <cmath>

namespace fivefold::numerics {

namespace {

using ir::Op;

/// Operands of the standard operator as (batch, heads, length, size).
struct Standard {
    Tensor q, k, v;
    bool isPacked = false; ///< given as (batch, length, heads · size)
    Extents lead; ///< leading axes of the query, to come back at the end
};

Tensor toFourAxes(const Tensor& x) {
    const Extents& shape = x.shape();
    const std::size_t rank = shape.size();
    if (rank == 4)
        return x;
    if (rank < 4) {
        Extents padded(4 - rank, 1);
        padded.insert(padded.end(), shape.begin(), shape.end());
        return x.reshaped(std::move(padded));
    }
    return x.reshaped(
        {productOf(shape, 0, rank - 3), shape[rank - 3], shape[rank - 2], shape[rank - 1]});
}

base::Result<Standard> standardOperands(const Call& call) {
    auto q = call.required(0);
    auto k = call.required(1);
    auto v = call.required(2);
    if (!q || !k || !v)
        return call.error("it needs queries, keys and values.");
    const std::size_t rank = (*q)->rank();
    if (rank < 2 || (*k)->rank() != rank || (*v)->rank() != rank)
        return call.error("its queries, keys and values have to be of one rank.");
    const std::int64_t heads = call.attributes().integer("q_num_heads", 0),
                       kvHeads = call.attributes().integer("kv_num_heads", heads);
    if (rank == 3 && heads > 0) {
        const bool divides = kvHeads > 0 && (*q)->shape()[2] % heads == 0
            && (*k)->shape()[2] % kvHeads == 0 && (*v)->shape()[2] % kvHeads == 0;
        if (!divides)
            return call.error("its widths do not divide into its heads.");
        return Standard{
            headsApart(**q, heads), headsApart(**k, kvHeads), headsApart(**v, kvHeads), true, {}};
    }
    Standard s{toFourAxes(**q), toFourAxes(**k), toFourAxes(**v), false, {}};
    s.lead = Extents((*q)->shape().begin(), (*q)->shape().end() - 2);
    if (call.attributes().integer("keys_transposed", 0) != 0)
        s.k = transposed(s.k, {0, 1, 3, 2});
    return s;
}

AttentionTask taskOf(const Call& call, const Standard& s, const Tensor& k, const Tensor& v) {
    AttentionTask task{s.q, k, v, {}};
    const auto size = static_cast<double>(std::max<std::int64_t>(s.q.shape()[3], 1));
    task.scale = call.attributes().number("scale", 0);
    if (task.scale == 0)
        task.scale = 1 / std::sqrt(size);
    task.softcap = call.attributes().number("softcap", 0);
    task.isCausal = call.attributes().integer("is_causal", 0) != 0;
    if (const Tensor* mask = call.input(3))
        task.mask = *mask;
    const std::int64_t batch = s.q.shape()[0];
    if (const Tensor* past = call.input(4); past && past->rank() == 4)
        task.offsets.assign(static_cast<std::size_t>(batch), past->shape()[2]);
    if (const Tensor* lengths = call.input(6); lengths && lengths->size() == batch)
        for (std::int64_t b = 0; b < batch; ++b) {
            task.lengths.push_back(lengths->integer(b));
            if (!call.input(4)) // the cache holds the queries' own keys at its end
                task.offsets.push_back(lengths->integer(b) - s.q.shape()[2]);
        }
    task.returnsScores = call.operation.outputs > 3 && call.operation.version > 0;
    task.stage = static_cast<ScoreStage>(call.attributes().integer("qk_matmul_output_mode", 0) & 3);
    return task;
}

Outputs standardAttention(const Call& call) {
    auto s = standardOperands(call);
    if (!s)
        return s.error();
    auto k = appended(call, call.input(4), s->k);
    auto v = appended(call, call.input(5), s->v);
    if (!k || !v)
        return k ? v.error() : k.error();
    auto result = attend(call, taskOf(call, *s, *k, *v));
    if (!result)
        return result.error();
    Tensor y = result->y;
    if (s->isPacked) {
        y = headsTogether(y);
    } else {
        Extents shape = s->lead;
        shape.insert(shape.end(), y.shape().end() - 2, y.shape().end());
        y = y.reshaped(std::move(shape));
    }
    std::vector<Datum> results = one(std::move(y));
    if (call.operation.outputs > 1 && call.operation.version > 0) {
        results.emplace_back(*std::move(k));
        results.emplace_back(*std::move(v));
        results.emplace_back(result->scores);
    }
    return results;
}

Outputs attention(const Call& call) {
    // The contrib operator of the same name has num_heads; the standard one never does.
    return call.attributes().has("num_heads") ? runContribAttention(call) : standardAttention(call);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Attention, attention},
    {Op::PackedAttention, runContribAttention},
    {Op::MultiHeadAttention, runMultiHeadAttention},
    {Op::GroupQueryAttention, runGroupQueryAttention},
};

} // namespace

KernelTable attentionKernels() {
    static const KernelList list = joinedTables({kTable, tokenKernels()});
    return list;
}

} // namespace fivefold::numerics
