// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fivefold::lowering {

namespace {

/// Emits the elementary operators of one activation. Suffixes are numbered where one repeats (names
/// are made unique at the end).
class Activation {
public:
    Activation(Rewriter& rewriter, NodeId id, const Node& node, const ActivationStyle& style,
        Sequence& sequence)
        : m_rewriter(rewriter)
        , m_id(id)
        , m_node(node)
        , m_style(style)
        , m_sequence(sequence)
        , m_x(rewriter.input(id, 0)) { }

    /// Invalid when the operator is not one of these.
    ValueId emit();

private:
    using Op = ir::Op;

    bool keeps(Op op) const {
        return std::find(m_style.keeps.begin(), m_style.keeps.end(), op) != m_style.keeps.end();
    }
    ValueId number(std::string_view suffix, double value) {
        return m_sequence.constant(suffix, value, m_x);
    }
    ValueId operand(std::size_t index) const { return m_rewriter.input(m_id, index); }
    double attribute(std::string_view name, double fallback) const {
        return m_node.attributes.number(name, fallback);
    }

    ValueId scaled(std::string_view suffix, ValueId x, double factor) {
        return factor == 1.0
            ? x
            : m_sequence.binary(Op::Mul, suffix, x, number(std::string(suffix) + "_by", factor));
    }
    ValueId plus(std::string_view suffix, ValueId x, double term) {
        return m_sequence.binary(Op::Add, suffix, x, number(std::string(suffix) + "_term", term));
    }
    ValueId times(std::string_view suffix, ValueId a, ValueId b) {
        return m_sequence.binary(Op::Mul, suffix, a, b);
    }
    ValueId positive(ValueId x) {
        return m_sequence.binary(Op::Max, "positive", x, number("zero", 0));
    }
    ValueId negative(ValueId x) {
        return m_sequence.binary(Op::Min, "negative", x, number("zero", 0));
    }

    ValueId sigmoid(ValueId x);
    ValueId tanh(ValueId x);
    ValueId softplus(ValueId x);
    ValueId geluByErf(ValueId x);
    ValueId geluByTanh(ValueId x);
    ValueId gelu(ValueId x, bool byTanh) {
        return byTanh || m_style.geluByTanh ? geluByTanh(x) : geluByErf(x);
    }
    ValueId hardSigmoid(ValueId x, double alpha, double beta);
    ValueId exponentialUnit(ValueId x, double alpha, double divisor);
    ValueId leaky(ValueId x, double alpha);
    ValueId clip(ValueId x);
    ValueId withBias(ValueId x) {
        return operand(1).isValid() ? m_sequence.binary(Op::Add, "bias", x, operand(1)) : x;
    }
    ValueId thresholded(ValueId x, double alpha);
    ValueId splitGelu(ValueId x);

