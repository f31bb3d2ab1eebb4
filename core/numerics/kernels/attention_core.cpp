// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/attention_core.h"

#include "core/numerics/kernels/broadcast.h"
#include "core/numerics/kernels/operands.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/sums.h"
#include "core/numerics/kernels/unary.h"

#include <algorithm>
#include <limits>

namespace fivefold::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sizes {
    std::int64_t batch, heads, kvHeads, queries, keys, size, valueSize;
};

base::Result<Sizes> sizesOf(const Call& call, const AttentionTask& task) {
    const Extents &q = task.q.shape(), &k = task.k.shape(), &v = task.v.shape();
    const bool isSound = q.size() == 4 && k.size() == 4 && v.size() == 4 && q[0] == k[0]
        && q[0] == v[0] && k[1] == v[1] && k[2] == v[2] && q[3] == k[3]
        && (k[1] == 0 ? q[1] == 0 : q[1] % k[1] == 0);
    if (!isSound)
        return call.error("queries of " + extentsText(q) + ", keys of " + extentsText(k)
            + " and values of " + extentsText(v) + " do not fit together.");
    return Sizes{q[0], q[1], std::max<std::int64_t>(k[1], 1), q[2], k[2], q[3], v[3]};
}

/// The mask of one call, read by index.
class Mask {
public:
    Mask(const AttentionTask& task, const Sizes& sizes)
        : m_task(task)
        , m_keys(sizes.keys) {
        if (!task.mask)
            return;
        m_isBool = task.mask->as<std::int64_t>() != nullptr;
        m_width = task.mask->shape().empty() ? 1 : task.mask->shape().back();
        Extents out{sizes.batch, sizes.heads, sizes.queries, std::max(m_width, std::int64_t(1))};
        m_strides = broadcastStrides(task.mask->shape(), out);
        if (m_width == 1 && m_keys != 1) // one for all keys
            m_width = m_keys, m_strides[3] = 0;
    }

    /// Score after the mask; minus infinity where the key does not count.
    void apply(std::int64_t batch, std::int64_t head, std::int64_t query, double* row) const {
        const auto b = static_cast<std::size_t>(batch);
        const std::int64_t offset = b < m_task.offsets.size() ? m_task.offsets[b] : 0;
        const std::int64_t length = b < m_task.lengths.size() ? m_task.lengths[b] : m_keys;
        const std::int64_t last = m_task.isCausal ? query + offset : m_keys;
        const std::int64_t first = m_task.window > 0 ? query + offset - m_task.window + 1 : 0;
        const std::int64_t base =
            m_task.mask ? batch * m_strides[0] + head * m_strides[1] + query * m_strides[2] : 0;
        for (std::int64_t key = 0; key < m_keys; ++key) {
            if (key >= length || key > last || key < first || (m_task.mask && key >= m_width))
                row[key] = -kInfinity;
            else if (m_task.mask)
                row[key] = withMask(row[key], base + key * m_strides[3]);
        }
    }

private:
    double withMask(double score, std::int64_t at) const {
        if (!m_isBool)
            return score + m_task.mask->number(at);
        if (m_task.mask->integer(at) != 0)
            return score;
        return m_task.maskedScore != 0 ? score + m_task.maskedScore : -kInfinity;
    }

    const AttentionTask& m_task;
    std::int64_t m_keys;
    bool m_isBool = false;
    std::int64_t m_width = 0;
    Extents m_strides;
};

bool maskFits(const AttentionTask& task, const Sizes& s) {
    if (!task.mask)
        return true;
    const Extents& shape = task.mask->shape();
    const std::int64_t sizes[] = {s.batch, s.heads, s.queries};
    if (shape.size() > 4 || task.mask->as<std::string>())
        return false;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
        const std::int64_t extent = shape[shape.size() - 2 - i];
        if (extent != 1 && extent != sizes[2 - i])
            return false;
    }
    return shape.empty() || (shape.back() >= 1 && shape.back() <= s.keys) || s.keys == 0;
}

