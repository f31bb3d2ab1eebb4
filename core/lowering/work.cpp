// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/work.h"

#include "core/lowering/attention_shape.h"

#include <algorithm>
#include <limits>

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

const Extents* shapeOf(const Values& values, const std::vector<ValueId>& ids, std::size_t index) {
    if (index >= ids.size() || !values.contains(ids[index]) || !values[ids[index]].shape)
        return nullptr;
    return &*values[ids[index]].shape;
}

std::optional<std::int64_t> product(std::initializer_list<std::int64_t> factors) {
    return elements(Extents(factors));
}

Work unknown() {
    Work work;
    work.isKnown = false;
    return work;
}

/// Sum over the results; nullopt when one is unknown.
std::optional<std::int64_t> resultElements(const Values& values, const Node& node) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i].isValid())
            continue;
        const Extents* shape = shapeOf(values, node.outputs, i);
        const auto count = shape ? elements(*shape) : std::nullopt;
        if (!count || __builtin_add_overflow(sum, *count, &sum))
            return std::nullopt;
    }
    return sum;
}

/// Extents of a matrix operand with its last two axes swapped where asked; vectors become matrices.
Extents matrix(const Extents& shape, bool isTransposed, bool isLeft) {
    Extents s = shape;
    if (s.size() == 1)
        s.insert(isLeft ? s.begin() : s.end(), 1);
    else if (isTransposed && s.size() >= 2)
        std::swap(s[s.size() - 1], s[s.size() - 2]);
    return s;
}

Work matmulWork(const Values& values, const Node& node, std::size_t left, std::size_t right) {
    const Extents* a = shapeOf(values, node.inputs, left);
    const Extents* b = shapeOf(values, node.inputs, right);
    if (!a || !b || a->empty() || b->empty())
        return unknown();
    const Extents x = matrix(*a, node.attributes.integer("transA", 0) != 0, true);
    const Extents y = matrix(*b, node.attributes.integer("transB", 0) != 0, false);
    const auto batch = broadcast(Extents(x.begin(), x.end() - 2), Extents(y.begin(), y.end() - 2));
    const auto count = elements(batch);
    if (!count)
        return unknown();
    return contraction(*count, x[x.size() - 2], y[y.size() - 1], x[x.size() - 1]);
}

/// A weight of 4 or 8 bits, packed: its shape says nothing, the attributes N and K do.
Work nBitsWork(const Values& values, const Node& node) {
    const Extents* a = shapeOf(values, node.inputs, 0);
    const std::int64_t n = node.attributes.integer("N", 0);
    const std::int64_t k = node.attributes.integer("K", 0);
    if (!a || a->empty() || n <= 0 || k <= 0)
        return unknown();
    const auto rows = elements(Extents(a->begin(), a->end() - 1));
    return rows ? contraction(1, *rows, n, k) : unknown();
}

Work convWork(const Values& values, const Node& node, std::size_t weightIndex) {
    const Extents* x = shapeOf(values, node.inputs, 0);
    const Extents* w = shapeOf(values, node.inputs, weightIndex);
    const Extents* y = shapeOf(values, node.outputs, 0);
    const bool isTransposed = node.canonical == ir::Op::ConvTranspose;
    const Extents* pixelsOf = isTransposed ? x : y;
    if (!x || !w || !pixelsOf || x->size() < 3 || w->size() != x->size()
        || pixelsOf->size() != x->size())
        return unknown();
    const std::int64_t group = std::max<std::int64_t>(node.attributes.integer("group", 1), 1);
    const auto pixels = elements(Extents(pixelsOf->begin() + 2, pixelsOf->end()));
    const auto taps = elements(Extents(w->begin() + 2, w->end()));
    if (!pixels || !taps)
        return unknown();
    const auto m = product({(*x)[0], *pixels});
    // Weights are [out, in / group, taps…], and [in, out / group, taps…] when transposed.
    const std::int64_t perGroup = (*w)[1];
    const auto n = isTransposed ? product({perGroup, *taps}) : std::optional((*w)[0] / group);
    const auto k = isTransposed ? std::optional((*w)[0] / group) : product({perGroup, *taps});
    return m && n && k ? contraction(group, *m, *n, *k) : unknown();
}

Work attentionWork(const Values& values, const Node& node) {
    const auto a = attentionShape(values, node);
    if (!a)
        return unknown();
    const auto perHead = product({a->queries, a->keys, a->headSize + a->valueSize});
    const auto scores = perHead ? product({a->batch, a->heads, *perHead}) : std::nullopt;
    // The projection of x to queries, keys and values, where the operator does it.
    const auto width = product({a->heads, 2 * a->headSize + a->valueSize});
    const auto projected = width ? product({a->batch, a->queries, a->modelSize, *width}) : width;
    if (!scores || !projected)
        return unknown();
    Work work = contraction(
        a->batch * a->heads, a->queries, a->keys, std::max<std::int64_t>(a->headSize, 1));
    if (!work.isKnown || __builtin_add_overflow(*scores, *projected, &work.macs))
        return unknown();
    work.flops = 2.0 * static_cast<double>(work.macs);
    return work;
}

