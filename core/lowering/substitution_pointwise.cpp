// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/patterns.h"
#include "core/lowering/substitution_rules.h"

#include <cmath>
#include <numbers>

namespace fivefold::lowering::rules {

namespace {

using ir::Op;

/// x and constants of its type, under numbered names.
class Formula {
public:
    explicit Formula(Sequence& sequence)
        : m_sequence(sequence) { }
    ValueId times(ValueId a, ValueId b) { return m_sequence.binary(Op::Mul, "mul", a, b); }
    ValueId times(ValueId a, double b) { return times(a, number(b, a)); }
    ValueId plus(ValueId a, ValueId b) { return m_sequence.binary(Op::Add, "add", a, b); }
    ValueId plus(ValueId a, double b) { return plus(a, number(b, a)); }
    ValueId minus(ValueId a, ValueId b) { return m_sequence.binary(Op::Sub, "sub", a, b); }
    ValueId over(ValueId a, ValueId b) { return m_sequence.binary(Op::Div, "div", a, b); }
    ValueId apply(Op op, std::string_view suffix, ValueId x) {
        return m_sequence.unary(op, suffix, x);
    }
    ValueId number(double value, ValueId like) {
        return m_sequence.constant("constant_" + std::to_string(m_constants++), value, like);
    }

private:
    Sequence& m_sequence;
    int m_constants = 0;
};

/// A comparison of two values of one shape.
void compare(Rewriter& rewriter, NodeId id, Op op, std::string_view suffix, ValueId a, ValueId b,
    const std::string& rule) {
    const KnownShape shape = rewriter.value(rewriter.node(id).outputs.front()).shape;
    Sequence sequence = rewriter.replace(id, rule);
    NewNode node{op, std::string(suffix), {a, b}, {}, {}, {}};
    node.outputs.push_back({ir::DType::Bool, shape, ValueRole::Activation});
    sequence.finish(sequence.add(std::move(node)));
}

bool hasResult(const Rewriter& rewriter, NodeId id, std::size_t operands) {
    const Node& node = rewriter.node(id);
    if (node.outputs.empty() || !node.outputs.front().isValid())
        return false;
    for (std::size_t i = 0; i < operands; ++i)
        if (!rewriter.input(id, i).isValid())
            return false;
    return true;
}

bool asksForTanh(const Node& node) {
    return node.canonical == Op::FastGelu || node.attributes.text("approximate") == "tanh";
}

} // namespace

bool geluByTanh(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (asksForTanh(rewriter.node(id)))
        return false;
    ActivationStyle style;
    style.geluByTanh = true;
    style.rule = rule;
    return !decomposeActivation(rewriter, id, style).empty();
}

bool geluByErf(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 1) || !asksForTanh(rewriter.node(id)))
        return false;
    ValueId x = rewriter.input(id, 0);
    const ValueId bias = rewriter.input(id, 1);
    Sequence sequence = rewriter.replace(id, rule);
    if (bias.isValid())
        x = sequence.binary(Op::Add, "bias", x, bias);
    sequence.finish(sequence.unary(Op::Gelu, "gelu", x));
    return true;
}

bool hardSwishByClip(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 1))
        return false;
    const ValueId x = rewriter.input(id, 0);
    Sequence sequence = rewriter.replace(id, rule);
    Formula f(sequence);
    const ValueId line = f.plus(f.times(x, 1.0 / 6), 0.5);
    const ValueId low = sequence.binary(Op::Max, "max", line, f.number(0, x));
    sequence.finish(f.times(x, sequence.binary(Op::Min, "min", low, f.number(1, x))));
    return true;
}

bool erfByExp(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 1))
        return false;
    constexpr double kCubic = 2 * 0.044715; // of x³ where GELU has it of (√2·x)³
    const double kScale = 4 / std::sqrt(std::numbers::pi); // of 2u
    const ValueId x = rewriter.input(id, 0);
    Sequence sequence = rewriter.replace(id, rule);
    Formula f(sequence);
    const ValueId square = f.times(x, x);
    const ValueId doubled =
        f.times(x, f.plus(f.times(square, kCubic * kScale), kScale)); // 2u = x·(a·x² + b)
    const ValueId power = f.apply(Op::Exp, "exp", doubled);
    const ValueId part = f.over(f.number(2, x), f.plus(power, 1));
    sequence.finish(f.minus(f.number(1, x), part));
    return true;
}

