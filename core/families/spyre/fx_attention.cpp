// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/fx_attention.h"

#include "core/families/spyre/loops.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::families::spyre {

using ir::Op;
using lowering::Rewriter;
using lowering::Sequence;
using lowering::ValueId;

namespace {

/// Columns of the tensor that the running maximum starts from (torch-spyre: one stick).
constexpr std::int64_t kStartColumns = 64;

class TiledAttention {
public:
    TiledAttention(Sequence& sequence, ValueId like)
        : m_sequence(sequence)
        , m_like(like) { }

    ValueId add(Op op, std::string suffix, std::vector<ValueId> inputs, Extents shape,
        const char* aten, ir::Attributes attributes = {}) {
        attributes.set(kAtenAttribute, std::string(aten));
        return m_sequence.add({op, std::move(suffix), std::move(inputs),
            {{m_sequence.value(m_like).dtype, std::move(shape)}}, std::move(attributes)});
    }
    ValueId binary(
        Op op, const char* suffix, ValueId a, ValueId b, const Extents& shape, const char* aten) {
        return add(op, suffix, {a, b}, shape, aten);
    }
    ValueId reduce(Op op, const char* suffix, ValueId x, const Extents& shape, const char* aten) {
        ir::Attributes attributes;
        attributes.set("axes", Extents{-1});
        attributes.set("keepdims", std::int64_t{0});
        return add(op, suffix, {x}, shape, aten, std::move(attributes));
    }
    ValueId full(const char* suffix, double fill, const Extents& shape) {
        ir::Attributes attributes;
        attributes.set("fill", fill);
        attributes.set("shape", shape);
        return add(
            Op::ConstantOfShape, suffix, {}, shape, "aten.full.default", std::move(attributes));
    }
    ValueId column(const char* suffix, ValueId x, Extents shape) {
        shape.push_back(1);
        return add(Op::Unsqueeze, suffix, {x}, shape, "aten.unsqueeze.default");
    }
    ValueId permute(const char* suffix, ValueId x, Extents order, Extents shape) {
        ir::Attributes attributes;
        attributes.set("perm", std::move(order));
        return add(
            Op::Transpose, suffix, {x}, std::move(shape), "aten.permute.default", attributes);
    }
    ValueId same(const char* suffix, ValueId x) {
        const Extents shape = *m_sequence.value(x).shape;
        ir::Attributes attributes;
        attributes.set("shape", shape);
        return add(Op::Expand, suffix, {x}, shape, "aten.expand.default", attributes);
    }

private:
    Sequence& m_sequence;
    ValueId m_like;
};

/// Dimensions from the outermost in memory; empty: row-major or unknown.
std::vector<std::size_t> memoryOrder(const Extents& shape, const Extents& strides) {
    if (strides.size() != shape.size() || strides == contiguousStrides(shape))
        return {};
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
    return std::ranges::is_sorted(order) ? std::vector<std::size_t>{} : order;
}

/// The tensor of zeros that the result is written into; it lies like the queries.
ValueId outputTensor(
    TiledAttention& a, const std::vector<std::size_t>& order, const Extents& shape) {
    if (order.empty())
        return a.full("output", 0, shape);
    Extents stored, back(order.size());
    for (std::size_t d = 0; d < order.size(); ++d) {
        stored.push_back(shape[order[d]]);
        back[order[d]] = static_cast<std::int64_t>(d);
    }
    return a.permute("output", a.full("output_full", 0, stored), back, shape);
}

struct ScoreInputs {
    ValueId q, k, mask, factor;
};

/// Both operands take the square root of the scale; then the masks.
ValueId scoresOf(
    TiledAttention& a, const ScoreInputs& in, const Extents& qs, const Extents& ks, bool isCausal) {
    const Extents scores{qs[0], qs[1], qs[2], ks[2]};
    const ValueId scaledQ =
        a.same("q", a.binary(Op::Mul, "scale_q", in.q, in.factor, qs, "aten.mul.Tensor"));
    const ValueId scaledK = a.binary(Op::Mul, "scale_k", in.k, in.factor, ks, "aten.mul.Tensor");
    const ValueId turned =
        a.same("k", a.permute("k_turned", scaledK, {0, 1, 3, 2}, {ks[0], ks[1], ks[3], ks[2]}));
    ValueId s =
        a.add(Op::MatMul, "scores", {scaledQ, turned}, scores, "spyre.batched_matmul.default");
    if (isCausal)
        s = a.binary(Op::Add, "masked", s,
            a.add(Op::CausalMask, "causal_mask", {}, {1, 1, qs[2], ks[2]},
                "spyre.causal_mask.default"),
            scores, "aten.add.Tensor");
    if (in.mask.isValid())
        s = a.binary(Op::Add, "masked_by", s, in.mask, scores, "aten.add.Tensor");
    return s;
}

} // namespace