Work recurrentWork(const Values& values, const Node& node) {
    const Extents* x = shapeOf(values, node.inputs, 0);
    const Extents* w = shapeOf(values, node.inputs, 1);
    const Extents* r = shapeOf(values, node.inputs, 2);
    if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3)
        return unknown();
    const bool isBatchFirst = node.attributes.integer("layout", 0) == 1;
    const auto steps = product({(*x)[isBatchFirst ? 1 : 0], (*w)[0]});
    std::int64_t k = 0;
    if (!steps || __builtin_add_overflow((*w)[2], (*r)[2], &k))
        return unknown();
    return contraction(*steps, (*x)[isBatchFirst ? 0 : 1], (*w)[1], k);
}

/// Labels of an equation of two operands without an ellipsis.
Work einsumWork(const Values& values, const Node& node) {
    std::string equation = node.attributes.text("equation");
    std::erase(equation, ' ');
    const auto comma = equation.find(',');
    const auto arrow = equation.find("->");
    const Extents* a = shapeOf(values, node.inputs, 0);
    const Extents* b = shapeOf(values, node.inputs, 1);
    if (!a || !b || node.inputs.size() != 2 || comma == std::string::npos
        || arrow == std::string::npos || arrow < comma || equation.find('.') != std::string::npos)
        return unknown();
    const std::string left = equation.substr(0, comma);
    const std::string right = equation.substr(comma + 1, arrow - comma - 1);
    const std::string out = equation.substr(arrow + 2);
    if (left.size() != a->size() || right.size() != b->size())
        return unknown();
    Extents batch, m, n, k;
    const auto has = [](const std::string& s, char c) { return s.find(c) != std::string::npos; };
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left.find(left[i]) != i)
            continue;
        const bool inRight = has(right, left[i]);
        const bool inOut = has(out, left[i]);
        (inRight ? (inOut ? batch : k) : (inOut ? m : k)).push_back((*a)[i]);
    }
    for (std::size_t i = 0; i < right.size(); ++i)
        if (right.find(right[i]) == i && !has(left, right[i]))
            (has(out, right[i]) ? n : k).push_back((*b)[i]);
    const auto sizes = {elements(batch), elements(m), elements(n), elements(k)};
    for (const auto& size : sizes)
        if (!size)
            return unknown();
    auto at = sizes.begin();
    return contraction(**at, **(at + 1), **(at + 2), **(at + 3));
}

bool isNormOverInput(ir::Op op) {
    switch (op) {
    case ir::Op::Softmax:
    case ir::Op::LogSoftmax:
    case ir::Op::Hardmax:
    case ir::Op::LayerNormalization:
    case ir::Op::RMSNormalization:
    case ir::Op::SkipLayerNormalization:
    case ir::Op::SkipRMSNormalization:
    case ir::Op::GroupNormalization:
    case ir::Op::InstanceNormalization:
    case ir::Op::LpNormalization:
    case ir::Op::MeanVarianceNormalization:
    case ir::Op::CumSum:
    case ir::Op::CumProd:
        return true;
    default:
        return false;
    }
}

std::int64_t reducedCount(const Values& values, const Node& node, std::int64_t results) {
    const Extents* x = shapeOf(values, node.inputs, 0);
    if (!x)
        return 1;
    if (isNormOverInput(node.canonical)) {
        std::int64_t count = 1;
        for (const std::int64_t axis : reducedAxes(node, x->size()))
            if (__builtin_mul_overflow(count, (*x)[static_cast<std::size_t>(axis)], &count))
                return 1;
        return std::max<std::int64_t>(count, 1);
    }
    if (const auto kernel = node.attributes.integers("kernel_shape"))
        return std::max<std::int64_t>(elements(*kernel).value_or(1), 1);
    const auto inputs = elements(*x);
    return inputs && results > 0 ? std::max<std::int64_t>(*inputs / results, 1) : 1;
}

Work otherWork(const Values& values, const Node& node) {
    const auto results = resultElements(values, node);
    if (!results)
        return unknown();
    Work work;
    work.outElements = *results;
    const ir::OpClass opClass = node.opClass();
    if (opClass == ir::OpClass::Normalisation)
        work.reduced = reducedCount(values, node, *results);
    if (opClass == ir::OpClass::Pointwise || opClass == ir::OpClass::Normalisation)
        work.flops = static_cast<double>(*results);
    return work;
}

