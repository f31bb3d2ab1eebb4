// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/emitters.h"

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

/// Where a quantised operator has its operands, scales and zero points.
struct Operand {
    int value = -1, scale = -1, zeroPoint = -1;
};
struct QuantisedForm {
    ir::Op op;
    ir::Op plain; ///< the operator on floats
    Operand first, second, result; ///< result: scale and zero point only
    int bias = -1;
};

constexpr QuantisedForm kForms[] = {
    {ir::Op::QLinearConv, ir::Op::Conv, {0, 1, 2}, {3, 4, 5}, {-1, 6, 7}, 8},
    {ir::Op::QLinearMatMul, ir::Op::MatMul, {0, 1, 2}, {3, 4, 5}, {-1, 6, 7}},
    {ir::Op::QLinearAdd, ir::Op::Add, {0, 1, 2}, {3, 4, 5}, {-1, 6, 7}},
    {ir::Op::QLinearMul, ir::Op::Mul, {0, 1, 2}, {3, 4, 5}, {-1, 6, 7}},
    {ir::Op::QLinearSigmoid, ir::Op::Sigmoid, {0, 1, 2}, {}, {-1, 3, 4}},
    {ir::Op::QLinearLeakyRelu, ir::Op::LeakyRelu, {0, 1, 2}, {}, {-1, 3, 4}},
    {ir::Op::QLinearSoftmax, ir::Op::Softmax, {0, 1, 2}, {}, {-1, 3, 4}},
    {ir::Op::QLinearAveragePool, ir::Op::AveragePool, {0, 1, 2}, {}, {-1, 3, 4}},
    {ir::Op::QLinearGlobalAveragePool, ir::Op::GlobalAveragePool, {0, 1, 2}, {}, {-1, 3, 4}},
    {ir::Op::ConvInteger, ir::Op::Conv, {0, -1, 2}, {1, -1, 3}, {}},
    {ir::Op::MatMulInteger, ir::Op::MatMul, {0, -1, 2}, {1, -1, 3}, {}},
    {ir::Op::MatMulIntegerToFloat, ir::Op::MatMul, {0, 2, 4}, {1, 3, 5}, {}, 6},
    {ir::Op::DynamicQuantizeMatMul, ir::Op::MatMul, {0, -1, -1}, {1, 2, 3}, {}, 4},
};

const QuantisedForm* formOf(ir::Op op) {
    for (const QuantisedForm& form : kForms)
        if (form.op == op)
            return &form;
    return nullptr;
}

class Quantised {
public:
    Quantised(Rewriter& rewriter, NodeId id, Sequence& sequence, ir::DType computeType)
        : m_rewriter(rewriter)
        , m_id(id)
        , m_s(sequence)
        , m_type(computeType) { }

    ValueId input(int index) const {
        return index < 0 ? ValueId() : m_rewriter.input(m_id, static_cast<std::size_t>(index));
    }

    /// (x − zero point) · scale in the compute type; a float operand stays as it is.
    ValueId dequantised(std::string_view suffix, const Operand& operand, const KnownShape& shape) {
        const ValueId x = input(operand.value);
        if (!x.isValid() || ir::bitWidth(m_s.value(x).dtype) > 8)
            return x;
        NewNode node{ir::Op::DequantizeLinear, std::string(suffix),
            {x, input(operand.scale), input(operand.zeroPoint)}, {}, {}, {}};
        if (!node.inputs[1].isValid())
            node.inputs[1] = m_rewriter.addConstant(m_rewriter.node(m_id).name + "/one", 1, m_type);
        node.outputs.push_back({m_type, shape ? shape : m_s.value(x).shape, ValueRole::Activation});
        return m_s.add(std::move(node));
    }

