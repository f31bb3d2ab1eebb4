// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/hlo_forms.h"

#include "core/families/tpu/operators.h"
#include "core/lowering/patterns.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;
using Shape = std::vector<std::int64_t>;

constexpr std::string_view kClampSuffix = "clamp";

std::int64_t product(Shape::const_iterator first, Shape::const_iterator last) {
    return std::accumulate(first, last, std::int64_t{1}, [](std::int64_t a, std::int64_t b) {
        return b != 0 && a > (1LL << 40) / b ? 1LL << 40 : a * b;
    });
}

/// A product whose operands have two known matrix axes each.
struct Dot {
    ValueId left, right;
    Shape a, b;
    bool isTransposed = false; ///< right is [..., n, k]
    std::int64_t rows = 0; ///< m, with the leading axes where the right operand is a plain matrix
    std::int64_t columns = 0;
};

std::optional<Dot> dotOf(const Rewriter& rewriter, NodeId id) {
    const Node& node = rewriter.node(id);
    if ((node.canonical != Op::MatMul && node.canonical != Op::FusedMatMul)
        || node.inputs.size() != 2 || node.outputs.size() != 1)
        return std::nullopt;
    Dot dot;
    dot.left = rewriter.input(id, 0);
    dot.right = rewriter.input(id, 1);
    if (!dot.left.isValid() || !dot.right.isValid() || !rewriter.value(dot.left).shape
        || !rewriter.value(dot.right).shape || !rewriter.value(node.outputs[0]).shape)
        return std::nullopt;
    dot.a = *rewriter.value(dot.left).shape;
    dot.b = *rewriter.value(dot.right).shape;
    dot.isTransposed = node.attributes.integer("transB", 0) != 0;
    const bool isPlain = node.attributes.integer("transA", 0) == 0
        && node.attributes.integer("transBatchA", 0) == 0
        && node.attributes.integer("transBatchB", 0) == 0;
    if (!isPlain || dot.a.size() < 2 || dot.b.size() < 2)
        return std::nullopt;
    dot.rows =
        dot.b.size() == 2 ? product(dot.a.begin(), dot.a.end() - 1) : dot.a[dot.a.size() - 2];
    dot.columns = dot.b[dot.b.size() - (dot.isTransposed ? 2 : 1)];
    return dot;
}

/// The shape with its last two axes exchanged; one of them is 1, so no element moves.
Shape turned(Shape shape) {
    std::swap(shape[shape.size() - 2], shape[shape.size() - 1]);
    return shape;
}

/// [..., 1, k] · [..., k, n]: the row as a column times each column, summed along k; the others
/// keep k in the last axis and sum along it.
void replaceThinDot(Rewriter& rewriter, NodeId id, const Dot& dot) {
    const Shape result = *rewriter.value(rewriter.node(id).outputs[0]).shape;
    const bool isRow = dot.rows == 1;
    Sequence sequence = rewriter.replace(id,
        std::string("A dot with one ") + (isRow ? "row" : "column")
            + " would leave the matrix units idle: XLA multiplies and reduces on the vector unit.");
    ValueId left = dot.left, right = dot.right;
    const bool sumsRows = isRow && !dot.isTransposed;
    if (sumsRows) {
        if (dot.a.size() == 2 && dot.b.size() == 2) // XLA drops the unit axis by a reduction
            left = sequence.reduce(Op::ReduceSum, "squeeze", left, {0});
        left = sequence.reshaped("column", left, turned(dot.a));
    } else if (!isRow && !dot.isTransposed) {
        right = sequence.reshaped("row", right, turned(dot.b));
    }
    const ValueId product = sequence.binary(Op::Mul, "multiply", left, right);
    const auto rank = static_cast<std::int64_t>(sequence.rank(product).value_or(2));
    ValueId sum =
        sequence.reduce(Op::ReduceSum, "reduce", product, {sumsRows ? rank - 2 : rank - 1});
    if (sequence.value(sum).shape != result)
        sum = sequence.reshape("unsqueeze", sum, result);
    sequence.finish(sum);
}