    Rewriter& m_rewriter;
    NodeId m_id;
    const Node& m_node;
    const ActivationStyle& m_style;
    Sequence& m_sequence;
    ValueId m_x;
};

ValueId Activation::sigmoid(ValueId x) {
    if (keeps(Op::Sigmoid))
        return m_sequence.unary(Op::Sigmoid, "sigmoid", x);
    const ValueId power = m_sequence.unary(Op::Exp, "exp", m_sequence.unary(Op::Neg, "neg", x));
    return m_sequence.unary(Op::Reciprocal, "reciprocal", plus("add", power, 1));
}

ValueId Activation::tanh(ValueId x) {
    if (keeps(Op::Tanh))
        return m_sequence.unary(Op::Tanh, "tanh", x);
    // tanh x = 2σ(2x) − 1
    return plus("tanh", scaled("twice", sigmoid(scaled("double", x, 2)), 2), -1);
}

ValueId Activation::softplus(ValueId x) {
    if (keeps(Op::Softplus))
        return m_sequence.unary(Op::Softplus, "softplus", x);
    return m_sequence.unary(Op::Log, "log", plus("add", m_sequence.unary(Op::Exp, "exp", x), 1));
}

/// ½·x·(1 + erf(x ÷ √2)) (Hendrycks, Gimpel: Gaussian Error Linear Units, arXiv:1606.08415)
ValueId Activation::geluByErf(ValueId x) {
    const ValueId inner = scaled("scale", x, 1 / std::numbers::sqrt2);
    const ValueId shifted = plus("add", m_sequence.unary(Op::Erf, "erf", inner), 1);
    return scaled("half", times("mul", x, shifted), 0.5);
}

/// ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))), the same paper's approximation.
ValueId Activation::geluByTanh(ValueId x) {
    constexpr double kCubic = 0.044715;
    const ValueId cube = times("cube", times("square", x, x), x);
    const ValueId sum = m_sequence.binary(Op::Add, "sum", x, scaled("cubic", cube, kCubic));
    const ValueId inner = scaled("scale", sum, std::sqrt(2 / std::numbers::pi));
    return scaled("half", times("mul", x, plus("add", tanh(inner), 1)), 0.5);
}

ValueId Activation::hardSigmoid(ValueId x, double alpha, double beta) {
    const ValueId line = plus("add", scaled("scale", x, alpha), beta);
    const ValueId low = m_sequence.binary(Op::Max, "max", line, number("zero", 0));
    return m_sequence.binary(Op::Min, "min", low, number("one", 1));
}

/// max(0, x) + min(0, α·(exp(x ÷ divisor) − 1))
ValueId Activation::exponentialUnit(ValueId x, double alpha, double divisor) {
    const ValueId power = m_sequence.unary(Op::Exp, "exp", scaled("scale", x, 1 / divisor));
    const ValueId below = negative(scaled("alpha", plus("sub", power, -1), alpha));
    return m_sequence.binary(Op::Add, "add", positive(x), below);
}

ValueId Activation::leaky(ValueId x, double alpha) {
    if (alpha >= 0 && alpha <= 1)
        return m_sequence.binary(Op::Max, "max", x, scaled("alpha", x, alpha));
    return m_sequence.binary(Op::Add, "add", positive(x), scaled("alpha", negative(x), alpha));
}

ValueId Activation::clip(ValueId x) {
    const auto bound = [&](std::size_t index, std::string_view name) {
        if (operand(index).isValid())
            return operand(index);
        return m_node.attributes.has(name) ? number(name, attribute(name, 0)) : ValueId();
    };
    const ValueId low = bound(1, "min");
    const ValueId high = bound(2, "max");
    if (low.isValid())
        x = m_sequence.binary(Op::Max, "low", x, low);
    return high.isValid() ? m_sequence.binary(Op::Min, "high", x, high) : x;
}

ValueId Activation::thresholded(ValueId x, double alpha) {
    NewNode compare{Op::Greater, "greater", {x, number("alpha", alpha)}, {}, {}, {}};
    compare.outputs.push_back({ir::DType::Bool, m_sequence.value(x).shape, ValueRole::Activation});
    const ValueId isAbove = m_sequence.add(std::move(compare));
    NewNode select{Op::Where, "where", {isAbove, x, number("zero", 0)}, {}, {}, {}};
    select.outputs.push_back(
        {m_sequence.value(x).dtype, m_sequence.value(x).shape, ValueRole::Activation});
    return m_sequence.add(std::move(select));
}

/// Left half times Gelu of the right half, after a bias.
ValueId Activation::splitGelu(ValueId x) {
    x = withBias(x);
    const KnownShape shape = m_sequence.value(x).shape;
    if (!shape || shape->empty() || shape->back() % 2 != 0)
        return {};
    const auto axis = static_cast<std::int64_t>(shape->size()) - 1;
    const std::int64_t half = shape->back() / 2;
    const ValueId left = m_sequence.slice("left", x, axis, 0, half);
    const ValueId right = m_sequence.slice("right", x, axis, half, shape->back());
    return times("gate", left, gelu(right, false));
}

ValueId Activation::emit() {
    const ValueId x = m_x;
    switch (m_node.canonical) {
    case Op::Gelu:
        return gelu(x, m_node.attributes.text("approximate") == "tanh");
    case Op::BiasGelu:
        return gelu(withBias(x), false);
    case Op::FastGelu:
        return gelu(withBias(x), true);
    case Op::BiasSplitGelu:
        return splitGelu(x);
    case Op::QuickGelu: {
        constexpr double kAlpha = 1.702; // default of the contrib operator, from the paper above
        return times("mul", x, sigmoid(scaled("alpha", x, attribute("alpha", kAlpha))));
    }
    case Op::Swish:
        return times("mul", x, sigmoid(scaled("alpha", x, attribute("alpha", 1))));
    case Op::HardSwish:
        return times("mul", x, hardSigmoid(x, 1.0 / 6, 0.5));
    case Op::HardSigmoid:
        return hardSigmoid(x, attribute("alpha", 0.2), attribute("beta", 0.5));
    case Op::Mish:
        return times("mul", x, tanh(softplus(x)));
    case Op::Softplus:
        return softplus(x);
    case Op::Softsign:
        return m_sequence.binary(
            Op::Div, "div", x, plus("add", m_sequence.unary(Op::Abs, "abs", x), 1));
    case Op::Elu:
        return exponentialUnit(x, attribute("alpha", 1), 1);
    case Op::Celu:
        return exponentialUnit(x, attribute("alpha", 1), std::max(attribute("alpha", 1), 1e-30));
    case Op::Selu: { // constants of the operator's definition
        const double alpha = attribute("alpha", 1.67326319217681884765625);
        return scaled(
            "gamma", exponentialUnit(x, alpha, 1), attribute("gamma", 1.05070102214813232421875));
    }
    case Op::LeakyRelu:
        return leaky(x, attribute("alpha", 0.01));
    case Op::PRelu:
        return operand(1).isValid() ? m_sequence.binary(
                   Op::Add, "add", positive(x), times("slope", negative(x), operand(1)))
                                    : ValueId();
    case Op::ThresholdedRelu:
        return thresholded(x, attribute("alpha", 1));
    case Op::Clip:
        return clip(x);
    case Op::BiasAdd: {
        const ValueId sum = withBias(x);
        return operand(2).isValid() ? m_sequence.binary(Op::Add, "skip", sum, operand(2)) : sum;
    }
    case Op::Sigmoid:
        return sigmoid(x);
    case Op::Tanh:
        return tanh(x);
    default:
        return {};
    }
}

bool isActivation(ir::Op op) {
    switch (op) {
    case ir::Op::Gelu:
    case ir::Op::BiasGelu:
    case ir::Op::FastGelu:
    case ir::Op::BiasSplitGelu:
    case ir::Op::QuickGelu:
    case ir::Op::Swish:
    case ir::Op::HardSwish:
    case ir::Op::HardSigmoid:
    case ir::Op::Mish:
    case ir::Op::Softplus:
    case ir::Op::Softsign:
    case ir::Op::Elu:
    case ir::Op::Celu:
    case ir::Op::Selu:
    case ir::Op::LeakyRelu:
    case ir::Op::PRelu:
    case ir::Op::ThresholdedRelu:
    case ir::Op::Clip:
    case ir::Op::BiasAdd:
    case ir::Op::Sigmoid:
    case ir::Op::Tanh:
        return true;
    default:
        return false;
    }
}

/// Operators whose decomposition needs more than their first input and a shape.
bool canTakeApart(const Rewriter& rewriter, NodeId id, ir::Op op) {
    const ValueId x = rewriter.input(id, 0);
    if (!x.isValid())
        return false;
    if (op == ir::Op::PRelu)
        return rewriter.input(id, 1).isValid();
    const KnownShape& shape = rewriter.value(x).shape;
    return op != ir::Op::BiasSplitGelu || (shape && !shape->empty() && shape->back() % 2 == 0);
}

} // namespace

ValueId emitActivation(Sequence& sequence, ValueId x, const std::string& name) {
    if (name.empty())
        return x;
    const auto op = ir::findOp(name);
    return op && ir::isPointwise(*op) ? sequence.unary(*op, "activation", x) : x;
}

std::vector<NodeId> decomposeActivation(
    Rewriter& rewriter, NodeId id, const ActivationStyle& style) {
    const Node node = rewriter.node(id);
    const bool isKept =
        std::find(style.keeps.begin(), style.keeps.end(), node.canonical) != style.keeps.end();
    if (isKept || !isActivation(node.canonical) || !canTakeApart(rewriter, id, node.canonical))
        return {};
    const std::string rule = style.rule.empty()
        ? std::string(ir::name(node.canonical)) + " is written out in elementary operators"
        : style.rule;
    Sequence sequence = rewriter.replace(id, rule);
    const ValueId y = Activation(rewriter, id, node, style, sequence).emit();
    return sequence.finish(y);
}

} // namespace fivefold::lowering
