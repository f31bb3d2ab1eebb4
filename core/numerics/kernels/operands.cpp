// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/operands.h"

#include "core/numerics/random.h"

#include <bit>

namespace fivefold::numerics {

base::Error badAxis(const Call& call, std::int64_t axis, std::size_t rank) {
    return call.error("axis " + std::to_string(axis) + " does not exist in a tensor of rank "
        + std::to_string(rank) + ".");
}

base::Result<std::size_t> axisOf(
    const Call& call, std::string_view attribute, std::int64_t fallback, std::size_t rank) {
    const std::int64_t given = call.attributes().integer(attribute, fallback);
    const auto axis = axisIn(given, rank);
    if (!axis)
        return badAxis(call, given, rank);
    return *axis;
}

std::optional<std::int64_t> integerOf(
    const Call& call, std::size_t index, std::string_view attribute) {
    const auto list = call.integers(index, attribute);
    return list && !list->empty() ? std::optional(list->front()) : std::nullopt;
}

Tensor tensorOf(const Call& call, ir::DType dtype, Extents shape, std::vector<double> values) {
    if (!ir::isFloat(dtype)) {
        std::vector<std::int64_t> whole;
        for (const double value : values)
            whole.push_back(Tensor::scalar(ir::DType::Int64, value).integer(0));
        return {dtype, std::move(shape), std::move(whole)};
    }
    if (call.isDouble())
        return {dtype, std::move(shape), std::move(values)};
    return {dtype, std::move(shape), std::vector<float>(values.begin(), values.end())};
}

std::optional<std::vector<double>> numbersOf(const Call& call, std::size_t index) {
    const Tensor* tensor = call.input(index);
    return tensor ? std::optional(tensor->numbers()) : std::nullopt;
}

std::uint64_t streamSeed(const Call& call) {
    const ir::Attributes& attributes = call.attributes();
    if (!attributes.has("seed"))
        return seedOf(call.operation.name, call.evaluation.seed);
    const double seed =
        attributes.number("seed", static_cast<double>(attributes.integer("seed", 0)));
    return seedOf("seed", std::bit_cast<std::uint64_t>(seed));
}

} // namespace fivefold::numerics