Work contractionWork(const Values& values, const Node& node) {
    switch (node.canonical) {
    case ir::Op::MatMul:
    case ir::Op::MatMulInteger:
    case ir::Op::FusedMatMul:
    case ir::Op::DynamicQuantizeMatMul:
    case ir::Op::MatMulIntegerToFloat:
    case ir::Op::Gemm:
    case ir::Op::FusedGemm:
        return matmulWork(values, node, 0, 1);
    case ir::Op::QLinearMatMul:
        return matmulWork(values, node, 0, 3);
    case ir::Op::MatMulNBits:
        return nBitsWork(values, node);
    case ir::Op::Conv:
    case ir::Op::FusedConv:
    case ir::Op::ConvInteger:
    case ir::Op::ConvTranspose:
    case ir::Op::DeformConv:
        return convWork(values, node, 1);
    case ir::Op::QLinearConv:
        return convWork(values, node, 3);
    case ir::Op::Einsum:
        return einsumWork(values, node);
    case ir::Op::LSTM:
    case ir::Op::GRU:
    case ir::Op::RNN:
        return recurrentWork(values, node);
    default:
        return isAttention(node.canonical) ? attentionWork(values, node) : unknown();
    }
}

std::int64_t normalisedAxis(std::int64_t axis, std::size_t rank) {
    const auto r = static_cast<std::int64_t>(rank);
    return axis < 0 ? axis + r : axis;
}

/// What an operator without the attribute `axes` reduces along: [first, last].
std::pair<std::int64_t, std::int64_t> defaultAxes(const Node& node, std::size_t rank) {
    const auto last = static_cast<std::int64_t>(rank) - 1;
    switch (node.canonical) {
    case ir::Op::Softmax:
    case ir::Op::LogSoftmax:
    case ir::Op::Hardmax:
    case ir::Op::LpNormalization:
    case ir::Op::TopK: {
        const std::int64_t axis = normalisedAxis(node.attributes.integer("axis", -1), rank);
        return {axis, axis};
    }
    case ir::Op::ArgMax:
    case ir::Op::ArgMin: {
        const std::int64_t axis = normalisedAxis(node.attributes.integer("axis", 0), rank);
        return {axis, axis};
    }
    case ir::Op::CumSum:
    case ir::Op::CumProd:
        return {last, last};
    case ir::Op::LayerNormalization:
    case ir::Op::RMSNormalization:
        return {normalisedAxis(node.attributes.integer("axis", -1), rank), last};
    case ir::Op::SkipLayerNormalization:
    case ir::Op::SkipRMSNormalization:
        return {last, last};
    case ir::Op::InstanceNormalization:
    case ir::Op::GlobalAveragePool:
    case ir::Op::GlobalMaxPool:
    case ir::Op::GlobalLpPool:
        return {2, last};
    case ir::Op::GroupNormalization:
        return {1, last};
    default:
        return {0, last};
    }
}

} // namespace

std::optional<std::int64_t> elements(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    bool isEmpty = false;
    bool overflows = false;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            return std::nullopt;
        isEmpty = isEmpty || extent == 0;
        overflows = overflows || (extent != 0 && __builtin_mul_overflow(count, extent, &count));
    }
    if (isEmpty)
        return 0;
    return overflows ? std::nullopt : std::optional(count);
}

std::optional<std::int64_t> elements(const KnownShape& shape) {
    return shape ? elements(*shape) : std::nullopt;
}

Work contraction(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto results = product({batch, m, n});
    const auto macs = results ? product({*results, k}) : std::nullopt;
    if (!macs)
        return unknown();
    Work work;
    work.macs = *macs;
    work.flops = 2.0 * static_cast<double>(*macs);
    work.batch = batch;
    work.m = m;
    work.n = n;
    work.k = k;
    work.outElements = *results;
    return work;
}

KnownShape broadcast(const KnownShape& a, const KnownShape& b) {
    if (!a || !b)
        return std::nullopt;
    const Extents& longer = a->size() >= b->size() ? *a : *b;
    const Extents& shorter = a->size() >= b->size() ? *b : *a;
    Extents result = longer;
    const std::size_t offset = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& extent = result[offset + i];
        if (extent == 1)
            extent = shorter[i];
        else if (shorter[i] != 1 && shorter[i] != extent)
            return std::nullopt;
    }
    return result;
}

std::vector<std::int64_t> reducedAxes(const Node& node, std::size_t rank) {
    std::vector<std::int64_t> axes;
    const auto given = node.attributes.integers("axes");
    if (given && (!given->empty() || node.attributes.integer("noop_with_empty_axes", 0) != 0)) {
        for (const std::int64_t axis : *given)
            axes.push_back(normalisedAxis(axis, rank));
    } else {
        const auto [first, last] = defaultAxes(node, rank);
        const auto end = std::min<std::int64_t>(last, static_cast<std::int64_t>(rank) - 1);
        for (std::int64_t axis = std::max<std::int64_t>(first, 0); axis <= end; ++axis)
            axes.push_back(axis);
    }
    std::erase_if(axes,
        [&](std::int64_t axis) { return axis < 0 || axis >= static_cast<std::int64_t>(rank); });
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

Work workOf(const Values& values, const Node& node) {
    if (node.opClass() != ir::OpClass::Contraction)
        return node.canonical == ir::Op::Unknown ? unknown() : otherWork(values, node);
    Work work = contractionWork(values, node);
    if (work.isKnown)
        if (const auto results = resultElements(values, node))
            work.outElements = *results;
    return work;
}

} // namespace fivefold::lowering
