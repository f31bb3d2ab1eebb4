// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/pattern_matcher.h"

namespace fivefold::lowering {

namespace {

std::optional<std::vector<std::int64_t>> axesOf(const PatternFinder& f, NodeId reduction) {
    const ValueId x = f.input(reduction, 0);
    if (!x.isValid() || !f.graph().values[x].shape || f.input(reduction, 1).isValid())
        return std::nullopt;
    return reducedAxes(f.node(reduction), f.graph().values[x].shape->size());
}

/// First of axes that run to the last one without a gap; nullopt otherwise.
std::optional<std::int64_t> trailingAxis(const std::vector<std::int64_t>& axes, std::size_t rank) {
    if (axes.empty())
        return std::nullopt;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != static_cast<std::int64_t>(rank - axes.size() + i))
            return std::nullopt;
    return axes[0];
}

/// d where the value is d²: Pow(d, 2) or Mul(d, d).
ValueId squared(const PatternFinder& f, ValueId value) {
    const NodeId node = f.producer(value);
    if (f.op(node) == ir::Op::Pow && f.isNumber(f.input(node, 1), 2))
        return f.input(node, 0);
    return f.op(node) == ir::Op::Mul && f.input(node, 0) == f.input(node, 1) ? f.input(node, 0)
                                                                             : ValueId();
}

/// The node that applies 1 ÷ deviation to d, with what lies between collected.
NodeId applied(const PatternFinder& f, NodeId deviation, ValueId d, std::vector<NodeId>& nodes) {
    NodeId user = f.onlyUser(deviation);
    if (f.op(deviation) == ir::Op::Rsqrt)
        return f.op(user) == ir::Op::Mul && f.otherOperand(user, f.output(deviation)) == d
            ? user
            : NodeId();
    if (f.op(user) == ir::Op::Div && f.input(user, 0) == d
        && f.input(user, 1) == f.output(deviation))
        return user;
    const bool isInverse = f.op(user) == ir::Op::Reciprocal
        || (f.op(user) == ir::Op::Div && f.isNumber(f.input(user, 0), 1));
    if (!isInverse)
        return {};
    nodes.push_back(user);
    const NodeId product = f.onlyUser(user);
    return f.op(product) == ir::Op::Mul && f.otherOperand(product, f.output(user)) == d ? product
                                                                                        : NodeId();
}

/// Scale and shift by parameters behind the normalisation.
void takeAffine(const PatternFinder& f, Match& match, bool takesShift) {
    const auto take = [&](ir::Op op) {
        const NodeId user = f.onlyUser(match.root);
        if (f.op(user) != op)
            return ValueId();
        const ValueId parameter = f.otherOperand(user, f.output(match.root));
        if (!f.isParameter(parameter))
            return ValueId();
        match.nodes.push_back(user);
        match.root = user;
        return parameter;
    };
    match.scale = take(ir::Op::Mul);
    if (takesShift && match.scale.isValid())
        match.bias = take(ir::Op::Add);
}

} // namespace

std::optional<Match> matchNorm(
    const PatternFinder& f, NodeId deviation, bool wantsLayerNorm, bool wantsRmsNorm) {
    Match match;
    match.nodes = {deviation};
    // √(mean(d²) + ε)
    const NodeId add = f.producer(f.input(deviation, 0));
    if (f.op(add) != ir::Op::Add)
        return std::nullopt;
    const bool isLeft = f.producerOp(f.input(add, 0)) == ir::Op::ReduceMean;
    const NodeId mean = f.producer(f.input(add, isLeft ? 0 : 1));
    const ValueId epsilon = f.input(add, isLeft ? 1 : 0);
    if (f.op(mean) != ir::Op::ReduceMean || !f.isConstantScalar(epsilon))
        return std::nullopt;
    const ValueId d = squared(f, f.input(mean, 0));
    const auto axes = axesOf(f, mean);
    if (!d.isValid() || !axes)
        return std::nullopt;
    const auto axis =
        trailingAxis(*axes, f.graph().values[d].shape ? f.graph().values[d].shape->size() : 0);
    if (!axis)
        return std::nullopt;
    match.axis = *axis;
    match.epsilon = scalarOf(f.graph(), epsilon).value_or(match.epsilon);
    match.nodes.insert(match.nodes.end(), {add, mean, f.producer(f.input(mean, 0))});
    match.root = applied(f, deviation, d, match.nodes);
    if (!match.root.isValid())
        return std::nullopt;
    match.nodes.push_back(match.root);
    match.input = d;
    match.kind = PatternKind::RmsNorm;
    // d = x − mean(x) makes it a layer norm.
    const NodeId centre = f.producer(d);
    const NodeId firstMean = f.producer(f.input(centre, 1));
    if (wantsLayerNorm && f.op(centre) == ir::Op::Sub && f.op(firstMean) == ir::Op::ReduceMean
        && f.input(firstMean, 0) == f.input(centre, 0) && axesOf(f, firstMean) == axes) {
        match.kind = PatternKind::LayerNorm;
        match.input = f.input(centre, 0);
        match.nodes.insert(match.nodes.end(), {centre, firstMean});
    } else if (!wantsRmsNorm) {
        return std::nullopt;
    }
    takeAffine(f, match, match.kind == PatternKind::LayerNorm);
    return match;
}

std::optional<Match> matchSoftmax(const PatternFinder& f, NodeId exp) {
    Match match;
    match.kind = PatternKind::Softmax;
    match.nodes = {exp};
    const ValueId power = f.output(exp);
    if (!power.isValid() || f.graph().values[power].users.size() != 2)
        return std::nullopt;
    NodeId sum, div;
    for (const NodeId user : f.graph().values[power].users)
        (f.op(user) == ir::Op::ReduceSum ? sum : div) = user;
    if (f.op(sum) != ir::Op::ReduceSum || f.op(div) != ir::Op::Div || f.input(div, 0) != power
        || f.input(div, 1) != f.output(sum))
        return std::nullopt;
    const auto axes = axesOf(f, sum);
    if (!axes || axes->size() != 1)
        return std::nullopt;
    match.axis = axes->front();
    match.nodes.insert(match.nodes.end(), {sum, div});
    match.root = div;
    match.softmax = div;
    match.input = f.input(exp, 0);
    const NodeId sub = f.producer(match.input);
    const NodeId max = f.producer(f.input(sub, 1));
    if (f.op(sub) == ir::Op::Sub && f.op(max) == ir::Op::ReduceMax
        && f.input(max, 0) == f.input(sub, 0) && f.onlyUser(sub) == exp) {
        match.input = f.input(sub, 0);
        match.nodes.insert(match.nodes.end(), {sub, max});
    }
    return match;
}

} // namespace fivefold::lowering
