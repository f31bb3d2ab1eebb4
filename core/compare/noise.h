// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/evaluate.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fivefold::compare {

bool isDiscontinuous(ir::Op op); ///< floor, comparison, arg max, sort, top-k, cast to integers
bool isRandomOperator(ir::Op op);
bool isCopying(ir::Op op); ///< every result element is one of an operand, unchanged

using Evaluator = std::function<std::optional<std::vector<numerics::Datum>>(
    std::span<const numerics::Datum>, const ir::Attributes*)>;

/// A float tensor with each element moved by ±`unit`, relative; the same for the same seed.
numerics::Tensor perturb(const numerics::Tensor& tensor, double unit, std::uint64_t seed);
numerics::Tensor scaled(const numerics::Tensor& tensor, double factor);
numerics::Tensor squared(const numerics::Tensor& tensor);

/// What rounding of the operands by `unit` does to each result (facts, section 1.3: √K · u · S with
/// S the root mean square of the terms): by squares for sums of products, by finite differences
/// elementwise, by two perturbed runs for the rest. Empty vectors where nothing changes.
std::vector<std::vector<double>> operandNoise(ir::Op op, const ir::Attributes& attributes,
    std::span<const numerics::Datum> operands, std::span<const numerics::Datum> results,
    double unit, const Evaluator& evaluate);

/// The same from runs that were perturbed already.
std::vector<double> spread(
    const numerics::Tensor& result, std::span<const numerics::Tensor> samples);

} // namespace fivefold::compare
