// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/random.h"

#include <optional>
#include <random>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// A bound of Clip: an operand, or an attribute of operator sets before 11.
std::optional<Tensor> bound(const Call& call, std::size_t index, std::string_view attribute) {
    if (const Tensor* tensor = call.input(index))
        return *tensor;
    const ir::AttributeValue* value = call.attributes().find(attribute);
    if (!value)
        return std::nullopt;
    const Tensor* x = call.input(0);
    const double number = call.attributes().number(
        attribute, static_cast<double>(call.attributes().integer(attribute, 0)));
    const Tensor scalar = Tensor::scalar(x ? x->dtype() : DType::Float32, number);
    return call.isDouble() ? scalar : scalar.carried<float>();
}

Outputs clip(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    Tensor result = **x;
    if (result.as<std::string>())
        return call.error("it works on numbers, but its operand holds text.");
    const auto apply = [&](const std::optional<Tensor>& limit, auto f) -> base::Result<Tensor> {
        if (!limit)
            return result;
        auto pair = paired(call, result, *limit, false);
        if (!pair)
            return pair.error();
        auto held = combine(call, *pair, f, f);
        if (!held)
            return held.error();
        return std::move((*held)[0].tensor);
    };
    const bool isWide = result.dtype() == DType::UInt64;
    const auto isBelow = [isWide](auto a, auto b) {
        if constexpr (std::is_same_v<decltype(a), std::int64_t>)
            return isWide ? std::uint64_t(a) < std::uint64_t(b) : a < b;
        else
            return a < b;
    };
    for (const auto& [index, name] : {std::pair{1, "min"}, std::pair{2, "max"}}) {
        const auto limit = bound(call, static_cast<std::size_t>(index), name);
        auto next = index == 1
            ? apply(limit, [&](auto a, auto b) { return isBelow(a, b) ? b : a; })
            : apply(limit, [&](auto a, auto b) { return isBelow(b, a) ? b : a; });
        if (!next)
            return next.error();
        result = *std::move(next);
    }
    return one(std::move(result));
}

Outputs identity(const Call& call) {
    if (call.inputs.empty())
        return call.error("it has no operand.");
    return std::vector<Datum>{call.inputs[0]};
}

/// Draws of the reference implementation for a seed (NumPy's legacy generator is a Mersenne twister
/// that gives 53 bits a number); seeded by the node's name where the model has no seed.
std::vector<double> draws(const Call& call, std::size_t count) {
    std::vector<double> result(count);
    if (call.attributes().has("seed")) {
        std::mt19937 twister(static_cast<std::uint32_t>(call.attributes().integer(
            "seed", static_cast<std::int64_t>(call.attributes().number("seed", 0)))));
        for (double& value : result) {
            const std::uint64_t high = twister() >> 5, low = twister() >> 6;
            value = static_cast<double>(high * 67108864 + low) / 9007199254740992.0;
        }
        return result;
    }
    Random random(seedOf(call.operation.name, call.evaluation.seed));
    for (double& value : result)
        value = random.uniform();
    return result;
}

/// Whether elements are dropped: an operand from operator set 12 on, an attribute of ATen; operator
/// sets before 7 say the opposite.
bool isTraining(const Call& call) {
    if (const Tensor* flag = call.input(2); flag && flag->size() > 0)
        return flag->number(0) != 0;
    if (call.attributes().has("training_mode"))
        return call.attributes().integer("training_mode", 0) != 0;
    return false;
}

Outputs dropout(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const Tensor* operand = call.input(1);
    const double ratio = operand && operand->size() > 0 ? operand->number(0)
                                                        : call.attributes().number("ratio", 0.5);
    const auto count = static_cast<std::size_t>((*x)->size());
    const Extents shape = (*x)->shape();
    const bool hasMaskOfFloats = call.operation.version > 0 && call.operation.version < 10;
    std::vector<std::int64_t> mask(count, 1);
    std::vector<Datum> results{**x};
    if (isTraining(call) && ratio > 0) {
        const std::vector<double> drawn = draws(call, count);
        for (std::size_t i = 0; i < count; ++i)
            mask[i] = drawn[i] >= ratio;
        Tensor kept(DType::Int64, shape, mask);
        auto pair = paired(call, asFloats(call, **x), kept, true);
        if (!pair)
            return pair.error();
        const double scale = ratio < 1 ? 1 / (1 - ratio) : 0;
        results = *combine(
            call, *pair, [=](auto a, auto b) { return b == 0 ? 0 : a * decltype(a)(scale); },
            [](std::int64_t a, std::int64_t) { return a; });
    }
    if (call.operation.outputs > 1) {
        const Tensor kept(DType::Bool, shape, std::move(mask));
        results.emplace_back(
            hasMaskOfFloats ? ofType(kept, (*x)->dtype(), call.evaluation.carrier) : kept);
    }
    return results;
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Clip, clip},
    {Op::Identity, identity},
    {Op::Dropout, dropout},
};

} // namespace

KernelTable pointwiseKernels() {
    static const KernelList list = joinedTables({kTable, unaryKernels(), activationKernels(),
        binaryKernels(), logicKernels(), castKernels()});
    return list;
}

} // namespace fivefold::numerics