template <typename T> class Attention {
public:
    Attention(const Call& call, const AttentionTask& task, const Sizes& sizes)
        : m_call(call)
        , m_task(task)
        , m_s(sizes)
        , m_mask(task, sizes) { }

    base::Result<AttentionResult> run() {
        const Extents result{m_s.batch, m_s.heads, m_s.queries, m_s.valueSize};
        const Extents all{m_s.batch, m_s.heads, m_s.queries, m_s.keys};
        if (auto error = m_call.tooLarge(result))
            return *std::move(error);
        if (auto error =
                m_call.tooLarge(m_task.returnsScores ? all : Extents{m_s.queries, m_s.keys}))
            return *std::move(error);
        m_scores.resize(static_cast<std::size_t>(m_s.queries * m_s.keys));
        m_row.resize(static_cast<std::size_t>(m_s.keys));
        m_result.resize(static_cast<std::size_t>(productOf(result)));
        if (m_task.returnsScores)
            m_returned.resize(static_cast<std::size_t>(productOf(all)));
        for (std::int64_t b = 0; b < m_s.batch; ++b)
            for (std::int64_t h = 0; h < m_s.heads; ++h) {
                if (auto error = m_call.tooLarge({})) // cancelled
                    return *std::move(error);
                head(b, h);
            }
        AttentionResult out{Tensor(m_task.q.dtype(), result, std::move(m_result)), {}};
        if (m_task.returnsScores)
            out.scores = Tensor(m_task.q.dtype(), all, std::move(m_returned));
        return out;
    }

private:
    void head(std::int64_t b, std::int64_t h) {
        const std::int64_t shared = b * m_s.kvHeads + h / (m_s.heads / m_s.kvHeads);
        const std::int64_t own = b * m_s.heads + h;
        const ProductPlace scores{own * m_s.queries * m_s.size, shared * m_s.keys * m_s.size, 0};
        product(*m_task.q.template as<T>(), *m_task.k.template as<T>(), m_scores,
            {m_s.queries, m_s.keys, m_s.size, false, true}, scores);
        withSum(m_call.evaluation, [&](auto sum) {
            for (std::int64_t query = 0; query < m_s.queries; ++query)
                weigh(b, h, query, sum);
        });
        const ProductPlace context{
            0, shared * m_s.keys * m_s.valueSize, own * m_s.queries * m_s.valueSize};
        product(m_scores, *m_task.v.template as<T>(), m_result,
            {m_s.queries, m_s.valueSize, m_s.keys, false, false}, context);
    }

    /// One head's product. Under an arithmetic all factors are rounded, so they are cut out first.
    void product(const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& c,
        const ProductShape& shape, const ProductPlace& place) {
        if (!m_call.evaluation.arithmetic) {
            multiply(m_call.evaluation, a, b, c, shape, std::span(&place, 1));
            return;
        }
        const auto cut = [](const std::vector<T>& from, std::int64_t begin, std::int64_t count) {
            return std::vector<T>(from.begin() + begin, from.begin() + begin + count);
        };
        std::vector<T> part(static_cast<std::size_t>(shape.rows * shape.columns));
        const ProductPlace origin;
        multiply(m_call.evaluation, cut(a, place.a, shape.rows * shape.depth),
            cut(b, place.b, shape.depth * shape.columns), part, shape, std::span(&origin, 1));
        std::copy(part.begin(), part.end(), c.begin() + place.c);
    }

    /// Scores of one query to weights.
    template <typename Sum>
    void weigh(std::int64_t b, std::int64_t h, std::int64_t query, Sum& sum) {
        T* scores = m_scores.data() + query * m_s.keys;
        for (std::int64_t key = 0; key < m_s.keys; ++key)
            m_row[static_cast<std::size_t>(key)] = static_cast<double>(scores[key]) * m_task.scale;
        note(ScoreStage::Product, b, h, query);
        if (m_task.softcap > 0)
            for (double& x : m_row)
                x = m_task.softcap * std::tanh(x / m_task.softcap);
        note(ScoreStage::Capped, b, h, query);
        m_mask.apply(b, h, query, m_row.data());
        note(ScoreStage::Masked, b, h, query);
        softmax(sum);
        note(ScoreStage::Weights, b, h, query);
        for (std::int64_t key = 0; key < m_s.keys; ++key)
            scores[key] = static_cast<T>(m_row[static_cast<std::size_t>(key)]);
    }

    template <typename Sum> void softmax(Sum& sum) {
        double largest = -kInfinity;
        for (const double x : m_row)
            largest = x > largest || std::isnan(x) ? x : largest;
        if (largest == -kInfinity) {
            std::ranges::fill(m_row, 0.0);
            return;
        }
        sum.reset();
        for (double& x : m_row) {
            x = static_cast<double>(std::exp(static_cast<T>(x - largest)));
            sum.add(x);
        }
        const double total = sum.value();
        for (double& x : m_row)
            x /= total;
    }

    void note(ScoreStage stage, std::int64_t b, std::int64_t h, std::int64_t query) {
        if (!m_task.returnsScores || stage != m_task.stage)
            return;
        const std::int64_t at = ((b * m_s.heads + h) * m_s.queries + query) * m_s.keys;
        std::ranges::transform(
            m_row, m_returned.begin() + at, [](double x) { return static_cast<T>(x); });
    }

    const Call& m_call;
    const AttentionTask& m_task;
    const Sizes m_s;
    const Mask m_mask;
    std::vector<T> m_scores, m_result, m_returned;
    std::vector<double> m_row;
};

} // namespace

