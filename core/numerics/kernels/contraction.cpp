// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/einsum.h"
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/reduce.h"
#include "core/numerics/kernels/tables.h"

#include <algorithm>
#include <numeric>

namespace fivefold::numerics {

namespace {

using ir::Op;

double number(const Call& call, std::string_view name, double fallback) {
    const ir::AttributeValue* value = call.attributes().find(name);
    if (const auto* whole = value ? std::get_if<std::int64_t>(value) : nullptr)
        return static_cast<double>(*whole);
    return call.attributes().number(name, fallback);
}

struct Factors {
    const Tensor* a;
    const Tensor* b;
};
base::Result<Factors> factorsOf(const Call& call) {
    auto a = call.required(0);
    auto b = call.required(1);
    if (!a || !b)
        return a ? b.error() : a.error();
    return Factors{*a, *b};
}

Outputs ended(base::Result<Tensor> tensor) {
    if (!tensor)
        return tensor.error();
    return one(*std::move(tensor));
}

Outputs plainProduct(const Call& call) {
    auto factors = factorsOf(call);
    if (!factors)
        return factors.error();
    return ended(matmul(call, *factors->a, *factors->b));
}

/// transBatch moves the batch axes behind the rows: [rows, batch…, depth] instead of [batch…, rows,
/// depth].
Tensor batchFirst(const Tensor& x, bool isMoved) {
    if (!isMoved || x.rank() < 3)
        return x;
    std::vector<std::size_t> order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    return transposed(x, order);
}

Outputs fusedProduct(const Call& call) {
    auto factors = factorsOf(call);
    if (!factors)
        return factors.error();
    const auto flag = [&](std::string_view name) {
        return call.attributes().integer(name, 0) != 0;
    };
    auto product = matmul(call, batchFirst(*factors->a, flag("transBatchA")),
        batchFirst(*factors->b, flag("transBatchB")), flag("transA"), flag("transB"));
    if (!product)
        return product.error();
    return one(scaledBy(*product, number(call, "alpha", 1)));
}

/// alpha · A · B + beta · C, with a fused activation where there is one.
base::Result<Tensor> combined(const Call& call, base::Result<Tensor> product) {
    if (!product)
        return product;
    Tensor result = scaledBy(*product, number(call, "alpha", 1));
    const double beta = number(call, "beta", 1);
    if (const Tensor* c = call.input(2); c && beta != 0) {
        auto sum = added(call, result, scaledBy(*c, beta));
        if (!sum)
            return sum;
        result = *std::move(sum);
    }
    return activated(call, std::move(result));
}

Outputs gemm(const Call& call) {
    auto factors = factorsOf(call);
    if (!factors)
        return factors.error();
    if (factors->a->rank() != 2 || factors->b->rank() != 2)
        return call.error("its factors have to be matrices.");
    return ended(combined(call,
        matmul(call, *factors->a, *factors->b, call.attributes().integer("transA", 0) != 0,
            call.attributes().integer("transB", 0) != 0)));
}

/// x · weightᵀ + bias
Outputs linear(const Call& call) {
    auto factors = factorsOf(call);
    if (!factors)
        return factors.error();
    return ended(
        combined(call, matmul(call, *factors->a, *factors->b, false, factors->b->rank() > 1)));
}

Outputs batchGemm(const Call& call) {
    auto factors = factorsOf(call);
    if (!factors)
        return factors.error();
    return ended(combined(call, matmul(call, *factors->a, *factors->b)));
}

/// An operand of an Einsum: one label an axis, each once.
struct Labelled {
    Tensor tensor;
    std::vector<std::string> labels;
};
using Labels = std::vector<std::string>;

bool contains(const Labels& labels, const std::string& label) {
    return std::ranges::find(labels, label) != labels.end();
}

/// Diagonals of repeated labels; axes of size 1 that stand for a longer one go away.
Labelled simplified(
    const Tensor& tensor, const Labels& labels, const std::map<std::string, ir::Dim>& sizes) {
    const Extents strides = stridesOf(tensor.shape());
    Extents shape, steps;
    Labels kept;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::int64_t size = tensor.shape()[i];
        const auto known = sizes.find(labels[i]);
        if (size == 1 && known != sizes.end() && !known->second.is(1))
            continue;
        const auto at = std::ranges::find(kept, labels[i]);
        if (at != kept.end()) {
            steps[static_cast<std::size_t>(at - kept.begin())] += strides[i];
            continue;
        }
        kept.push_back(labels[i]);
        shape.push_back(size);
        steps.push_back(strides[i]);
    }
    return {strided(tensor, std::move(shape), std::move(steps), 0), std::move(kept)};
}

Labelled permuted(const Labelled& x, const Labels& wanted) {
    std::vector<std::size_t> order;
    for (const std::string& label : wanted)
        order.push_back(
            static_cast<std::size_t>(std::ranges::find(x.labels, label) - x.labels.begin()));
    return {transposed(x.tensor, order), wanted};
}

/// Sums over the labels that nothing after it needs.
Labelled summed(const Call& call, Labelled x, const Labels& needed) {
    Extents axes;
    Labels kept;
    for (std::size_t i = 0; i < x.labels.size(); ++i) {
        if (contains(needed, x.labels[i]))
            kept.push_back(x.labels[i]);
        else
            axes.push_back(static_cast<std::int64_t>(i));
    }
    if (axes.empty())
        return x;
    return {sumOver(call, x.tensor, axes), std::move(kept)};
}

std::int64_t sizeOf(const Labelled& x, const Labels& labels) {
    std::int64_t size = 1;
    for (const std::string& label : labels)
        size *= x.tensor.shape()[static_cast<std::size_t>(
            std::ranges::find(x.labels, label) - x.labels.begin())];
    return size;
}

Extents extentsOf(const Labelled& x, const Labels& labels) {
    Extents extents;
    for (const std::string& label : labels)
        extents.push_back(sizeOf(x, {label}));
    return extents;
}

/// Two operands as one batched product. `needed`: labels that come after it.
base::Result<Labelled> contracted(const Call& call, Labelled a, Labelled b, const Labels& needed) {
    Labels forA = needed, forB = needed;
    forA.insert(forA.end(), b.labels.begin(), b.labels.end());
    forB.insert(forB.end(), a.labels.begin(), a.labels.end());
    a = summed(call, std::move(a), forA);
    b = summed(call, std::move(b), forB);
    Labels batch, rows, columns, depth;
    for (const std::string& label : a.labels) {
        if (!contains(b.labels, label))
            rows.push_back(label);
        else
            (contains(needed, label) ? batch : depth).push_back(label);
    }
    for (const std::string& label : b.labels)
        if (!contains(a.labels, label))
            columns.push_back(label);
    const auto joined = [](Labels first, const Labels& second, const Labels& third) {
        first.insert(first.end(), second.begin(), second.end());
        first.insert(first.end(), third.begin(), third.end());
        return first;
    };
    const Labelled left = permuted(a, joined(batch, rows, depth)),
                   right = permuted(b, joined(batch, depth, columns));
    const std::int64_t count = sizeOf(a, batch), inner = sizeOf(a, depth);
    auto product = matmul(call, left.tensor.reshaped({count, sizeOf(a, rows), inner}),
        right.tensor.reshaped({count, inner, sizeOf(b, columns)}));
    if (!product)
        return product.error();
    Extents shape = extentsOf(a, batch);
    for (const std::int64_t extent : extentsOf(a, rows))
        shape.push_back(extent);
    for (const std::int64_t extent : extentsOf(b, columns))
        shape.push_back(extent);
    return Labelled{product->reshaped(std::move(shape)), joined(batch, rows, columns)};
}

/// In the order of the equation; labels that were of size 1 everywhere come back.
Outputs finishedEinsum(const Call& call, Labelled x, const Labels& output) {
    x = summed(call, std::move(x), output);
    Labels present;
    for (const std::string& label : output)
        if (contains(x.labels, label))
            present.push_back(label);
    x = permuted(x, present);
    Extents shape;
    for (const std::string& label : output)
        shape.push_back(contains(present, label) ? sizeOf(x, {label}) : 1);
    return one(x.tensor.reshaped(std::move(shape)));
}

Outputs einsum(const Call& call) {
    std::vector<ir::Shape> shapes;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        auto operand = call.required(i);
        if (!operand)
            return operand.error();
        if ((*operand)->as<std::string>())
            return call.error("it works on numbers, but an operand holds text.");
        shapes.emplace_back((*operand)->shape().begin(), (*operand)->shape().end());
    }
    const auto equation = ir::inference::parseEinsum(call.attributes().text("equation"), shapes);
    if (!equation || equation->operands.empty())
        return call.error("its equation does not fit its operands.");
    std::vector<Labelled> operands;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        operands.push_back(simplified(*call.input(i), equation->operands[i], equation->sizes));
    Labelled x = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) {
        Labels needed = equation->output;
        for (std::size_t j = i + 1; j < operands.size(); ++j)
            needed.insert(needed.end(), operands[j].labels.begin(), operands[j].labels.end());
        auto next = contracted(call, std::move(x), operands[i], needed);
        if (!next)
            return next.error();
        x = *std::move(next);
    }
    return finishedEinsum(call, std::move(x), equation->output);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::MatMul, plainProduct},
    {Op::FusedMatMul, fusedProduct},
    {Op::Gemm, gemm},
    {Op::FusedGemm, gemm},
    {Op::Linear, linear},
    {Op::BatchGemm, batchGemm},
    {Op::Einsum, einsum},
};

} // namespace

KernelTable contractionKernels() {
    static const KernelList list = joinedTables({kTable, convolutionKernels()});
    return list;
}

} // namespace fivefold::numerics