/// The rewritten indices of a gather along an axis of `extent` entries.
ValueId wrapped(Sequence& sequence, ValueId indices, std::int64_t extent) {
    const Value& value = sequence.value(indices);
    const KnownShape shape = value.shape;
    const ir::DType type = value.dtype;
    const ValueId zero = sequence.constant("zero", 0, indices);
    NewNode less{Op::Less, "compare", {indices, zero},
        {{ir::DType::Bool, shape, ValueRole::Activation}}, {}, {}};
    const ValueId isNegative = sequence.add(std::move(less));
    const ValueId size = sequence.constant("size", static_cast<double>(extent), indices);
    const ValueId sum = sequence.binary(Op::Add, "add", indices, size);
    NewNode select{Op::Where, "select", {isNegative, sum, indices},
        {{type, shape, ValueRole::Activation}}, {}, {}};
    return sequence.add(std::move(select));
}

bool isWrapped(const Rewriter& rewriter, ValueId indices) {
    const NodeId producer = rewriter.value(indices).producer;
    return producer.isValid() && rewriter.node(producer).canonical == Op::Where;
}

} // namespace

void dropIdentities(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        const ValueId from = rewriter.input(id, 0);
        const bool isIdentity = node.canonical == Op::Identity || node.canonical == Op::Dropout
            || (node.canonical == Op::Expand && from.isValid() && node.outputs.size() == 1
                && rewriter.value(from).shape && rewriter.value(node.outputs[0]).shape
                && rewriter.value(from).shape == rewriter.value(node.outputs[0]).shape);
        if (isIdentity && node.outputs.size() == 1)
            rewriter.alias(id, "HLO has no identity: readers take the value itself.");
    }
}

void rewriteThinDots(Rewriter& rewriter, const Device& device) {
    if (device.keepsThinDots())
        return;
    for (const NodeId id : rewriter.order())
        if (const auto dot = dotOf(rewriter, id); dot && (dot->rows == 1 || dot->columns == 1))
            replaceThinDot(rewriter, id, *dot);
}

void rewriteTopK(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        const ValueId x = rewriter.input(id, 0);
        if (node.canonical != Op::TopK || node.outputs.size() != 2 || !x.isValid()
            || !rewriter.value(x).shape || rewriter.value(x).shape->empty()
            || !node.outputs[0].isValid() || !rewriter.value(node.outputs[0]).shape)
            continue;
        const Shape full = *rewriter.value(x).shape;
        const auto rank = static_cast<std::int64_t>(full.size());
        std::int64_t axis = node.attributes.integer("axis", -1);
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank)
            continue;
        const std::int64_t extent = full[static_cast<std::size_t>(axis)];
        const std::int64_t wanted =
            (*rewriter.value(node.outputs[0]).shape)[static_cast<std::size_t>(axis)];
        const ir::DType type = rewriter.value(x).dtype,
                        indexType = rewriter.value(node.outputs[1]).dtype;
        ir::Attributes attributes = node.attributes;
        const ValueId count = rewriter.addConstant(
            node.name + "/extent", static_cast<double>(extent), ir::DType::Int64);
        Sequence sequence = rewriter.replace(id,
            "XLA has no top-k on a TPU: it sorts all (value, index) pairs and slices the first.");
        const auto number = [&](const char* suffix, std::int64_t value) {
            return rewriter.addConstant(
                std::string("iota/") + suffix, static_cast<double>(value), ir::DType::Int32);
        };
        NewNode iota{Op::Range, "iota",
            {number("start", 0), number("limit", extent), number("delta", 1)},
            {{ir::DType::Int32, Shape{extent}, ValueRole::Activation}}, {}, {}};
        const ValueId numbers = sequence.add(std::move(iota));
        NewNode sort{Op::TopK, "sort", {x, count, numbers},
            {{type, full, ValueRole::Activation}, {indexType, full, ValueRole::Activation}},
            std::move(attributes), {}};
        const std::vector<ValueId> sorted = sequence.addMany(std::move(sort));
        const auto first = [&](const char* suffix, ValueId value) {
            return wanted == extent ? value : sequence.slice(suffix, value, axis, 0, wanted);
        };
        const std::vector<ValueId> results = {
            first("values", sorted[0]), first("indices", sorted[1])};
        sequence.finish(results);
    }
}

