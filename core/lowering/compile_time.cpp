// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/compile_time.h"

#include <algorithm>
#include <cmath>

namespace fivefold::lowering {

namespace {

/// Operators that a compiler leaves in the program even where all operands are constants.
bool staysInProgram(ir::Op op) {
    switch (op) {
    case ir::Op::DequantizeLinear:
    case ir::Op::GatherBlockQuantized:
    case ir::Op::RandomNormal:
    case ir::Op::RandomNormalLike:
    case ir::Op::RandomUniform:
    case ir::Op::RandomUniformLike:
    case ir::Op::Multinomial:
    case ir::Op::Bernoulli:
    case ir::Op::Unknown:
        return true;
    default:
        return ir::opClass(op) == ir::OpClass::Control;
    }
}

bool keepsElements(ir::Op op) {
    return ir::isView(op) || op == ir::Op::Cast || op == ir::Op::CastLike || op == ir::Op::Expand
        || op == ir::Op::Tile || op == ir::Op::Transpose;
}

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> unary(ir::Op op, double x) {
    switch (op) {
    case ir::Op::Sqrt:
        return finite(std::sqrt(x));
    case ir::Op::Rsqrt:
        return finite(1 / std::sqrt(x));
    case ir::Op::Reciprocal:
        return finite(1 / x);
    case ir::Op::Neg:
        return -x;
    case ir::Op::Exp:
        return finite(std::exp(x));
    case ir::Op::Log:
        return finite(std::log(x));
    case ir::Op::Abs:
        return std::abs(x);
    default:
        return keepsElements(op) ? std::optional(x) : std::nullopt;
    }
}

std::optional<double> binary(ir::Op op, double a, double b) {
    switch (op) {
    case ir::Op::Add:
        return finite(a + b);
    case ir::Op::Sub:
        return finite(a - b);
    case ir::Op::Mul:
        return finite(a * b);
    case ir::Op::Div:
        return finite(a / b);
    case ir::Op::Pow:
        return finite(std::pow(a, b));
    case ir::Op::Max:
        return std::max(a, b);
    case ir::Op::Min:
        return std::min(a, b);
    default:
        return std::nullopt;
    }
}

} // namespace

CompileTime::CompileTime(const Context& context)
    : m_typed(context.typed)
    , m_graph(*context.typed.graph)
    , m_isFolded(m_graph.nodes.size(), 0)
    , m_fill(m_graph.values.size()) { }

bool CompileTime::isKnown(ir::ValueId value) const {
    const ir::Value& v = m_graph.values[value];
    if (v.origin == ir::ValueOrigin::Initializer)
        return true;
    if (v.origin == ir::ValueOrigin::NodeOutput && m_graph.nodes.contains(v.producer))
        return isFolded(v.producer);
    return false;
}

std::optional<std::vector<std::int64_t>> CompileTime::integers(ir::ValueId value) const {
    if (value.index() < m_typed.contents.size() && m_typed.contents[value]) {
        std::vector<std::int64_t> result;
        for (const ir::Dim& dim : *m_typed.contents[value]) {
            if (!dim.isKnown())
                return std::nullopt;
            result.push_back(dim.value());
        }
        return result;
    }
    const ir::Value& v = m_graph.values[value];
    return v.data.isValid() ? m_graph.tensors.integers(v.data) : std::nullopt;
}

bool CompileTime::fold(ir::NodeId id) {
    const ir::Node& node = m_graph.nodes[id];
    if (staysInProgram(node.op) || node.op == ir::Op::Call || !node.blocks.empty())
        return false;
    bool hasResult = false;
    bool isKnownByContents = true;
    for (const ir::ValueId output : node.outputs)
        if (output.isValid()) {
            hasResult = true;
            const auto& contents = m_typed.contents;
            isKnownByContents = isKnownByContents && output.index() < contents.size()
                && contents[output] && integers(output).has_value();
        }
    const bool isKnownByOperands = std::all_of(node.inputs.begin(), node.inputs.end(),
        [&](ir::ValueId input) { return !input.isValid() || isKnown(input); });
    if (!hasResult || (!isKnownByContents && !isKnownByOperands))
        return false;
    m_isFolded[id] = 1;
    if (const auto value = evaluate(node); value && node.outputs[0].isValid())
        m_fill[node.outputs[0]] = value;
    return true;
}

std::optional<double> CompileTime::storedFill(ir::ValueId id) const {
    const ir::Value& value = m_graph.values[id];
    if (!value.data.isValid() || m_graph.tensors[value.data].elements() != 1)
        return std::nullopt;
    const auto numbers = m_graph.tensors.numbers(value.data, 1);
    return numbers && numbers->size() == 1 ? std::optional((*numbers)[0]) : std::nullopt;
}

std::optional<double> CompileTime::fill(ir::ValueId id) {
    if (!isKnown(id))
        return std::nullopt;
    std::optional<double>& known = m_fill[id];
    if (!known)
        known = storedFill(id);
    if (!known)
        if (const auto contents = integers(id); contents && contents->size() == 1)
            known = static_cast<double>((*contents)[0]);
    return known;
}

std::optional<double> CompileTime::evaluate(const ir::Node& node) {
    if (node.outputs.empty() || node.inputs.empty() || !node.inputs[0].isValid())
        return std::nullopt;
    const auto a = fill(node.inputs[0]);
    if (!a)
        return std::nullopt;
    const bool isBinary = node.inputs.size() == 2 && node.inputs[1].isValid();
    if (isBinary && !keepsElements(node.op)) {
        const auto b = fill(node.inputs[1]);
        return b ? binary(node.op, *a, *b) : std::nullopt;
    }
    return unary(node.op, *a);
}

} // namespace fivefold::lowering
