// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

/// A reduction that ends a chain: with the shape and keepdims of the node that it replaces.
ValueId emitLast(Sequence& sequence, const Node& node, ir::Op op, std::string_view suffix,
    ValueId x, const Extents& axes, const KnownShape& shape) {
    NewNode spec{op, std::string(suffix), {x}, {}, {}, {}};
    spec.attributes.set("axes", axes);
    spec.attributes.set("keepdims", node.attributes.integer("keepdims", 1));
    spec.outputs.push_back({sequence.value(x).dtype, shape, ValueRole::Activation});
    return sequence.add(std::move(spec));
}

ValueId emitReduction(
    Sequence& s, const Node& node, ValueId x, const Extents& axes, const KnownShape& shape) {
    using Op = ir::Op;
    const auto sum = [&](ValueId terms) {
        return emitLast(s, node, Op::ReduceSum, "sum", terms, axes, shape);
    };
    switch (node.canonical) {
    case Op::ReduceL1:
        return sum(s.unary(Op::Abs, "abs", x));
    case Op::ReduceL2:
        return s.unary(Op::Sqrt, "sqrt", sum(s.binary(Op::Mul, "square", x, x)));
    case Op::ReduceSumSquare:
        return sum(s.binary(Op::Mul, "square", x, x));
    case Op::ReduceLogSum:
        return s.unary(Op::Log, "log", sum(x));
    case Op::ReduceLogSumExp: {
        const ValueId shifted =
            s.binary(Op::Sub, "sub", x, s.reduce(Op::ReduceMax, "max", x, axes));
        const ValueId log = s.unary(Op::Log, "log", sum(s.unary(Op::Exp, "exp", shifted)));
        return s.binary(
            Op::Add, "add", log, emitLast(s, node, Op::ReduceMax, "max_out", x, axes, shape));
    }
    default: { // means: ReduceMean, GlobalAveragePool
        Extents extents;
        for (const std::int64_t axis : axes)
            extents.push_back((*s.value(x).shape)[static_cast<std::size_t>(axis)]);
        const std::int64_t count = std::max<std::int64_t>(elements(extents).value_or(1), 1);
        return s.binary(
            Op::Mul, "mean", sum(x), s.constant("factor", 1.0 / static_cast<double>(count), x));
    }
    }
}

bool isComposite(ir::Op op) {
    return op == ir::Op::ReduceL1 || op == ir::Op::ReduceL2 || op == ir::Op::ReduceSumSquare
        || op == ir::Op::ReduceLogSum || op == ir::Op::ReduceLogSumExp || op == ir::Op::ReduceMean
        || op == ir::Op::GlobalAveragePool;
}

} // namespace

std::vector<NodeId> decomposeReduction(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (!isComposite(node.canonical) || !x.isValid() || !rewriter.value(x).shape
        || rewriter.input(id, 1).isValid() || node.outputs.empty() || !node.outputs[0].isValid())
        return {};
    const Extents axes = reducedAxes(node, rewriter.value(x).shape->size());
    const KnownShape shape = rewriter.value(node.outputs[0]).shape;
    Sequence sequence = rewriter.replace(id, rule);
    return sequence.finish(emitReduction(sequence, node, x, axes, shape));
}

std::vector<NodeId> decomposeSplit(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    const ValueId x = rewriter.input(id, 0);
    if (node.canonical != ir::Op::Split || !x.isValid() || !rewriter.value(x).shape
        || rewriter.input(id, 1).isValid())
        return {};
    const auto rank = static_cast<std::int64_t>(rewriter.value(x).shape->size());
    std::int64_t axis = node.attributes.integer("axis", 0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return {};
    for (const ValueId output : node.outputs)
        if (output.isValid()
            && (!rewriter.value(output).shape
                || static_cast<std::int64_t>(rewriter.value(output).shape->size()) != rank))
            return {};
    const auto sizes = node.attributes.integers("split");
    Sequence sequence = rewriter.replace(id, rule);
    std::vector<ValueId> results;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        std::int64_t size = sizes && i < sizes->size() ? (*sizes)[i] : 0;
        if (node.outputs[i].isValid())
            size = (*rewriter.value(node.outputs[i]).shape)[static_cast<std::size_t>(axis)];
        results.push_back(node.outputs[i].isValid()
                ? sequence.slice("part" + std::to_string(i), x, axis, start, start + size)
                : ValueId());
        start += size;
    }
    return sequence.finish(results);
}

} // namespace fivefold::lowering