void rewriteGathers(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        const ValueId table = rewriter.input(id, 0), indices = rewriter.input(id, 1);
        if (node.canonical != Op::Gather || !table.isValid() || !indices.isValid()
            || !rewriter.value(table).shape || !rewriter.value(indices).shape
            || rewriter.value(table).shape->empty())
            continue;
        const Value& index = rewriter.value(indices);
        if (!index.producer.isValid() && index.role != ValueRole::Input)
            continue; // known indices are wrapped when the program is compiled
        const Shape& shape = *rewriter.value(table).shape;
        std::int64_t axis = node.attributes.integer("axis", 0);
        axis += axis < 0 ? static_cast<std::int64_t>(shape.size()) : 0;
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()))
            continue;
        const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
        const bool needsWrap = !isWrapped(rewriter, indices);
        const Value& old = rewriter.value(node.outputs[0]);
        NewNode gather{Op::Gather, "", {table, indices},
            {{old.dtype, old.shape, ValueRole::Activation}}, node.attributes, {}};
        Sequence sequence = rewriter.replace(id,
            "XLA wraps negative indices and clamps all of them before it gathers, so that no index "
            "leaves the table.");
        const ValueId inside = needsWrap ? wrapped(sequence, indices, extent) : indices;
        NewNode clamp{Op::Clip, std::string(kClampSuffix),
            {inside, sequence.constant("first", 0, indices),
                sequence.constant(
                    "last", static_cast<double>(std::max<std::int64_t>(0, extent - 1)), indices)},
            {{sequence.value(inside).dtype, sequence.value(inside).shape, ValueRole::Activation}},
            {}, {}};
        gather.inputs[1] = sequence.add(std::move(clamp));
        sequence.finish(sequence.add(std::move(gather)));
    }
}

void rewriteDivisions(Rewriter& rewriter) {
    for (const NodeId id : rewriter.order()) {
        const Node& node = rewriter.node(id);
        if (node.canonical != Op::Div || node.inputs.size() != 2)
            continue;
        const ValueId left = rewriter.input(id, 0), right = rewriter.input(id, 1);
        if (!left.isValid() || !right.isValid() || !ir::isFloat(rewriter.value(left).dtype))
            continue;
        const auto by = scalarOf(rewriter.graph(), right);
        int exponent = 0;
        if (!by || *by == 0 || !std::isfinite(*by) || std::abs(std::frexp(*by, &exponent)) != 0.5)
            continue;
        Sequence sequence = rewriter.replace(id,
            "Division by a power of two is a multiplication by its reciprocal: both are exact.");
        sequence.finish(
            sequence.binary(Op::Mul, "", left, sequence.constant("reciprocal", 1 / *by, left)));
    }
}

bool isIndexClamp(const StageGraph& graph, const Node& node) {
    if (node.canonical != Op::Clip || node.outputs.size() != 1
        || !graph.values.contains(node.outputs[0]))
        return false;
    const auto& users = graph.values[node.outputs[0]].users;
    return !users.empty() && std::all_of(users.begin(), users.end(), [&](NodeId user) {
        const Node& reader = graph.nodes[user];
        return reader.canonical == Op::Gather && reader.inputs.size() > 1
            && reader.inputs[1] == node.outputs[0];
    });
}

} // namespace fivefold::families::tpu
