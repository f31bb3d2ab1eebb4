// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/tables.h"

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// Equality of texts, which no other operator has.
Outputs compareTexts(const Call& call, const Tensor& a, const Tensor& b, bool isEqual) {
    const auto shape = broadcastShape(a.shape(), b.shape());
    if (!shape)
        return call.error("operands of " + extentsText(a.shape()) + " and " + extentsText(b.shape())
            + " do not broadcast to one shape.");
    if (auto error = call.tooLarge(*shape))
        return *std::move(error);
    return one({DType::Bool, *shape,
        mapTwo<std::int64_t>(a.as<std::string>()->data(), a.shape(), b.as<std::string>()->data(),
            b.shape(), *shape, [=](const std::string& x, const std::string& y) {
                return std::int64_t((x == y) == isEqual);
            })});
}

template <typename F> Outputs compare(const Call& call, F f) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const bool isWide = pair->a.dtype() == DType::UInt64;
    return test(call, *pair, f, [=](std::int64_t x, std::int64_t y) {
        return isWide ? f(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)) : f(x, y);
    });
}

template <bool isEqual> Outputs equality(const Call& call) {
    const Tensor* a = call.input(0);
    const Tensor* b = call.input(1);
    if (a && b && a->as<std::string>() && b->as<std::string>())
        return compareTexts(call, *a, *b, isEqual);
    return compare(call, [](auto x, auto y) { return (x == y) == isEqual; });
}
Outputs less(const Call& call) {
    return compare(call, [](auto x, auto y) { return x < y; });
}
Outputs lessOrEqual(const Call& call) {
    return compare(call, [](auto x, auto y) { return x <= y; });
}
Outputs greater(const Call& call) {
    return compare(call, [](auto x, auto y) { return x > y; });
}
Outputs greaterOrEqual(const Call& call) {
    return compare(call, [](auto x, auto y) { return x >= y; });
}

template <typename F> Outputs logical(const Call& call, F f) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    const auto both = [&](auto x, auto y) { return f(x != 0, y != 0); };
    return test(call, *pair, both, both);
}
Outputs conjunction(const Call& call) {
    return logical(call, [](bool x, bool y) { return x && y; });
}
Outputs disjunction(const Call& call) {
    return logical(call, [](bool x, bool y) { return x || y; });
}
Outputs difference(const Call& call) {
    return logical(call, [](bool x, bool y) { return x != y; });
}

template <typename F> Outputs bitwise(const Call& call, F f) {
    auto pair = pairOf(call);
    if (!pair)
        return pair.error();
    if (!pair->a.as<std::int64_t>())
        return call.error("it works on integers, but an operand is no integer tensor.");
    return combine(
        call, *pair, [](auto x, auto) { return x; }, f);
}
Outputs bitAnd(const Call& call) {
    return bitwise(call, [](std::int64_t x, std::int64_t y) { return x & y; });
}
Outputs bitOr(const Call& call) {
    return bitwise(call, [](std::int64_t x, std::int64_t y) { return x | y; });
}
Outputs bitXor(const Call& call) {
    return bitwise(call, [](std::int64_t x, std::int64_t y) { return x ^ y; });
}

/// By as many bits as the type has, or more, everything is shifted out.
Outputs bitShift(const Call& call) {
    const bool isLeft = call.attributes().text("direction", "LEFT") == "LEFT";
    const Tensor* x = call.input(0);
    const int bits = x ? std::max(ir::bitWidth(x->dtype()), 1) : 64;
    const bool isSigned = x && !isUnsigned(x->dtype());
    return bitwise(call, [=](std::int64_t value, std::int64_t by) -> std::int64_t {
        if (by < 0 || by >= bits)
            return !isLeft && isSigned && value < 0 ? -1 : 0;
        if (isLeft)
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << by);
        return isSigned ? value >> by
                        : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) >> by);
    });
}

template <typename T>
std::vector<T> selected(
    const Tensor& condition, const Tensor& a, const Tensor& b, const Extents& shape) {
    std::vector<T> result(static_cast<std::size_t>(productOf(shape)));
    if (result.empty())
        return result;
    const BroadcastPlan<3> plan(shape,
        {broadcastStrides(condition.shape(), shape), broadcastStrides(a.shape(), shape),
            broadcastStrides(b.shape(), shape)});
    const std::int64_t* c = condition.as<std::int64_t>()->data();
    const auto& x = *a.as<T>();
    const auto& y = *b.as<T>();
    const std::int64_t cStep = plan.strides[0].back(), aStep = plan.strides[1].back(),
                       bStep = plan.strides[2].back();
    plan.forRows([&](const std::array<std::int64_t, 3>& at, std::int64_t to, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            result[static_cast<std::size_t>(to + i)] = c[at[0] + i * cStep]
                ? x[static_cast<std::size_t>(at[1] + i * aStep)]
                : y[static_cast<std::size_t>(at[2] + i * bStep)];
    });
    return result;
}

Outputs where(const Call& call) {
    auto condition = call.required(0);
    auto a = call.required(1);
    auto b = call.required(2);
    if (!condition || !a || !b)
        return call.error("it needs a condition and two operands.");
    const Tensor* tensors[] = {*condition, *a, *b};
    auto shape = broadcastAll(call, tensors);
    if (!shape)
        return shape.error();
    const Tensor mask = ofType(**condition, DType::Bool, call.evaluation.carrier);
    if ((*a)->as<std::string>() && (*b)->as<std::string>())
        return one({(*a)->dtype(), *shape, selected<std::string>(mask, **a, **b, *shape)});
    auto pair = paired(call, **a, **b, false);
    if (!pair)
        return pair.error();
    if (!mask.as<std::int64_t>())
        return call.error("its condition holds text.");
    if (pair->a.as<float>())
        return one({pair->dtype, *shape, selected<float>(mask, pair->a, pair->b, *shape)});
    if (pair->a.as<double>())
        return one({pair->dtype, *shape, selected<double>(mask, pair->a, pair->b, *shape)});
    return one({pair->dtype, *shape, selected<std::int64_t>(mask, pair->a, pair->b, *shape)});
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Equal, equality<true>},
    {Op::NotEqual, equality<false>},
    {Op::Less, less},
    {Op::LessOrEqual, lessOrEqual},
    {Op::Greater, greater},
    {Op::GreaterOrEqual, greaterOrEqual},
    {Op::And, conjunction},
    {Op::Or, disjunction},
    {Op::Xor, difference},
    {Op::BitwiseAnd, bitAnd},
    {Op::BitwiseOr, bitOr},
    {Op::BitwiseXor, bitXor},
    {Op::BitShift, bitShift},
    {Op::Where, where},
};

} // namespace

KernelTable logicKernels() {
    return kTable;
}

} // namespace fivefold::numerics