    /// Round and clamp to the type of the operator's result.
    ValueId quantised(ValueId y, const Operand& operand) {
        const Value result = m_rewriter.value(m_rewriter.node(m_id).outputs[0]);
        if (input(operand.scale).isValid()) {
            NewNode node{ir::Op::QuantizeLinear, "quantise",
                {y, input(operand.scale), input(operand.zeroPoint)}, {}, {}, {}};
            node.outputs.push_back({result.dtype, result.shape, ValueRole::Activation});
            return m_s.add(std::move(node));
        }
        if (result.dtype == m_s.value(y).dtype)
            return y;
        NewNode cast{ir::Op::Cast, "cast", {y}, {}, {}, {}};
        cast.outputs.push_back({result.dtype, result.shape, ValueRole::Activation});
        return m_s.add(std::move(cast));
    }

private:
    Rewriter& m_rewriter;
    NodeId m_id;
    Sequence& m_s;
    ir::DType m_type;
};

/// Weights of 4 or 8 bits in blocks: [n, k] after dequantisation.
std::vector<NodeId> decomposeNBits(
    Rewriter& rewriter, NodeId id, ir::DType computeType, const std::string& rule) {
    const Node node = rewriter.node(id);
    const std::int64_t n = node.attributes.integer("N", 0), k = node.attributes.integer("K", 0);
    if (n <= 0 || k <= 0 || !rewriter.input(id, 0).isValid() || !rewriter.input(id, 1).isValid()
        || !elements(Extents{n, k}))
        return {};
    Sequence sequence = rewriter.replace(id, rule);
    NewNode unpack{ir::Op::DequantizeLinear, "dequantise",
        {rewriter.input(id, 1), rewriter.input(id, 2), rewriter.input(id, 3)}, {}, {}, {}};
    for (const std::string_view name : {"bits", "block_size", "N", "K"})
        unpack.attributes.set(std::string(name), node.attributes.integer(name, 0));
    unpack.outputs.push_back({computeType, Extents{n, k}, ValueRole::Activation});
    const ValueId weight = sequence.add(std::move(unpack));
    NewNode product{ir::Op::FusedMatMul, "matmul", {rewriter.input(id, 0), weight}, {}, {}, {}};
    product.attributes.set("transB", std::int64_t(1));
    product.outputs.push_back(
        {computeType, rewriter.value(node.outputs[0]).shape, ValueRole::Activation});
    ValueId y = sequence.add(std::move(product));
    if (const ValueId bias = rewriter.input(id, 5); bias.isValid())
        y = sequence.binary(ir::Op::Add, "bias", y, bias);
    return sequence.finish(y);
}

} // namespace

std::vector<NodeId> decomposeQuantised(
    Rewriter& rewriter, NodeId id, ir::DType computeType, const std::string& rule) {
    const Node node = rewriter.node(id);
    if (node.outputs.empty() || !node.outputs[0].isValid())
        return {};
    if (node.canonical == ir::Op::MatMulNBits)
        return decomposeNBits(rewriter, id, computeType, rule);
    const QuantisedForm* form = formOf(node.canonical);
    if (!form || !rewriter.input(id, 0).isValid()
        || (form->second.value >= 0
            && !rewriter.input(id, static_cast<std::size_t>(form->second.value)).isValid()))
        return {};
    Sequence sequence = rewriter.replace(id, rule);
    Quantised q(rewriter, id, sequence, computeType);
    NewNode plain{
        form->plain, std::string(toString(ir::opClass(form->plain))), {}, {}, node.attributes, {}};
    plain.inputs.push_back(q.dequantised("dequantise_a", form->first, {}));
    if (form->second.value >= 0)
        plain.inputs.push_back(q.dequantised("dequantise_b", form->second, {}));
    plain.outputs.push_back(
        {computeType, rewriter.value(node.outputs[0]).shape, ValueRole::Activation});
    ValueId y = sequence.add(std::move(plain));
    if (const ValueId bias = q.input(form->bias); bias.isValid())
        y = form->plain == ir::Op::Conv ? emitChannelBias(sequence, "bias", y, bias)
                                        : sequence.binary(ir::Op::Add, "bias", y, bias);
    return sequence.finish(q.quantised(y, form->result));
}

} // namespace fivefold::lowering
