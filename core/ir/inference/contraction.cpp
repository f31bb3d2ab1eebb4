// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/contraction.h"

#include "core/ir/inference/einsum.h"
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

#include <algorithm>
#include <utility>

namespace fivefold::ir::inference {

MatMulOperands matMulOperands(Op op) {
    return {0, op == Op::QLinearMatMul ? std::size_t(3) : std::size_t(1)};
}

Shape transposedOperand(Shape shape, bool isTransposed, bool isBatchTransposed) {
    const std::size_t rank = shape.size();
    // transBatch of FusedMatMul: the first axis stands last but one.
    if (isBatchTransposed && rank > 2)
        std::rotate(shape.begin(), shape.begin() + 1, shape.end() - 1);
    if (isTransposed && rank >= 2)
        std::swap(shape[rank - 1], shape[rank - 2]);
    return shape;
}

namespace {

bool checkContraction(
    NodeContext& context, const Shape& a, const Shape& b, const Dim& ka, const Dim& kb) {
    demand(context.state(), SizeDemand::Kind::Equal, ka, kb);
    if (!ka.isKnown() || !kb.isKnown() || ka.value() == kb.value())
        return true;
    context.reject(context.opName() + " cannot multiply " + toText(a) + " by " + toText(b)
            + ": the inner sizes " + ka.text() + " and " + kb.text() + " differ.",
        "Check the operands' shapes.");
    return false;
}

DType matMulResult(NodeContext& context) {
    switch (context.op()) {
    case Op::MatMulInteger:
        return DType::Int32;
    case Op::QLinearMatMul:
        return context.dtype(7);
    case Op::DynamicQuantizeMatMul:
        return DType::Float32;
    case Op::MatMulIntegerToFloat:
        return context.dtype(2);
    default:
        return context.dtype(0);
    }
}

/// NumPy's matmul: 1-D operands get an axis that is dropped again, leading axes broadcast.
void matMul(NodeContext& context) {
    const DType result = matMulResult(context);
    context.output(0, result, std::nullopt);
    const auto [left, right] = matMulOperands(context.op());
    if (context.rank(left) == 0 || context.rank(right) == 0) {
        context.reject(context.opName() + " cannot multiply a scalar; it needs rank 1 or more.");
        return;
    }
    if (!context.shape(left) || !context.shape(right))
        return;
    const bool isFused = context.op() == Op::FusedMatMul;
    const auto flag = [&](const char* name) { return isFused && context.integer(name, 0) != 0; };
    Shape a = transposedOperand(*context.shape(left), flag("transA"), flag("transBatchA"));
    Shape b = transposedOperand(*context.shape(right), flag("transB"), flag("transBatchB"));
    const bool isRow = a.size() == 1;
    const bool isColumn = b.size() == 1;
    if (isRow)
        a.insert(a.begin(), Dim(1));
    if (isColumn)
        b.push_back(Dim(1));
    if (!checkContraction(context, a, b, a.back(), b[b.size() - 2]))
        return;
    MaybeShape out =
        broadcast(context, Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
    if (!out)
        return;
    if (!isRow)
        out->push_back(a[a.size() - 2]);
    if (!isColumn)
        out->push_back(b.back());
    context.output(0, result, std::move(out));
}

void gemm(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
        const int rank = context.rank(i);
        if (rank < 0 || rank == 2)
            continue;
        context.reject(context.opName() + " multiplies matrices, but its input " + std::to_string(i)
            + " has rank " + std::to_string(rank) + ".");
        return;
    }
    const bool isTransA = context.integer("transA", 0) != 0;
    const bool isTransB = context.integer("transB", 0) != 0;
    if (context.shape(0) && context.shape(1)
        && !checkContraction(context, *context.shape(0), *context.shape(1),
            context.dim(0, isTransA ? 0 : 1), context.dim(1, isTransB ? 1 : 0)))
        return;
    const Shape out{context.dim(0, isTransA ? 1 : 0), context.dim(1, isTransB ? 0 : 1)};
    context.output(0, context.dtype(0), out);
    if (context.has(2))
        broadcast(context, out, context.shape(2)); // demands that what is added fits
}

void einsum(NodeContext& context) {
    context.output(0, context.dtype(0), std::nullopt);
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!context.shape(i))
            return;
        shapes.push_back(*context.shape(i));
    }
    const std::string equation = context.attributes().text("equation");
    const auto parsed = parseEinsum(equation, shapes);
    if (!parsed) {
        context.reject(
            "Einsum's equation \"" + equation + "\" does not fit the shapes of its operands.");
        return;
    }
    Shape out;
    for (const auto& label : parsed->output)
        out.push_back(parsed->sizes.at(label));
    context.output(0, context.dtype(0), std::move(out));
}

/// MatMulNBits (com.microsoft): the weight is packed; K and N are attributes.
void packedMatMul(NodeContext& context) {
    MaybeShape out = context.shape(0);
    if (out && !out->empty())
        out->back() = Dim(context.integer("N", 0));
    context.output(0, context.dtype(0), std::move(out));
}

} // namespace

void addContractionRules(RuleTable& table) {
    table.set({Op::MatMul, Op::MatMulInteger, Op::QLinearMatMul, Op::FusedMatMul,
                  Op::DynamicQuantizeMatMul, Op::MatMulIntegerToFloat},
        matMul);
    table.set({Op::Gemm, Op::FusedGemm}, gemm);
    table.set(Op::Einsum, einsum);
    table.set(Op::MatMulNBits, packedMatMul);
}

} // namespace fivefold::ir::inference