bool decomposeTiledAttention(
    Rewriter& rewriter, lowering::NodeId id, const std::vector<std::int64_t>& queryStrides) {
    const lowering::Node& node = rewriter.node(id);
    if (node.canonical != Op::Attention || node.inputs.size() < 3)
        return false;
    const ValueId q = rewriter.input(id, 0), k = rewriter.input(id, 1), v = rewriter.input(id, 2);
    const ValueId mask = rewriter.input(id, 3);
    const auto shapeOf = [&](ValueId x) {
        return x.isValid() ? rewriter.value(x).shape.value_or(Extents{}) : Extents{};
    };
    const Extents qs = shapeOf(q), ks = shapeOf(k), vs = shapeOf(v);
    if (qs.size() != 4 || ks.size() != 4 || vs.size() != 4 || ks[1] != qs[1] || vs[1] != qs[1])
        return false;
    const Extents rows{qs[0], qs[1], qs[2]}, scores{qs[0], qs[1], qs[2], ks[2]},
        result{qs[0], qs[1], qs[2], vs[3]};
    const double scale =
        std::sqrt(node.attributes.number("scale", 1 / std::sqrt(static_cast<double>(qs[3]))));
    const bool isCausal = node.attributes.integer("is_causal", 0) != 0;
    const std::size_t results = node.outputs.size();
    auto sequence = rewriter.replace(
        id, "Attention is two products around a softmax that keeps a running maximum and sum.");
    TiledAttention a(sequence, q);
    const auto order = memoryOrder(qs, queryStrides);
    ValueId output = outputTensor(a, order, result);
    const ValueId start = a.reduce(Op::ReduceMax, "start",
        a.full("minus_infinity", -INFINITY, {qs[0], qs[1], qs[2], kStartColumns}), rows,
        "aten.amax.default");
    const ValueId s =
        scoresOf(a, {q, k, mask, sequence.constant("scale", scale, q)}, qs, ks, isCausal);
    const ValueId top = a.reduce(Op::ReduceMax, "max", s, rows, "aten.amax.default");
    const ValueId most = a.binary(Op::Max, "maximum", start, top, rows, "aten.maximum.default");
    const ValueId before = a.binary(Op::Sub, "correction", start, most, rows, "aten.sub.Tensor");
    const ValueId correction = a.add(Op::Exp, "correction_exp", {before}, rows, "aten.exp.default");
    const ValueId kept = a.binary(Op::Mul, "kept", output,
        a.column("correction_column", correction, rows), result, "aten.mul.Tensor");
    const ValueId shifted = a.binary(
        Op::Sub, "shift", s, a.column("maximum_column", most, rows), scores, "aten.sub.Tensor");
    const ValueId weights = a.add(Op::Exp, "exp", {shifted}, scores, "aten.exp.default");
    const ValueId product = a.add(Op::MatMul, "context",
        {a.same("weights", weights), a.same("v", v)}, result, "spyre.batched_matmul.default");
    const auto writeBack = [&](Op op, const char* suffix, ValueId x, ValueId y, const char* aten) {
        ir::Attributes attributes;
        if (order.empty()) // the copy into the program's own tensor is no operator
            attributes.set(kHandedOnAttribute, std::string("copy_"));
        const ValueId made = a.add(op, suffix, {x, y}, result, aten, std::move(attributes));
        if (order.empty())
            return made;
        ir::Attributes into;
        into.set(kIntoAttribute, std::int64_t{0});
        into.set(kPartAttribute, std::int64_t{1});
        into.set(kAtenAttribute, std::string("spyre.copy_.default"));
        return sequence.add({Op::CopyInto, std::string(suffix) + "_copy", {output, made},
            {{ir::DType::Undefined, result}}, std::move(into), std::string(kClone)});
    };
    output = writeBack(Op::Add, "sum_of_contexts", kept, product, "aten.add.Tensor");
    const ValueId none =
        a.reduce(Op::ReduceMax, "no_sum", a.full("zeros", 0, result), rows, "aten.amax.default");
    const ValueId keptSum =
        a.binary(Op::Mul, "kept_sum", none, correction, rows, "aten.mul.Tensor");
    const ValueId sum = a.reduce(Op::ReduceSum, "sum", weights, rows, "aten.sum.dim_IntList");
    ir::Attributes handedOn;
    handedOn.set(kHandedOnAttribute, std::string("copy_"));
    const ValueId total =
        a.add(Op::Add, "total", {keptSum, sum}, rows, "aten.add.Tensor", std::move(handedOn));
    std::vector<ValueId> out(results, ValueId());
    out[0] =
        writeBack(Op::Div, "div", output, a.column("total_column", total, rows), "aten.div.Tensor");
    sequence.finish(out);
    return true;
}

} // namespace fivefold::families::spyre