/// r = x − 2π·⌊x ÷ 2π + ½⌋, q = 4/π·r − 4/π²·r·|r|, sin x ≈ q·(0.775 + 0.225·|q|).
bool sineByParabola(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 1))
        return false;
    using std::numbers::pi;
    constexpr double kSharp = 0.225; // weight of the second parabola, least largest error
    const bool isCosine = rewriter.node(id).canonical == Op::Cos;
    ValueId x = rewriter.input(id, 0);
    if (!ir::isFloat(rewriter.value(x).dtype))
        return false;
    Sequence sequence = rewriter.replace(id, rule);
    Formula f(sequence);
    if (isCosine)
        x = f.plus(x, pi / 2);
    const ValueId turns = f.apply(Op::Floor, "floor", f.plus(f.times(x, 1 / (2 * pi)), 0.5));
    const ValueId r = f.minus(x, f.times(turns, 2 * pi));
    const ValueId bend = f.plus(f.times(f.apply(Op::Abs, "abs", r), -4 / (pi * pi)), 4 / pi);
    const ValueId q = f.times(r, bend);
    const ValueId weight = f.plus(f.times(f.apply(Op::Abs, "abs", q), kSharp), 1 - kSharp);
    sequence.finish(f.times(q, weight));
    return true;
}

bool modByFloor(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const ValueId x = rewriter.input(id, 0), y = rewriter.input(id, 1);
    if (!hasResult(rewriter, id, 2) || rewriter.node(id).attributes.integer("fmod", 0) != 0
        || !ir::isFloat(rewriter.value(x).dtype))
        return false;
    Sequence sequence = rewriter.replace(id, rule);
    Formula f(sequence);
    const ValueId whole = f.apply(Op::Floor, "floor", f.over(x, y));
    sequence.finish(f.minus(x, f.times(y, whole)));
    return true;
}

bool isNanByCompare(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 1))
        return false;
    const ValueId x = rewriter.input(id, 0);
    compare(rewriter, id, Op::NotEqual, "not_equal", x, x, rule);
    return true;
}

bool xorByCompare(Rewriter& rewriter, NodeId id, const std::string& rule) {
    if (!hasResult(rewriter, id, 2))
        return false;
    compare(rewriter, id, Op::NotEqual, "not_equal", rewriter.input(id, 0), rewriter.input(id, 1),
        rule);
    return true;
}

bool argMaxByTopK(Rewriter& rewriter, NodeId id, const std::string& rule) {
    const Node node = rewriter.node(id);
    if (!hasResult(rewriter, id, 1) || node.attributes.integer("select_last_index", 0) != 0)
        return false;
    const ValueId x = rewriter.input(id, 0);
    const KnownShape shape = rewriter.value(x).shape;
    const KnownShape result = rewriter.value(node.outputs.front()).shape;
    if (!shape || shape->empty() || !result)
        return false;
    const auto rank = static_cast<std::int64_t>(shape->size());
    const std::int64_t given = node.attributes.integer("axis", 0);
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank)
        return false;
    std::vector<std::int64_t> kept = *shape;
    kept[static_cast<std::size_t>(axis)] = 1;
    Sequence sequence = rewriter.replace(id, rule);
    NewNode top{Op::TopK, "topk", {x}, {}, {}, {}};
    top.attributes.set("axis", axis);
    top.attributes.set("k", std::int64_t{1});
    top.attributes.set("largest", std::int64_t{node.canonical == Op::ArgMax ? 1 : 0});
    top.outputs = {{ir::DType::Undefined, kept, ValueRole::Activation},
        {ir::DType::Int64, kept, ValueRole::Activation}};
    const ValueId index = sequence.addMany(std::move(top))[1];
    sequence.finish(kept == *result ? index : sequence.reshape("squeeze", index, result));
    return true;
}

} // namespace fivefold::lowering::rules