base::Result<AttentionResult> attend(const Call& call, const AttentionTask& task) {
    auto sizes = sizesOf(call, task);
    if (!sizes)
        return sizes.error();
    if (!maskFits(task, *sizes))
        return call.error("its mask of " + extentsText(task.mask->shape())
            + " does not broadcast to its scores of "
            + extentsText({sizes->batch, sizes->heads, sizes->queries, sizes->keys}) + ".");
    if (task.q.as<float>() && task.k.as<float>() && task.v.as<float>())
        return Attention<float>(call, task, *sizes).run();
    if (task.q.as<double>() && task.k.as<double>() && task.v.as<double>())
        return Attention<double>(call, task, *sizes).run();
    return call.error("its operands are no floats.");
}

Tensor headsApart(const Tensor& x, std::int64_t heads) {
    const Extents& shape = x.shape();
    return transposed(
        x.reshaped({shape[0], shape[1], heads, shape[2] / std::max<std::int64_t>(heads, 1)}),
        {0, 2, 1, 3});
}

Tensor headsTogether(const Tensor& x) {
    const Extents& shape = x.shape();
    return transposed(x, {0, 2, 1, 3}).reshaped({shape[0], shape[2], shape[1] * shape[3]});
}

base::Result<Tensor> appended(const Call& call, const Tensor* past, const Tensor& added) {
    if (!past)
        return added;
    if (past->rank() != added.rank())
        return call.error("its past of " + extentsText(past->shape()) + " does not fit new keys of "
            + extentsText(added.shape()) + ".");
    const Tensor parts[] = {*past, added};
    auto result = joined(parts, 2);
    return result ? result : call.error(result.error().message);
}

base::Result<Tensor> rotated(const Call& call, const Tensor& x, const Rotation& rotation) {
    if (x.rank() != 4 || (rotation.cos.rank() != 2 && rotation.cos.rank() != 3)
        || rotation.cos.shape() != rotation.sin.shape())
        return call.error("its angles do not fit its input.");
    const std::int64_t batch = x.shape()[0], heads = x.shape()[1], length = x.shape()[2],
                       size = x.shape()[3];
    const std::int64_t dims = rotation.dims > 0 ? rotation.dims : size;
    const std::int64_t pairs = dims / 2, columns = rotation.cos.shape().back();
    const bool isTable = rotation.cos.rank() == 2;
    if (dims > size || dims % 2 != 0 || columns < pairs
        || (!isTable && (rotation.cos.shape()[0] != batch || rotation.cos.shape()[1] != length)))
        return call.error("angles of " + extentsText(rotation.cos.shape()) + " do not fit heads of "
            + extentsText(x.shape()) + ".");
    std::vector<double> values = x.numbers();
    const std::int64_t rows = rotation.cos.shape()[0];
    for (std::int64_t at = 0; at < batch * heads * length; ++at) {
        const std::int64_t token = at / (heads * length) * length + at % length;
        std::int64_t row = token;
        if (isTable)
            row = rotation.positions.empty() ? at % length
                                             : rotation.positions[static_cast<std::size_t>(token)];
        if (isTable && (row < 0 || row >= rows))
            return call.error("position " + std::to_string(row) + " is beyond its "
                + std::to_string(rows) + " angles.");
        double* head = values.data() + at * size;
        for (std::int64_t i = 0; i < pairs; ++i) {
            double& a = head[rotation.isInterleaved ? 2 * i : i];
            double& b = head[rotation.isInterleaved ? 2 * i + 1 : i + pairs];
            const double c = rotation.cos.number(row * columns + i),
                         s = rotation.sin.number(row * columns + i);
            const double turned = a * c - b * s;
            b = b * c + a * s;
            a = turned;
        }
    }
    return tensorOf(call, x.dtype(), x.shape(), std::move(values));
}

} // namespace fivefold::numerics
