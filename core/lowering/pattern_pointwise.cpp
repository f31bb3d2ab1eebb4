// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/pattern_matcher.h"

#include <algorithm>
#include <numbers>

namespace fivefold::lowering {

namespace {

/// The non-constant operand of a product or quotient with a scalar; invalid otherwise.
ValueId scaledOperand(const PatternFinder& f, NodeId node) {
    if (f.op(node) == ir::Op::Div)
        return f.isConstantScalar(f.input(node, 1)) ? f.input(node, 0) : ValueId();
    if (f.op(node) != ir::Op::Mul)
        return {};
    for (const std::size_t i : {0, 1})
        if (f.isConstantScalar(f.input(node, i)))
            return f.input(node, 1 - i);
    return {};
}

bool isHalved(const PatternFinder& f, NodeId node) {
    if (f.op(node) == ir::Op::Div)
        return f.isNumber(f.input(node, 1), 2);
    return f.op(node) == ir::Op::Mul
        && (f.isNumber(f.input(node, 0), 0.5) || f.isNumber(f.input(node, 1), 0.5));
}

/// From 1 + g to ½·x·(1 + g) in any of the three orders. Sets root and input.
bool takeGeluTail(const PatternFinder& f, NodeId onePlus, Match& match) {
    const NodeId first = f.onlyUser(onePlus);
    if (f.op(first) != ir::Op::Mul && f.op(first) != ir::Op::Div)
        return false;
    match.nodes.insert(match.nodes.end(), {onePlus, first});
    if (isHalved(f, first)) { // ½·(1 + g), then · x
        const NodeId second = f.onlyUser(first);
        match.input =
            f.op(second) == ir::Op::Mul ? f.otherOperand(second, f.output(first)) : ValueId();
        match.root = second;
        match.nodes.push_back(second);
        return match.input.isValid();
    }
    const ValueId other = f.otherOperand(first, f.output(onePlus));
    if (!other.isValid())
        return false;
    if (const NodeId half = f.producer(other);
        isHalved(f, half) && f.onlyUser(half) == first) { // (½·x)·(1 + g)
        match.input = scaledOperand(f, half);
        match.root = first;
        match.nodes.push_back(half);
        return match.input.isValid();
    }
    const NodeId second = f.onlyUser(first); // x·(1 + g), then · ½
    match.input = other;
    match.root = second;
    if (!isHalved(f, second))
        return false;
    match.nodes.push_back(second);
    return true;
}

/// Collects what computes `value` from x by products, sums and powers; true when it is the cubic of
/// the tanh form.
bool takeCubic(const PatternFinder& f, ValueId value, ValueId x, std::vector<NodeId>& nodes) {
    constexpr std::size_t kMaximum = 8; // nodes of the longest form that exporters write
    constexpr double kCubic = 0.044715;
    std::vector<ValueId> waiting = {value};
    std::vector<NodeId> found;
    bool hasCubic = false;
    while (!waiting.empty()) {
        const ValueId at = waiting.back();
        waiting.pop_back();
        if (at == x)
            continue;
        if (f.isConstantScalar(at)) {
            hasCubic = hasCubic || f.isNumber(at, kCubic);
            continue;
        }
        const NodeId node = f.producer(at);
        const ir::Op op = f.op(node);
        if (op != ir::Op::Mul && op != ir::Op::Add && op != ir::Op::Pow)
            return false;
        if (std::find(found.begin(), found.end(), node) != found.end())
            continue;
        found.push_back(node);
        if (found.size() > kMaximum)
            return false;
        waiting.push_back(f.input(node, 0));
        waiting.push_back(f.input(node, 1));
    }
    nodes.insert(nodes.end(), found.begin(), found.end());
    return hasCubic;
}

} // namespace

std::optional<Match> matchGelu(const PatternFinder& f, NodeId anchor) {
    const NodeId onePlus = f.onlyUser(anchor);
    if (f.op(onePlus) != ir::Op::Add || !f.isNumber(f.otherOperand(onePlus, f.output(anchor)), 1))
        return std::nullopt;
    Match match;
    match.nodes = {anchor};
    if (!takeGeluTail(f, onePlus, match))
        return std::nullopt;
    if (f.op(anchor) == ir::Op::Tanh) {
        match.kind = PatternKind::GeluTanh;
        return takeCubic(f, f.input(anchor, 0), match.input, match.nodes) ? std::optional(match)
                                                                          : std::nullopt;
    }
    match.kind = PatternKind::GeluErf;
    const NodeId scale = f.producer(f.input(anchor, 0));
    const bool isScaled = f.op(scale) == ir::Op::Div
        ? f.isNumber(f.input(scale, 1), std::numbers::sqrt2)
        : f.isNumber(f.input(scale, 0), 1 / std::numbers::sqrt2)
            || f.isNumber(f.input(scale, 1), 1 / std::numbers::sqrt2);
    if (!isScaled || scaledOperand(f, scale) != match.input)
        return std::nullopt;
    match.nodes.push_back(scale);
    return match;
}

std::optional<Match> matchSwish(const PatternFinder& f, NodeId sigmoid) {
    const NodeId product = f.onlyUser(sigmoid);
    const ValueId x = f.input(sigmoid, 0);
    if (f.op(product) != ir::Op::Mul || f.otherOperand(product, f.output(sigmoid)) != x)
        return std::nullopt;
    Match match;
    match.kind = PatternKind::Swish;
    match.nodes = {sigmoid, product};
    match.root = product;
    match.input = x;
    return match;
}

std::optional<Match> matchHardSwish(const PatternFinder& f, NodeId anchor) {
    Match match;
    match.kind = PatternKind::HardSwish;
    match.nodes = {anchor};
    const auto isSixth = [&](NodeId node) {
        return (f.op(node) == ir::Op::Div && f.isNumber(f.input(node, 1), 6))
            || (f.op(node) == ir::Op::Mul
                && (f.isNumber(f.input(node, 0), 1.0 / 6)
                    || f.isNumber(f.input(node, 1), 1.0 / 6)));
    };
    NodeId last = anchor;
    bool needsSixth = false;
    if (f.op(anchor) == ir::Op::HardSigmoid) {
        const double alpha = f.node(anchor).attributes.number("alpha", 0.2);
        if (alpha < 0.16 || alpha > 0.17) // 1/6: only this slope makes it a HardSwish
            return std::nullopt;
        match.input = f.input(anchor, 0);
    } else {
        const NodeId add = f.producer(f.input(anchor, 0));
        if (f.op(add) != ir::Op::Add)
            return std::nullopt;
        for (const std::size_t i : {0, 1})
            if (f.isNumber(f.input(add, i), 3))
                match.input = f.input(add, 1 - i);
        const auto& attributes = f.node(anchor).attributes;
        const bool isByAttributes =
            attributes.number("max", 0) == 6 && attributes.number("min", 1) == 0;
        const bool isByInputs =
            f.isNumber(f.input(anchor, 2), 6) && f.isConstantScalar(f.input(anchor, 1));
        if (!match.input.isValid() || (!isByAttributes && !isByInputs))
            return std::nullopt;
        match.nodes.push_back(add);
        needsSixth = true;
        if (const NodeId user = f.onlyUser(anchor); isSixth(user)) {
            match.nodes.push_back(user);
            last = user;
            needsSixth = false;
        }
    }
    match.root = f.onlyUser(last);
    if (f.op(match.root) != ir::Op::Mul
        || f.otherOperand(match.root, f.output(last)) != match.input)
        return std::nullopt;
    match.nodes.push_back(match.root);
    if (needsSixth) {
        match.root = f.onlyUser(match.root);
        if (!isSixth(match.root))
            return std::nullopt;
        match.nodes.push_back(match.root);
    }
    return match;
}

} // namespace fivefold::lowering
